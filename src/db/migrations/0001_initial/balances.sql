-- What teams pay with: accounts, and the ledger entries that they are the sums of.

create table accounts (
  id bigint generated always as identity primary key,
  team_id text not null references teams,
  product text not null check (product in ('sms', 'data', 'chatapp')),
  -- For data, the channel and denomination.
  variant text not null default '',
  balance bigint not null default 0 check (balance >= 0),
  unique (team_id, product, variant)
) with (
  -- Few rows, each updated by every batch: room for the versions beside it, and none left for long.
  fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0
);

/*
 * The tables that every accepted request and every message writes to (ledger_entries, requests, idempotency_keys,
 * messages, receipts) differ from the others in two ways:
 * - No foreign keys: one statement writes what belongs together (src/intake/commit), rows are never deleted on
 *   their own, and a check for each row would double the cost of accepting a message.
 * - `= any ('{a,b}')` instead of `in ('a', 'b')`: PostgreSQL stores the latter as an array expression, which every
 *   statement that writes to the table reads and folds again. That was 4 % of a batch of 16 accepted requests.
 */
create table ledger_entries (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  units bigint not null,
  reason text not null check (reason = any ('{TopUp,Debit,Refund,Correction}'::text[])),
  request_id uuid,
  message_id bigint,
  -- Of top-ups and corrections: repeating one with the same reference changes nothing.
  reference text check (char_length(reference) <= 255),
  -- Why an operator made it.
  note text check (char_length(note) <= 1000),
  created_at timestamptz not null default service_now()
);
create unique index ledger_entries_one_refund on ledger_entries (message_id) where reason = 'Refund';
create unique index ledger_entries_reference on ledger_entries (account_id, reference) where reference is not null;
create index ledger_entries_of_account on ledger_entries (account_id, id);

create function ledger_entries_are_final() returns trigger language plpgsql as $body$
  begin
    raise exception 'ledger entries are never changed or deleted';
  end
$body$;
create trigger ledger_entries_are_final before update or delete on ledger_entries
  for each row execute function ledger_entries_are_final();
