/** Stores network reports that no message was found for yet. */
import type { Knex } from 'knex';
import type { NetworkReport } from '../../connectors/contract/connector.ts';
import type { Product } from '../../model/plan.ts';
import type { ReportedState } from '../../model/states.ts';

/** A report that nobody has acted on yet. */
export interface NewReport {
  connector: string;
  /** The product of the connector's kind. */
  product: Product;
  networkId: string | null;
  messageId: string | null;
  phone: string | null;
  state: ReportedState;
  reason: string | null;
  reasonCode: string | null;
  occurredAt: Date | null;
  refund: NonNullable<NetworkReport['refund']> | null;
  details: NonNullable<NetworkReport['details']> | null;
}

/** One that was stored until its message is known. */
export interface DueReport extends NewReport {
  id: string;
}

/** A connector as the one who reports. */
export interface Reporter {
  connector: string;
  product: Product;
}

export interface ConnectorReport extends Reporter {
  report: NetworkReport;
}

/** References of others in a shared account are not looked up. */
const isReference = (id: string | undefined) => id !== undefined && /^[1-9]\d{0,17}$/.test(id);

/** A report as it is stored; undefined: it names nothing that could be ours. */
export function asDue({ connector, product, report }: ConnectorReport): NewReport | undefined {
  const messageId = isReference(report.messageId) ? report.messageId : undefined;
  const networkId = report.networkId || undefined;
  if (messageId === undefined && networkId === undefined) return undefined;
  const { phone, state, reason, reasonCode, occurredAt, refund, details } = report;
  return {
    connector,
    product,
    networkId: networkId ?? null,
    messageId: messageId ?? null,
    phone: phone ?? null,
    state,
    reason: reason ?? null,
    reasonCode: reasonCode ?? null,
    occurredAt: occurredAt ?? null,
    refund: refund ?? null,
    details: details ?? null,
  };
}

/** Stores reports on messages that are not known yet: they are looked at again at once, then ever more rarely. */
export async function insertReports(knex: Knex, reports: readonly NewReport[]): Promise<void> {
  if (reports.length === 0) return;
  await knex.raw(
    `insert into network_reports
       (connector, product, network_id, message_id, phone, state, reason, reason_code, occurred_at, refund,
        details)
     select * from json_to_recordset(?::json) as r(connector text, product text, "networkId" text,
       "messageId" bigint, phone text, state text, reason text, "reasonCode" text, "occurredAt" timestamptz, refund text,
       details jsonb)`,
    [JSON.stringify(reports)],
  );
}

/** A stored report as it came. */
export function asReported(report: NewReport): ConnectorReport {
  const { connector, product, networkId, messageId, phone, state, ...rest } = report;
  const { reason, reasonCode, occurredAt, refund, details } = rest;
  return {
    connector,
    product,
    report: {
      state,
      ...(networkId === null ? {} : { networkId }),
      ...(messageId === null ? {} : { messageId }),
      ...(phone === null ? {} : { phone }),
      ...(reason === null ? {} : { reason }),
      ...(reasonCode === null ? {} : { reasonCode }),
      ...(occurredAt === null ? {} : { occurredAt }),
      ...(refund === null ? {} : { refund }),
      ...(details === null ? {} : { details }),
    },
  };
}

/** Due reports, locked, in the order in which they came. */
export async function lockDueReports(trx: Knex.Transaction, limit: number): Promise<DueReport[]> {
  const { rows } = await trx.raw<{ rows: DueReport[] }>(
    `select id, connector, product, network_id as "networkId", message_id as "messageId", phone, state, reason,
       reason_code as "reasonCode", occurred_at as "occurredAt", refund, details
     from network_reports
     where id in (select id from network_reports where next_look_at <= service_now() order by next_look_at limit ?)
     order by id for update skip locked`,
    [limit],
  );
  return rows;
}

export async function deleteReports(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.raw('delete from network_reports where id = any(?::bigint[])', [[...ids]]);
}

/**
 * Reports that no message was found for: kept, and looked at again when they are twice as old, hourly at least.
 * Deletes those older than `keepSeconds`; returns their connectors, one for each.
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
