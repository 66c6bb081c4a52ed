-- How many messages came to what, so that statistics of a long period read few rows, also once messages are erased.

create table message_counts (
  team_id text not null,
  -- Each message is counted in the row of its hour, and in that of its day in UTC: long periods are read by days.
  hours smallint not null default 1 check (hours in (1, 24)),
  -- The beginning of the hour or day in which the messages were accepted.
  hour timestamptz not null,
  product text not null,
  channel text not null,
  resource_id text not null,
  -- '': without a template.
  template_id text not null,
  -- The connector that had the messages; '': none had them.
  connector text not null default '',
  -- '': nobody sees one.
  sender text not null default '',
  -- unused: an SMS in reserve that was not needed, which nothing counts.
  outcome text not null check (outcome in ('open', 'delivered', 'failed', 'unused')),
  -- What a chat app bills its messages as; '': it did not say.
  billed_as text not null default '',
  -- A step of the time from acceptance to delivery (src/statistics/outcome.ts); -1: not known.
  latency smallint not null,
  messages bigint not null,
  -- The sum of these times.
  latency_ms bigint not null,
  primary key (team_id, hours, hour, product, channel, resource_id, template_id, connector, sender, outcome, billed_as, latency)
);

-- Messages that were counted and may still come to something else, with what they were counted as.
create table counted_messages (
  message_id bigint primary key,
  connector text not null,
  outcome text not null,
  billed_as text not null,
  latency smallint not null,
  latency_ms bigint not null
);

-- One row.
create table count_progress (
  id integer primary key default 1 check (id = 1),
  -- All messages up to this one are counted.
  message_id bigint not null default 0,
  -- When it was accepted.
  accepted_at timestamptz not null default '-infinity',
  -- Up to this one, counted messages were looked at again.
  looked_at_id bigint not null default 0
);
insert into count_progress default values;

-- What happened in each of the last 120 minutes, whenever the messages were accepted. Unlogged: written every few seconds,
-- and worthless after a crash.
create unlogged table minute_counts (
  -- '': all teams together.
  team_id text not null,
  minute timestamptz not null,
  product text not null,
  -- '': of chat-app messages.
  channel text not null,
  accepted bigint not null,
  delivered bigint not null,
  failed bigint not null,
  primary key (team_id, minute, product, channel)
) with (
  -- Each row is updated by every process for a minute.
  fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0
);
create index minute_counts_age on minute_counts (minute);
