-- The settlement worker in the background of a paying request; pg_cron settles whatever it leaves.
-- It waits for a lock no longer than a quarter of a second: its instance starts no other settlement meanwhile.
-- Security definer: settlements are written by functions only. Raises: invalid_argument. Safe twice and side by side.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function api.run_settlement_jobs(p_limit integer default 50)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
begin
  return jsonb_build_object('handled', app.run_settlement_jobs(p_limit));
exception when lock_not_available then
  -- Somebody changes the structure.
  return jsonb_build_object('handled', 0);
end
$$;

grant execute on function api.run_settlement_jobs(integer) to service_role;
