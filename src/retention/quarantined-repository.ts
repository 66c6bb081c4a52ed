/** Gives up items that stayed in quarantine too long: what they hold may be a person's. */
import type { Knex } from 'knex';
import type { Product } from '../model/plan.ts';

export interface OldItem {
  id: string;
  messageId: string | null;
  /** Null: it is about no message, or one that is final. */
  product: Product | null;
}

const itemsAtOnce = 50;

/** Items of retention hold ids only, and what they are about has yet to be erased. */
export async function findOldQuarantined(
  knex: Knex,
  days: number,
): Promise<{ items: OldItem[]; more: boolean }> {
  const { rows: items } = await knex.raw<{ rows: OldItem[] }>(
    `select q.id, q.message_id as "messageId", case when m.final_at is null then m.product end as product
     from quarantine q left join messages m on m.id = q.message_id left join teams t on t.id = m.team_id
     where q.round <> 'retention' and q.created_at < service_now() - least(?::integer, t.text_days) * interval '1 day'
     order by q.id limit ${itemsAtOnce}`,
    [days],
  );
  return { items, more: items.length === itemsAtOnce };
}

export async function deleteGivenUp(knex: Knex, items: readonly Pick<OldItem, 'id'>[]): Promise<void> {
  if (items.length === 0) return;
  await knex.raw('delete from quarantine where id = any(?::bigint[])', [items.map(({ id }) => id)]);
}
