-- What the processes of a deployment need for themselves.

-- One row that readiness checks overwrite, to learn whether a request could be stored.
create table write_probes (
  id integer primary key check (id = 1),
  filler text not null
);
-- Neither compressed nor inside the row: each write needs new pages, as requests do.
alter table write_probes alter column filler set storage external;
