-- Has no set clause, so that the planner can inline it.
create or replace function app.run_json(p_run app.release_runs)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'release_date', p_run.release_date, 'users', p_run.users, 'points', pg_catalog.trim_scale(p_run.points),
    'failures', p_run.failures, 'cuts', p_run.cuts, 'started_at', app.utc(p_run.started_at), 'finished_at', app.utc(p_run.finished_at)
  )
$$;

comment on function app.run_json is 'Returns the record of the release of one business day as the API shows it.';

grant execute on function app.run_json(app.release_runs) to store_admin;
