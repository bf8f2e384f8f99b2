-- Raises: forbidden, invalid_argument.
create or replace function api.get_adjustments(
  p_uid bigint default null, p_state text default null, p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  -- Contains only the conditions that are given, so that the planner can use the index of each.
  v_matching constant text := 'from app.adjustments as a where true'
    || case when p_uid is not null then ' and a.uid = $1' else '' end
    || case when p_state = 'waiting' then ' and a.state = ''waiting''' when p_state is not null then ' and a.state = $2' else '' end;
  v_list jsonb;
  v_next text;
  v_count bigint;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  execute format($sql$
    select
      coalesce(jsonb_agg(app.adjustment_json(l) order by l.id desc), '[]'),
      case when count(*) = $5 then (array_agg(app.make_cursor(l.add_time, l.id) order by l.id))[1] end,
      (select count(*) %1$s)
    from (select a.* %1$s and a.id < $3 order by a.id desc offset $4 limit $5) as l
  $sql$, v_matching)
  into v_list, v_next, v_count
  using p_uid, p_state, v_position.id, v_position.skip, p_limit;
  return jsonb_build_object('list', v_list, 'count', v_count, 'next_cursor', v_next);
end
$$;

comment on function api.get_adjustments is
  'Returns one page of the adjustments of balances, newest first, filtered by member and state. Pages are numbered or follow a '
  'cursor. Serves GET /adminapi/adjustment.';

grant execute on function api.get_adjustments(bigint, text, integer, integer, text) to store_admin;
