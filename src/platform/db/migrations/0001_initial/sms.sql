-- SMS services and SMS templates.

-- What senders are compared by: people take `ACME`, `Acme` and `A.C.M.E` for one, and networks write numbers with a plus or without.
create function sender_key(sender text) returns text language sql immutable parallel safe
  as $body$ select lower(regexp_replace(sender, '[^A-Za-z0-9]', '', 'g')) $body$;

create table services (
  id text primary key,
  team_id text not null references teams,
  name text not null,
  sender text not null,
  -- Since when it has this sender, as a trigger keeps it.
  sender_since timestamptz not null default service_now(),
  -- Another team has the sender, and the platform lets this service share it and get the replies to what it sends.
  shared_sender boolean not null default false,
  -- The connectors that may deliver messages of phones to it; none: those that findAddressees finds.
  inbound_connectors jsonb not null default '[]',
  status text not null default 'Active' check (status in ('Active', 'Inactive')),
  -- The category of its free-form texts.
  purpose text not null default 'MARKETING' check (purpose in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  -- Whether its promotional messages wait for quiet hours to end.
  quiet_hours boolean not null default true,
  -- What regulators want to know of its messages, by name, such as {"entityId": "1101234567890123456"}.
  registrations jsonb not null default '{}',
  -- How long a message may wait for its network; null: the setting MESSAGE_VALIDITY_SECONDS.
  validity_seconds integer check (validity_seconds between 1 and 14 * 24 * 3600),
  -- Its own words such as STOP, as [{word, action, reply}], beside those that every service has.
  inbound_keywords jsonb not null default '[]',
  -- Where messages of phones are posted; null: nowhere.
  inbound_callback_url text,
  -- Whose signing secrets sign them; null: those of the team's oldest client.
  inbound_client_id text,
  created_at timestamptz not null default service_now()
);
create index services_by_sender on services (sender_key(sender));

create function note_sender_since() returns trigger language plpgsql as $body$
  begin
    new.sender_since := service_now();
    return new;
  end
$body$;
create trigger note_sender_since before update on services for each row
  when ((sender_key(old.sender), old.team_id) is distinct from (sender_key(new.sender), new.team_id))
  execute function note_sender_since();

-- Services of the operator, for the templates of every team.
create table managed_services (
  key text primary key,
  name text not null,
  category text not null check (category in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  sender text not null
);

create table sms_templates (
  id text primary key,
  team_id text not null references teams,
  content text not null check (char_length(content) <= 960),
  description text,
  category text not null check (category in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  status text not null default 'Active' check (status in ('Active', 'Archived')),
  approval_status text not null check (approval_status in ('PENDING', 'APPROVED', 'REJECTED')),
  managed_service_key text,
  review_comment text,
  -- As a trigger keeps it; null: it was never approved.
  approved_content text,
  approved_at timestamptz,
  param_definitions jsonb not null default '[]',
  -- Over those of the service.
  registrations jsonb not null default '{}',
  created_at timestamptz not null default service_now(),
  updated_at timestamptz not null default service_now(),
  -- Without a default, an optional parameter would leave a gap in the text.
  constraint sms_templates_optional_check check (not jsonb_path_exists(
    param_definitions, '$[*] ? (@.required == false && !exists(@.default))'
  ))
);

create function keep_approved_content() returns trigger language plpgsql as $body$
  begin
    if new.approval_status = 'APPROVED' and (tg_op = 'INSERT'
        or (old.approval_status, old.content) is distinct from (new.approval_status, new.content)) then
      new.approved_content := new.content;
      new.approved_at := service_now();
    end if;
    return new;
  end
$body$;
create trigger keep_approved_content before insert or update on sms_templates
  for each row execute function keep_approved_content();
