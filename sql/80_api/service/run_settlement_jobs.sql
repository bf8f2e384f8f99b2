-- The settlement worker in the background of a paying request; pg_cron settles whatever it leaves.
-- Security definer: settlements are written by functions only. Raises: invalid_argument. Safe twice and side by side.
create or replace function api.run_settlement_jobs(p_limit integer default 50)
returns jsonb
language sql
security definer
set search_path = ''
as $$
  select jsonb_build_object('handled', app.run_settlement_jobs(p_limit))
$$;

grant execute on function api.run_settlement_jobs(integer) to service_role;
