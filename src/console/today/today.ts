/** What needs somebody now, what waits, and what happened to messages in the last hour. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { wordsOfCondition } from '../../model/words/connectors.ts';
import { counted, upTo } from '../../platform/text/counted.ts';
import { buttonForm } from '../forms/button-form.ts';
import { at, top } from '../layout/parts.ts';
import { span } from '../layout/spans.ts';
import { insideSentence } from '../layout/values.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { type Chart, chart, key, type MinuteOfChannel } from './chart.ts';
import { mostLookedAt, needsOf, needsPanel, type Situation } from './needs.ts';
import { situationOf, situationOperations } from './situation.ts';

const operations: readonly ManagementOperationId[] = [
  'getMinuteStatistics',
  'getReceiptStatistics',
  ...situationOperations,
];

async function todayPage(page: PageContext, mayBurst: boolean) {
  const { api, times, may, now } = page;
  const [situation, { body: minutes }, { body: receipts }] = await Promise.all([
    situationOf(page),
    api.call('getMinuteStatistics'),
    api.call('getReceiptStatistics'),
  ]);
  const charts = chartsOf(minutes.items, situation, page);
  return {
    title: 'Today',
    refreshes: true,
    body: html`${top({ heading: 'Today', under: html`${times.day(now)}, times of ${times.zone.replaceAll('_', ' ')}` })}<div class="stack">${mayBurst && burstStrip(page)}${needsPanel(needsOf(situation, page))}
${figures(situation, receipts, { now, seesNetworks: may('listConnectors') })}
<section class="panel" id="minutes" aria-labelledby="minutes-title"><div class="head"><h2 id="minutes-title">Messages per minute, last 60 minutes</h2>${key}</div>
<div class="body">${
      charts.length === 0
        ? html`<p>No message in the last hour.</p>`
        : html`<div class="charts">${charts.map((one) => chart(one, minutes, times))}</div>`
    }</div></section></div>`,
  };
}

const mostCounted = 10_000;

function figures(
  { connectors, quarantined, endpoints }: Situation,
  receipts: { waiting: number; exhausted: number },
  { now, seesNetworks }: { now: number; seesNetworks: boolean },
): Html {
  const waiting = connectors.reduce((sum, one) => sum + one.waiting, 0);
  const [oldest] = connectors
    .filter(({ oldestWaitingAt }) => oldestWaitingAt !== undefined)
    .sort((one, other) => (one.oldestWaitingAt ?? '').localeCompare(other.oldestWaitingAt ?? ''));
  const age = oldest === undefined ? 0 : now - Date.parse(oldest.oldestWaitingAt ?? '');
  const parked = endpoints.filter(({ parkedUntil }) => parkedUntil !== undefined).length;
  const orMore = endpoints.length >= mostLookedAt ? ' or more' : '';
  const figure = (name: string, value: Content, note: Content, alerts = false) =>
    html`<div${alerts && html` class="alert"`}><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>`;
  return html`<section class="panel" id="waiting" aria-label="Waiting now"><dl class="figures">
${
  seesNetworks &&
  html`${figure('Oldest queued message', oldest === undefined ? '–' : span(age), oldest === undefined ? 'nothing waits' : `for ${oldest.name}`, age > 60_000)}
${figure('Messages waiting', upTo(waiting, mostCounted), waiting === 0 ? 'nothing waits' : 'for their networks')}`
}
${figure('Receipts waiting', upTo(receipts.waiting, mostCounted), parked === 0 ? 'for their next attempt' : `${parked}${orMore} parked endpoint${parked === 1 && orMore === '' ? '' : 's'}`)}
${figure('Receipts given up', upTo(receipts.exhausted, mostCounted), receipts.exhausted > 0 ? html`<a href="${at('/endpoints')}">in the last 24 hours</a>` : 'in the last 24 hours', receipts.exhausted > 0)}
${seesNetworks && figure('In quarantine', quarantined.length >= mostLookedAt ? `${mostLookedAt}+` : quarantined.length, quarantined.length === 0 ? 'nothing to do' : 'to look at')}
</dl></section>`;
}

type Counted = MinuteOfChannel & { product: string; channel?: string };

/** A channel's SMS and bundles together; the busiest first. */
function chartsOf(items: readonly Counted[], { connectors }: Situation, { times }: PageContext): Chart[] {
  const byName = Map.groupBy(items, ({ channel }) => channel ?? 'Chat app');
  return [...byName]
    .map(([name, own]) => ({ name, minutes: merged(own), mark: markOf(name, connectors, times) }))
    .sort((one, other) => total(other.minutes) - total(one.minutes))
    .slice(0, mostCharts);
}

const mostCharts = 12;
const total = (minutes: readonly MinuteOfChannel[]) =>
  minutes.reduce((sum, { accepted }) => sum + accepted, 0);

function merged(items: readonly Counted[]): MinuteOfChannel[] {
  return [...Map.groupBy(items, ({ minute }) => minute)]
    .map(([minute, own]) => ({
      minute,
      accepted: own.reduce((sum, one) => sum + one.accepted, 0),
      delivered: own.reduce((sum, one) => sum + one.delivered, 0),
      failed: own.reduce((sum, one) => sum + one.failed, 0),
    }))
    .sort((one, other) => one.minute.localeCompare(other.minute));
}

/** Where the state of the connector of a channel's SMS changed. */
function markOf(
  name: string,
  connectors: Situation['connectors'],
  times: PageContext['times'],
): Chart['mark'] {
  const connector = connectors.find(({ uses }) => uses.includes(`Sms/${name}`));
  // That it works needs no mark.
  if (connector?.since === undefined || connector.condition === 'open') return undefined;
  const { since, condition } = connector;
  return {
    at: since,
    words: `${times.clock(since).slice(0, 5)} ${insideSentence(wordsOfCondition(condition).word)}`,
  };
}

/** Sends messages through the simulated networks of a demo; returns how many. Undefined: this is no demo. */
export type SendBurst = (() => Promise<number>) | undefined;

function burstStrip({ query }: PageContext): Html {
  const sent = query.get('burst');
  return html`<div class="strip" id="burst"><p><b>Demo.</b> ${
    sent !== null && /^\d{1,5}$/.test(sent)
      ? html`<span role="status">${counted(Number(sent), 'message')} are on their way. The charts move within ten seconds.</span>`
      : 'The networks are simulated and nothing leaves this machine. A burst sends 40 messages; some fail, so that there is something to look into.'
  }</p>${buttonForm('/burst', 'Send a burst', 'main small')}</div>`;
}

export const todayRoutes = (sendBurst: SendBurst): ConsoleRoute[] => [
  {
    method: 'GET',
    path: '/',
    operations,
    shared: true,
    handle: (page) => todayPage(page, sendBurst !== undefined && page.may('createTeam')),
  },
  ...(sendBurst === undefined ? [] : [burstRoute(sendBurst)]),
];

/** For those who may change everything on the platform. */
const burstRoute = (sendBurst: () => Promise<number>): ConsoleRoute => ({
  method: 'POST',
  path: '/burst',
  operations: ['createTeam'],
  handle: async () => ({ redirect: `/?burst=${await sendBurst()}` }),
});
