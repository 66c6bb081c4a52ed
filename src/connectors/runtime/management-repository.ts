/** Stores the changes that operators make to connectors. */
import type { Knex } from 'knex';
import { insertNew } from '../../db/insert.ts';

export interface ConnectorChange {
  settings: Readonly<Record<string, unknown>>;
  /** Sealed JSON; null: none. */
  secrets: string | null;
}

/** False when the name is taken. */
export async function insertConnector(
  knex: Knex,
  name: string,
  kind: string,
  { settings, secrets }: ConnectorChange,
): Promise<boolean> {
  return insertNew(knex, 'connectors', { name, kind, settings: JSON.stringify(settings), secrets }, 'name');
}

/** Running processes open it anew. False when it was changed or deleted since `version`. */
export async function updateConnector(
  knex: Knex,
  name: string,
  version: number,
  { settings, secrets }: ConnectorChange,
): Promise<boolean> {
  const updated = await knex('connectors')
    .where({ name, version })
    .update({
      settings: JSON.stringify(settings),
      secrets,
      version: version + 1,
      updated_at: knex.raw('service_now()'),
    });
  return updated > 0;
}

/** Until it is resumed. False when there is no such connector. */
export async function pauseConnector(knex: Knex, name: string, reason: string): Promise<boolean> {
  const updated = await knex('connectors')
    .where({ name })
    .update({
      paused: true,
      paused_reason: reason,
      paused_at: knex.raw('service_now()'),
      paused_until: null,
    });
  return updated > 0;
}

/** False when there is no such connector. */
export async function resumeConnector(knex: Knex, name: string): Promise<boolean> {
  const updated = await knex('connectors')
    .where({ name })
    .update({ paused: false, paused_reason: null, paused_at: null, paused_until: null });
  return updated > 0;
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
