/** What needs somebody: the most urgent first, each with the page where it is mended. */
import type { components } from '../../../generated/management.d.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { wordsOfCondition } from '../../model/words/connectors.ts';
import { conditionOfEndpoint, endpointWords } from '../../model/words/receipts.ts';
import { counted, countedUpTo } from '../../platform/text/counted.ts';
import { type Icon, icon } from '../layout/icons.ts';
import { at, type Tone, written } from '../layout/parts.ts';
import { span } from '../layout/spans.ts';
import { lookOfCondition } from '../layout/values.ts';
import { mostUrgentFirst } from '../messages/endpoints.ts';
import type { PageContext } from '../page.ts';
import { whatGuardDoes } from '../pages/guarded-places.ts';

type Schemas = components['schemas'];

/** Of each kind, so that none hides the others. */
const most = 5;
/** With one more, which tells whether there are others. */
export const mostAsked = most + 1;
/** A page of a list, where only some of its items may need somebody. */
export const mostLookedAt = 100;

/** What Today asks the API for, up to `mostAsked` or `mostLookedAt` of each; empty where the reader may not ask. */
export interface Situation {
  connectors: readonly Schemas['Connector'][];
  endpoints: readonly Schemas['Endpoint'][];
  accounts: readonly Schemas['UsedAccount'][];
  caps: readonly Schemas['CapUse'][];
  places: readonly Schemas['GuardedPlace'][];
  quarantined: readonly Schemas['QuarantinedItem'][];
  senders: readonly Schemas['Sender'][];
  smsTemplates: readonly Schemas['SmsTemplate'][];
  chatAppTemplates: readonly Schemas['ChatAppTemplate'][];
}

interface Need {
  tone: Tone;
  sign: Icon;
  what: Content;
  why: Content;
  path: string;
  button: string;
}

export interface Needs {
  needs: readonly Need[];
  /** Of some kind there are others. */
  isCut: boolean;
}

export function needsOf(situation: Situation, page: PageContext): Needs {
  const { connectors, endpoints, accounts, caps, quarantined, senders, smsTemplates, chatAppTemplates } =
    situation;
  const pumped = narrowestOfTeams(situation.places);
  const failing = mostUrgentFirst(endpoints.filter(isFailing));
  const isListCut = endpoints.length >= mostLookedAt;
  const needs = [
    ...connectors.filter(needsSomebody).map((one) => connectorNeed(one, page)),
    ...connectors.filter(({ notices }) => notices.length > 0).map(noticeNeed),
    ...failing.slice(0, most).map((one) => endpointNeed(one, page)),
    ...(isListCut || failing.length > most ? [endpointsNeed(isListCut ? undefined : failing.length)] : []),
    ...accounts.slice(0, most).map(accountNeed),
    ...caps.slice(0, most).map((one) => capNeed(one, page)),
    ...pumped.slice(0, most).map(pumpedNeed),
    ...(quarantined.length === 0 ? [] : [quarantineNeed(quarantined)]),
    ...senders.slice(0, most).map(senderNeed),
    ...smsTemplates
      .slice(0, most)
      .map(({ id, teamId, updatedAt }) =>
        reviewNeed('SMS template', '/templates/sms', { id, teamId, updatedAt }, page),
      ),
    ...chatAppTemplates
      .slice(0, most)
      .map(({ id, teamId, updatedAt }) =>
        reviewNeed('Chat-app template', '/templates/chat-app', { id, teamId, updatedAt }, page),
      ),
  ];
  const isCut =
    isListCut ||
    [failing, accounts, caps, pumped, senders, smsTemplates, chatAppTemplates].some(
      ({ length }) => length > most,
    );
  return { needs, isCut };
}

