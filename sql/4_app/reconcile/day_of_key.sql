create or replace function app.day_of_key(p_key bigint)
returns date
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select date '2000-01-01' + least(p_key, 365000)::integer
$$;

comment on function app.day_of_key is
  'Returns the business day that has this number in app.next_keys: the days since the year 2000 began.';
