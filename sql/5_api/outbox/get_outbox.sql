-- Raises: forbidden, invalid_argument.
create or replace function api.get_outbox(
  p_state text default null, p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.outbox_json(l) order by l.id desc)
      from (
        select * from app.outbox as o where p_state is null or o.state = p_state
        order by o.id desc offset v_skip limit p_limit
      ) as l
    ), '[]'),
    'count', (select count(*) from app.outbox as o where p_state is null or o.state = p_state)
  );
end
$$;

comment on function api.get_outbox is
  'Returns one page of the calls to providers that are still to be made, newest first, filtered by state. Serves GET '
  '/adminapi/outbox.';

grant execute on function api.get_outbox(text, integer, integer) to store_admin;
