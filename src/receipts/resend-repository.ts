/** Posts delivered or exhausted receipts again: with the same webhook-id, signed again, on the schedule. */
import type { Knex } from 'knex';

/** Its attempts begin again. The receipts of one message keep their order. */
const anew = `state = 'Waiting', attempts = 0, started_at = null, next_attempt_at = service_now(),
  updated_at = service_now()`;

/**
 * False when the team has no such receipt, or its body was erased. One that waits for its next attempt is due now; one that is being posted
 * stays as it is.
 */
export async function resendReceipt(knex: Knex, teamId: string, id: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: { found: boolean }[] }>(
    `with resent as (
       update receipts set ${anew} where id = :id::uuid and team_id = :teamId and owner is null and body <> ''
     )
     select exists(select from receipts where id = :id::uuid and team_id = :teamId and body <> '') as found`,
    { id, teamId },
  );
  return rows[0]?.found ?? false;
}

export interface Replay {
  /** Of receipts created since then. */
  since: Date;
  /** Exhausted ones only, or also delivered ones. */
  which: 'exhausted' | 'all';
}

const replayedTogether = 1_000;

/** Returns how many receipts it had posted again. */
export async function replayReceipts(knex: Knex, teamId: string, { since, which }: Replay): Promise<number> {
  let count = 0;
  for (const state of which === 'all' ? ['Exhausted', 'Delivered'] : ['Exhausted'])
    count += await replayState(knex, teamId, state, since);
  return count;
}

/** In parts, so that no row is locked for long. */
async function replayState(knex: Knex, teamId: string, state: string, since: Date): Promise<number> {
  let count = 0;
  let after: { at: string; id: string } | undefined;
  do {
    const { rows } = await knex.raw<{ rows: { at: string; id: string; count: number }[] }>(
      `with chosen as materialized (
         select created_at, id from receipts
         where team_id = :teamId and state = :state and created_at >= :since::timestamptz
           and (created_at, id) > (:at::timestamptz, :id::uuid)
         order by created_at, id limit ${replayedTogether}
       ), locked as materialized (
         select id from receipts where id = any(array(select id from chosen)) and state = :state and body <> ''
         order by id for update
       ), replayed as (
         update receipts set ${anew} where id = any(array(select id from locked)) returning id
       )
       select created_at::text as at, id, (select count(*)::integer from replayed) as count
       from chosen order by created_at desc, id desc limit 1`,
      { teamId, state, since, at: after?.at ?? '-infinity', id: after?.id ?? firstId },
    );
    const [last] = rows;
    count += last?.count ?? 0;
    after = last;
  } while (after !== undefined);
  return count;
}

const firstId = '00000000-0000-0000-0000-000000000000';

/** Posts an exhausted or quarantined receipt again. */
export async function repostReceipt(trx: Knex.Transaction, id: string): Promise<void> {
  await trx.raw(`update receipts set ${anew} where id = ?::uuid and state = 'Exhausted' and body <> ''`, [
    id,
  ]);
}
