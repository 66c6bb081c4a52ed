/** Reads and pauses stored connectors. */
import type { Knex } from 'knex';

export interface StoredConnector {
  name: string;
  kind: string;
  settings: Record<string, unknown>;
  /** Sealed JSON, by the name of the secret; null: none. */
  secrets: string | null;
  /** Grows with every change of kind, settings or secrets. */
  version: number;
  /** Null: not paused. */
  pausedReason: string | null;
}

export interface ConnectorRepository {
  load: () => Promise<StoredConnector[]>;
  /** For so many seconds, or until it is resumed. An operator's pause does not become shorter. */
  pause: (name: string, reason: string, seconds: number | undefined) => Promise<void>;
}

export function createConnectorRepository(knex: Knex): ConnectorRepository {
  return {
    load: async () => {
      const { rows } = await knex.raw<{ rows: StoredConnector[] }>(
        `select name, kind, settings, secrets, version,
           case when paused and coalesce(paused_until > service_now(), true)
             then coalesce(paused_reason, '') end as "pausedReason"
         from connectors order by name`,
      );
      return rows;
    },
    pause: async (name, reason, seconds) => {
      await knex.raw(
        `update connectors set paused = true, paused_reason = :reason, paused_at = service_now(),
           paused_until = service_now() + :seconds::float8 * interval '1 second'
         where name = :name and not (paused and paused_until is null)`,
        { name, reason, seconds: seconds ?? null },
      );
    },
  };
}
