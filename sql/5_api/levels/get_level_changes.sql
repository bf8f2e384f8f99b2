-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.get_level_changes(p_uid bigint, p_page integer default 1, p_limit integer default 20)
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
  perform app.require_user(p_uid);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'from_level', c.from_level, 'to_level', c.to_level, 'from_hold', c.from_held, 'to_hold', c.to_held,
        'reason', c.reason, 'order_id', c.order_id, 'changed_by', app.actor_json(c.changed_by), 'add_time', app.utc(c.add_time)
      ) order by c.id desc)
      from (select * from app.level_changes as l where l.uid = p_uid order by l.id desc offset v_skip limit p_limit) as c
    ), '[]'),
    'count', (select count(*) from app.level_changes as l where l.uid = p_uid)
  );
end
$$;

comment on function api.get_level_changes is
  'Returns one page of the changes of a member''s grade, newest first, each with the order or the administrator that caused '
  'it. Serves GET /adminapi/user/{uid}/level_change.';

grant execute on function api.get_level_changes(bigint, integer, integer) to store_admin;
