-- What phones send to services, and the parts of texts that have not arrived whole.

create table inbound_messages (
  -- Also the id of the receipt that posts it.
  id uuid primary key,
  team_id text not null,
  product text not null check (product = any ('{sms,chatapp}'::text[])),
  service_id text not null,
  connector text not null,
  -- Later a keyed hash, which begins with #; empty once it was erased.
  phone text not null,
  -- What it was sent to: the sender of the service, or what people see instead.
  recipient text not null,
  kind text not null check (kind = any ('{text,button,media,other}'::text[])),
  -- Empty: it has none; null once it was erased.
  text text,
  -- The network's id of a file, and its type.
  media jsonb,
  -- How many parts of the text never came.
  missing_parts smallint not null default 0,
  -- The word that was acted upon.
  keyword text,
  -- The request whose message it replies to.
  request_id uuid,
  -- A hash of what the network repeats with the message; null once it was erased.
  identity text,
  received_at timestamptz not null default service_now()
);
-- With what they are counted by.
create index inbound_messages_of_team on inbound_messages (team_id, received_at, id)
  include (product, service_id, keyword);
create index inbound_messages_by_phone on inbound_messages (team_id, phone, received_at, id);
-- What is still to be erased.
create index inbound_messages_with_text on inbound_messages (team_id, received_at)
  where text is not null;
create index inbound_messages_with_number on inbound_messages (team_id, received_at) where phone <> '' and phone not like '#%';
create index inbound_messages_by_identity on inbound_messages (identity, received_at) where identity is not null;

-- The octets of a part are needed until its text is stored; the rest for a day, to recognise repeated parts.
create table inbound_parts (
  -- That the whole text has or will have.
  message_id uuid not null,
  number smallint not null,
  total smallint not null,
  -- A hash of the connector, the two numbers and the reference, of which phones have few.
  series text not null,
  connector text not null,
  product text not null,
  phone text not null,
  recipient text not null,
  coding text not null,
  -- How long one that is the same is taken for its repetition; null: for ever.
  within_seconds integer,
  -- It is the same as one of a text that has ended.
  repeats boolean not null,
  -- Null: its text is stored.
  octets bytea,
  digest text not null,
  received_at timestamptz not null default service_now(),
  primary key (message_id, number)
);
create index inbound_parts_of_series on inbound_parts (series);
create index inbound_parts_by_phone on inbound_parts (phone);
create index inbound_parts_open on inbound_parts (received_at) where octets is not null;
create index inbound_parts_age on inbound_parts (received_at);

-- What a network said of or for a person that could not be read, such as a message that does not say who it is from.
create table inbound_unreadable (
  id uuid primary key,
  -- Null: no service has what it was sent to.
  team_id text,
  service_id text,
  product text not null,
  connector text not null,
  kind text not null check (kind in ('Message', 'Preference', 'Status', 'Template', 'Call')),
  reason text not null check (reason in ('NoNumber', 'Malformed', 'Unknown')),
  recipient text not null,
  -- Who it is from, as the network says; null: it does not, or it was erased.
  sender text,
  -- Null once it was erased.
  content text,
  -- A hash of what the network repeats with it; null once it was erased.
  identity text unique,
  received_at timestamptz not null default service_now()
);
create index inbound_unreadable_of_team on inbound_unreadable (team_id, received_at, id);
create index inbound_unreadable_age on inbound_unreadable (received_at, id);
