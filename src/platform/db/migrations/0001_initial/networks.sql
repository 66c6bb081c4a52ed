-- Channels, the connectors that submit to their networks, and how each process's connectors are doing.

create table connectors (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  kind text not null,
  settings jsonb not null default '{}',
  -- Encrypted JSON: the value of each secret by its name.
  secrets text,
  -- Their names, which can be read without the key.
  secret_names jsonb not null default '[]',
  paused boolean not null default false,
  paused_reason text,
  paused_at timestamptz,
  -- Null: until an operator resumes it.
  paused_until timestamptz,
  -- What its network said of the account and its templates, by what it is about: {says, until?}.
  notices jsonb not null default '{}',
  -- As its processes together last said, and since when.
  condition text,
  condition_since timestamptz,
  -- Grows with every change of kind, settings or secrets; processes then open the connector again.
  version integer not null default 1,
  updated_at timestamptz not null default service_now()
);
insert into connectors (name, kind) values
  ('simulator', 'simulator'),
  ('bundle-simulator', 'bundle-simulator'),
  ('chat-simulator', 'chat-simulator');

-- Which process uses which part of a connector's account. Not unlogged: a process keeps to its lease when the database crashes.
create table connector_leases (
  connector text not null references connectors on delete cascade,
  part integer not null,
  -- Null: it was let go.
  process text,
  -- Where that process runs, for people.
  holder text not null,
  rate integer not null,
  -- Nobody else may use the part before.
  until timestamptz not null,
  renewed_at timestamptz not null default service_now(),
  primary key (connector, part)
);

create table channels (
  name text primary key,
  prefixes jsonb not null,
  -- For SMS.
  connector text not null,
  -- For data bundles; null: the channel offers none.
  bundle_connector text,
  -- What ends each MARKETING SMS; null: nothing.
  promotional_suffix text,
  -- Names of registrations without which no SMS is accepted.
  required_registrations jsonb not null default '[]',
  enabled boolean not null default true,
  -- Of the channels with the same prefix, the first one counts.
  position integer not null
);

-- Grows with every change of a route: what waits was matched with the routes of a version, and is matched again once they change.
create sequence route_versions;
create table routes (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  channel text not null,
  product text not null check (product = any ('{sms,data}'::text[])),
  -- Of the routes of a channel, the first one that matches a message counts.
  position integer not null,
  -- {teamId?, serviceId?, sender?, category?}: a message must have all of them.
  match jsonb not null default '{}',
  -- [{connector, weight?}]: those with a weight that stand together share the messages; the others are tried in order.
  via jsonb not null,
  -- The codes of refusals after which the next connector is tried; null: of all that are not about the recipient.
  next_on_codes jsonb,
  version bigint not null default nextval('route_versions')
);
create index routes_of_channel on routes (channel);

-- Tables of numbers that moved to another network with their prefix. The newest that was read as a whole is in use.
create table ported_imports (
  id bigint generated always as identity primary key,
  name text not null unique,
  number_column text not null,
  channel_column text not null,
  -- Channels by what the table writes for them.
  codes jsonb not null,
  -- Names of channels: its numbers say the place in this list.
  channels jsonb not null,
  parts integer not null,
  -- The first line of the table; null: its first part has not come.
  header text,
  lines integer not null default 0,
  read integer not null default 0,
  invalid integer not null default 0,
  problems jsonb not null default '[]',
  -- How many there are, and since when they are in use; null: not yet.
  numbers integer,
  used_since timestamptz,
  created_at timestamptz not null default service_now(),
  -- When a part of it last came or was read.
  went_on_at timestamptz not null default service_now()
);

create table ported_import_parts (
  import_id bigint not null references ported_imports,
  part integer not null,
  -- Of its text: the same part may come again.
  digest text not null,
  -- Null once they were read, and the numbers until then.
  lines text,
  octets bytea,
  primary key (import_id, part)
);
create index ported_import_parts_unread on ported_import_parts (import_id, part) where lines is not null;

-- Up to 4,096 numbers each, sorted.
create table ported_numbers (
  import_id bigint not null references ported_imports,
  first_number bigint not null,
  last_number bigint not null,
  octets bytea not null,
  primary key (import_id, first_number)
);

-- Unlogged: written every few seconds, and worthless after a crash.
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
  throttled boolean not null,
  last_error text,
  last_error_at timestamptz,
  seen_at timestamptz not null default service_now(),
  primary key (process, connector)
);
