create or replace function app.monthly_tables()
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select '{admin_actions, points_release_log, user_bill}'::text[]
$$;

comment on function app.monthly_tables is 'Returns the names of the tables of schema app that are partitioned by month.';
