-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level security,
-- every table would look up the caller again (decision 0024).
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: unauthenticated.
create or replace function api.get_brokerage_progress()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_progress jsonb;
begin
  select p into v_progress
  from app.users as u cross join lateral app.brokerage_progress(u.uid, v_now) as p
  where u.auth_id = auth.uid();
  if not found then
    perform app.require_uid();
  end if;
  return v_progress;
end
$$;

comment on function api.get_brokerage_progress is
  'Returns the caller''s commission cycle. Serves GET /api/hjf/brokerage/progress.';

grant execute on function api.get_brokerage_progress() to authenticated, store_admin;
