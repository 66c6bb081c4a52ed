/** Looks up requests and messages for operators, with their timelines, and cancels what waits. */
import { segmentAround } from '../../archive/segment-repository.ts';
import type { Cancelled } from '../../model/cancelled.ts';
import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { type Message, messageOf, type StoredMessage } from '../../read/messages/message.ts';
import { messageIdOf } from '../../read/messages/message-id.ts';
import { type MessageFilter, searchMessages } from '../../read/messages/message-repository.ts';
import { type AcceptedRequest, requestOf, type StoredRequest } from '../../read/messages/request.ts';
import {
  findMessage,
  findRequest,
  findRequestsFrom,
  messagesOfRequest,
} from '../../read/messages/request-repository.ts';
import { type RequestFilter, searchRequests } from '../../read/messages/request-search-repository.ts';
import type { Position, Slice } from '../../read/page.ts';
import { isUuid } from '../../read/uuid.ts';
import { audit } from '../audit.ts';
import type { Management, ServedManagement } from '../management.ts';
import { listedTeam } from '../resource.ts';
import { periodFaults } from '../rules.ts';

interface Owners {
  teamId: string;
  clientId: string;
}

export type RequestView = AcceptedRequest & Owners;
/** What operators see besides: the connectors, and more of a report. */
export type TimelineStep =
  | (Message['timeline'][number] & { details?: Readonly<Record<string, string>> })
  | { event: 'Refused' | 'PassedOver'; at: string; connector: string; reason?: string; reasonCode?: string };
export type MessageView = Omit<Message, 'timeline'> &
  Owners & { connector?: string; timeline: TimelineStep[]; receiptIds: string[] };

/** Where a page begins, and its most items. */
interface Part {
  after?: Position | undefined;
  limit?: number | undefined;
}

interface Period {
  /** Accepted then or later. */
  from?: Date | undefined;
  /** Accepted before. */
  to?: Date | undefined;
}

type Searched<Filter> = { [Name in Exclude<keyof Filter, keyof Period>]?: string | undefined } & Period & {
    team?: string | undefined;
  };

/** The first digits of an id. */
interface ByStart {
  idStart?: string | undefined;
}

const mostItems = 100;
/** Ids of messages are not stored: so many are looked at for one that begins in some way. */
const lookedAt = 500;

/** Throws a ManagementError if it does not exist for the caller, or all of its messages had left. */
export async function cancelRequest(management: ServedManagement, requestId: string): Promise<Cancelled> {
  const done = isUuid(requestId)
    ? await management.cancel(requestId, management.team, (trx, team, messages) =>
        audit(trx, management, {
          action: 'cancel',
          noun: 'request',
          id: requestId,
          team,
          before: null,
          after: { cancelled: messages },
        }),
      )
    : undefined;
  if (done === undefined) throw await missing(management, 'request', requestId);
  if (done.cancelled === 0) throw new ManagementError([faults.nothingToCancel(requestId)]);
  return done;
}

/** The newest first. */
export async function listRequests(
  management: Management,
  {
    team,
    from,
    to,
    scheduled,
    idStart,
    ...filter
  }: Searched<Omit<RequestFilter, 'scheduled'>> & Pick<RequestFilter, 'scheduled'> & ByStart,
  { after, limit = mostItems }: Part = {},
): Promise<Slice<RequestView>> {
  requireNone(periodFaults(from, to));
  const { correlator, resource, client } = filter;
  if (idStart !== undefined) {
    const found = await findRequestsFrom(management.knex, await listedTeam(management, team), idStart, limit);
    return { items: found.map(requestView), end: undefined };
  }
  return searchRequests(
    management.knex,
    await listedTeam(management, team),
    { correlator, resource, client, scheduled, ...written({ from, to }) },
    after,
    limit,
    requestView,
  );
}

/** Throws a ManagementError if it does not exist for the caller. */
export async function showRequest(management: Management, requestId: string): Promise<RequestView> {
  const stored = await findRequest(management.knex, management.team, requestId);
  if (stored === undefined) throw await missing(management, 'request', requestId);
  return requestView(stored);
}

