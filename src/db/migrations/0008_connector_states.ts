/** How each process's connectors are doing. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    -- Unlogged: said anew every few seconds, and worthless after a crash.
    create unlogged table connector_states (
      process text not null,
      connector text not null,
      condition text not null check (condition in ('open', 'unbound', 'paused', 'faulty')),
      reason text,
      binds integer,
      bound integer,
      send_window integer,
      in_flight integer,
      rate double precision,
      seen_at timestamptz not null default now(),
      primary key (process, connector)
    );
  `);
}
