-- What the simulated networks know. It is theirs: the service learns of it only as a real network would tell it.

-- Reports, and what people reply.
create table simulated_reports (
  id bigint generated always as identity primary key,
  connector text not null,
  message_id bigint not null,
  network_id text,
  report jsonb not null,
  due_at timestamptz not null,
  written_at timestamptz not null default service_now()
);
create index simulated_reports_due on simulated_reports (due_at, id);

-- Bundles that were given out, and how often: the tests make sure that none was given out twice.
create table simulated_bundles (
  message_id bigint primary key,
  times integer not null
);
