/** Connectors as data, what networks call the parts of our messages, and what networks have said. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create table connectors (
      name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
      kind text not null,
      settings jsonb not null default '{}',
      -- Sealed JSON, by the name of the secret.
      secrets text,
      paused boolean not null default false,
      paused_reason text,
      paused_at timestamptz,
      -- Null: until an operator resumes it.
      paused_until timestamptz,
      -- Grows with every change of kind, settings or secrets: the connector is opened anew.
      version integer not null default 1,
      updated_at timestamptz not null default now()
    );
    insert into connectors (name, kind) values ('simulator', 'simulator');

    create table message_parts (
      connector text not null,
      network_id text not null,
      message_id bigint not null,
      parts smallint not null,
      -- The final state of a part of a message that left in several.
      state text,
      created_at timestamptz not null default now(),
      primary key (connector, network_id)
    );
    create index message_parts_of_message on message_parts (message_id) where parts > 1;
    create index message_parts_age on message_parts (created_at);

    create table network_reports (
      id bigint generated always as identity primary key,
      connector text not null,
      network_id text,
      message_id bigint,
      state text not null,
      reason text,
      reason_code text,
      occurred_at timestamptz,
      refund text check (refund in ('refused', 'reversed')),
      received_at timestamptz not null default now(),
      next_look_at timestamptz not null default now(),
      check (network_id is not null or message_id is not null)
    );
    create index network_reports_due on network_reports (next_look_at);
    create index network_reports_of_part on network_reports (connector, network_id);
  `);
}
