/** Finds and locks the messages that reports are about, by our reference or by the network's id. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';
import type { ReportedState } from '../../model/states.ts';
import { runStatement } from '../../platform/db/statement.ts';
import type { NewReport } from './report-repository.ts';

/** A part of a message that left in several; a message that left whole has its network's id itself. */
export interface Part {
  connector: string;
  networkId: string;
  messageId: string;
  parts: number;
  /** The final state that was reported of it. */
  state: ReportedState | null;
}

/** Who has a message: `connector` is null until it is submitted. */
export interface Owner {
  product: Product;
  /** Of the recipient. */
  phone: string;
  connector: string | null;
}

export interface Matches {
  /** The message of each report, by the report's place; absent: none was found. */
  messageIds: Map<number, string>;
  owners: Map<string, Owner>;
  /** The parts that reports name, and all other parts of the same messages. */
  parts: Part[];
}

interface Row {
  found: { place: number; id: string }[] | null;
  parts: Part[] | null;
  owners: (Owner & { id: string })[] | null;
}

/** Locks parts by their key, then messages by id, so that they stay with who has them. */
export async function lockMatches(trx: Knex.Transaction, reports: readonly NewReport[]): Promise<Matches> {
  const asked = reports.map(({ connector, networkId, messageId }, place) => ({
    place,
    connector,
    networkId,
    messageId,
  }));
  const [row] = await runStatement<Row>(trx, {
    name: 'match reports',
    text: matchText,
    values: [JSON.stringify(asked)],
  });
  return {
    messageIds: new Map((row?.found ?? []).map(({ place, id }) => [place, id])),
    owners: new Map((row?.owners ?? []).map(({ id, ...owner }) => [id, owner])),
    parts: row?.parts ?? [],
  };
}

/**
 * Every look-up is by a key, and `offset 0` keeps it so: a planner that joins would read and lock by its estimates.
 * SMSCs reuse their ids, so the newest message has them.
 */
export const matchText = `
  with report as materialized (
    select * from json_to_recordset($1::json)
      as r(place integer, connector text, "networkId" text, "messageId" bigint)
  ), named as materialized (
    select r.place, p.connector, p.network_id, p.message_id from report r, lateral (
      select * from message_parts where connector = r.connector and network_id = r."networkId" offset 0
    ) as p
    where r."messageId" is null
  ), siblings as materialized (
    select p.connector, p.network_id from (select distinct message_id from named) as n, lateral (
      select * from message_parts where message_id = n.message_id offset 0
    ) as p
    order by connector, network_id
  ), locked_parts as materialized (
    select locked.* from siblings, lateral (
      select connector, network_id as "networkId", message_id::text as "messageId", parts, state from message_parts p
      where p.connector = siblings.connector and p.network_id = siblings.network_id for update
    ) as locked
  ), found as materialized (
    select place, max(id) as id from (
      select place, "messageId" as id from report where "messageId" is not null
      union all
      select place, message_id from named
      union all
      select r.place, whole.id from report r, lateral (
        select id from messages
        where connector = r.connector and network_id = r."networkId"
          and submitted_at > service_now() - interval '30 days'
        order by id desc limit 1
      ) as whole
      where r."messageId" is null
    ) as candidates
    group by place
  ), ids as materialized (
    select distinct id from found order by id
  ), owners as materialized (
    select locked.* from ids, lateral (
      select id::text as id, product, phone, connector from messages m where m.id = ids.id for update
    ) as locked
  )
  select (select json_agg(locked_parts) from locked_parts) as parts, (select json_agg(owners) from owners) as owners,
    (select json_agg(json_build_object('place', place, 'id', id::text)) from found) as found`;

export async function saveParts(trx: Knex.Transaction, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  await trx.raw(
    `update message_parts p set state = changed.state
     from json_to_recordset(?::json) as changed(connector text, "networkId" text, state text)
     where p.connector = changed.connector and p.network_id = changed."networkId"`,
    [JSON.stringify(parts)],
  );
}
