/** Notes which connectors did not take a message, before another one did. */
import type { Knex } from 'knex';

export interface Hop {
  messageId: string;
  connector: string;
  reason: string;
  reasonCode?: string | undefined;
  /** False: it took no messages at all. */
  refused: boolean;
}

/** What is noted already is not noted again: a lot may be repeated. */
export async function noteHops(knex: Knex, hops: readonly Hop[]): Promise<void> {
  if (hops.length === 0) return;
  const rows = [...Map.groupBy(hops, ({ messageId }) => messageId)].map(([id, own]) => ({
    id,
    hops: own.map(({ messageId: _id, ...hop }) => hop),
  }));
  await knex.raw(
    `with noted as (
       select * from json_to_recordset(?::json) as n(id bigint, hops jsonb)
     ), locked as materialized (
       -- In the order in which everything locks messages.
       select id, hops from messages where id = any(array(select id from noted)) order by id for update
     ), fresh as (
       select m.id, jsonb_agg(hop || jsonb_build_object('at', service_now()) order by place) as hops
       from noted join locked m using (id),
         jsonb_array_elements(noted.hops) with ordinality as h(hop, place)
       where not coalesce(m.hops, '[]') @> jsonb_build_array(hop) group by m.id
     )
     update messages m set hops = coalesce(m.hops, '[]') || fresh.hops from fresh where m.id = fresh.id`,
    [JSON.stringify(rows)],
  );
}
