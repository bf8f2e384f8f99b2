-- Raises: forbidden, user_not_found.
create or replace function api.admin_get_user(p_uid bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_result jsonb;
begin
  perform app.require_admin();
  select app.user_json(u, b) || jsonb_build_object(
    'referrer', case when r.uid is not null then jsonb_build_object('uid', r.uid, 'nickname', r.nickname) end,
    'next_level', app.next_level_json(u, b),
    'progress', (select p from app.brokerage_progress(u.uid, v_now) as p),
    'team', app.team_json(u.uid),
    'accounts', app.accounts_json(b, v_now)
  )
  into v_result
  from app.users as u
  join app.user_balances as b on b.uid = u.uid
  left join app.users as r on r.uid = u.spread_uid
  where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  return v_result;
end
$$;

comment on function api.admin_get_user is
  'Returns one member with the referrer, the commission cycle, the tasks of the next level, the team totals, and where commission and '
  'points are. Serves GET /adminapi/user/{uid}.';

grant execute on function api.admin_get_user(bigint) to store_admin;
