-- Who does not want to be written to.

create table opt_outs (
  id bigint generated always as identity primary key,
  -- A keyed hash of the phone number: the entry outlives the number.
  phone_hash text not null,
  -- Null once it was erased.
  phone text,
  product text not null check (product in ('sms', 'chatapp')),
  -- Null: it applies to all teams.
  team_id text references teams,
  -- Of an SMS or a chat-app service; null: it applies to all services of the team.
  service_id text,
  target text not null check (target in ('MARKETING', 'ALL')),
  source text not null check (source in ('Keyword', 'Client', 'Operator', 'Network')),
  created_at timestamptz not null default service_now(),
  check (service_id is null or team_id is not null),
  -- Each source has an entry of its own: who takes back a STOP does not undo what others asked for.
  constraint opt_outs_of_phone unique nulls not distinct (phone_hash, product, team_id, service_id, source)
);
-- Lists, newest first.
create index opt_outs_of_team on opt_outs (team_id, id);

-- Files of opt-outs, which operators send in parts and workers read.
create table opt_out_imports (
  id bigint generated always as identity primary key,
  name text not null,
  product text not null check (product in ('sms', 'chatapp')),
  team_id text references teams,
  service_id text,
  target text not null check (target in ('MARKETING', 'ALL')),
  -- Lines that are not empty, and those of them that were read: added, unchanged or invalid.
  lines integer not null default 0,
  added integer not null default 0,
  unchanged integer not null default 0,
  invalid integer not null default 0,
  -- The first 100 invalid lines, as [{part, line}].
  problems jsonb not null default '[]',
  created_at timestamptz not null default service_now(),
  -- When lines of it were last read.
  read_at timestamptz,
  -- Names of a team are its own, as are those of the platform.
  constraint opt_out_imports_of_team unique nulls not distinct (team_id, name)
);

create table opt_out_import_parts (
  import_id bigint not null references opt_out_imports,
  part integer not null,
  -- Of its text: the same part may come again.
  digest text not null,
  primary key (import_id, part)
);

-- What is yet to be read. A row goes in the transaction that adds its numbers.
create table opt_out_import_chunks (
  import_id bigint not null,
  part integer not null,
  first_line integer not null,
  lines text not null,
  stored_at timestamptz not null default service_now(),
  primary key (import_id, part, first_line)
);

-- When a chat app last said whether a person wants marketing of a service: older news changes nothing.
create table network_preferences (
  -- As opt-outs have it.
  phone_hash text not null,
  service_id text not null,
  decided_at timestamptz not null,
  primary key (phone_hash, service_id)
);

-- When a number got the last confirmation of its words from a service: at most one of each kind in 24 hours.
create table keyword_replies (
  -- As opt-outs have it.
  phone_hash text not null,
  product text not null check (product in ('sms', 'chatapp')),
  service_id text not null,
  action text not null check (action in ('OptOut', 'OptIn', 'Help')),
  replied_at timestamptz not null default service_now(),
  primary key (phone_hash, product, service_id, action)
);

-- What one person is called in chat apps: by numbers, and by ids of networks. A row outlives the name, as opt-outs do.
create table person_names (
  -- As opt-outs have it.
  name_hash text primary key,
  -- The same for all names of a person.
  person uuid not null,
  -- User: an id of one business portfolio. Parent: one of several.
  kind text not null check (kind in ('Number', 'User', 'Parent')),
  -- That showed it first.
  connector text not null,
  -- Null once it was erased.
  name text,
  seen_at timestamptz not null default service_now()
);
create index person_names_of_person on person_names (person);
create index person_names_by_name on person_names (name) where name is not null;
create index person_names_age on person_names (seen_at) where name is not null;
