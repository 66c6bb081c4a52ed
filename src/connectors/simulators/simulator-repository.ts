/** Stores what simulated networks know: the reports and replies that they will send, and the bundles that they gave out. */
import type { Knex } from 'knex';
import type { ScriptedReply, ScriptedReport } from './script.ts';

/** What the person who got a message writes back. */
export interface OwedReply extends ScriptedReply {
  /** E.164. */
  from: string;
  to: string;
  /** The network's own id of what it is sent to. */
  toId?: string;
}

/** What a simulated network owes its connector. */
export interface OwedReport {
  messageId: string;
  networkId: string | null;
  report: ScriptedReport | OwedReply;
}

export interface DueReport extends OwedReport {
  id: string;
  connector: string;
}

/** A network that dies while it sends reports sends them again after this long. */
const leaseSeconds = 10;

export async function insertOwedReports(
  knex: Knex,
  connector: string,
  owed: readonly OwedReport[],
): Promise<void> {
  if (owed.length === 0) return;
  await knex.raw(
    `insert into simulated_reports (connector, message_id, network_id, report, due_at)
     select :connector, message_id, network_id, report,
       service_now() + (report ->> 'afterSeconds')::float8 * interval '1 second'
     from json_to_recordset(:owed::json) as owed(place integer, message_id bigint, network_id text, report jsonb)
     order by place`,
    {
      connector,
      owed: JSON.stringify(
        owed.map(({ messageId, networkId, report }, place) => ({
          place,
          message_id: messageId,
          network_id: networkId,
          report,
        })),
      ),
    },
  );
}

/** Up to `limit` due reports of these connectors, the oldest first, locked against other processes. */
export async function leaseDueReports(
  knex: Knex,
  connectors: readonly string[],
  limit: number,
): Promise<DueReport[]> {
  const { rows } = await knex.raw<{ rows: DueReport[] }>(
    `with due as (
       select id, due_at from simulated_reports
       where due_at <= service_now() and connector = any(:connectors::text[])
       order by due_at, id limit :limit for update skip locked
     ), leased as (
       update simulated_reports r set due_at = service_now() + :leaseSeconds * interval '1 second', written_at = service_now()
       from due where r.id = due.id
       returning r.*, due.due_at as was_due_at
     )
     select id, connector, message_id as "messageId", network_id as "networkId", report
     from leased order by was_due_at, id`,
    { connectors: [...connectors], limit, leaseSeconds },
  );
  return rows;
}

export async function deleteReports(knex: Knex, ids: readonly string[]): Promise<void> {
  await knex.raw('delete from simulated_reports where id = any(?::bigint[])', [[...ids]]);
}

/** Records one more bundle for each message: the service, not the simulator, must prevent duplicates. */
export async function enterBundles(knex: Knex, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await knex.raw(
    `insert into simulated_bundles as b (message_id, times) select unnest(?::bigint[]), 1
     on conflict (message_id) do update set times = b.times + 1`,
    [[...messageIds]],
  );
}

/** The messages that were given a bundle. */
export async function findBundles(knex: Knex, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    'select message_id::text as id from simulated_bundles where message_id = any(?::bigint[])',
    [[...messageIds]],
  );
  return new Set(rows.map(({ id }) => id));
}
