/** Stores network reports as they arrived, and the message parts that they refer to. */
import type { Knex } from 'knex';
import type { NetworkReport } from '../connectors/contract/connector.ts';
import type { Product } from '../intake/plan.ts';
import type { ReportedState } from '../receipts/states.ts';

/** A stored report that nobody has acted on yet. */
export interface DueReport {
  id: string;
  connector: string;
  /** The product of the connector's kind. */
  product: Product;
  networkId: string | null;
  messageId: string | null;
  state: ReportedState;
  reason: string | null;
  reasonCode: string | null;
  occurredAt: Date | null;
  refund: NonNullable<NetworkReport['refund']> | null;
}

/** A part of a message as its network knows it; most messages are one part. */
export interface Part {
  connector: string;
  networkId: string;
  messageId: string;
  parts: number;
  /** The final state that was reported of it; only kept when there are others. */
  state: ReportedState | null;
}

/** A connector as the one who reports. */
export interface Reporter {
  connector: string;
  product: Product;
}

export interface ConnectorReport extends Reporter {
  report: NetworkReport;
}

/** References that others put into a shared account are not ours to look up. */
const isReference = (id: string | undefined) => id !== undefined && /^[1-9]\d{0,17}$/.test(id);

/** Stores what came from networks. Returns the ids of the stored reports. */
export async function insertReports(knex: Knex, reports: readonly ConnectorReport[]): Promise<string[]> {
  const ours = reports.filter(({ report: { networkId, messageId } }) => networkId || isReference(messageId));
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `insert into network_reports
       (connector, product, network_id, message_id, state, reason, reason_code, occurred_at, refund)
     select * from json_to_recordset(?::json) as r(connector text, product text, network_id text,
       message_id bigint, state text, reason text, reason_code text, occurred_at timestamptz, refund text)
     returning id`,
    [
      JSON.stringify(
        ours.map(({ connector, product, report }) => ({
          connector,
          product,
          network_id: report.networkId || undefined,
          message_id: isReference(report.messageId) ? report.messageId : undefined,
          state: report.state,
          reason: report.reason,
          reason_code: report.reasonCode,
          occurred_at: report.occurredAt,
          refund: report.refund,
        })),
      ),
    ],
  );
  return rows.map(({ id }) => id);
}

/** A stored report as it came. */
export function asReported(report: DueReport): ConnectorReport {
  const { connector, product, networkId, messageId, state, reason, reasonCode, occurredAt, refund } = report;
  return {
    connector,
    product,
    report: {
      state,
      ...(networkId === null ? {} : { networkId }),
      ...(messageId === null ? {} : { messageId }),
      ...(reason === null ? {} : { reason }),
      ...(reasonCode === null ? {} : { reasonCode }),
      ...(occurredAt === null ? {} : { occurredAt }),
      ...(refund === null ? {} : { refund }),
    },
  };
}

const lockedReports = (condition: string) => `
  select id, connector, product, network_id as "networkId", message_id as "messageId", state, reason,
    reason_code as "reasonCode", occurred_at as "occurredAt", refund
  from network_reports where ${condition} order by id for update skip locked`;

/** Due reports, locked, in the order in which they came. */
export async function lockDueReports(trx: Knex.Transaction, limit: number): Promise<DueReport[]> {
  const { rows } = await trx.raw<{ rows: DueReport[] }>(
    lockedReports(
      'id in (select id from network_reports where next_look_at <= service_now() order by next_look_at limit ?)',
    ),
    [limit],
  );
  return rows;
}

export async function lockReports(trx: Knex.Transaction, ids: readonly string[]): Promise<DueReport[]> {
  const { rows } = await trx.raw<{ rows: DueReport[] }>(lockedReports('id = any(?::bigint[])'), [[...ids]]);
  return rows;
}

