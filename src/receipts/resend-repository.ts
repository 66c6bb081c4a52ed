/** Posts delivered or exhausted receipts again: with the same webhook-id, signed again, on the schedule. */
import type { Knex } from 'knex';
import { stateOfFound } from '../model/states.ts';
import { errors } from '../platform/errors.ts';
import { callbackOriginOf } from './callback/callback-url.ts';
import { isDue } from './posting/claim.ts';

/** Its attempts begin again. The receipts of one message keep their order. */
const anew = `state = 'Waiting', claimed_by = null, attempts = 0, started_at = null, updated_at = service_now()`;
const now = 'next_attempt_at = service_now()';

/**
 * False when the team has no such receipt, or its body was erased. One that waits for its next attempt is due now; one that is being posted
 * stays as it is.
 */
export async function resendReceipt(knex: Knex, teamId: string, id: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: { found: boolean }[] }>(
    `with resent as (
       update receipts set ${anew}, ${now} where id = :id::uuid and team_id = :teamId and body <> ''
         and (claimed_by is null or ${isDue('receipts')})
     )
     select exists(select from receipts where id = :id::uuid and team_id = :teamId and body <> '') as found`,
    { id, teamId },
  );
  return rows[0]?.found ?? false;
}

export interface Replay {
  /** Of receipts created since then. */
  from: Date;
  /** And before then; undefined: until now. */
  to?: Date | undefined;
  /** Only those posted to this origin: one that receipts can be posted to. */
  origin?: string | undefined;
  /** Only those posted to this URL. */
  url?: string | undefined;
  /** Only those of this request, a UUID. */
  requestId?: string | undefined;
  /** Exhausted ones only, or also delivered ones. */
  which: 'exhausted' | 'all';
}

/** How many receipts a team may have replayed. */
export interface ReplayLimits {
  perCall: number;
  perHour: number;
  /** How many of them become due in a second. */
  perSecond: number;
}

export const replayLimits: ReplayLimits = { perCall: 10_000, perHour: 100_000, perSecond: 50 };

export interface Replayed {
  /** How many receipts are posted again. */
  receipts: number;
  /** Whether a limit left some out: the same replay goes on with them. */
  more: boolean;
}

/** What a replay would post again. */
export interface ReplayCount extends Replayed {
  /** When the oldest and the newest of them were created; null when there are none. */
  oldest: Date | null;
  newest: Date | null;
}

const states = { exhausted: ['Exhausted'], all: ['Exhausted', 'Delivered'] } as const;

/**
 * The oldest first, without those that were replayed within the last hour: a replay that is repeated posts nothing twice. Rejects
 * with 429 while another replay of the team runs, and once the team has used up its hour.
 */
export async function replayReceipts(
  trx: Knex.Transaction,
  teamId: string,
  replay: Replay,
  limits = replayLimits,
): Promise<Replayed> {
  const { left, dueFrom, secondsToWait } = await openHour(trx, teamId, limits);
  if (left === 0) throw errors.replayLimitExceeded(limits.perHour, secondsToWait);
  const most = Math.min(left, limits.perCall);
  const replayed = await replayOldest(trx, teamId, replay, { most, dueFrom, perSecond: limits.perSecond });
  await trx.raw(
    `update receipt_replays set receipts = receipts + :receipts,
       due_until = :dueFrom::timestamptz + ceil(:receipts::float8 / :perSecond) * interval '1 s'
     where team_id = :teamId`,
    { teamId, dueFrom, receipts: replayed.receipts, perSecond: limits.perSecond },
  );
  return replayed;
}

/** What `replayReceipts` would post now. Rejects with 429 once the team has used up its hour. */
export async function countReplay(
  knex: Knex,
  teamId: string,
  replay: Replay,
  limits = replayLimits,
): Promise<ReplayCount> {
  const { left, secondsToWait } = await readHour(knex, teamId, limits);
  if (left === 0) throw errors.replayLimitExceeded(limits.perHour, secondsToWait);
  const { text, values } = oldestOf(teamId, replay, Math.min(left, limits.perCall));
  const { rows } = await knex.raw<{ rows: [ReplayCount] }>(
    `with oldest as (${text})
     select count(*) filter (where place <= :most)::integer as receipts, count(*) > :most as more,
       min(created_at) as oldest, max(created_at) filter (where place <= :most) as newest from oldest`,
    values,
  );
  return rows[0];
}

interface Hour {
  left: number;
  /** When the first receipt is due: after those of the replay before. */
  dueFrom: string;
  /** Until the next hour may begin. */
  secondsToWait: number;
}

/** An hour that begins in the future was written before the clock was set back. */
const hourRuns = `r.began_at between service_now() - interval '1 hour' and service_now()`;

const secondsToWait = `ceil(extract(epoch from began_at + interval '1 hour' - service_now()))::integer + 1`;

