-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.get_places(p_uid bigint, p_page integer default 1, p_limit integer default 20)
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
        'cycle_no', p.cycle_no, 'place', p.place, 'cycle_plan_version', p.cycle_plan_version, 'order_id', p.order_id,
        'uid', s.uid, 'nickname', (select u.nickname from app.users as u where u.uid = s.uid), 'base', s.base::text, 'ratio', trim_scale(s.ratio), 'commission', s.commission::text,
        'commission_points', trim_scale(s.commission_points), 'settled_at', app.utc(s.settled_at)
      ) order by p.cycle_no desc, p.place desc)
      from (
        select * from app.taken_places as t where t.earner_uid = p_uid and t.place_freed_at is null
        order by t.cycle_no desc, t.place desc offset v_skip limit p_limit
      ) as p
      left join app.settlements as s on s.order_id = p.order_id
    ), '[]'),
    'count', (select count(*) from app.taken_places as t where t.earner_uid = p_uid and t.place_freed_at is null)
  );
end
$$;

comment on function api.get_places is
  'Returns one page of the taken places of a member''s commission cycles, latest first. Places that an imported member brought have no '
  'order. Serves GET /adminapi/user/{uid}/place.';

grant execute on function api.get_places(bigint, integer, integer) to store_admin;
