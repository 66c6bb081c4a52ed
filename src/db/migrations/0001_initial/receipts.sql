-- Receipts, and what is known of the origins that they are posted to.

create table receipts (
  id uuid primary key,
  request_id uuid not null,
  message_id bigint not null,
  -- The receipts of a message are posted in this order.
  sequence smallint not null default 1,
  team_id text not null,
  client_id text not null,
  url text not null,
  -- A hash of the URL's origin: an origin may be longer than an index row.
  origin_key uuid not null,
  body text not null,
  state text not null default 'Pending' check (state = any ('{Pending,Delivered,Ended,Exhausted}'::text[])),
  attempts integer not null default 0,
  -- When the first attempt began.
  started_at timestamptz,
  next_attempt_at timestamptz not null default service_now(),
  last_status integer,
  last_error text,
  created_at timestamptz not null default service_now(),
  updated_at timestamptz not null default service_now()
);
create index receipts_due on receipts (team_id, origin_key, next_attempt_at) where state = 'Pending';
create index receipts_of_message on receipts (message_id, sequence);
create index receipts_exhausted on receipts (updated_at) where state = 'Exhausted';

-- By team: no team's receipts are parked because of another team's.
create table receipt_origins (
  team_id text not null,
  origin_key uuid not null,
  origin text not null,
  failures_in_a_row integer not null,
  parked_until timestamptz,
  primary key (team_id, origin_key)
);
