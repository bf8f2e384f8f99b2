create or replace function app.first_release_day()
returns date
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max((a.month + interval '1 month')::date), '-infinity') from app.archived_months as a where a.table_name = 'points_release_log'
$$;

comment on function app.first_release_day is 'Returns the business day from which on releases are attached; -infinity if no month of the log is archived.';

grant execute on function app.first_release_day() to store_admin;
