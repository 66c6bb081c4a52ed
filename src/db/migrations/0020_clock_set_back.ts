/** Rate windows survive a clock that is set back, and the database knows the key of its secrets. */
import type { Knex } from 'knex';

/*
 * As in limits/window.ts: a newest bucket more than a second ahead means that the clock was set back. Waiting for
 * it to catch up would shut a team out, so its window is emptied: at most one window's share passes twice.
 */
export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create or replace function rate_count_in(of_key text, messages integer, max_messages integer,
      out wait_ms integer, out bucket bigint) language plpgsql as $body$
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
        now_ms := floor(extract(epoch from clock_timestamp()) * 1000)::bigint;
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
    $body$;

    create or replace function rate_take_back(of_key text, messages integer, of_bucket bigint)
      returns void language sql as $body$
      update rate_windows
      set buckets[(of_bucket % 95 + 1)::integer] = greatest(0, buckets[(of_bucket % 95 + 1)::integer] - messages)
      where key = of_key and of_bucket > newest - 95 and of_bucket <= newest
    $body$;

    create table secret_key (
      id integer primary key default 1 check (id = 1),
      fingerprint text not null
    );
  `);
}
