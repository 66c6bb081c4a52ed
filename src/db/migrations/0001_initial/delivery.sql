-- On the way to the networks: jobs that wait, what networks call our messages, their reports, and quarantine.

-- Jobs whose network cannot take messages at present, apart from all others.
create table waiting_jobs (
  id bigint generated always as identity primary key,
  product text not null,
  channel text not null,
  request_ids uuid[] not null,
  -- Null: all messages of these requests.
  message_ids bigint[],
  -- When the first of its messages is too old to be submitted; null: never.
  expires_at timestamptz
);
create index waiting_jobs_of_channel on waiting_jobs (product, channel, id);
create index waiting_jobs_expiring on waiting_jobs (expires_at);

create table message_parts (
  connector text not null,
  -- An index row holds at most 2,704 bytes.
  network_id text not null check (char_length(network_id) <= 255),
  message_id bigint not null,
  -- Which part of its message this id stands for; null: the network received all parts at once.
  number smallint,
  parts smallint not null,
  -- The final state of this part, if its message has several.
  state text,
  created_at timestamptz not null default service_now(),
  primary key (connector, network_id)
);
create index message_parts_of_message on message_parts (message_id);
create index message_parts_age on message_parts (created_at);

-- Reports that a worker has yet to record.
create table network_reports (
  id bigint generated always as identity primary key,
  product text not null,
  connector text not null,
  network_id text check (char_length(network_id) <= 255),
  message_id bigint,
  state text not null,
  reason text,
  reason_code text,
  occurred_at timestamptz,
  refund text check (refund in ('refused', 'reversed')),
  received_at timestamptz not null default service_now(),
  next_look_at timestamptz not null default service_now(),
  check (network_id is not null or message_id is not null)
);
create index network_reports_due on network_reports (next_look_at);
create index network_reports_of_part on network_reports (connector, network_id);

-- Items that cannot be recorded because of their own data, by the round of work that they stopped.
create table quarantine (
  id bigint generated always as identity primary key,
  round text not null,
  item text not null check (char_length(item) <= 255),
  message_id bigint,
  -- JSON as text, because it may hold what the type json rejects.
  payload text not null check (octet_length(payload) <= 131072),
  reason text not null check (char_length(reason) <= 200),
  attempts integer not null default 1,
  created_at timestamptz not null default service_now(),
  -- Null: until an operator retries it.
  retry_at timestamptz,
  unique (round, item)
);
create index quarantine_of_message on quarantine (message_id);