async function readHour(
  knex: Knex,
  teamId: string,
  { perHour }: ReplayLimits,
): Promise<Pick<Hour, 'left' | 'secondsToWait'>> {
  const { rows } = await knex.raw<{ rows: Pick<Hour, 'left' | 'secondsToWait'>[] }>(
    `select greatest(0, :perHour - receipts)::integer as left, ${secondsToWait} as "secondsToWait"
     from receipt_replays r where team_id = :teamId and ${hourRuns}`,
    { teamId, perHour },
  );
  return rows[0] ?? { left: perHour, secondsToWait: 0 };
}

/** The team's hour, which is its own until the end of the transaction. */
async function openHour(trx: Knex.Transaction, teamId: string, limits: ReplayLimits): Promise<Hour> {
  const { rows: locks } = await trx.raw<{ rows: { locked: boolean }[] }>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as locked',
    [`replay ${teamId}`],
  );
  if (!locks[0]?.locked) throw errors.overloaded();
  const { rows } = await trx.raw<{ rows: [Hour] }>(
    `insert into receipt_replays as r (team_id) values (:teamId)
     on conflict (team_id) do update set
       began_at = case when ${hourRuns} then r.began_at else service_now() end,
       receipts = case when ${hourRuns} then r.receipts else 0 end,
       due_until = least(greatest(r.due_until, service_now()), service_now() + :longest * interval '1 s')
     returning greatest(0, :perHour - receipts)::integer as left, due_until::text as "dueFrom",
       ${secondsToWait} as "secondsToWait"`,
    { teamId, perHour: limits.perHour, longest: Math.ceil(limits.perHour / limits.perSecond) },
  );
  return rows[0];
}

interface Pace {
  most: number;
  dueFrom: string;
  perSecond: number;
}

/** In blocks of a second, so that posters wake up once for many. */
async function replayOldest(
  trx: Knex.Transaction,
  teamId: string,
  replay: Replay,
  { most, dueFrom, perSecond }: Pace,
): Promise<Replayed> {
  const { text, values } = oldestOf(teamId, replay, most);
  const { rows } = await trx.raw<{ rows: [Replayed] }>(
    `with oldest as materialized (${text}), locked as materialized (
       select id from receipts
       where id = any(array(select id from oldest where place <= :most)) and state <> 'Waiting' and body <> ''
       order by id for update
     ), replayed as (
       update receipts r set ${anew}, replayed_at = service_now(),
         next_attempt_at = :dueFrom::timestamptz + (place - 1) / :perSecond * interval '1 s'
       from oldest where r.id = oldest.id and r.id = any(array(select id from locked))
       returning 1
     )
     select (select count(*) from replayed)::integer as receipts, (select count(*) from oldest) > :most as more`,
    { ...values, dueFrom, perSecond },
  );
  return rows[0];
}

/** SQL: the receipts of a replay by their `place`, the oldest first, and one more than `most`. */
function oldestOf(teamId: string, replay: Replay, most: number) {
  const { from, to, origin, url, requestId, which } = replay;
  const originKey = callbackOriginOf(origin ?? url ?? '')?.originKey;
  const values = {
    ...{ teamId, from, to: to ?? 'infinity', most },
    ...(originKey === undefined ? {} : { originKey }),
    ...(url === undefined ? {} : { url }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  const filter = [
    ...(originKey === undefined ? [] : ['origin_key = :originKey::uuid']),
    ...(url === undefined ? [] : ['url = :url']),
    ...(requestId === undefined ? [] : [ofRequest]),
  ].map((condition) => `and ${condition}`);
  // One walk along the index for each state. What is older than the place of the retention was erased.
  const parts = states[which].map(
    (state) => `(
      select created_at, id from receipts
      where team_id = :teamId and state = '${state}' and created_at >= :from::timestamptz
        and created_at < :to::timestamptz ${filter.join(' ')}
        and created_at >= coalesce(
          (select at from retention_progress where team_id = :teamId and duty = 'receipts'), '-infinity')
        and body <> '' and (replayed_at is null or replayed_at not between service_now() - interval '1 hour' and service_now())
      order by created_at, id limit :most + 1)`,
  );
  const text = `
    select id, created_at, row_number() over (order by created_at, id) as place
    from (${parts.join(' union all ')}) as r order by place limit :most + 1`;
  return { text, values };
}

/** By the messages of a request, of which there are few. */
const ofRequest = 'message_id = any(array(select id from messages where request_id = :requestId::uuid))';

/** Posts an exhausted or quarantined receipt again. */
export async function repostReceipt(trx: Knex.Transaction, id: string): Promise<void> {
  await trx.raw(
    `update receipts set ${anew}, ${now} where id = ?::uuid and ${stateOfFound('receipts')} = 'Exhausted' and body <> ''`,
    [id],
  );
}
