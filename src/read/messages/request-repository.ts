/** Reads one request of a team, and its messages. */
import type { Knex } from 'knex';
import { errors } from '../../platform/errors.ts';
import { type Position, type ReadSlice, type Slice, sliceOf } from '../page.ts';
import { isUuid, uuidsFrom } from '../uuid.ts';
import { type Message, messageColumns, messageOf, type StoredMessage } from './message.ts';
import { messageIdOf } from './message-id.ts';
import { type AcceptedRequest, requestColumns, requestOf, type StoredRequest } from './request.ts';

/** Undefined when the team has no such request; `team` undefined: any. */
export async function findRequest(
  knex: Knex,
  team: string | undefined,
  requestId: string,
): Promise<StoredRequest | undefined> {
  if (!isUuid(requestId)) return undefined;
  const { rows } = await knex.raw<{ rows: StoredRequest[] }>(
    `select ${requestColumns('requests')} from requests
     where id = :requestId::uuid and (:team::text is null or team_id = :team)`,
    { requestId, team: team ?? null },
  );
  return rows[0];
}

/** Those whose ids begin like this, newest first; `team` undefined: of all teams. */
export async function findRequestsFrom(
  knex: Knex,
  team: string | undefined,
  idStart: string,
  limit: number,
): Promise<StoredRequest[]> {
  const { rows } = await knex.raw<{ rows: StoredRequest[] }>(
    `select ${requestColumns('found')} from (
       select * from requests where id between :first::uuid and :last::uuid and (:team::text is null or team_id = :team)
       order by id desc limit :limit
     ) as found order by created_at desc`,
    { ...uuidsFrom(idStart), team: team ?? null, limit },
  );
  return rows;
}

/** Rejects with 404 for a request that the team does not have. */
export async function getRequest(knex: Knex, teamId: string, requestId: string): Promise<AcceptedRequest> {
  const stored = await findRequest(knex, teamId, requestId);
  if (stored === undefined) throw errors.requestUnknown(requestId);
  return requestOf(stored);
}

/** In the order of the request. Rejects with 404 for a request that the team does not have. */
export function readRequestMessages(knex: Knex): ReadSlice<{ requestId: string }, Message> {
  return async (team, { requestId }, after, limit) => {
    const slice = await messagesOfRequest(knex, team, requestId, after, limit, messageOf);
    // Every request has messages, and no cursor leads behind the last of them.
    if (slice.items.length === 0) throw errors.requestUnknown(requestId);
    return slice;
  };
}

/** Undefined when the team has no such message in this request; `team` undefined: any. */
export async function findMessage(
  knex: Knex,
  team: string | undefined,
  requestId: string,
  messageId: string,
): Promise<StoredMessage | undefined> {
  if (!isUuid(requestId)) return undefined;
  // Ids of messages are not stored. A request has few messages.
  const found = await knex('messages')
    .where({ request_id: requestId, ...(team === undefined ? {} : { team_id: team }) })
    .select<Pick<StoredMessage, 'id' | 'product' | 'position'>[]>('id', 'product', 'position');
  const id = found.find((one) => messageIdOf({ ...one, requestId }) === messageId)?.id;
  if (id === undefined) return undefined;
  const { rows } = await knex.raw<{ rows: StoredMessage[] }>(
    `select ${messageColumns('shown')} from (
       select messages.*, requests.client_id, requests.correlator, requests.fallback, requests.created_at as accepted_at
       from messages join requests on requests.id = messages.request_id where messages.id = ?
     ) as shown`,
    [id],
  );
  return rows[0];
}

/** Empty when the team has no such request. */
export async function messagesOfRequest<Item>(
  knex: Knex,
  team: string,
  requestId: string,
  [position = '-1', id = '0']: Position = [],
  limit: number,
  itemOf: (stored: StoredMessage) => Item,
): Promise<Slice<Item>> {
  if (!isUuid(requestId)) return { items: [], end: undefined };
  const { rows } = await knex.raw<{ rows: StoredMessage[] }>(
    `with shown as (
       select messages.*, requests.client_id, requests.correlator, requests.fallback, requests.created_at as accepted_at
       from requests join messages on messages.request_id = requests.id
       where requests.id = :requestId::uuid and requests.team_id = :team and (messages.position, messages.id) > (:position, :id)
       order by messages.position, messages.id limit :limit::integer + 1
     )
     select ${messageColumns('shown')} from shown order by shown.position, shown.id`,
    { requestId, team, position, id, limit },
  );
  return sliceOf(rows, limit, itemOf, (row) => [String(row.position), row.id]);
}
