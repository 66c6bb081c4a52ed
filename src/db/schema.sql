create table accounts (
  id bigint generated always as identity not null,
  team_id text not null,
  product text not null,
  variant text default ''::text not null,
  balance bigint default 0 not null,
  constraint accounts_balance_check CHECK ((balance >= 0)),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_product_check CHECK ((product = ANY (ARRAY['sms'::text, 'data'::text, 'chatapp'::text]))),
  constraint accounts_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint accounts_team_id_product_variant_key UNIQUE (team_id, product, variant)
);

create table campaign_grants (
  campaign_id text not null,
  phone text not null,
  message_id bigint not null,
  given_at timestamp with time zone,
  constraint campaign_grants_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  constraint campaign_grants_pkey PRIMARY KEY (campaign_id, phone)
);

create table campaigns (
  id text not null,
  team_id text not null,
  name text not null,
  status text default 'Active'::text not null,
  service_id text not null,
  allowed_denominations jsonb not null,
  frequency text not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default service_now() not null,
  constraint campaigns_frequency_check CHECK ((frequency = ANY (ARRAY['OneTime'::text, 'Hourly'::text, 'Daily'::text, 'Weekly'::text, 'BiWeekly'::text, 'Monthly'::text, 'Quarterly'::text, 'SemiAnnual'::text, 'Annual'::text, 'Unlimited'::text]))),
  constraint campaigns_pkey PRIMARY KEY (id),
  constraint campaigns_service_id_fkey FOREIGN KEY (service_id) REFERENCES services(id),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Archived'::text]))),
  constraint campaigns_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table channels (
  name text not null,
  prefixes jsonb not null,
  connector text not null,
  active boolean default true not null,
  position integer not null,
  bundle_connector text,
  constraint channels_pkey PRIMARY KEY (name)
);

create table chatapp_numbers (
  id text not null,
  service_id text not null,
  phone text not null,
  connector text not null,
  created_at timestamp with time zone default service_now() not null,
  constraint chatapp_numbers_pkey PRIMARY KEY (id),
  constraint chatapp_numbers_service_id_fkey FOREIGN KEY (service_id) REFERENCES chatapp_services(id)
);

create table chatapp_services (
  id text not null,
  team_id text not null,
  name text not null,
  status text default 'Active'::text not null,
  created_at timestamp with time zone default service_now() not null,
  constraint chatapp_services_pkey PRIMARY KEY (id),
  constraint chatapp_services_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Inactive'::text]))),
  constraint chatapp_services_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table chatapp_templates (
  id text not null,
  team_id text not null,
  name text not null,
  language text not null,
  category text not null,
  parameter_format text not null,
  components jsonb not null,
  status text default 'Active'::text not null,
  approval_status text not null,
  review_comment text,
  created_at timestamp with time zone default service_now() not null,
  updated_at timestamp with time zone default service_now() not null,
  approval_decided_at timestamp with time zone,
  constraint chatapp_templates_approval_status_check CHECK ((approval_status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'PAUSED'::text, 'DISABLED'::text]))),
  constraint chatapp_templates_category_check CHECK ((category = ANY (ARRAY['MARKETING'::text, 'UTILITY'::text, 'AUTHENTICATION'::text]))),
  constraint chatapp_templates_components_check CHECK (((char_length((components #>> '{body,text}'::text[])) >= 1) AND (char_length((components #>> '{body,text}'::text[])) <= 1024))),
  constraint chatapp_templates_parameter_format_check CHECK ((parameter_format = ANY (ARRAY['NAMED'::text, 'POSITIONAL'::text]))),
  constraint chatapp_templates_pkey PRIMARY KEY (id),
  constraint chatapp_templates_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Archived'::text]))),
  constraint chatapp_templates_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table clients (
  id text not null,
  team_id text not null,
  name text not null,
  secret_hashes jsonb not null,
  signing_secrets jsonb not null,
  scopes jsonb not null,
  allowed_addresses jsonb default '[]'::jsonb not null,
  enabled boolean default true not null,
  created_at timestamp with time zone default service_now() not null,
  tokens_valid_from timestamp with time zone default service_now() not null,
  rate_per_second integer,
  issuer text,
  web_origins jsonb default '[]'::jsonb not null,
  constraint clients_issuer_check CHECK ((length(issuer) <= 2048)),
  constraint clients_pkey PRIMARY KEY (id),
  constraint clients_rate_per_second_check CHECK ((rate_per_second > 0)),
  constraint clients_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table connectors (
  name text not null,
  kind text not null,
  settings jsonb default '{}'::jsonb not null,
  secrets text,
  paused boolean default false not null,
  paused_reason text,
  paused_at timestamp with time zone,
  paused_until timestamp with time zone,
  version integer default 1 not null,
  updated_at timestamp with time zone default service_now() not null,
  constraint connectors_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,31}$'::text)),
  constraint connectors_pkey PRIMARY KEY (name)
);

create table idempotency_keys (
  client_id text not null,
  operation text not null,
  key text not null,
  fingerprint text not null,
  accepted json not null,
  created_at timestamp with time zone default service_now() not null,
  constraint idempotency_keys_key_check CHECK ((char_length(key) <= 255)),
  constraint idempotency_keys_pkey PRIMARY KEY (client_id, operation, key)
);

create table ledger_entries (
  id bigint generated always as identity not null,
  account_id bigint not null,
  units bigint not null,
  reason text not null,
  request_id uuid,
  message_id bigint,
  created_at timestamp with time zone default service_now() not null,
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_reason_check CHECK ((reason = ANY ('{TopUp,Debit,Refund}'::text[])))
);

create table managed_services (
  key text not null,
  name text not null,
  category text not null,
  sender text not null,
  constraint managed_services_category_check CHECK ((category = ANY (ARRAY['MARKETING'::text, 'UTILITY'::text, 'AUTHENTICATION'::text]))),
  constraint managed_services_pkey PRIMARY KEY (key)
);

create table message_parts (
  connector text not null,
  network_id text not null,
  message_id bigint not null,
  parts smallint not null,
  state text,
  created_at timestamp with time zone default service_now() not null,
  number smallint,
  constraint message_parts_network_id_check CHECK ((char_length(network_id) <= 255)),
  constraint message_parts_pkey PRIMARY KEY (connector, network_id)
);

create table messages (
  id bigint generated always as identity not null,
  request_id uuid not null,
  channel text not null,
  phone text not null,
  content text not null,
  units integer not null,
  account_id bigint,
  state text default 'Queued'::text not null,
  segments integer,
  network_id text,
  reason text,
  reason_code text,
  submitted_at timestamp with time zone,
  final_at timestamp with time zone,
  product text not null,
  position integer not null,
  released_at timestamp with time zone,
  connector text,
  sequence smallint default 0 not null,
  reached_at timestamp with time zone,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_product_check CHECK ((product = ANY ('{sms,data,chatapp}'::text[]))),
  constraint messages_state_check CHECK ((state = ANY ('{Held,Cancelled,Queued,Sending,Submitted,Sent,Delivered,Read,DeliveryUncertain,DeliveryImpossible,SenderBlacklisted,SubscriberOptedOut,AbsentSubscriber,InvalidMsisdn,InvalidDenomination,Duplicated,Uncertain,Failed}'::text[])))
);

create table network_reports (
  id bigint generated always as identity not null,
  connector text not null,
  network_id text,
  message_id bigint,
  state text not null,
  reason text,
  reason_code text,
  occurred_at timestamp with time zone,
  refund text,
  received_at timestamp with time zone default service_now() not null,
  next_look_at timestamp with time zone default service_now() not null,
  product text not null,
  constraint network_reports_check CHECK (((network_id IS NOT NULL) OR (message_id IS NOT NULL))),
  constraint network_reports_network_id_check CHECK ((char_length(network_id) <= 255)),
  constraint network_reports_pkey PRIMARY KEY (id),
  constraint network_reports_refund_check CHECK ((refund = ANY (ARRAY['refused'::text, 'reversed'::text])))
);

create table quarantine (
  id bigint generated always as identity not null,
  round text not null,
  item text not null,
  message_id bigint,
  payload text not null,
  reason text not null,
  attempts integer default 1 not null,
  created_at timestamp with time zone default service_now() not null,
  retry_at timestamp with time zone,
  constraint quarantine_item_check CHECK ((char_length(item) <= 255)),
  constraint quarantine_payload_check CHECK ((octet_length(payload) <= 131072)),
  constraint quarantine_pkey PRIMARY KEY (id),
  constraint quarantine_reason_check CHECK ((char_length(reason) <= 200)),
  constraint quarantine_round_item_key UNIQUE (round, item)
);

create table receipt_origins (
  team_id text not null,
  origin_key uuid not null,
  origin text not null,
  failures_in_a_row integer not null,
  parked_until timestamp with time zone,
  constraint receipt_origins_pkey PRIMARY KEY (team_id, origin_key)
);

create table receipts (
  id uuid not null,
  request_id uuid not null,
  message_id bigint not null,
  client_id text not null,
  url text not null,
  body text not null,
  state text default 'Pending'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone default service_now() not null,
  last_status integer,
  last_error text,
  created_at timestamp with time zone default service_now() not null,
  updated_at timestamp with time zone default service_now() not null,
  sequence smallint default 1 not null,
  started_at timestamp with time zone,
  team_id text not null,
  origin_key uuid not null,
  constraint receipts_pkey PRIMARY KEY (id),
  constraint receipts_state_check CHECK ((state = ANY ('{Pending,Delivered,Ended,Exhausted}'::text[])))
);

create table requests (
  id uuid not null,
  team_id text not null,
  client_id text not null,
  operation text not null,
  resource_id text not null,
  sender text,
  correlator text,
  callback_url text,
  created_at timestamp with time zone default service_now() not null,
  sms_service_id text,
  constraint requests_pkey PRIMARY KEY (id)
);

create table secret_key (
  id integer default 1 not null,
  fingerprint text not null,
  constraint secret_key_id_check CHECK ((id = 1)),
  constraint secret_key_pkey PRIMARY KEY (id)
);

create table services (
  id text not null,
  team_id text not null,
  name text not null,
  sender text not null,
  status text default 'Active'::text not null,
  created_at timestamp with time zone default service_now() not null,
  validity_seconds integer,
  constraint services_pkey PRIMARY KEY (id),
  constraint services_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Inactive'::text]))),
  constraint services_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint services_validity_seconds_check CHECK (((validity_seconds >= 1) AND (validity_seconds <= ((14 * 24) * 3600))))
);

create table simulated_bundles (
  reference text not null,
  times integer not null,
  constraint simulated_bundles_pkey PRIMARY KEY (reference)
);

create table sms_templates (
  id text not null,
  team_id text not null,
  content text not null,
  description text,
  category text not null,
  status text default 'Active'::text not null,
  approval_status text not null,
  managed_service_key text,
  review_comment text,
  param_definitions jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default service_now() not null,
  updated_at timestamp with time zone default service_now() not null,
  constraint sms_templates_approval_status_check CHECK ((approval_status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text]))),
  constraint sms_templates_category_check CHECK ((category = ANY (ARRAY['MARKETING'::text, 'UTILITY'::text, 'AUTHENTICATION'::text]))),
  constraint sms_templates_content_check CHECK ((char_length(content) <= 960)),
  constraint sms_templates_optional_check CHECK ((NOT jsonb_path_exists(param_definitions, '$[*]?(@."required" == false && !(exists (@."default")))'::jsonpath))),
  constraint sms_templates_pkey PRIMARY KEY (id),
  constraint sms_templates_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Archived'::text]))),
  constraint sms_templates_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table teams (
  id text not null,
  name text not null,
  created_at timestamp with time zone default service_now() not null,
  rate_per_second integer,
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_rate_per_second_check CHECK ((rate_per_second > 0))
);

create table token_keys (
  kid text not null,
  private_jwk text not null,
  public_jwk jsonb not null,
  created_at timestamp with time zone default service_now() not null,
  signs_from timestamp with time zone default service_now() not null,
  constraint token_keys_pkey PRIMARY KEY (kid)
);

create table waiting_jobs (
  id bigint generated always as identity not null,
  product text not null,
  channel text not null,
  request_ids uuid[] not null,
  expires_at timestamp with time zone,
  message_ids bigint[],
  constraint waiting_jobs_pkey PRIMARY KEY (id)
);

create table write_probes (
  id integer not null,
  filler text not null,
  constraint write_probes_id_check CHECK ((id = 1)),
  constraint write_probes_pkey PRIMARY KEY (id)
);

create unlogged table connector_states (
  process text not null,
  connector text not null,
  condition text not null,
  reason text,
  binds integer,
  bound integer,
  send_window integer,
  in_flight integer,
  rate double precision,
  seen_at timestamp with time zone default service_now() not null,
  constraint connector_states_condition_check CHECK ((condition = ANY (ARRAY['open'::text, 'unbound'::text, 'paused'::text, 'faulty'::text]))),
  constraint connector_states_pkey PRIMARY KEY (process, connector)
);

create unlogged table rate_windows (
  key text not null,
  newest bigint default 0 not null,
  buckets integer[] default array_fill(0, ARRAY[95]) not null,
  constraint rate_windows_pkey PRIMARY KEY (key)
);

CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX message_parts_age ON public.message_parts USING btree (created_at);

CREATE INDEX message_parts_of_message ON public.message_parts USING btree (message_id);

CREATE INDEX messages_awaiting_report ON public.messages USING btree (submitted_at) WHERE (state = ANY (ARRAY['Sending'::text, 'Submitted'::text, 'Sent'::text]));

CREATE INDEX messages_of_request ON public.messages USING btree (request_id);

CREATE INDEX network_reports_due ON public.network_reports USING btree (next_look_at);

CREATE INDEX network_reports_of_part ON public.network_reports USING btree (connector, network_id);

CREATE INDEX quarantine_of_message ON public.quarantine USING btree (message_id);

CREATE INDEX receipts_due ON public.receipts USING btree (team_id, origin_key, next_attempt_at) WHERE (state = 'Pending'::text);

CREATE INDEX receipts_exhausted ON public.receipts USING btree (updated_at) WHERE (state = 'Exhausted'::text);

CREATE INDEX receipts_of_message ON public.receipts USING btree (message_id, sequence);

CREATE INDEX waiting_jobs_expiring ON public.waiting_jobs USING btree (expires_at);

CREATE INDEX waiting_jobs_of_channel ON public.waiting_jobs USING btree (product, channel, id);

CREATE UNIQUE INDEX ledger_entries_one_refund ON public.ledger_entries USING btree (message_id) WHERE (reason = 'Refund'::text);

CREATE OR REPLACE FUNCTION public.ledger_entries_are_final()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        raise exception 'ledger entries are never changed or deleted';
      end
    $function$;

CREATE OR REPLACE FUNCTION public.rate_count_in(of_key text, messages integer, max_messages integer, OUT wait_ms integer, OUT bucket bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
      declare
        counted rate_windows;
        now_ms bigint;
        total integer;
        freed integer := 0;
        place integer;
      begin
        insert into rate_windows (key) values (of_key) on conflict do nothing;
        select * into counted from rate_windows where key = of_key for update;
        -- Read with the row in hand: whoever counted before us did it earlier.
        now_ms := floor(extract(epoch from service_clock()) * 1000)::bigint;
        bucket := now_ms / 10;
        if counted.newest > bucket + 100 then
          counted.buckets := array_fill(0, array[95]);
          counted.newest := bucket;
        end if;
        bucket := greatest(counted.newest, bucket);
        for age in 0..least(bucket - counted.newest, 95)::integer - 1 loop
          place := (bucket - age) % 95 + 1;
          counted.buckets[place] := 0;
        end loop;
        total := (select sum(n) from unnest(counted.buckets) as n);
        if total + messages <= max_messages then
          place := bucket % 95 + 1;
          counted.buckets[place] := counted.buckets[place] + messages;
          update rate_windows set newest = bucket, buckets = counted.buckets where key = of_key;
          wait_ms := 0;
          return;
        end if;
        wait_ms := 950;
        for age in reverse 94..0 loop
          place := (bucket - age) % 95 + 1;
          freed := freed + counted.buckets[place];
          if total - freed + messages <= max_messages then
            wait_ms := (bucket - age + 95) * 10 - now_ms;
            return;
          end if;
        end loop;
      end
    $function$;

CREATE OR REPLACE FUNCTION public.rate_take_back(of_key text, messages integer, of_bucket bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
      update rate_windows
      set buckets[(of_bucket % 95 + 1)::integer] = greatest(0, buckets[(of_bucket % 95 + 1)::integer] - messages)
      where key = of_key and of_bucket > newest - 95 and of_bucket <= newest
    $function$;

CREATE OR REPLACE FUNCTION public.service_clock()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
AS $function$ select clock_timestamp() + (service_now() - now()) $function$;

CREATE OR REPLACE FUNCTION public.service_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select now() $function$;

CREATE TRIGGER ledger_entries_are_final BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_entries_are_final();
