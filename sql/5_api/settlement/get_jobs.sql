-- Raises: forbidden, invalid_argument.
create or replace function api.get_jobs(p_state text default null, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(jsonb_build_object(
          'order_id', j.order_id, 'state', j.state, 'attempts', j.attempts, 'run_after', app.utc(j.run_after),
          'last_error', j.last_error, 'created_at', app.utc(j.created_at)
        ) order by j.order_id)
        from (
          select * from app.settlement_jobs as q where p_state is null or q.state = p_state
          order by q.order_id offset app.check_page(p_page, p_limit) limit p_limit
        ) as j
      ), '[]'),
      'count', (select count(*) from app.settlement_jobs as q where p_state is null or q.state = p_state)
    )
  );
end
$$;

comment on function api.get_jobs is
  'Returns one page of the settlement jobs, waiting and dead, by order id. Serves GET /adminapi/hjf/jobs.';

grant execute on function api.get_jobs(text, integer, integer) to store_admin;
