-- GET /api/hjf/brokerage/progress: the caller's commission cycle. Raises: unauthenticated.
create or replace function api.get_brokerage_progress()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.brokerage_progress(app.require_uid(), clock_timestamp());
end
$$;

grant execute on function api.get_brokerage_progress() to authenticated, store_admin;
