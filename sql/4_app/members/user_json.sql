create or replace function app.user_json(p_user app.users, p_balances app.user_balances)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'uid', p_user.uid, 'nickname', p_user.nickname, 'phone', p_user.phone, 'spread_uid', p_user.spread_uid,
    'referrer_nickname', (select r.nickname from app.users as r where r.uid = p_user.spread_uid),
    'agent_level', p_user.agent_level, 'agent_level_name', l.name, 'level_is_held', p_user.is_held,
    'no_assess', p_user.no_assess,
    'brokerage_price', p_balances.brokerage_price::text, 'frozen_points', trim_scale(p_balances.frozen_points),
    'available_points', trim_scale(p_balances.available_points),
    'total_points_earned', trim_scale(p_balances.total_points_earned), 'add_time', app.utc(p_user.add_time)
  )
  from app.agent_levels as l
  where l.grade = p_user.agent_level
$$;

comment on function app.user_json is 'Returns a member with their balances as administrators see them.';

grant execute on function app.user_json(app.users, app.user_balances) to store_admin;
