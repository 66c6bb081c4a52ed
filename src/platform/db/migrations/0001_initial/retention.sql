-- What is erased when it is no longer needed: how far that has come, and what has to wait.

-- Requests and receipts are erased team by team in the order of time. Whatever is older than this place was looked at.
-- Requests and messages of phones that leave for the archive are, too: `requests` and `inbound`.
create table retention_progress (
  team_id text not null references teams,
  duty text not null check (duty in ('texts', 'receipts', 'numbers', 'requests', 'inbound')),
  at timestamptz not null default '-infinity',
  id uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (team_id, duty)
);

-- Messages that were still needed when they were due: they are looked at again. A person's request is a duty too.
create table erasures_due (
  message_id bigint not null,
  duty text not null check (duty in ('texts', 'receipts', 'numbers', 'subject')),
  next_look_at timestamptz not null default service_now(),
  written_at timestamptz not null default service_now(),
  primary key (message_id, duty)
);
create index erasures_due_next on erasures_due (next_look_at);