/** The parts that the reports name, and all other parts of the same messages, locked. */
export async function lockParts(trx: Knex.Transaction, reports: readonly DueReport[]): Promise<Part[]> {
  const { rows } = await trx.raw<{ rows: Part[] }>(
    `with named as materialized (
       select p.connector, p.network_id, p.message_id, p.parts
       from json_to_recordset(?::json) as r(connector text, "networkId" text), lateral (
         select * from message_parts where connector = r.connector and network_id = r."networkId" offset 0
       ) as p
     ), whole as materialized (
       select connector, network_id from named
       union
       select p.connector, p.network_id from (select distinct message_id from named where parts > 1) as n, lateral (
         select * from message_parts where message_id = n.message_id offset 0
       ) as p
       order by connector, network_id
     )
     -- Each by its key, in order, and kept so: a planner that joins would read and lock by its estimates.
     select locked.* from whole, lateral (
       select connector, network_id as "networkId", message_id as "messageId", parts, state from message_parts p
       where p.connector = whole.connector and p.network_id = whole.network_id for update
     ) as locked`,
    [JSON.stringify(reports.filter(({ networkId }) => networkId !== null))],
  );
  return rows;
}

export async function saveParts(trx: Knex.Transaction, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  await trx.raw(
    `update message_parts p set state = changed.state
     from json_to_recordset(?::json) as changed(connector text, "networkId" text, state text)
     where p.connector = changed.connector and p.network_id = changed."networkId"`,
    [JSON.stringify(parts)],
  );
}

/**
 * Has reports on the rows of `part` looked at again; as the main statement of one that stores the parts, which
 * PostgreSQL carries out afterwards: reports are locked before parts, everywhere.
 */
export const lookAgain = `, waiting as (
       select r.id from network_reports r join part
         on r.connector = part.connector and r.network_id = part."networkId"
       order by r.id for update of r
     )
     update network_reports r set next_look_at = service_now() from waiting where r.id = waiting.id`;

/** Keeps what a network calls our messages, and has reports that came before looked at again. */
export async function insertParts(trx: Knex.Transaction, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  await trx.raw(
    `with part as (
       select * from json_to_recordset(?::json)
         as p(connector text, "networkId" text, "messageId" bigint, parts smallint)
     ), stored as (
       -- Networks use their ids again after some time: the newest message has them.
       insert into message_parts (connector, network_id, message_id, parts)
       select connector, "networkId", "messageId", parts from part order by 1, 2
       -- What a part of this message was noted for when it left stays.
       on conflict (connector, network_id) do update set
         message_id = excluded.message_id, parts = excluded.parts,
         number = case when message_parts.message_id = excluded.message_id then message_parts.number end,
         state = case when message_parts.message_id = excluded.message_id then message_parts.state end,
         created_at = service_now()
     )
     ${lookAgain}`,
    [JSON.stringify(parts)],
  );
}

/** Who has a message: `connector` is null until it is handed over. */
export interface Owner {
  product: Product;
  connector: string | null;
}

/** Locks the messages, so that they stay with who has them. */
export async function lockOwners(
  trx: Knex.Transaction,
  messageIds: readonly string[],
): Promise<Map<string, Owner>> {
  if (messageIds.length === 0) return new Map();
  const { rows } = await trx.raw<{ rows: (Owner & { id: string })[] }>(
    'select id, product, connector from messages where id = any(?::bigint[]) order by id for update',
    [[...messageIds]],
  );
  return new Map(rows.map(({ id, ...owner }) => [id, owner]));
}

export async function deleteReports(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.raw('delete from network_reports where id = any(?::bigint[])', [[...ids]]);
}

/**
 * Reports that no message was found for: kept, and looked at again when they are twice as old, hourly at least.
 * Forgets those older than `keepSeconds`; answers their connectors, one for each.
 */
export async function postponeReports(
  trx: Knex.Transaction,
  ids: readonly string[],
  keepSeconds: number,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await trx.raw<{ rows: { connector: string }[] }>(
    `delete from network_reports
     where id = any(?::bigint[]) and received_at < service_now() - ? * interval '1 second'
     returning connector`,
    [[...ids], keepSeconds],
  );
  await trx.raw(
    `update network_reports
     set next_look_at = service_now() + least(greatest(service_now() - received_at, interval '1 second'), interval '1 hour')
     where id = any(?::bigint[])`,
    [[...ids]],
  );
  return rows.map(({ connector }) => connector);
}

/** Forgets parts older than the given age in seconds: reports on them come no more. */
export async function purgeParts(knex: Knex, ageSeconds: number): Promise<void> {
  await knex.raw(
    `with old as (
       select connector, network_id from message_parts where created_at < service_now() - ? * interval '1 second'
       for update skip locked
     )
     delete from message_parts p using old where p.connector = old.connector and p.network_id = old.network_id`,
    [ageSeconds],
  );
}
