-- Receipts and messages of phones that are posted, and what is known of the origins that they are posted to.

create table receipts (
  -- Of one that posts a message of a phone: also the id of that message.
  id uuid primary key,
  -- Of a receipt about a message of ours. Null: it posts a message of a phone.
  request_id uuid,
  message_id bigint,
  -- The receipts of a message are posted in this order.
  sequence smallint not null default 1,
  team_id text not null,
  client_id text not null,
  url text not null,
  -- A hash of the URL's origin: an origin may be longer than an index row.
  origin_key uuid not null,
  body text not null,
  -- That of its request, or of the message of a phone.
  trace text,
  state text not null default 'Waiting' check (state = any ('{Waiting,Delivered,Exhausted}'::text[])),
  -- The process that has it until `next_attempt_at`; after that, or if null, any process may claim it.
  claimed_by uuid,
  -- Since it was created, or last resent.
  attempts integer not null default 0,
  -- When the first attempt began.
  started_at timestamptz,
  -- While it is claimed: the end of the lease.
  next_attempt_at timestamptz not null default service_now(),
  -- What each attempt came to, the newest last.
  attempt_log jsonb not null default '[]',
  replayed_at timestamptz,
  created_at timestamptz not null default service_now(),
  updated_at timestamptz not null default service_now(),
  check ((request_id is null) = (message_id is null))
) with (
  -- Each row is updated once or twice soon after it was made, and never again: the default of a fifth would leave
  -- the indexes of what is under way full of rows that are done.
  autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0.02
);
-- What a claim and a gauge read grows with the receipts that wait, never with those that are kept.
create index receipts_due on receipts (team_id, origin_key, next_attempt_at) where state = 'Waiting';
-- In other words, so that it is never taken for the one above.
create index receipts_due_next on receipts (next_attempt_at) where (state || '') = 'Waiting';
create index receipts_exhausted on receipts (created_at) where state = 'Exhausted';
create index receipts_of_message on receipts (message_id, sequence);
create index receipts_of_inbound on receipts (team_id, created_at) where message_id is null and body <> '';
create index receipts_of_team on receipts (team_id, state, created_at, id);
create index receipts_of_origin on receipts (team_id, origin_key, state, created_at, id);

-- Receipts that one process posts at once, together. Each gets its row with the outcome of its first attempt; what is left
-- gets one when the lease is over.
create table receipt_lots (
  id bigint generated always as identity primary key,
  claimed_by uuid not null,
  leased_until timestamptz not null,
  -- Values of rows of receipts. Not json: that takes texts that no row could hold, and the lot would never become rows.
  receipts jsonb not null,
  created_at timestamptz not null default service_now()
) with (
  -- Small and hot: a lot is here for a moment.
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0
);
create index receipt_lots_due on receipt_lots (leased_until);

-- By team: no team's receipts are parked because of another team's.
create table receipt_origins (
  team_id text not null,
  origin_key uuid not null,
  origin text not null,
  failures_in_a_row integer not null,
  parked_until timestamptz,
  primary key (team_id, origin_key)
);

-- What each team had replayed in the hour that began with its first replay.
create table receipt_replays (
  team_id text primary key,
  began_at timestamptz not null default service_now(),
  receipts integer not null default 0,
  -- The last of them are due by then.
  due_until timestamptz not null default service_now()
);
