-- pg_restore has an empty search path, in which a body kept as text does not find `sender_key`: it left out the table senders.
create or replace function sender_keys(sender text, uses jsonb) returns text[] language sql immutable parallel safe
  begin atomic
    select array_agg(distinct sender_key(one)) from (
      select sender union all select value ->> 'as' from jsonb_array_elements(coalesce(uses, '[]')) where value ? 'as'
    ) as seen(one);
  end;
