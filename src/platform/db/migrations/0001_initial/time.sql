-- The only sources of time in SQL. Statements, column defaults and functions call these instead of PostgreSQL's own
-- functions, so that replacing service_now() moves all of them. Both are inlined: plans are the same as with now().

create function service_now() returns timestamptz language sql stable parallel safe
  as $body$ select now() $body$;

-- Advances during a transaction, for those that wait for a lock before they read the time.
create function service_clock() returns timestamptz language sql volatile parallel safe
  as $body$ select clock_timestamp() + (service_now() - now()) $body$;
