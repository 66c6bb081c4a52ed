/** Stores items that could not be recorded, until an operator retries them. */
import type { Knex } from 'knex';
import { reasonOf } from './fault.ts';

/** The kinds of work whose items can fail alone. */
export const roundNames = [
  'hand-over',
  'network-report',
  'poll',
  'template-news',
  'silence',
  'receipt',
  'job',
  'retention',
] as const;
export type RoundName = (typeof roundNames)[number];

/** An item with what a retry needs. */
export interface FailedItem {
  round: RoundName;
  /** Unique within its round. */
  item: string;
  /** The message it is about, where it is about one. */
  messageId: string | null;
  payload: object;
}

/** As operators see it. */
export interface QuarantinedItem {
  id: string;
  round: RoundName;
  item: string;
  messageNumber: string | null;
  /** Says nothing of the item's values. */
  reason: string;
  attempts: number;
  createdAt: Date;
  /** It was requested and has not been carried out yet. */
  retrying: boolean;
}

const longestItem = 255;
const longestReason = 200;
/** Far more than any payload of ours; what we cannot read can have any size. */
const longestPayload = 32_768;
/** Stored in place of a payload that is too large: its retry fails. */
const tooLarge = '{"tooLarge":true}';

/** An item that fails again keeps its row, and the newest payload. */
export async function insertQuarantined(
  knex: Knex,
  { round, item, messageId, payload }: FailedItem,
  error: unknown,
): Promise<void> {
  // Text: jsonb has no place for NUL or half a surrogate pair, which may be what is wrong with it.
  const text = JSON.stringify(payload);
  await knex.raw(
    `insert into quarantine as q (round, item, message_id, payload, reason)
     values (:round, :item, :messageId, :payload, :reason)
     on conflict (round, item) do update set
       payload = excluded.payload, reason = excluded.reason, attempts = q.attempts + 1, retry_at = null`,
    {
      round,
      item: item.slice(0, longestItem),
      messageId,
      payload: text.length > longestPayload ? tooLarge : text,
      reason: reasonOf(error).slice(0, longestReason),
    },
  );
}

const columns = `id, round, item, message_id as "messageNumber", reason, attempts, created_at as "createdAt",
       retry_at is not null as retrying`;

/** The oldest first. */
export async function listQuarantined(
  knex: Knex,
  { after, limit }: { after?: string | undefined; limit?: number | undefined } = {},
): Promise<QuarantinedItem[]> {
  const { rows } = await knex.raw<{ rows: QuarantinedItem[] }>(
    `select ${columns} from quarantine where (:after::bigint is null or id > :after::bigint)
     order by id limit :limit`,
    { after: after ?? null, limit: limit ?? null },
  );
  return rows;
}

/** Has items retried by the next worker that looks; without an id all of them. Returns them. */
export async function requestRetry(knex: Knex, id: string | undefined): Promise<QuarantinedItem[]> {
  const { rows } = await knex.raw<{ rows: QuarantinedItem[] }>(
    `update quarantine set retry_at = service_now() where :id::bigint is null or id = :id::bigint returning ${columns}`,
    { id: id ?? null },
  );
  return rows;
}

export interface DueRetry {
  round: RoundName;
  payload: string;
}

/** Ids of items that operators want retried, the oldest first. */
export async function dueRetries(knex: Knex): Promise<string[]> {
  return knex('quarantine').whereNotNull('retry_at').orderBy('id').pluck('id');
}

/** Undefined when another process has it, or had it. */
export async function lockDueRetry(trx: Knex.Transaction, id: string): Promise<DueRetry | undefined> {
  return trx('quarantine')
    .where({ id })
    .whereNotNull('retry_at')
    .forUpdate()
    .skipLocked()
    .first('round', 'payload');
}

export async function deleteQuarantined(trx: Knex.Transaction, id: string): Promise<void> {
  await trx('quarantine').where({ id }).delete();
}

/** The retry failed: the item waits for the next one that is asked for. */
export async function noteFailedRetry(knex: Knex, id: string, error: unknown): Promise<void> {
  await knex('quarantine')
    .where({ id })
    .increment('attempts')
    .update({ reason: reasonOf(error).slice(0, longestReason), retry_at: null });
}

/** How many items each round has in quarantine. */
export async function countQuarantined(knex: Knex): Promise<ReadonlyMap<string, number>> {
  const { rows } = await knex
    .raw<{ rows: { round: string; items: number }[] }>(
      'select round, count(*)::float8 as items from quarantine group by round',
    )
    .timeout(5_000);
  return new Map(rows.map(({ round, items }) => [round, items]));
}
