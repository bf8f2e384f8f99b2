-- Checks the agent levels, their tasks and everything they need, end to end, and what client roles may do. severity: ok, warning or error.
-- Callers: the command hjf:verify-agent-config, api.get_agent_config_report. Changes nothing. Raises: nothing.
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
  union all select * from app.verify_end_to_end()
$$;
