/** Locks what may be cancelled of a request, and reads what was. */
import type { Knex } from 'knex';
import { accountName } from '../../model/account.ts';
import type { Cancelled } from '../../model/cancelled.ts';
import { type Category, type Product, priorities } from '../../model/plan.ts';
import { stateOfFound } from '../../model/states.ts';
import type { WaitingMessage } from '../../queue/unclaimed-repository.ts';

/** A message that no network has as far as its state tells. */
export interface Unsubmitted extends WaitingMessage {
  state: 'Held' | 'Scheduled' | 'Queued';
}

/** The team of a request; undefined: there is none, or not in this team. */
export async function teamOfRequest(
  knex: Knex,
  requestId: string,
  team: string | undefined,
): Promise<string | undefined> {
  const request = await knex('requests')
    .where({ id: requestId, ...(team === undefined ? {} : { team_id: team }) })
    .first<{ team_id: string } | undefined>('team_id');
  return request?.team_id;
}

/**
 * In the order of those who record states: first what networks may report on, then the SMS that wait for other messages.
 * A message that is being released or recorded is waited for, and read as it is then.
 */
export async function lockUnsubmitted(trx: Knex.Transaction, requestId: string): Promise<Unsubmitted[]> {
  return [
    ...(await lockIn(trx, requestId, `'Scheduled', 'Queued'`, `not ${inReserve}`)),
    ...(await lockIn(trx, requestId, `'Held', 'Scheduled', 'Queued'`, `(m.state = 'Held' or ${inReserve})`)),
  ];
}

const inReserve = `(m.product = 'sms' and r.fallback is not null)`;

async function lockIn(
  trx: Knex.Transaction,
  requestId: string,
  states: string,
  condition: string,
): Promise<Unsubmitted[]> {
  const { rows } = await trx.raw<{ rows: (Unsubmitted & { category: Category })[] }>(
    `select m.id, m.request_id as "requestId", m.product, m.channel, m.state, m.team_id as "teamId", r.category,
       coalesce(m.released_at, r.created_at)::text as "queuedAt"
     from messages m join requests r on r.id = m.request_id
     where m.request_id = ?::uuid and ${stateOfFound('m')} in (${states}) and ${condition}
     order by m.id for update of m`,
    [requestId],
  );
  return rows.map(({ category, ...message }) => ({ ...message, priority: priorities[category] }));
}

/** Those of the messages of which a part has left. */
export async function findBegun(trx: Knex.Transaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await trx('message_parts')
    .whereIn('message_id', [...ids])
    .whereNotNull('number')
    .pluck<string[]>('message_id');
  return new Set(found);
}

interface StoredRefund {
  product: Product;
  variant: string;
  units: number;
}

/** An SMS whose bundle was not delivered is cancelled too, but by nobody: nothing announced it. */
export async function readCancelled(knex: Knex, requestId: string): Promise<Cancelled> {
  const { rows } = await knex.raw<{
    rows: { cancelled: number; late: number; refunded: StoredRefund[] | null }[];
  }>(
    `with message as materialized (
       select id, state, reached_at from messages where request_id = :requestId::uuid
     ), refund as (
       select a.id, a.product, a.variant, sum(e.units)::bigint as units
       from message cross join lateral (
         select account_id, units from ledger_entries where message_id = message.id and reason = 'Refund'
       ) as e join accounts a on a.id = e.account_id
       where message.state = 'Cancelled' and message.reached_at is not null
       group by a.id
     )
     select count(*) filter (where state = 'Cancelled' and reached_at is not null)::integer as cancelled,
       count(*) filter (where state <> 'Cancelled')::integer as late,
       (select json_agg(json_build_object('product', product, 'variant', variant, 'units', units) order by id)
        from refund) as refunded
     from message`,
    { requestId },
  );
  const { cancelled = 0, late = 0, refunded = null } = rows[0] ?? {};
  return {
    requestId,
    cancelled,
    late,
    refunded: (refunded ?? []).map(({ product, variant, units }) => ({
      ...accountName(product, variant),
      units,
    })),
  };
}
