/** The sliding windows of the rate limit, shared by all processes of a deployment. */
import type { Knex } from 'knex';

/*
 * The arithmetic of limits/window.ts beside the data, so that counting is one trip and the database's clock is
 * the only one. Unlogged: after a crash of the server the windows start empty, which costs at most one second.
 */
export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create unlogged table rate_windows (
      key text primary key,
      newest bigint not null default 0,
      buckets integer[] not null default array_fill(0, array[95])
    );

    create function rate_count_in(of_key text, messages integer, max_messages integer,
      out wait_ms integer, out bucket bigint) language plpgsql as $body$
      declare
        counted rate_windows;
        total integer;
        freed integer := 0;
        place integer;
      begin
        insert into rate_windows (key) values (of_key) on conflict do nothing;
        select * into counted from rate_windows where key = of_key for update;
        -- Read with the row in hand: for one key, time never runs backwards.
        bucket := greatest(counted.newest, floor(extract(epoch from clock_timestamp()) * 100)::bigint);
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
            wait_ms := (95 - age) * 10;
            return;
          end if;
        end loop;
      end
    $body$;

    create function rate_take_back(of_key text, messages integer, of_bucket bigint)
      returns void language sql as $body$
      update rate_windows
      set buckets[(of_bucket % 95 + 1)::integer] = greatest(0, buckets[(of_bucket % 95 + 1)::integer] - messages)
      where key = of_key and of_bucket > newest - 95
    $body$;
  `);
}
