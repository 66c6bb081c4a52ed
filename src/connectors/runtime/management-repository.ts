/** Stores the changes that operators make to connectors. */
import type { Knex } from 'knex';
import { insertNew } from '../../db/insert.ts';

/** A connector as operators see it, and its secrets. */
export interface ManagedConnector {
  name: string;
  kind: string;
  settings: Readonly<Record<string, unknown>>;
  secretNames: readonly string[];
  /** Encrypted JSON; null: none. */
  secrets: string | null;
  /** Null: not paused. */
  pausedReason: string | null;
  /** Null: not paused, or until an operator resumes it. */
  pausedUntil: Date | null;
  version: number;
  updatedAt: Date;
}

export async function findConnector(knex: Knex, name: string): Promise<ManagedConnector | undefined> {
  return managed(knex).where({ name }).first();
}

/** In the order of their names. */
export async function listConnectors(knex: Knex): Promise<ManagedConnector[]> {
  return managed(knex).orderBy('name');
}

function managed(knex: Knex) {
  const now = `paused and coalesce(paused_until > service_now(), true)`;
  return knex('connectors').select(
    'name',
    'kind',
    'settings',
    'secret_names as secretNames',
    'secrets',
    knex.raw(`case when ${now} then coalesce(paused_reason, '') end as "pausedReason"`),
    knex.raw(`case when ${now} then paused_until end as "pausedUntil"`),
    'version',
    'updated_at as updatedAt',
  );
}

export type ConnectorChange = Pick<ManagedConnector, 'settings' | 'secretNames' | 'secrets'>;

/** False when the name is taken. */
export async function insertConnector(
  knex: Knex,
  name: string,
  kind: string,
  change: ConnectorChange,
): Promise<boolean> {
  return insertNew(knex, 'connectors', { name, kind, ...columnsOf(change) }, 'name');
}

/** Running processes open it anew. */
export async function updateConnector(knex: Knex, name: string, change: ConnectorChange): Promise<void> {
  await knex('connectors')
    .where({ name })
    .update({
      ...columnsOf(change),
      version: knex.raw('version + 1'),
      updated_at: knex.raw('service_now()'),
    });
}

function columnsOf({ settings, secretNames, secrets }: ConnectorChange) {
  return { settings: JSON.stringify(settings), secret_names: JSON.stringify(secretNames), secrets };
}

/** Until it is resumed. */
export async function pauseConnector(knex: Knex, name: string, reason: string): Promise<void> {
  await knex('connectors')
    .where({ name })
    .update({
      paused: true,
      paused_reason: reason,
      paused_at: knex.raw('service_now()'),
      paused_until: null,
    });
}

export async function resumeConnector(knex: Knex, name: string): Promise<void> {
  await knex('connectors')
    .where({ name })
    .update({ paused: false, paused_reason: null, paused_at: null, paused_until: null });
}

/** Processes close it. */
export async function deleteConnector(knex: Knex, name: string): Promise<void> {
  await knex('connector_states').where({ connector: name }).delete();
  await knex('connectors').where({ name }).delete();
}

/** Messages that it submitted, or may have, and whose outcome it has yet to report. */
export async function countAwaited(knex: Knex, connector: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: { messages: number }[] }>(
    `select count(*)::integer as messages from messages
     where connector = ? and state in ('Sending', 'Submitted', 'Sent')`,
    [connector],
  );
  return rows[0]?.messages ?? 0;
}

/** What goes through each connector, such as `sms/Safaricom`. */
export async function usesOfConnectors(knex: Knex): Promise<Map<string, string[]>> {
  const { rows } = await knex.raw<{ rows: { connector: string; uses: string[] }[] }>(
    `select connector, array_agg(use order by use) as uses from (
       select connector, 'sms/' || name as use from channels
       union all select bundle_connector, 'data/' || name from channels where bundle_connector is not null
       union all select connector, 'chatapp/' || id from chatapp_numbers
     ) as used group by connector`,
  );
  return new Map(rows.map(({ connector, uses }) => [connector, uses]));
}