/** How many there are below each page of the navigation, and how urgent the most urgent is. */
export function needsBySection(situation: Situation): Map<string, { count: number; tone: Tone }> {
  const { endpoints, places, senders, smsTemplates, chatAppTemplates, accounts, quarantined, connectors } =
    situation;
  const counts: readonly (readonly [path: string, count: number, tone: Tone])[] = [
    ['/connectors', connectors.filter((one) => needsSomebody(one) || one.notices.length > 0).length, 'bad'],
    [
      '/endpoints',
      endpoints.filter(isFailing).length,
      endpoints.some(({ exhausted }) => exhausted > 0) ? 'bad' : 'fair',
    ],
    ['/senders', senders.length, 'moving'],
    ['/templates/sms', smsTemplates.length, 'moving'],
    ['/templates/chat-app', chatAppTemplates.length, 'moving'],
    ['/accounts', accounts.length, 'fair'],
    ['/guarded-places', narrowestOfTeams(places).length, 'bad'],
    ['/quarantine', quarantined.length, 'fair'],
  ];
  return new Map(
    counts.filter(([, count]) => count > 0).map(([path, count, tone]) => [path, { count, tone }]),
  );
}

const needsSomebody = ({ condition, uses }: Situation['connectors'][number]) =>
  condition !== 'open' && uses.length > 0;

const isFailing = ({ parkedUntil, failures, exhausted }: Situation['endpoints'][number]) =>
  parkedUntil !== undefined || exhausted > 0 || failures >= failuresThatNeedSomebody;

/** One or two may fail for a moment. */
const failuresThatNeedSomebody = 3;

function connectorNeed(connector: Situation['connectors'][number], { times, now }: PageContext): Need {
  const { name, condition, since, reason, waiting, oldestWaitingAt } = connector;
  const [, sign] = lookOfCondition(condition);
  const waits =
    waiting === 0
      ? 'Nothing waits for it.'
      : `${messages(waiting)} ${waiting === 1 ? 'waits' : 'wait'}, the oldest for ${span(now - Date.parse(oldestWaitingAt ?? ''))}.`;
  return {
    ...{ tone: 'bad', sign, path: `/connectors/${encodeURIComponent(name)}`, button: 'Open connector' },
    what: html`Connector ${name} ${wordsOfCondition(condition).does}`,
    why: html`${since !== undefined && html`Since ${times.show(since)}. `}${reason !== undefined && html`“${written(reason)}”. `}${waits}`,
  };
}

const noticeNeed = ({ name, notices }: Situation['connectors'][number]): Need => ({
  ...{
    tone: 'fair',
    sign: 'warn',
    path: `/connectors/${encodeURIComponent(name)}`,
    button: 'Open connector',
  },
  what: html`The network of ${name} has something to say`,
  why: html`${written(notices.join('. '))}.`,
});

function endpointNeed(endpoint: Situation['endpoints'][number], { times }: PageContext): Need {
  const { teamId, key, origin, failures, parkedUntil, waiting, exhausted } = endpoint;
  return {
    tone: exhausted > 0 ? 'bad' : 'fair',
    sign: exhausted > 0 ? 'cross' : 'stop',
    path: `/endpoints/${teamId}/${key}`,
    button: 'Open endpoint',
    what: html`Endpoint ${written(origin)} ${endpointWords[conditionOfEndpoint(endpoint)].does}`,
    why: [
      `Team ${teamId}.`,
      exhausted > 0 && ` ${receipts(exhausted)} given up in the last 24 hours.`,
      failures > 0 && ` ${counted(failures, 'attempt')} in a row failed.`,
      waiting > 0 && ` ${receipts(waiting)} ${waiting === 1 ? 'waits' : 'wait'}.`,
      parkedUntil !== undefined && ` The next attempt is at ${times.clock(parkedUntil)}.`,
    ],
  };
}

/** `count` undefined: more than were looked at. */
const endpointsNeed = (count: number | undefined): Need => ({
  ...{ tone: 'fair', sign: 'stop', path: '/endpoints', button: 'Open endpoints' },
  what: `${count ?? `${mostLookedAt} or more`} endpoints need somebody`,
  why: 'Not all of them are listed here.',
});

