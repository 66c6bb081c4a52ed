-- The people and programs that manage the service, and what they changed.

create table users (
  id text primary key,
  name text not null,
  -- Null: manages the whole platform.
  team_id text references teams,
  role text not null check (role in ('owner', 'admin', 'reviewer', 'viewer')),
  -- Keyed hashes of its access keys, the newest first; two while one replaces the other.
  key_hashes jsonb not null,
  enabled boolean not null default true,
  -- What the OpenID Connect provider calls this person. Null: they sign in with an access key only.
  sso_name text unique,
  -- In which the console shows times to this person. Null: that of the default region.
  time_zone text,
  created_at timestamptz not null default service_now()
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_kind text not null,
  actor_name text not null,
  action text not null,
  noun text not null,
  noun_id text not null,
  -- The owning team; null: the platform. No foreign key: entries outlive what they are about.
  team_id text,
  -- Without secrets. Null: it did not exist.
  before jsonb,
  -- Without secrets. Null: it no longer exists.
  after jsonb
);
-- In the order of its lists, by each of their filters. Lists with a filter ask for nulls first, of which there are none:
-- else the planner might take this one for somebody who changed much, long ago, and walk past all that came later.
create index audit_log_of_time on audit_log (at desc nulls last, id desc nulls last);
create index audit_log_of_team on audit_log (team_id, at, id);
create index audit_log_of_actor on audit_log (actor_name, at, id);
create index audit_log_of_noun on audit_log (noun, at, id);
create index audit_log_of_id on audit_log (noun_id, at, id);
create index audit_log_of_resource on audit_log (noun, noun_id, at, id);

create function audit_log_is_final() returns trigger language plpgsql as $body$
  begin
    raise exception 'entries of the audit log are never changed or deleted';
  end
$body$;
create trigger audit_log_is_final before update or delete or truncate on audit_log
  for each statement execute function audit_log_is_final();
