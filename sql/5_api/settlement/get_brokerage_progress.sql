-- GET /api/hjf/brokerage/progress: the caller's commission cycle. Raises: unauthenticated.
-- Security definer: it takes no uid and reads only of the member whose account the verified token names; row-level security would
-- ask who calls once for each table (decision 0024). In plpgsql because its plan is kept: see get_upline.
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

grant execute on function api.get_brokerage_progress() to authenticated, store_admin;
