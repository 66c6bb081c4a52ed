-- SMS services and SMS templates.

-- What senders are compared by: people take `ACME`, `Acme` and `A.C.M.E` for one, and networks write numbers with a plus or without.
create function sender_key(sender text) returns text language sql immutable parallel safe
  as $body$ select lower(regexp_replace(sender, '[^A-Za-z0-9]', '', 'g')) $body$;

-- The keys of all that people see of a sender.
create function sender_keys(sender text, uses jsonb) returns text[] language sql immutable parallel safe
  as $body$
    select array_agg(distinct sender_key(one)) from (
      select sender union all select value ->> 'as' from jsonb_array_elements(coalesce(uses, '[]')) where value ? 'as'
    ) as seen(one)
  $body$;

-- What teams may send as, one row for each team; those without a team are for approved templates of their category.
create table senders (
  id text primary key,
  team_id text references teams,
  name text not null,
  sender text not null,
  kind text not null generated always as (case
    when sender ~ '[A-Za-z]' then 'Alphanumeric' when sender ~ '^[0-9]{1,6}$' then 'ShortCode' else 'LongCode'
  end) stored,
  -- The only one that it is for; null: any.
  category text check (category in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  -- What messages for the team begin with, where others have the same number.
  keyword text,
  -- As [{channel or country, as, status, registrations, validUntil}].
  uses jsonb not null default '[{"status": "Approved"}]',
  -- The uses as they were when none waited for a review, which count until none does again; null: none was approved.
  approved_uses jsonb default '[{"status": "Approved"}]',
  status text not null generated always as (case
    when uses @> '[{"status": "Pending"}]' then 'Pending' when uses @> '[{"status": "Approved"}]' then 'Approved' else 'Rejected'
  end) stored,
  review_comment text,
  -- What messages of phones may be sent to.
  approved_keys text[] generated always as (
    case when approved_uses is not null then sender_keys(sender, approved_uses) end) stored,
  created_at timestamptz not null default service_now(),
  check (team_id is not null or category is not null)
);
create unique index senders_of_team on senders (sender_key(sender), coalesce(team_id, ''));
create index senders_by_key on senders using gin (approved_keys);
create unique index senders_by_keyword on senders (sender_key(sender), lower(keyword));

create table services (
  id text primary key,
  team_id text not null references teams,
  name text not null,
  -- One of its team's.
  sender text not null,
  -- The connectors that may deliver messages of phones to it; none: those that findAddressees finds.
  inbound_connectors jsonb not null default '[]',
  status text not null default 'Active' check (status in ('Active', 'Inactive')),
  -- The category of its free-form texts.
  purpose text not null default 'MARKETING' check (purpose in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  -- Whether its promotional messages wait for quiet hours to end.
  quiet_hours boolean not null default true,
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
  -- What regulators want to know of the text, by name; over what they want to know of the sender.
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
