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
