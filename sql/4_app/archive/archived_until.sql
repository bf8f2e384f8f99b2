-- PL/pgSQL, so that the session caches the query plan (decision 0007).
create or replace function app.archived_until(p_table text)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce((select max(a.ends_at) from app.archived_months as a where a.table_name = p_table), '-infinity');
end
$$;

comment on function app.archived_until is
  'Returns the time from which on all rows of the bill, the release log or the action log are attached; -infinity if no month is archived.';

grant execute on function app.archived_until(text) to authenticated, store_admin;