function accountNeed({
  teamId,
  product,
  channel,
  denomination,
  category,
  balance,
  usedInDay,
}: Situation['accounts'][number]): Need {
  const account = [channel, denomination, category].filter((part) => part !== undefined).join('/');
  const lasts = (balance / usedInDay) * 24;
  return {
    ...{ tone: 'fair', sign: 'low', path: `/teams/${teamId}/accounts`, button: 'Open accounts' },
    what: html`Team ${teamId} has ${counted(balance, 'unit')} left for ${account || (product === 'Sms' ? 'SMS' : product)}`,
    why: `It used ${usedInDay.toLocaleString('en')} in the last 24 hours, so they last ${
      lasts < 1 ? 'less than an hour' : `about ${counted(Math.round(lasts), 'hour')}`
    }.`,
  };
}

const quarantineNeed = (items: Situation['quarantined']): Need => ({
  ...{ tone: 'fair', sign: 'warn', path: '/quarantine', button: 'Open quarantine' },
  what:
    items.length >= mostLookedAt
      ? `${mostLookedAt} or more items are in quarantine`
      : `${counted(items.length, 'item')} in quarantine`,
  why: 'They could not be recorded because of their own data.',
});

function capNeed(
  { holder, id, teamId, period, used, cap, resetsAt }: Situation['caps'][number],
  { times }: PageContext,
): Need {
  const reached = used >= cap;
  const whose = holder === 'team' ? `Team ${id}` : `Client ${id} of team ${teamId}`;
  return {
    ...{ tone: reached ? 'bad' : 'fair', sign: 'low', path: `/${holder}s/${id}`, button: `Open ${holder}` },
    what: html`${whose} ${reached ? 'has reached' : 'is near'} its cap of the ${period}`,
    why: html`${used.toLocaleString('en')} of ${counted(cap, 'unit')}; the next ${period} begins ${times.show(resetsAt)}.`,
  };
}

/** Of each team the place that is pumped most. */
function narrowestOfTeams(places: Situation['places']): Situation['places'] {
  const pumped = places.filter(({ over }) => over > 0);
  return [...Map.groupBy(pumped, ({ teamId }) => teamId).values()].flatMap(([first]) => first ?? []);
}

const pumpedNeed = ({ teamId, place, pumpingGuard, over }: Situation['places'][number]): Need => ({
  tone: 'bad',
  sign: 'low',
  path: `/guarded-places?teamId=${teamId}`,
  button: 'See why',
  what: html`Codes of team ${teamId} to ${place} stay unconfirmed`,
  why: `${over.toLocaleString('en')} in 24 hours were beyond the limit. ${whatGuardDoes(pumpingGuard)}`,
});

const senderNeed = ({ id, teamId, sender }: Situation['senders'][number]): Need => ({
  ...{ tone: 'moving', sign: 'read', path: `/senders/${id}`, button: 'Review' },
  what: html`Sender ${id} waits for a review`,
  why: html`${teamId === undefined ? 'The platform' : `Team ${teamId}`} asks to send as ${sender}.`,
});

const reviewNeed = (
  noun: string,
  path: string,
  { id, teamId, updatedAt }: { id: string; teamId: string; updatedAt: string },
  { times }: PageContext,
): Need => ({
  ...{ tone: 'moving', sign: 'read', path: `${path}/${id}/review`, button: 'Review' },
  what: html`${noun} ${id} waits for a review`,
  why: html`Team ${teamId}, since ${times.show(updatedAt)}.`,
});

const receipts = (count: number) => countedUpTo(count, 1_000, 'receipt');
const messages = (count: number) => countedUpTo(count, 10_000, 'message');

export function needsPanel({ needs, isCut }: Needs): Html {
  const heading =
    needs.length === 0
      ? 'Nothing needs you'
      : needs.length === 1 && !isCut
        ? '1 thing needs you'
        : `${needs.length}${isCut ? ' or more' : ''} things need you`;
  return html`<section class="panel" id="needs" aria-labelledby="needs-title"><div class="head"><h2 id="needs-title">${heading}</h2>${
    needs.length > 1 && html`<span class="note">The most urgent first</span>`
  }</div>${
    needs.length > 0 &&
    html`<ul class="needs">${needs.map(
      ({ tone, sign, what, why, path, button }) =>
        html`<li><span class="sign ${tone}">${icon(sign)}</span><span class="what" data-announce>${what}</span><span class="why">${why}</span><a class="button small" href="${at(path)}">${button}</a></li>
`,
    )}</ul>`
  }</section>`;
}
