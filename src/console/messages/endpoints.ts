/** Why receipts fail: the endpoints that fail, one endpoint with what its attempts came to, and its release. */

import { type Content, html } from '../../docs/render/html.ts';
import { attemptWords, conditionOfEndpoint, endpointWords } from '../../model/words/receipts.ts';
import { counted, countedUpTo, upTo } from '../../platform/text/counted.ts';
import { buttonForm } from '../forms/button-form.ts';
import { at, button, notice, panel, top, widePanel, written } from '../layout/parts.ts';
import { span } from '../layout/spans.ts';
import { type Listing, listRoute } from '../lists/list-page.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { endpointFilter, receiptsOfEndpoint } from './receipts.ts';
import { type Endpoint, endpointSentence, endpointState } from './states.ts';

const path = '/endpoints';

/** The API counts no further. */
const mostCounted = 1_000;
const mostShown = 10;

/** What is lost before what waits, and that before what only failed. */
export const mostUrgentFirst = (endpoints: readonly Endpoint[]): Endpoint[] => {
  const rank = ({ exhausted, parkedUntil, waiting, failures }: Endpoint) => [
    exhausted,
    parkedUntil === undefined ? 0 : 1,
    waiting,
    failures,
  ];
  return endpoints.toSorted((one, other) => {
    const [mine, theirs] = [rank(one), rank(other)];
    const place = mine.findIndex((value, index) => value !== theirs[index]);
    return place < 0 ? 0 : (theirs[place] ?? 0) - (mine[place] ?? 0);
  });
};

const endpoints: Listing<Endpoint> = {
  path,
  operation: 'listEndpoints',
  title: 'Endpoints',
  one: 'endpoint',
  under:
    'Callback endpoints whose last attempt failed, or that lost receipts in the last 24 hours. One that works again, and whose receipts were posted again, disappears by itself.',
  caption: 'Endpoints that need somebody',
  empty: 'No endpoint fails, and none lost receipts in the last 24 hours.',
  refreshes: true,
  sorted: mostUrgentFirst,
  columns: [
    { endpoint: 'origin' },
    { state: 'parkedUntil' },
    { 'failed in a row': 'failures' },
    { 'receipts wait': 'waiting' },
    { 'given up in 24 hours': 'exhausted' },
    'teamId',
  ],
  cells: {
    origin: ({ teamId, key, origin }) =>
      html`<a href="${at(`${path}/${teamId}/${key}`)}">${written(origin)}</a>`,
    parkedUntil: endpointState,
    waiting: ({ waiting }) => upTo(waiting, mostCounted),
    exhausted: ({ exhausted }) =>
      exhausted === 0 ? 0 : html`<b class="bad">${upTo(exhausted, mostCounted)}</b>`,
  },
};

export async function endpointOf({ api, params }: PageContext) {
  const { team: teamId = '', key: endpointKey = '' } = params;
  return (await api.call('getEndpoint', { path: { teamId, endpointKey } })).body;
}

async function endpointPage(page: PageContext) {
  const { api, query, times, may } = page;
  const endpoint = await endpointOf(page);
  const { teamId, origin, failures, key, exhausted: exhaustedLately } = endpoint;
  const condition = conditionOfEndpoint(endpoint);
  const here = `${path}/${teamId}/${key}`;
  const of = { teamId, origin };
  const [waiting = [], exhausted = []] = await Promise.all(
    (['Waiting', 'Exhausted'] as const).map(
      async (state) => (await api.call('listReceipts', { query: { ...of, state, limit: 100 } })).body.items,
    ),
  );
  // The newest may have had no attempt yet.
  const attempted = [...waiting, ...exhausted]
    .flatMap(({ attempts }) => attempts.slice(-1))
    .sort((one, other) => one.at.localeCompare(other.at));
  const last = attempted.at(-1);
  const release = may('releaseEndpoint') ? buttonForm(`${here}/release`, 'Release') : undefined;
  const replay = may('replayReceipts') ? button(`${here}/replay`, 'Post again…') : undefined;
  const released = query.get('released');
  const done: Content =
    released !== null && /^\d{1,9}$/.test(released)
      ? notice(
          'good',
          released === '0'
            ? 'Released. No receipt waits for its next attempt.'
            : `Released. ${counted(Number(released), 'waiting receipt')} ${released === '1' ? 'is' : 'are'} being posted now; outcomes appear here.`,
        )
      : undefined;
  return {
    title: 'Endpoint',
    refreshes: true,
    body: html`${top({
      heading: written(origin),
      trail: [[path, 'Endpoints']],
      state: html`<span id="state">${endpointState(endpoint, page)}</span>`,
      under: html`Receipts of team ${written(teamId)}`,
    })}${done}<div class="stack">${panel(
      condition === 'gaveUp'
        ? `${countedUpTo(exhaustedLately, mostCounted, 'receipt')} given up`
        : `It ${endpointWords[condition].does}`,
      html`<p>${endpointSentence(endpoint)}</p>${
        last !== undefined &&
        condition !== 'works' &&
        html`<p>Last, ${times.show(last.at)}: ${last.status ?? last.error ?? 'no response'} after ${span(last.latencyMs)}. ${attemptWords(last)}.</p>${
          last.response !== undefined &&
          last.response !== '' &&
          html`<p>Beginning of the response: <code class="excerpt" dir="auto">${last.response}</code></p>`
        }`
      }${
        condition !== 'works' &&
        html`<div class="next"><b>Next steps</b><ol><li>The team repairs it.</li>${
          failures > 0 && html`<li>Release it: the receipts that wait go out now. ${release}</li>`
        }<li>${exhausted.length > 0 ? 'Post those again that were given up.' : 'If the team lost receipts, post them again.'} ${replay}</li></ol></div>`
      }${condition === 'works' && html`<div class="actions">${replay}</div>`}`,
      { id: 'cause' },
    )}
${widePanel(
  'Receipts that wait',
  receiptsOfEndpoint(waiting.slice(0, mostShown), page, 'No receipts are waiting.'),
  { id: 'waiting' },
)}
${widePanel(
  'Receipts given up',
  receiptsOfEndpoint(exhausted.slice(0, mostShown), page, 'No receipts were given up.'),
  {
    id: 'exhausted',
    foot: html`<a href="${at('/receipts')}?${new URLSearchParams({ [endpointFilter]: `${teamId}/${key}` }).toString()}">All its receipts</a>`,
  },
)}</div>`,
  };
}

export const endpointRoutes: ConsoleRoute[] = [
  listRoute(endpoints),
  {
    method: 'GET',
    path: `${path}/:team/:key`,
    operations: ['getEndpoint', 'listReceipts'],
    shared: true,
    handle: endpointPage,
  },
  {
    method: 'POST',
    path: `${path}/:team/:key/release`,
    operations: ['releaseEndpoint', 'getEndpoint'],
    handle: async (page) => {
      const { teamId, origin, key } = await endpointOf(page);
      const { body } = await page.api.call('releaseEndpoint', { body: { teamId, origin } });
      return { redirect: `${path}/${teamId}/${key}?released=${body.receipts}` };
    },
  },
];
