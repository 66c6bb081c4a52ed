-- Mobile data: campaigns, and who received a bundle of which.

create table campaigns (
  id text primary key,
  team_id text not null references teams,
  name text not null,
  status text not null default 'Active' check (status in ('Active', 'Archived')),
  service_id text not null references services,
  allowed_denominations jsonb not null,
  frequency text not null check (frequency in (
    'OneTime', 'Hourly', 'Daily', 'Weekly', 'BiWeekly', 'Monthly', 'Quarterly', 'SemiAnnual', 'Annual', 'Unlimited')),
  expires_at timestamptz,
  created_at timestamptz not null default service_now()
);

-- The latest bundle of each phone number in a campaign, for the campaign's frequency.
create table campaign_grants (
  campaign_id text not null references campaigns,
  -- A keyed hash of the phone number: the limit outlives the number.
  phone_hash text not null,
  message_id bigint not null,
  -- Null while the bundle is on its way.
  given_at timestamptz,
  primary key (campaign_id, phone_hash)
);
