/** How many messages were accepted, what they came to, and how long they took; and how many phones sent. */
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { filterForm, filtersOf, filterValues } from '../forms/filters.ts';
import { at, panel, top, widePanel } from '../layout/parts.ts';
import { shares } from '../layout/shares.ts';
import { itemTable } from '../lists/item-table.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { deliveredPercent, outcomeCharts, percentWords, unitOf } from './outcome-charts.ts';

const path = '/statistics';

async function statisticsPage(page: PageContext) {
  const { api, query, times } = page;
  if (!query.has('by')) query.set('by', 'channel');
  const filters = filtersOf(api.operation('getStatistics'), page);
  const { cursor: _, ...values } = filterValues(filters, page);
  const { body } = await api.call('getStatistics', { query: values });
  const [fromMs, toMs] = [Date.parse(body.from), Date.parse(body.to)];
  // Whole weeks: Mondays stand beside Mondays.
  const shiftMs = Math.ceil((toMs - fromMs) / weekMs) * weekMs;
  const earlier = { ...values, from: instant(fromMs - shiftMs), to: instant(toMs - shiftMs) };
  const unit = unitOf(toMs - fromMs);
  const inboundBy = inboundKeys.find((key) => key === body.by) ?? 'service';
  const [now, before, earlierBy, inbound] = await Promise.all([
    body.by === unit ? { body } : api.call('getStatistics', { query: { ...values, by: unit } }),
    api.call('getStatistics', { query: { ...earlier, by: unit } }),
    body.by === unit
      ? undefined
      : api.call('getStatistics', { query: { ...earlier, by: body.by as 'channel' } }),
    api.call('getInboundStatistics', {
      query: {
        teamId: query.get('teamId') ?? undefined,
        by: inboundBy,
        from: instant(Math.max(fromMs, toMs - longestInboundMs)),
        to: body.to,
      },
    }),
  ]);
  const drawn = {
    unit,
    ...{ now: now.body.items, before: before.body.items },
    ...{ shiftMs, fromMs, toMs, nowMs: page.now },
  };
  const isTime = body.by === 'hour' || body.by === 'day';
  /** Under which key the weeks before stand beside these. */
  const shifted = (key: string | undefined) =>
    key === undefined || !isTime ? key : instant(Date.parse(key) + shiftMs);
  const then = new Map(
    (earlierBy ?? before).body.items.map((one) => [shifted(one.key), deliveredPercent(one)]),
  );
  const keyOf = ({ key }: { key?: string }): Content => {
    if (key === undefined) return nothingOf.get(body.by) ?? '–';
    if (body.by === 'day') return key.slice(0, 10);
    return body.by === 'hour' ? times.show(key) : narrowing(body.by, key, query);
  };
  return {
    title: 'Statistics',
    body: html`${top({
      heading: 'Statistics',
      under: html`Accepted from ${times.show(body.from)} to ${times.show(body.to)}. Messages that change later are counted anew within minutes.`,
    })}<div class="stack">${periods(page)}${await filterForm(path, filters, page)}
${panel('Over time', outcomeCharts(drawn, times), { note: unit === 'day' && 'Days of UTC' })}
${widePanel(
  `By ${body.by}`,
  itemTable<(typeof body.items)[number]>(
    {
      operation: 'getStatistics',
      columns: [
        { [body.by]: 'key' },
        ...['shares', 'accepted', 'delivered'],
        { 'delivered, %': 'percent', 'before, %': 'before' },
        ...['failed', 'open'],
        { 'half within, s': 'p50Seconds', '95 % within, s': 'p95Seconds' },
      ],
      cells: {
        key: keyOf,
        shares,
        percent: (one) => percentWords(deliveredPercent(one)),
        before: ({ key }) =>
          percentWords(then.get(isTime && key !== undefined ? instant(Date.parse(key)) : key)),
      },
      numbers: ['percent', 'before'],
    },
    body.items,
    page,
    { caption: `Messages by ${body.by}`, empty: 'No message was accepted in this time.' },
  ),
  { note: filterOf.has(body.by) && 'A name leads to its own charts' },
)}
${widePanel(
  `What phones sent, by ${inboundBy}`,
  itemTable<(typeof inbound.body.items)[number]>(
    {
      operation: 'getInboundStatistics',
      columns: [{ [inboundBy]: 'key' }, ...['received', 'optOuts', 'optIns'], { help: 'helps' }],
      cells: { key: ({ key }) => (inboundBy === 'hour' ? times.show(key) : key) },
    },
    inbound.body.items,
    page,
    { caption: `Messages of phones by ${inboundBy}`, empty: 'No phone sent a message in this time.' },
  ),
)}</div>`,
  };
}

const dayMs = 24 * 3_600_000;
const weekMs = 7 * dayMs;
const instant = (atMs: number) => new Date(atMs).toISOString();

/** What people look at most often. */
function periods({ query, now, times }: PageContext): Html {
  const links = [
    ['24 hours', 1],
    ['7 days', 7],
    ['4 weeks', 28],
    ['13 weeks', 91],
  ] as const;
  return html`<p class="links"><span>The last</span>${links.map(([words, days]) => {
    const chosen = new URLSearchParams(query);
    const fromMs = now - days * dayMs;
    // Full days, as they are drawn.
    const from = instant(days === 1 ? fromMs : Math.floor(fromMs / dayMs) * dayMs);
    chosen.set('from', times.local(from).slice(0, 16));
    chosen.delete('to');
    return html`<a href="${at(path)}?${chosen.toString()}">${words}</a>`;
  })}</p>`;
}

/** What is counted where there is none. */
const nothingOf: ReadonlyMap<string, string> = new Map([
  ['template', 'without a template'],
  ['connector', 'no connector had it yet'],
  ['sender', 'without a sender'],
  ['billedAs', 'not said by a chat app'],
]);

/** The filters that narrow what is counted to one row. */
const filterOf: ReadonlyMap<string, string> = new Map([
  ['team', 'teamId'],
  ['channel', 'channel'],
  ['connector', 'connector'],
  ['sender', 'sender'],
  ['service', 'serviceId'],
]);

/** Leads to the charts of this row alone. */
function narrowing(by: string, key: string, query: URLSearchParams): Content {
  const filter = filterOf.get(by);
  if (filter === undefined) return key;
  const narrowed = new URLSearchParams(query);
  narrowed.set(filter, key);
  return html`<a href="${at(path)}?${narrowed.toString()}">${key}</a>`;
}

const inboundKeys = ['product', 'service', 'team', 'hour'] as const;
const longestInboundMs = 31 * 24 * 3600 * 1000;

export const statisticsRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['getStatistics', 'getInboundStatistics'], handle: statisticsPage },
];
