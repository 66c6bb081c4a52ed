-- What the processes of a deployment need for themselves.

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
