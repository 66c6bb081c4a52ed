-- What teams pay with: accounts, and the ledger entries that they are the sums of.

create table accounts (
  id bigint generated always as identity primary key,
  team_id text not null references teams,
  product text not null check (product in ('sms', 'data', 'chatapp')),
  -- For data, the channel and denomination.
  variant text not null default '',
  balance bigint not null default 0 check (balance >= 0),
  -- The sum of top-ups and corrections: what the balance lacks of it is spent.
  granted bigint not null default 0,
  unique (team_id, product, variant)
) with (
  -- Few rows, each updated by every batch: room for the versions beside it, and none left for long.
  fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0
);

-- What was spent of each account by the beginning of each of the last 25 hours.
create table account_use (
  hour timestamptz not null,
  account_id bigint not null,
  spent bigint not null,
  primary key (hour, account_id)
);

/*
 * The tables that every accepted request and every message writes to (ledger_entries, requests, idempotency_keys,
 * messages, receipts) differ from the others in two ways:
 * - No foreign keys: one statement writes what belongs together (src/accept/commit), rows are never deleted on
 *   their own, and a check for each row would double the cost of accepting a message.
 * - `= any ('{a,b}')` instead of `in ('a', 'b')`: PostgreSQL stores the latter as an array expression, which every
 *   statement that writes to the table reads and folds again. That was 4 % of a batch of 16 accepted requests.
 */
create table ledger_entries (
  id bigint generated always as identity,
  account_id bigint not null,
  units bigint not null,
  reason text not null check (reason = any ('{TopUp,Debit,Refund,Correction}'::text[])),
  request_id uuid,
  message_id bigint,
  -- Of top-ups and corrections: repeating one with the same reference changes nothing.
  reference text check (char_length(reference) <= 255),
  -- Why an operator made it.
  note text check (char_length(note) <= 1000),
  -- When the account's row was locked for it, so that times follow the order of ids.
  created_at timestamptz not null default service_clock(),
  -- Entries are read by account only. Everybody who adds one has the row of its account locked first. So an entry is
  -- never committed after one of the same account with a higher id, and who has read up to an id has read
  -- everything before it.
  constraint ledger_entries_of_account primary key (account_id, id)
);
create unique index ledger_entries_one_refund on ledger_entries (message_id) where reason = 'Refund';
create unique index ledger_entries_reference on ledger_entries (account_id, reference) where reference is not null;

-- The hash chain of an account (src/ledger/chain.ts), noted every so many entries: what came before is then fixed.
create table ledger_seals (
  account_id bigint not null references accounts,
  -- 1, 2, 3 and so on in each account.
  number bigint not null,
  -- From the account's first entry to the last one of this seal: how many, which is the last, their sum and their hash.
  entries bigint not null,
  last_entry_id bigint not null,
  balance bigint not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  -- The latest time of all these entries.
  latest_at timestamptz not null,
  sealed_at timestamptz not null default service_now(),
  -- Keyed: who can write to the database but lacks SECRET_KEY cannot make it.
  confirmation text not null,
  primary key (account_id, number)
);
-- Statements of a period begin at the last seal before it.
create index ledger_seals_by_time on ledger_seals (account_id, latest_at, number);
create function ledger_seals_are_final() returns trigger language plpgsql as $body$
  begin
    -- Another key may confirm the same.
    if tg_op = 'UPDATE' and to_jsonb(new) - 'confirmation' = to_jsonb(old) - 'confirmation' then
      return new;
    end if;
    raise exception 'ledger entries and their seals are never changed or deleted';
  end
$body$;
create trigger ledger_seals_are_final before update or delete on ledger_seals
  for each row execute function ledger_seals_are_final();

-- Up to which seal the entries of an account have left for the archive. Those with a reference stay: it counts once.
create table ledger_cuts (
  account_id bigint primary key,
  number bigint not null,
  last_entry_id bigint not null,
  foreign key (account_id, number) references ledger_seals
);
create function ledger_entries_are_final() returns trigger language plpgsql as $body$
  begin
    if tg_op = 'DELETE' and exists (
      select from ledger_cuts where account_id = old.account_id and last_entry_id >= old.id
    ) then
      return old;
    end if;
    raise exception 'ledger entries are never changed or deleted';
  end
$body$;
create trigger ledger_entries_are_final before update or delete on ledger_entries
  for each row execute function ledger_entries_are_final();

-- One row, made with the first SECRET_KEY: how many seals there are, so that none can be taken away unnoticed, and of
-- how many the entries have left.
create table ledger_seal_count (
  id integer primary key default 1 check (id = 1),
  seals bigint not null,
  archived bigint not null default 0,
  confirmation text not null
);

-- One row: how far the doctor has compared entries with their seals. Ledgers are longer than one look.
create table ledger_inspection (
  id integer primary key default 1 check (id = 1),
  account_id bigint not null default 0,
  number bigint not null default 0
);
insert into ledger_inspection default values;
