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

-- What countries ask of senders. No legal advice.
create table sender_rules (
  -- ISO 3166-1 alpha-2.
  country text primary key check (country ~ '^[A-Z]{2}$'),
  enabled boolean not null default false,
  -- Those that may be used.
  kinds jsonb not null default '["Alphanumeric", "ShortCode", "LongCode"]',
  -- Characters of a name; null: any number.
  min_length integer check (min_length between 1 and 11),
  max_length integer check (max_length between 1 and 11),
  generic_names jsonb not null default '[]',
  -- Those that need registrations.
  registered_kinds jsonb not null default '[]',
  -- Whether promotional messages need a sender of the category MARKETING.
  separate_promotional boolean not null default false,
  -- Whether several teams may have the same one.
  shared boolean not null default true,
  -- Whose rules they are, and since when.
  source text not null default ''
);

-- Collected on 2026-11-26.
insert into sender_rules
  (country, kinds, min_length, max_length, generic_names, registered_kinds, separate_promotional, shared, source) values
  ('AU', default, null, null, default, '["Alphanumeric"]', default, default,
    'ACMA, SMS Sender ID Register: unregistered names are shown as Unverified since 2026-07-01'),
  ('GB', default, null, null, '["2FA", "ADMIN", "ALERT", "AUTH", "BANK", "CODE", "DELIVERY", "HELP", "INFO", "INFOSMS", "LOGIN", "MESSAGE", "MSG", "NOREPLY", "NOTIFY", "OTP", "PAYMENT", "PIN", "REMINDER", "SECURITY", "SERVICE", "SMS", "SMSINFO", "SUPPORT", "TEXT", "TXT", "UPDATE", "VERIFY", "WARNING"]', default, default, default,
    'Operators block generic names since 2023-10-31 (support.messagemedia.com, UK Sender ID requirements)'),
  ('IN', default, null, null, default, '["Alphanumeric", "ShortCode", "LongCode"]', default, default,
    'TRAI, Telecom Commercial Communications Customer Preference Regulations, 2018: registered headers'),
  ('KE', default, null, null, default, default, true, default,
    'Networks give separate sender IDs for promotional and transactional messages (collected 2026-11-26)'),
  ('SG', default, 3, 11, '["OTP", "SMS"]', '["Alphanumeric", "ShortCode", "LongCode"]', default, false,
    'SGNIC, SMS Sender ID Registry, Rules of Registration: in force since 2023-01-31'),
  ('TZ', default, null, null, default, '["Alphanumeric"]', default, default,
    'Networks block unregistered names (twilio.com/guidelines/tz/sms, collected 2026-11-26)'),
  ('UG', default, null, null, default, '["Alphanumeric"]', default, default,
    'Networks want registered names (collected 2026-11-26)'),
  ('US', '["ShortCode", "LongCode"]', null, null, default, default, default, default,
    'Networks take numbers only (docs.aws.amazon.com/sms-voice, Sender IDs, collected 2026-11-26)');

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
