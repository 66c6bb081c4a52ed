/** How many messages were accepted, what they came to, and how long they took; and how many phones sent. */

import { type Content, type Html, html } from '../../docs/render/html.ts';
import { filterForm, filtersOf, filterValues } from '../forms/filters.ts';
import { at, table, top } from '../layout/parts.ts';
import { shares } from '../layout/shares.ts';
import { labelOf } from '../layout/values.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { deliveredPercent, outcomeCharts, percentWords } from './outcome-charts.ts';

const path = '/statistics';

async function statisticsPage(page: PageContext) {
  const { api, query, times } = page;
  if (!query.has('by')) query.set('by', 'channel');
  const filters = filtersOf(api.operation('getStatistics'), page);
  const { cursor: _, ...values } = filterValues(filters, page);
  const teamId = query.get('teamId') ?? undefined;
  const { body } = await api.call('getStatistics', { query: values });
  const by = inboundKeys.find((key) => key === body.by) ?? 'service';
  const sinceMs = Math.max(Date.parse(body.from), Date.parse(body.to) - longestInboundMs);
  const inbound = await api.call('getInboundStatistics', {
    query: { teamId, by, from: instant(sinceMs), to: body.to },
  });
  const [fromMs, toMs] = [Date.parse(body.from), Date.parse(body.to)];
  // Whole weeks: Mondays stand beside Mondays.
  const shiftMs = Math.ceil((toMs - fromMs) / weekMs) * weekMs;
  const earlier = { ...values, from: instant(fromMs - shiftMs), to: instant(toMs - shiftMs) };
  const hours = { ...values, by: 'hour' } as const;
  const [now, before, earlierBy] = await Promise.all([
    api.call('getStatistics', { query: hours }),
    api.call('getStatistics', { query: { ...earlier, by: 'hour' } }),
    api.call('getStatistics', { query: { ...earlier, by: body.by as 'channel' } }),
  ]);
  const drawn = { now: now.body.items, before: before.body.items, shiftMs, fromMs, toMs, nowMs: page.now };
  const thenOf = new Map(earlierBy.body.items.map((one) => [one.key, deliveredPercent(one)]));
  const keyOf = (key: string | undefined): Content => {
    if (key === undefined) return nothingOf.get(body.by) ?? '–';
    return body.by === 'hour' ? times.show(key) : narrowing(body.by, key, query);
  };
  return {
    title: 'Statistics',
    body: html`${top({
      heading: 'Statistics',
      under: html`Accepted from ${times.show(body.from)} to ${times.show(body.to)}. Messages that change later are counted anew within minutes.`,
    })}<div class="stack">${periods(page)}${await filterForm(path, filters, page)}
<section class="panel" aria-labelledby="over-time"><div class="head"><h2 id="over-time">Over time</h2></div><div class="body">${outcomeCharts(drawn, times)}</div></section>
<section class="panel" aria-labelledby="by"><div class="head"><h2 id="by">By ${body.by}</h2>${filterOf.has(body.by) && html`<span class="note">A name leads to its own charts</span>`}</div>${table(
      {
        caption: `Messages by ${body.by}`,
        columns: [
          { name: labelOf(body.by) },
          { name: 'Shares' },
          ...[
            'Accepted',
            'Delivered',
            '%',
            'Before, %',
            'Failed',
            'Open',
            'Mean',
            'Half within',
            '95 % within',
          ].map((name) => ({
            name,
            isNumber: true,
          })),
        ],
        rows: body.items.map((one) => [
          keyOf(one.key),
          shares(one),
          count(one.accepted),
          count(one.delivered),
          percentWords(deliveredPercent(one)),
          body.by === 'hour' ? '–' : percentWords(thenOf.get(one.key)),
          count(one.failed),
          count(one.open),
          seconds(one.meanSeconds),
          seconds(one.p50Seconds),
          seconds(one.p95Seconds),
        ]),
        empty: 'No message was accepted in this time.',
      },
    )}</section>
<section class="panel" aria-labelledby="phones"><div class="head"><h2 id="phones">What phones sent, by ${by}</h2></div>${table(
      {
        caption: `Messages of phones by ${by}`,
        columns: [
          { name: labelOf(by) },
          ...['Received', 'Opt-outs', 'Opt-ins', 'Help'].map((name) => ({ name, isNumber: true })),
        ],
        rows: inbound.body.items.map((one) => [
          by === 'hour' ? times.show(one.key) : one.key,
          ...[one.received, one.optOuts, one.optIns, one.helps].map(count),
        ]),
        empty: 'No phone sent a message in this time.',
      },
    )}</section></div>`,
  };
}

const weekMs = 7 * 24 * 3_600_000;
const instant = (atMs: number) => new Date(atMs).toISOString();

/** What people look at most often. */
function periods({ query, now, times }: PageContext): Html {
  const links = [
    ['24 hours', 24],
    ['7 days', 168],
    ['4 weeks', 672],
    ['13 weeks', 2_184],
  ] as const;
  return html`<p class="links"><span>The last</span>${links.map(([words, hours]) => {
    const chosen = new URLSearchParams(query);
    chosen.set('from', times.local(instant(now - hours * 3_600_000)).slice(0, 16));
    chosen.delete('to');
    return html`<a href="${at(path)}?${chosen.toString()}">${words}</a>`;
  })}</p>`;
}

/** What is counted where there is none. */
const nothingOf: ReadonlyMap<string, string> = new Map([
  ['template', 'without a template'],
  ['connector', 'no connector had it yet'],
  ['sender', 'without a sender'],
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

const count = (value: number) => value.toLocaleString('en');
const seconds = (value: number | undefined) =>
  value === undefined ? '–' : `${value.toLocaleString('en')} s`;

export const statisticsRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['getStatistics', 'getInboundStatistics'], handle: statisticsPage },
];
