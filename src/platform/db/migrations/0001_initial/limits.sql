-- The sliding windows of the rate limit, shared by all processes of a deployment.

/*
 * The same arithmetic as src/limits/window.ts, next to the data: counting takes one round trip, and the database's
 * clock is the only one. Unlogged: after a crash of the server the windows start empty, which lets through at most
 * one second's share twice.
 */
create unlogged table rate_windows (
  key text primary key,
  -- Number of the newest bucket that was counted in.
  newest bigint not null default 0,
  -- Messages in each bucket of 10 ms; the bucket of a moment is its number modulo 95.
  buckets integer[] not null default array_fill(0, array[95])
) with (
  -- Few rows, each updated by every batch: room for the versions beside it, and none left for long.
  fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0
);

-- Calls of one key, in their order: each is counted in whole or not at all, and the row is written once.
create function rate_count_in(of_key text, messages integer[], limits integer[],
  out wait_ms integer[], out bucket bigint) language plpgsql as $body$
  declare
    counted rate_windows;
    now_ms bigint;
    total integer;
    freed integer;
    place integer;
    changed boolean := false;
  begin
    select * into counted from rate_windows where key = of_key for update;
    if not found then
      insert into rate_windows (key) values (of_key) on conflict do nothing;
      select * into counted from rate_windows where key = of_key for update;
    end if;
    -- Read only once the row is locked: everybody who counted before did so at an earlier time.
    now_ms := floor(extract(epoch from service_clock()) * 1000)::bigint;
    bucket := now_ms / 10;
    -- More than a second ahead: the clock was set back. Waiting for it to catch up would shut the team out.
    if counted.newest > bucket + 100 then
      counted.buckets := array_fill(0, array[95]);
      counted.newest := bucket;
    end if;
    bucket := greatest(counted.newest, bucket);
    for age in 0..least(bucket - counted.newest, 95)::integer - 1 loop
      counted.buckets[(bucket - age) % 95 + 1] := 0;
    end loop;
    total := (select sum(n) from unnest(counted.buckets) as n);
    place := bucket % 95 + 1;
    for nth in 1..array_length(messages, 1) loop
      if total + messages[nth] <= limits[nth] then
        counted.buckets[place] := counted.buckets[place] + messages[nth];
        total := total + messages[nth];
        changed := true;
        wait_ms[nth] := 0;
      else
        wait_ms[nth] := 950;
        freed := 0;
        for age in reverse 94..0 loop
          freed := freed + counted.buckets[(bucket - age) % 95 + 1];
          if total - freed + messages[nth] <= limits[nth] then
            wait_ms[nth] := (bucket - age + 95) * 10 - now_ms;
            exit;
          end if;
        end loop;
      end if;
    end loop;
    if changed then
      update rate_windows set newest = bucket, buckets = counted.buckets where key = of_key;
    end if;
  end
$body$;

create function rate_take_back(of_key text, messages integer, of_bucket bigint)
  returns void language sql as $body$
  update rate_windows
  set buckets[(of_bucket % 95 + 1)::integer] = greatest(0, buckets[(of_bucket % 95 + 1)::integer] - messages)
  where key = of_key and of_bucket > newest - 95 and of_bucket <= newest
$body$;

-- What capped teams and clients had accepted in the current day and month, of UTC.
create table cap_uses (
  holder text not null check (holder in ('team', 'client')),
  id text not null,
  period text not null check (period in ('day', 'month')),
  -- The first day of the period that is counted: another one begins at 0.
  began date not null,
  used bigint not null,
  -- The cap as it was counted last.
  most bigint not null,
  primary key (period, holder, id)
) with (
  -- Each row is updated by every batch.
  fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0
);

-- One-time codes of teams with a guard against SMS pumping, hour by hour: each counts in its country and in the blocks of numbers around it.
create table code_counts (
  team_id text not null,
  -- A country (ISO 3166-1 alpha-2), or a prefix such as +25471100.
  place text not null,
  hour timestamptz not null,
  -- Within the limit, and how many of them the client confirmed.
  sent integer not null default 0,
  confirmed integer not null default 0,
  -- Beyond it, refused or recorded, and how many of the recorded ones the client confirmed.
  over integer not null default 0,
  over_confirmed integer not null default 0,
  primary key (team_id, place, hour)
) with (
  -- That of a country is updated by every batch.
  fillfactor = 50
);
create index code_counts_age on code_counts (hour);
create index code_counts_over on code_counts (hour) where over > 0;

-- What a request with codes was counted as, until its client may no longer confirm it.
create table counted_codes (
  request_id uuid primary key,
  team_id text not null,
  hour timestamptz not null,
  codes integer not null,
  -- As [{place, sent, over}].
  places jsonb not null,
  confirmed_at timestamptz
);
create index counted_codes_age on counted_codes (hour);
