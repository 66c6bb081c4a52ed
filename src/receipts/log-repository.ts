/** Reads receipts with their attempts, as the team that they are sent to may see them. */
import type { Knex } from 'knex';
import type { Product } from '../model/plan.ts';
import { originKeyOf } from './callback/callback-url.ts';
import type { AttemptEntry } from './posting/attempt.ts';
import { parkedUntil } from './posting/parking.ts';

export const receiptStates = ['Waiting', 'Delivered', 'Exhausted'] as const;
export type ReceiptState = (typeof receiptStates)[number];

export interface StoredAttempt extends AttemptEntry {
  /** Absent when no other attempt was to follow. */
  nextAttemptAt?: string;
}

/** What a receipt is about: a message of ours, or the message of a phone that it posts. */
export type ReceiptSubject =
  | {
      requestId: string;
      messageId: string;
      /** What names its message in the request; null: there is none. */
      message: { product: Product; position: number } | null;
    }
  | { inboundMessageId: string };

export interface StoredReceipt {
  /** The webhook-id. */
  id: string;
  teamId: string;
  subject: ReceiptSubject;
  /** 1 for the first receipt of its message, 2 for the next. */
  sequence: number;
  url: string;
  /** What is posted: a JSON document. */
  body: string;
  state: ReceiptState;
  createdAt: Date;
  /** Null when it does not wait, and while it is being posted. */
  nextAttemptAt: Date | null;
  /** It waits for an endpoint that is parked until then; null: it does not. */
  parkedUntil: Date | null;
  /** The latest of them, the newest last. */
  attempts: StoredAttempt[];
}

/** Where a page ended. */
export interface ReceiptPlace {
  /** As the database writes it: more exact than a Date. */
  createdAt: string;
  id: string;
}

export interface ReceiptFilter {
  requestId?: string | undefined;
  /** Of these messages. */
  messageIds?: readonly string[] | undefined;
  state?: ReceiptState | undefined;
  /** Posted to this origin. */
  origin?: string | undefined;
  /** Created at or after this time. */
  from?: Date | undefined;
  /** Created before this time. */
  to?: Date | undefined;
  /** The last place of the page before. */
  after?: ReceiptPlace | undefined;
  limit: number;
}

export interface ReceiptPage {
  /** The newest first. */
  receipts: StoredReceipt[];
  /** Undefined when there are no more. */
  next: ReceiptPlace | undefined;
}

const parkedOf = `(select ${parkedUntil('o')} from receipt_origins o
    where o.team_id = receipts.team_id and o.origin_key = receipts.origin_key)`;

const columns = `id, team_id as "teamId", sequence, url, body, state,
  created_at as "createdAt",
  case when state = 'Waiting' and (claimed_by is null or next_attempt_at <= service_now())
    then greatest(next_attempt_at, ${parkedOf}) end as "nextAttemptAt",
  case when state = 'Waiting' then ${parkedOf} end as "parkedUntil", attempt_log as attempts,
  case when message_id is null then json_build_object('inboundMessageId', id)
    else json_build_object('requestId', request_id, 'messageId', message_id::text, 'message', (
      select json_build_object('product', product, 'position', position) from messages where messages.id = message_id
    )) end as subject`;

const matching = (team: string, { origin }: ReceiptFilter) => `team_id = ${team}
  ${origin === undefined ? '' : 'and origin_key = :originKey::uuid'}
  and (:from::timestamptz is null or created_at >= :from) and (:to::timestamptz is null or created_at < :to)
  and (:afterAt::timestamptz is null or (created_at, id) < (:afterAt::timestamptz, :afterId::uuid))`;

const idsOfRequest = `array(select id from messages where request_id = :requestId::uuid
      and (:messageIds::bigint[] is null or id = any(:messageIds::bigint[])))`;

/** Those of some messages, through the index of messages. */
const ofMessages = (ids: string, team: string, filter: ReceiptFilter) =>
  `(select * from receipts
    where message_id = any(${ids}) and state = any(:states) and ${matching(team, filter)})`;

const newest = 'order by created_at desc, id desc limit :limit';

const inTeam = (state: ReceiptState, filter: ReceiptFilter) =>
  `(select * from receipts where state = '${state}' and ${matching(':teamId', filter)} ${newest})`;

/** Each team has its own part of the index, from which alone this reads. */
const inAll = (state: ReceiptState, filter: ReceiptFilter) =>
  `(select whole.* from (
      select found.id from teams t cross join lateral (
        select id, created_at from receipts where state = '${state}' and ${matching('t.id', filter)} ${newest}
      ) as found order by found.created_at desc, found.id desc limit :limit
    ) as newest cross join lateral (select * from receipts where id = newest.id limit 1) as whole)`;

/**
 * One page of a team's receipts, or with `teamId` undefined of all teams'. Reads no more than a page of each state and
 * team, however many are stored.
 */
export async function listReceipts(
  knex: Knex,
  teamId: string | undefined,
  filter: ReceiptFilter,
): Promise<ReceiptPage> {
  const { requestId, messageIds, state, origin, from, to, after, limit } = filter;
  const states = state === undefined ? receiptStates : [state];
  const ids = requestId === undefined ? messageIds && ':messageIds::bigint[]' : idsOfRequest;
  const pages =
    ids === undefined
      ? states.map((one) => (teamId === undefined ? inAll : inTeam)(one, filter))
      : [ofMessages(ids, teamId === undefined ? 'team_id' : ':teamId', filter)];
  const { rows } = await knex.raw<{ rows: (StoredReceipt & { place: string })[] }>(
    `select ${columns}, created_at::text as place from (${pages.join(' union all ')}) as receipts ${newest}`,
    {
      ...(teamId === undefined ? {} : { teamId }),
      from: from ?? null,
      to: to ?? null,
      afterAt: after?.createdAt ?? null,
      afterId: after?.id ?? null,
      limit: limit + 1,
      ...(origin === undefined ? {} : { originKey: originKeyOf(origin) }),
      ...(ids === undefined
        ? {}
        : {
            requestId: requestId ?? null,
            messageIds: messageIds ? [...messageIds] : null,
            states: [...states],
          }),
    },
  );
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    receipts: rows.slice(0, limit).map(({ place: _place, ...receipt }) => receipt),
    next: last === undefined ? undefined : { createdAt: last.place, id: last.id },
  };
}

/** Those with an id between the two; `teamId` undefined: of any team. */
export async function findReceiptsFrom(
  knex: Knex,
  teamId: string | undefined,
  { first, last }: { first: string; last: string },
  limit: number,
): Promise<StoredReceipt[]> {
  const { rows } = await knex.raw<{ rows: StoredReceipt[] }>(
    `select ${columns} from receipts
     where id between :first::uuid and :last::uuid and (:teamId::text is null or team_id = :teamId)
     order by id limit :limit`,
    { first, last, teamId: teamId ?? null, limit },
  );
  return rows;
}

/** Undefined when the team has no such receipt; `teamId` undefined: any team. `id` is a UUID. */
export async function findReceipt(
  knex: Knex,
  teamId: string | undefined,
  id: string,
): Promise<StoredReceipt | undefined> {
  const { rows } = await knex.raw<{ rows: StoredReceipt[] }>(
    `select ${columns} from receipts where id = :id::uuid and (:teamId::text is null or team_id = :teamId)`,
    { id, teamId: teamId ?? null },
  );
  return rows[0];
}
