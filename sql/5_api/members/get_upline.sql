-- Security definer: client roles may not execute app.get_upline.
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.get_upline(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
  v_list jsonb;
  v_count bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  with upline as materialized (select a.depth, a.uid from app.get_upline(p_uid) as a)
  select
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'depth', p.depth, 'uid', p.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', l.name,
        'no_assess', u.no_assess
      ) order by p.depth)
      from (select * from upline order by depth offset v_skip limit p_limit) as p
      join app.users as u on u.uid = p.uid
      join app.agent_levels as l on l.grade = u.agent_level
    ), '[]'),
    (select count(*) from upline)
  into v_list, v_count;
  return jsonb_build_object('list', v_list, 'count', v_count);
end
$$;

comment on function api.get_upline is
  'Returns one page of a member''s upline, nearest first. Serves GET /adminapi/user/{uid}/upline.';

grant execute on function api.get_upline(bigint, integer, integer) to store_admin;
