-- The sessions of people who are signed in to the console.

create table console_sessions (
  -- SHA-256 of the id, which only the browser has, in base64url.
  id_hash text primary key,
  user_id text not null references users,
  -- What the session was opened with: it ends when the user no longer has this.
  key_hash text,
  sso_name text,
  check (num_nonnulls(key_hash, sso_name) = 1),
  -- Where the sign-in came from.
  address text not null,
  browser text not null,
  -- The team that a user of the platform sees the console as.
  viewed_team text references teams,
  -- What the page searched for last, encrypted, by the random handle that its address has.
  searches jsonb not null default '[]',
  created_at timestamptz not null default service_now(),
  used_at timestamptz not null default service_now()
);
create index console_sessions_of_user on console_sessions (user_id, created_at);
create index console_sessions_by_use on console_sessions (used_at);

-- Also for good: a user who is enabled again, or gets the former role back, signs in again.
create function end_console_sessions() returns trigger language plpgsql as $body$
  begin
    delete from console_sessions where user_id = new.id
      and ((old.enabled, old.role) is distinct from (new.enabled, new.role) or sso_name <> coalesce(new.sso_name, ''));
    return null;
  end
$body$;
create trigger end_console_sessions after update of enabled, role, sso_name on users
  for each row execute function end_console_sessions();
