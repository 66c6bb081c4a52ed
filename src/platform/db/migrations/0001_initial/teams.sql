-- Teams, the clients that call on their behalf, and the keys that sign tokens and encrypt secrets.

create table teams (
  id text primary key,
  name text not null,
  -- Messages per second over all clients; null: the setting for all teams.
  rate_per_second integer check (rate_per_second > 0),
  -- Per second by operationId, instead of the limit that would apply otherwise.
  operation_rates jsonb not null default '{}',
  -- Units in a day and a month, as {day, month}; where it may send to, as {allow, deny}.
  caps jsonb not null default '{}',
  destinations jsonb not null default '{}',
  -- What is done with codes beyond what their confirmed ones explain.
  pumping_guard text not null default 'Off' check (pumping_guard in ('Off', 'Record', 'Refuse')),
  -- How long texts, receipts and phone numbers are kept, if shorter than the settings say.
  text_days integer check (text_days > 0),
  receipt_days integer check (receipt_days > 0),
  number_days integer check (number_days > 0),
  -- When its rows leave for the archive, if sooner than the setting says.
  row_days integer check (row_days > 0),
  created_at timestamptz not null default service_now()
);

create table clients (
  id text primary key,
  team_id text not null references teams,
  name text not null,
  secret_hashes jsonb not null,
  -- Encrypted.
  signing_secrets jsonb not null,
  scopes jsonb not null,
  -- Empty: the client may call from every address.
  allowed_addresses jsonb not null default '[]',
  web_origins jsonb not null default '[]',
  -- The OpenID Connect provider that issues this client's tokens; null: the service itself.
  issuer text check (length(issuer) <= 2048),
  enabled boolean not null default true,
  -- Tokens that were issued earlier are rejected.
  tokens_valid_from timestamptz not null default service_now(),
  rate_per_second integer check (rate_per_second > 0),
  -- Within those of its team.
  caps jsonb not null default '{}',
  destinations jsonb not null default '{}',
  created_at timestamptz not null default service_now()
);

create table token_keys (
  kid text primary key,
  -- Encrypted.
  private_jwk text not null,
  public_jwk jsonb not null,
  -- Published before it signs, so that every verifier knows it by then.
  signs_from timestamptz not null default service_now(),
  created_at timestamptz not null default service_now()
);

-- The keys that SECRET_KEY has been. Recognises a process that was started without the newest one.
create table secret_keys (
  -- 1, 2, 3 and so on; the last one makes new values.
  number integer primary key,
  -- As values name it.
  id text not null unique check (id ~ '^[0-9a-f]{8}$'),
  -- What is needed of a replaced key for ever, sealed with the newest one. Null: of the newest.
  lasting text,
  created_at timestamptz not null default service_now(),
  -- Since then nothing needs the key itself. Null: of the newest, or something may.
  released_at timestamptz
);
