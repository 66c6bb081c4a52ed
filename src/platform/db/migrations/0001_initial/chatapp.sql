-- Chat-app services, the numbers they send from, and their templates.

create table chatapp_services (
  id text primary key,
  team_id text not null references teams,
  name text not null,
  status text not null default 'Active' check (status in ('Active', 'Inactive')),
  -- Whether its promotional messages wait for quiet hours to end.
  quiet_hours boolean not null default true,
  -- Where messages of people are posted; null: nowhere.
  inbound_callback_url text,
  -- Whose signing secrets sign them; null: those of the team's oldest client.
  inbound_client_id text,
  -- Its own words such as STOP, as SMS services have them.
  inbound_keywords jsonb not null default '[]',
  created_at timestamptz not null default service_now()
);

create table chatapp_numbers (
  id text primary key,
  service_id text not null references chatapp_services,
  phone text not null,
  connector text not null,
  created_at timestamptz not null default service_now()
);

create table chatapp_templates (
  id text primary key,
  team_id text not null references teams,
  name text not null,
  language text not null,
  category text not null check (category in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  parameter_format text not null check (parameter_format in ('NAMED', 'POSITIONAL')),
  -- Header, body, footer, buttons, limitedTimeOffer and carousel, as src/chatapp/template.ts describes them.
  components jsonb not null check (char_length(components #>> '{body,text}') between 1 and 1024),
  status text not null default 'Active' check (status in ('Active', 'Archived')),
  approval_status text not null check (
    approval_status in ('PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED')),
  review_comment text,
  -- As a trigger keeps them; null: it was never approved.
  approved_components jsonb,
  approved_at timestamptz,
  -- Older decisions of the network change nothing.
  approval_decided_at timestamptz,
  category_decided_at timestamptz,
  created_at timestamptz not null default service_now(),
  updated_at timestamptz not null default service_now()
);

create function keep_approved_components() returns trigger language plpgsql as $body$
  begin
    if new.approval_status = 'APPROVED' and (tg_op = 'INSERT'
        or (old.approval_status, old.components) is distinct from (new.approval_status, new.components)) then
      new.approved_components := new.components;
      new.approved_at := service_now();
    end if;
    return new;
  end
$body$;
create trigger keep_approved_components before insert or update on chatapp_templates
  for each row execute function keep_approved_components();

-- Networks name a template by its name and language.
create index chatapp_templates_by_name on chatapp_templates (name, language);
