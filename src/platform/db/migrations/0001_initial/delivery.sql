-- On the way to the networks: background jobs, what networks call our messages, their reports, and quarantine.

-- Background work that is claimed with a lease: deliveries, and questions to networks.
create table jobs (
  id bigint generated always as identity primary key,
  queue text not null check (queue = any ('{deliver,poll}'::text[])),
  -- Of a delivery: product and channel and, of a channel with routes, what its messages may still go through
  -- (src/model/route.ts). The jobs of one lane wait for the same connectors.
  lane text not null default '',
  priority smallint not null default 0,
  team_id text not null default '',
  messages integer not null default 1,
  data json not null,
  -- Of a claimed job: the end of its lease.
  due_at timestamptz not null default service_now(),
  -- When a job that is not claimed got its due_at.
  written_at timestamptz not null default service_now(),
  -- A delivery is claimed by then even if its connector takes no messages; null: it does not expire.
  expires_at timestamptz,
  -- Tells the claims of a job apart.
  claims integer not null default 0,
  claimed boolean not null default false
) with (
  -- Small and hot: each job is written two or three times within seconds.
  fillfactor = 70,
  autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0
);
create index jobs_due on jobs (queue, lane, priority, team_id, due_at, id);
create index jobs_expiring on jobs (expires_at) where expires_at is not null;

-- What networks call the parts of messages that left in several; a message that left whole has its network's id.
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

-- Reports on messages that are not known yet: they came before the response to the submission, or are not ours.
create table network_reports (
  id bigint generated always as identity primary key,
  product text not null,
  connector text not null,
  network_id text check (char_length(network_id) <= 255),
  message_id bigint,
  -- The report counts only if its message went to this number.
  phone text check (char_length(phone) <= 100),
  state text not null,
  reason text,
  reason_code text,
  occurred_at timestamptz,
  refund text check (refund in ('refused', 'reversed')),
  details jsonb,
  received_at timestamptz not null default service_now(),
  next_look_at timestamptz not null default service_now(),
  check (network_id is not null or message_id is not null)
) with (
  -- Small and hot: a report is here for a moment.
  autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0
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
