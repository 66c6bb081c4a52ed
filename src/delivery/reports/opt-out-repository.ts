/** Learns from networks who does not want to be written to. */
import type { Knex } from 'knex';
import type { Category } from '../../model/plan.ts';
import { products } from '../../model/products.ts';
import type { ReachedState } from '../../model/states.ts';
import { optedOut } from '../../products/consent/opt-out.ts';
import { addEntries, type HashPhone } from '../../products/consent/opt-out-repository.ts';

/** What a state says, but not one that our own list led to: of everything from the team, or from the one service. */
function saidBy({ product, state, reasonCode }: ReachedState): 'team' | 'service' | undefined {
  if (state === 'SenderBlacklisted') return 'service';
  if (state !== 'SubscriberOptedOut' || reasonCode === optedOut.reasonCode) return undefined;
  // A chat app's users stop the marketing of one number.
  return product === 'chatapp' ? 'service' : 'team';
}

/**
 * In the transaction that records the states. A network that refuses a MARKETING message says nothing of others; one that
 * refuses a code refuses everything. Simulated networks teach nothing: their outcomes are chosen by the number.
 */
export async function learnOptOuts(
  trx: Knex.Transaction,
  reached: readonly ReachedState[],
  hashPhone: HashPhone,
): Promise<void> {
  const refused = new Map(reached.filter(saidBy).map((one) => [one.messageId, one]));
  if (refused.size === 0) return;
  const { rows } = await trx.raw<{ rows: { id: string; category: Category; serviceId: string }[] }>(
    `select m.id::text, r.category, case when m.product = 'chatapp' then r.resource_id
       else coalesce(r.sms_service_id, c.service_id, r.resource_id) end as "serviceId"
     from messages m join requests r on r.id = m.request_id
       join connectors k on k.name = m.connector and k.kind not like '%simulator'
       left join campaigns c on c.id = r.resource_id and r.operation = '${products.data.operation}'
     where m.id = any(?::bigint[])`,
    [[...refused.keys()]],
  );
  const learnt = rows.flatMap(({ id, category, serviceId }) => {
    const one = refused.get(id);
    if (one === undefined || one.product === 'data') return [];
    const { product, teamId, phone } = one;
    const target = category === 'MARKETING' || product === 'chatapp' ? 'MARKETING' : 'ALL';
    const service = saidBy(one) === 'service' ? serviceId : null;
    return [{ phone, product, teamId, serviceId: service, target, source: 'Network' } as const];
  });
  await addEntries(trx, learnt, hashPhone);
}
