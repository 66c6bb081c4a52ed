-- What the processes of a deployment need for themselves.

-- The processes that serve or work. Each says every few seconds that it is there, and deletes its row when it stops: an
-- old row is one of a process that died. Not unlogged: it has to outlive a crash of the database.
create table processes (
  id uuid primary key,
  -- As people start it.
  command text not null check (command in ('start', 'serve', 'work')),
  host text not null,
  pid integer not null,
  seen_at timestamptz not null default service_now()
);

-- One row that readiness checks overwrite, to learn whether a request could be stored.
create table write_probes (
  id integer primary key check (id = 1),
  filler text not null
);
-- Neither compressed nor inside the row: each write needs new pages, as requests do.
alter table write_probes alter column filler set storage external;

-- The latest time that a process has read from the database's clock: a clock that shows less was set back.
create table clock_readings (
  id integer primary key check (id = 1),
  latest timestamptz not null
);
insert into clock_readings values (1, service_now());
