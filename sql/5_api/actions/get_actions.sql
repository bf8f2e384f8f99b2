-- Raises: forbidden, invalid_argument, month_archived.
create or replace function api.get_actions(
  p_function text default null, p_target_type text default null, p_target_id text default null, p_actor uuid default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  -- Contains only the conditions that are given, so that the planner can use the index of each.
  v_matching constant text := 'from app.admin_actions as a where true'
    || case when p_function is not null then ' and a.function = $1' else '' end
    || case when p_target_type is not null then ' and a.target_type = $2' else '' end
    || case when p_target_id is not null then ' and a.target_id = $3' else '' end
    || case when p_actor is not null then ' and a.actor = $4' else '' end
    || case when p_from is not null then ' and a.add_time >= $5' else '' end
    || case when p_to is not null then ' and a.add_time < $6' else '' end;
  v_list jsonb;
  v_next text;
  v_count bigint;
begin
  perform app.require_admin();
  perform app.reject_archived_time('admin_actions', p_from);
  -- For what the orders of the actions have paid.
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  v_position := app.list_position(p_page, p_limit, p_cursor);
  execute format($sql$
    select
      coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'actor', app.actor_json(l.actor), 'function', l.function, 'target_type', l.target_type, 'target_id', l.target_id,
        'from', l.from_value, 'to', l.to_value, 'actor_earned', app.actor_earned_json(l.actor, l.target_type, l.target_id),
        'request_id', l.request_id, 'add_time', app.utc(l.add_time)
      ) order by l.add_time desc, l.id desc), '[]'),
      case when count(*) = $10 then (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1] end
    from (
      select a.* %s and (a.add_time, a.id) < ($7, $8) order by a.add_time desc, a.id desc offset $9 limit $10
    ) as l
  $sql$, v_matching)
  into v_list, v_next
  using p_function, p_target_type, p_target_id, p_actor, p_from, p_to, v_position.add_time, v_position.id, v_position.skip, p_limit;
  execute 'select count(*) ' || v_matching into v_count using p_function, p_target_type, p_target_id, p_actor, p_from, p_to;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next, 'count', v_count, 'archived_until', app.utc(nullif(app.archived_until('admin_actions'), '-infinity'))
  );
end
$$;

comment on function api.get_actions is
  'Returns one page of what administrators did, newest first and without archived rows, filtered by function, target, administrator and time. Pages are '
  'numbered or follow a cursor. Serves GET /adminapi/action.';

grant execute on function api.get_actions(text, text, text, uuid, timestamptz, timestamptz, integer, integer, text) to store_admin;
