-- Accepted requests, their messages, and the Idempotency-Keys that prevent a repetition.

create table requests (
  id uuid primary key,
  team_id text not null,
  client_id text not null,
  operation text not null,
  -- The service, campaign or template that the request names.
  resource_id text not null,
  -- Null for data, where nobody sees a sender.
  sender text,
  -- The service of the SMS that accompany bundles or are in reserve; null: the request has none.
  sms_service_id text,
  -- Of a chat-app request with SMS in reserve, {after, sender}: after how many seconds, and from whom they come.
  fallback jsonb,
  -- Null: its texts came from no template.
  template_id text,
  category text not null default 'MARKETING' check (
    category in ('MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE')),
  -- It confirms a word such as STOP: it is not billed, and passes opt-outs.
  confirmation boolean not null default false,
  correlator text,
  callback_url text,
  -- When its client wants it to be sent; null: at once.
  send_at timestamptz,
  -- What is not submitted by then expires; null: the validity of its service decides.
  valid_until timestamptz,
  -- Where its recipients are, for quiet hours; null: anywhere in their countries.
  time_zone text,
  -- What regulators want to know, as {template, uses}, each with values by name; null: nothing.
  registrations jsonb,
  -- 0: phones show the text at once and do not keep it; null: a text as any other.
  message_class smallint,
  -- The traceparent of its call (W3C Trace Context), and after a space its tracestate; null: it has no trace.
  trace text,
  created_at timestamptz not null default service_now()
);
-- Searches of clients, newest first.
create index requests_of_team on requests (team_id, created_at, id);
create index requests_by_correlator on requests (team_id, correlator, created_at, id) where correlator is not null;
create index requests_scheduled on requests (team_id, created_at, id) where send_at is not null;

create table messages (
  id bigint generated always as identity primary key,
  request_id uuid not null,
  -- That of its request: a search by phone must not read the messages of other teams.
  team_id text not null,
  -- The place of its recipient in the request, from 0. An SMS that accompanies a bundle or is in reserve has that of the other message.
  position integer not null,
  product text not null check (product = any ('{sms,data,chatapp}'::text[])),
  channel text not null,
  -- Later a keyed hash, which begins with #; empty once it was erased.
  phone text not null,
  -- Empty once it was erased.
  content text not null,
  -- Its text is erased in the moment the message is final: it has a code that opens something.
  one_time boolean not null default false,
  units integer not null,
  -- Null: the message costs nothing.
  account_id bigint,
  state text not null default 'Queued' check (state = any ('{
    Held,Scheduled,Cancelled,Expired,Queued,Sending,Submitted,Sent,Delivered,Read,DeliveryUncertain,DeliveryImpossible,
    SenderBlacklisted,SubscriberOptedOut,AbsentSubscriber,InvalidMsisdn,InvalidDenomination,Duplicated,
    Uncertain,Failed
  }'::text[])),
  -- How many states have been announced, and when the message reached the last of them.
  sequence smallint not null default 0,
  reached_at timestamptz,
  -- When it reached those before the last one, by state; null for most: few have more than one.
  passed_states jsonb,
  -- The connector that has the message, or may have it.
  connector text,
  -- The connectors that did not take it, in order: {at, connector, reason, reasonCode?, refused}; null: none.
  hops jsonb,
  -- An index row holds at most 2,704 bytes.
  network_id text check (char_length(network_id) <= 255),
  segments integer,
  -- What people see instead of the sender of its request; null: that.
  sender text,
  reason text,
  reason_code text,
  -- What its last report says besides, by name; null: nothing that the connector keeps.
  details jsonb,
  -- When it is queued, or was; null: it never was scheduled.
  send_at timestamptz,
  -- When a held or scheduled message started to wait for its network.
  released_at timestamptz,
  -- Since when it waits for its network, if the times before do not tell: the clock was set back, or it was in reserve.
  valid_from timestamptz,
  -- When a network accepted it; while it is Sending, when that began.
  submitted_at timestamptz,
  final_at timestamptz,
  -- Ten minutes after its hand-over it had no final report.
  late boolean not null default false,
  /*
   * What indexes below ask of the state. If they named it, every change of it would make a row with new entries in all
   * indexes; these change for few messages, so that the final state is written in the row's page (a heap-only update).
   */
  -- We have yet to hand it over, as soon as we can.
  with_us boolean not null generated always as (state = any ('{Held,Queued,Sending}'::text[])) stored,
  scheduled boolean not null generated always as (state = 'Scheduled') stored,
  late_report boolean not null generated always as (
    late and state = any ('{Sending,Submitted,Sent}'::text[])) stored,
  -- It came to an end with which no recipient is known to have it.
  not_delivered boolean not null generated always as (state = any ('{
    Cancelled,Expired,DeliveryUncertain,DeliveryImpossible,SenderBlacklisted,SubscriberOptedOut,AbsentSubscriber,
    InvalidMsisdn,InvalidDenomination,Duplicated,Uncertain,Failed
  }'::text[])) stored
) with (
  -- Room in its page for the last of its states.
  fillfactor = 60,
  -- Each row is updated once or twice soon after it was made, and never again: the default of a fifth would leave
  -- the indexes of what is under way full of rows that are done.
  autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0.02
);
create index messages_of_request on messages (request_id);
-- What messages are found by that a team sent to a number: a third as large as both, and inlined.
create function message_phone_key(team_id text, phone text) returns bigint language sql immutable parallel safe
  as $body$ select hashtextextended(phone, hashtextextended(team_id, 0)) $body$;
create index messages_by_phone on messages (message_phone_key(team_id, phone), id);
-- Few messages come to such an end, so that each would be far to find.
create index messages_not_delivered on messages (team_id, id) where not_delivered;
-- Reports name messages by these. SMSCs use their ids again: the newest message has one.
create index messages_of_network_id on messages (connector, network_id, id) where network_id is not null;
-- What is with us: few messages, however many there are.
create index messages_with_us on messages (id) where with_us;
-- Scheduled messages have no jobs: this is their queue.
create index messages_scheduled on messages (send_at, id) where scheduled;
-- One-time codes do not wait for the others that are due.
create index messages_scheduled_urgent on messages (send_at, id) where scheduled and one_time;
-- What searches look for among all other messages; in other words, so that it is never taken for the queue.
create index messages_scheduled_of_team on messages (team_id, id) where scheduled::integer = 1;
-- Those that networks are silent about: few. They are marked as late, along the times of their hand-over.
create index messages_submitted on messages (submitted_at) where submitted_at is not null;
create index messages_late on messages (submitted_at) where late_report;
-- One row: of what was handed over before, everything without its final report is marked as late.
create table late_reports (
  id integer primary key default 1 check (id = 1),
  looked_until timestamptz not null default '-infinity'
);
insert into late_reports default values;

create table idempotency_keys (
  client_id text not null,
  operation text not null,
  -- An index row holds at most 2,704 bytes.
  key text not null check (char_length(key) <= 255),
  fingerprint text not null,
  -- The response, to be repeated byte for byte.
  accepted json not null,
  created_at timestamptz not null default service_now(),
  primary key (client_id, operation, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Undoes the statement that accepts plans: an account is short, or a key is taken.
create function refuse_plans() returns boolean language plpgsql as $body$
  begin
    raise exception 'an account is short, or a key is taken' using errcode = 'TA001';
  end
$body$;
