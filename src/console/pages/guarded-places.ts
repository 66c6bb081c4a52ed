/** Where the guard against SMS pumping refuses codes, or would: the curve of each country and prefix, and why. */
import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { filterForm, filtersOf, filterValues } from '../forms/filters.ts';
import { axesOf, figure, keyOf, scaleTo } from '../layout/chart.ts';
import { at, panel, table, top } from '../layout/parts.ts';
import type { ZonedTimes } from '../layout/times.ts';
import type { ConsoleRoute, Page, PageContext } from '../page.ts';

type Place = components['schemas']['GuardedPlace'];
type Count = components['schemas']['CodeCounts'];

const path = '/guarded-places';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function showPage(page: PageContext): Promise<Page> {
  const { api } = page;
  const filters = filtersOf(api.operation('listGuardedPlaces'), page);
  const { items } = (await api.call('listGuardedPlaces', { query: filterValues(filters, page) })).body;
  return {
    title: 'Codes',
    section: path,
    body: html`${top({
      heading: 'Codes',
      under:
        'Where one-time codes went beyond the guard of a team in 14 days. A country or prefix has charts also if it did not: name it.',
    })}<div class="stack">${await filterForm(path, filters, page)}${
      items.length === 0
        ? html`<p class="lead">No code went beyond the limit.</p>`
        : items.map((one) => placePanel(one, page))
    }</div>`,
  };
}

function placePanel(place: Place, { times, now }: PageContext): Html {
  return panel(
    html`${place.place} of <a href="${at(`/teams/${place.teamId}`)}">${place.teamId}</a>`,
    html`<p class="lead">${why(place)}</p><div class="charts">${countChart({
      heading: '24 hours',
      counts: place.hours,
      stepMs: hourMs,
      places: 24,
      nowMs: now,
      labelOf: (instant) => times.local(instant).slice(5, 16).replace('T', ' '),
    })}${countChart({
      heading: '14 days of UTC',
      counts: place.days,
      stepMs: dayMs,
      places: 14,
      nowMs: now,
      labelOf: (instant) => instant.slice(0, 10),
    })}</div>${keyOf([
      ['bar', 'failed', 'Beyond the limit: on top'],
      ['bar', 'open', 'Unconfirmed'],
      ['bar', 'delivered', 'Confirmed: at the bottom'],
    ])}${numbers(place, times)}`,
  );
}

/** What the guard of a team does with codes beyond the limit. */
export const whatGuardDoes = (guard: Place['pumpingGuard']): string =>
  own({ Refuse: 'The guard refuses them.', Record: 'The guard records them, and sends them.' }, guard) ??
  'The guard is off.';

/** What the guard saw, and what it did. */
function why({ sent, confirmed, limit, over, overConfirmed, ...place }: Place): string {
  const { sentInHour, confirmedInHour, limitInHour, pumpingGuard } = place;
  const number = (count: number) => count.toLocaleString('en');
  const windows = `Unconfirmed in 24 hours: ${number(sent - confirmed)} of ${number(limit)} that may be; in this hour: ${number(sentInHour - confirmedInHour)} of ${number(limitInHour)}.`;
  const known =
    overConfirmed === 0
      ? ''
      : ` Of these ${number(overConfirmed)} were sent, and people confirmed them: Refuse turns such people away.`;
  return `${windows} Beyond that: ${number(over)}. ${whatGuardDoes(pumpingGuard)}${known}`;
}

interface Drawn {
  heading: string;
  counts: readonly Count[];
  stepMs: number;
  places: number;
  nowMs: number;
  labelOf: (instant: string) => string;
}

function countChart({ heading, counts, stepMs, places, nowMs, labelOf }: Drawn): Html {
  const first = (Math.floor(nowMs / stepMs) - places + 1) * stepMs;
  const { grid, bar, below } = axesOf({
    places,
    to: scaleTo(Math.max(...counts.map(({ sent, over }) => sent + over), 0)),
  });
  const [sent, confirmed, over] = (['sent', 'confirmed', 'over'] as const).map((name) =>
    counts.reduce((sum, one) => sum + one[name], 0).toLocaleString('en'),
  );
  const words = `${sent} sent · ${confirmed} confirmed · ${over} beyond`;
  return figure({
    heading,
    now: words,
    words: `Codes, ${heading}: ${words}. The table has the numbers.`,
    height: 140,
    drawing: html`${grid}${counts.map((one) => {
      const place = Math.round((Date.parse(one.from) - first) / stepMs);
      const known = one.confirmed + one.overConfirmed;
      return [
        bar('delivered', place, 0, known),
        bar('open', place, known, one.sent + one.overConfirmed),
        bar('failed', place, one.sent + one.overConfirmed, one.sent + one.over),
      ];
    })}${below(0, 134, labelOf(new Date(first).toISOString()), 'start')}${below(places - 1, 134, labelOf(new Date(nowMs).toISOString()), 'end')}`,
    more: '',
  });
}

const numbers = ({ place, hours, days }: Place, times: ZonedTimes): Html =>
  html`<details><summary>Numbers<span class="unseen"> of ${place}</span></summary>${[
    { caption: 'Hour by hour', counts: hours, label: times.show },
    { caption: 'Day by day', counts: days, label: (from: string) => from.slice(0, 10) },
  ].map(({ caption, counts, label }) =>
    table({
      caption,
      columns: [
        { name: 'From' },
        ...['Sent', 'Confirmed', 'Beyond', 'Of these confirmed'].map((name) => ({ name, isNumber: true })),
      ],
      rows: counts.map(({ from, sent, confirmed, over, overConfirmed }) => [
        label(from),
        ...[sent, confirmed, over, overConfirmed].map((count) => count.toLocaleString('en')),
      ]),
      empty: 'No code.',
    }),
  )}</details>`;

export const guardedPlaceRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['listGuardedPlaces'], handle: showPage },
];
