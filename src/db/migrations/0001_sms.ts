/** The tables of teams, clients, SMS, balances, requests and receipts. */
import type { Knex } from 'knex';

/*
 * requests, messages, ledger_entries and receipts have no foreign keys: one statement writes what belongs
 * together (intake/commit.ts), rows are never deleted on their own, and a check per row would double the
 * cost of accepting a message.
 */
export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create table teams (
      id text primary key,
      name text not null,
      created_at timestamptz not null default now()
    );

    create table clients (
      id text primary key,
      team_id text not null references teams,
      name text not null,
      secret_hashes jsonb not null,
      signing_secrets jsonb not null,
      scopes jsonb not null,
      allowed_addresses jsonb not null default '[]',
      enabled boolean not null default true,
      created_at timestamptz not null default now()
    );

    create table token_keys (
      kid text primary key,
      private_jwk text not null,
      public_jwk jsonb not null,
      created_at timestamptz not null default now()
    );

    create table channels (
      name text primary key,
      prefixes jsonb not null,
      connector text not null,
      active boolean not null default true,
      position integer not null
    );

    create table services (
      id text primary key,
      team_id text not null references teams,
      name text not null,
      sender text not null,
      status text not null default 'Active' check (status in ('Active', 'Inactive')),
      created_at timestamptz not null default now()
    );

    create table managed_services (
      key text primary key,
      name text not null,
      category text not null check (category in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
      sender text not null
    );

    create table sms_templates (
      id text primary key,
      team_id text not null references teams,
      content text not null check (char_length(content) <= 960),
      description text,
      category text not null check (category in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
      status text not null default 'Active' check (status in ('Active', 'Archived')),
      approval_status text not null check (approval_status in ('PENDING', 'APPROVED', 'REJECTED')),
      managed_service_key text,
      review_comment text,
      param_definitions jsonb not null default '[]',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table accounts (
      id bigint generated always as identity primary key,
      team_id text not null references teams,
      product text not null check (product in ('sms', 'data', 'chatapp')),
      variant text not null default '',
      balance bigint not null default 0 check (balance >= 0),
      unique (team_id, product, variant)
    );

    create table ledger_entries (
      id bigint generated always as identity primary key,
      account_id bigint not null,
      units bigint not null,
      reason text not null check (reason in ('TopUp', 'Debit', 'Refund')),
      request_id uuid,
      message_id bigint,
      created_at timestamptz not null default now()
    );
    create unique index ledger_entries_one_refund on ledger_entries (message_id) where reason = 'Refund';
    create function ledger_entries_are_final() returns trigger language plpgsql as $body$
      begin
        raise exception 'ledger entries are never changed or deleted';
      end
    $body$;
    create trigger ledger_entries_are_final before update or delete on ledger_entries
      for each row execute function ledger_entries_are_final();

    create table requests (
      id uuid primary key,
      team_id text not null,
      client_id text not null,
      operation text not null,
      resource_id text not null,
      sender text not null,
      correlator text,
      callback_url text,
      created_at timestamptz not null default now()
    );

    create table idempotency_keys (
      client_id text not null,
      operation text not null,
      key text not null,
      fingerprint text not null,
      accepted json not null,
      created_at timestamptz not null default now(),
      primary key (client_id, operation, key)
    );
    create index idempotency_keys_age on idempotency_keys (created_at);

    create table messages (
      id bigint generated always as identity primary key,
      request_id uuid not null,
      channel text not null,
      phone text not null,
      text text not null,
      units integer not null,
      account_id bigint not null,
      state text not null default 'Queued' check (state in (
        'Queued', 'Submitted', 'Delivered', 'DeliveryUncertain', 'DeliveryImpossible', 'SenderBlacklisted',
        'SubscriberOptedOut', 'AbsentSubscriber', 'InvalidMsisdn', 'Failed')),
      segments integer,
      attempts integer not null default 0,
      network_id text,
      reason text,
      reason_code text,
      submitted_at timestamptz,
      final_at timestamptz
    );
    create index messages_of_request on messages (request_id);
    create index messages_awaiting_report on messages (submitted_at) where state = 'Submitted';

    create table receipts (
      id uuid primary key,
      request_id uuid not null,
      message_id bigint not null,
      client_id text not null,
      url text not null,
      origin text not null,
      body text not null,
      state text not null default 'Pending' check (state in ('Pending', 'Delivered', 'Ended', 'Exhausted')),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      last_status integer,
      last_error text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index receipts_due on receipts (next_attempt_at) where state = 'Pending';
    create index receipts_exhausted on receipts (updated_at) where state = 'Exhausted';

    create table receipt_origins (
      origin text primary key,
      failures_in_a_row integer not null,
      parked_until timestamptz
    );
  `);
}