/** The messages of a request, in its order. */
export async function listRequestMessages(
  management: Management,
  requestId: string,
  { after, limit = mostItems }: Part = {},
): Promise<Slice<MessageView>> {
  const { teamId } = await showRequest(management, requestId);
  return messagesOfRequest(management.knex, teamId, requestId, after, limit, messageView);
}

/** Throws a ManagementError if it does not exist for the caller. */
export async function showMessage(
  management: Management,
  requestId: string,
  messageId: string,
): Promise<MessageView> {
  const stored = await findMessage(management.knex, management.team, requestId, messageId);
  if (stored === undefined) throw await missing(management, 'message', requestId, messageId);
  return messageView(stored);
}

/** The newest first. A page with few messages that match is shorter than `limit`, although others follow. */
export async function listMessages(
  management: Management,
  { team, phone, from, to, idStart, ...filter }: Searched<Omit<MessageFilter, 'phoneHash'>> & ByStart,
  { after, limit = mostItems }: Part = {},
): Promise<Slice<MessageView>> {
  requireNone(periodFaults(from, to));
  const { correlator, state, resource, channel, client, phoneEnd } = filter;
  const phoneHash = phone === undefined ? undefined : (await management.secrets()).hashPhone(phone);
  const found = await searchMessages(
    management.knex,
    await listedTeam(management, team),
    { phone, phoneHash, phoneEnd, correlator, state, resource, channel, client, ...written({ from, to }) },
    after,
    idStart === undefined ? limit : lookedAt,
    (stored) => (messageIdOf(stored).startsWith(idStart ?? '') ? [messageView(stored)] : []),
  );
  return { ...found, items: found.items.flat().slice(0, limit) };
}

/** Ids are in the order of time: one that lies among those of a segment was archived, unless it never was. */
async function missing(
  { knex, team }: Management,
  noun: 'request' | 'message',
  requestId: string,
  id = requestId,
): Promise<ManagementError> {
  const segment = isUuid(requestId) ? await segmentAround(knex, requestId, team) : undefined;
  // A message that is missing in a request that is here was never in it.
  const left = segment !== undefined && (await findRequest(knex, team, requestId)) === undefined;
  return new ManagementError([left ? faults.archived(noun, id, segment) : faults.notFound(noun, id)]);
}

function written({ from, to }: Period): { from: string | undefined; to: string | undefined } {
  return { from: from?.toISOString(), to: to?.toISOString() };
}

function requestView(stored: StoredRequest): RequestView {
  const { teamId, clientId } = stored;
  return { ...requestOf(stored), teamId, clientId };
}

function messageView(stored: StoredMessage): MessageView {
  const { teamId, clientId, receipts, connector, hops, details } = stored;
  const message = messageOf(stored);
  return {
    ...message,
    teamId,
    clientId,
    ...(connector === null ? {} : { connector }),
    timeline: withHops(withDetails(message.timeline, details), hops ?? []),
    receiptIds: (receipts ?? []).map(({ id }) => id),
  };
}

/** Those of the last report. */
function withDetails(timeline: Message['timeline'], details: StoredMessage['details']): TimelineStep[] {
  const last = timeline.findLastIndex(({ event }) => event === 'Reported');
  return timeline.map((step, place) => (details === null || place !== last ? step : { ...step, details }));
}

/** Each before the first step that came after it. */
function withHops(
  timeline: readonly TimelineStep[],
  hops: NonNullable<StoredMessage['hops']>,
): TimelineStep[] {
  const steps: TimelineStep[] = [...timeline];
  for (const { at, refused, ...hop } of hops) {
    const step = {
      event: refused ? ('Refused' as const) : ('PassedOver' as const),
      at: new Date(at).toISOString(),
      ...hop,
    };
    const next = steps.findIndex(({ at: other }) => other > step.at);
    steps.splice(next < 0 ? steps.length : next, 0, step);
  }
  return steps;
}
