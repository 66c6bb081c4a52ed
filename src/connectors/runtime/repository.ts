/** Reads and pauses stored connectors, and keeps what their networks say. */
import type { Knex } from 'knex';
import type { NetworkNotice } from '../contract/inbound.ts';

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
  /** Keeps the notices; of each thing the last, and none that is over. */
  notice: (name: string, notices: readonly NetworkNotice[]) => Promise<void>;
}

/** An account may have thousands of templates of low quality. */
const mostNotices = 20;

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
    notice: async (name, notices) => {
      const last = new Map(notices.map(({ about, says, until }) => [about, { says, until }]));
      const kept = [...last].filter(([, { says }]) => says !== undefined);
      await knex.raw(
        `update connectors set notices = (
           select coalesce(jsonb_object_agg(key, value), '{}') from (
             select * from jsonb_each((notices - :about::text[]) || :kept::jsonb) as n
             where coalesce((value ->> 'until')::timestamptz > service_now(), true) order by key limit ${mostNotices}
           ) as newest
         ) where name = :name`,
        { name, about: [...last.keys()], kept: JSON.stringify(Object.fromEntries(kept)) },
      );
    },
  };
}
