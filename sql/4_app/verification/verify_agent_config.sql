create or replace function app.verify_agent_config()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select * from app.verify_levels()
  union all select * from app.verify_plan()
  union all select * from app.verify_schedule()
  union all select * from app.verify_access()
  union all select * from app.verify_addresses()
  union all select * from app.verify_function_settings()
  union all select * from app.verify_end_to_end()
$$;

comment on function app.verify_agent_config is
  'Checks levels, tasks, plan, schedule, access, addresses and the settings of the edge functions, and runs test orders end to end. '
  'Returns one row per check; severity is ok, warning or error. All writes are rolled back.';
