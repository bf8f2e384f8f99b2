-- Raises: forbidden, invalid_argument.
create or replace function api.admin_get_users(
  p_search text default null, p_agent_level smallint default null, p_no_assess boolean default null,
  p_spread_uid bigint default null, p_sort text default '-uid', p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
  v_filter constant text := $sql$
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    where ($1 is null or u.uid::text = $1 or u.phone = $1 or position(lower($1) in lower(u.nickname)) > 0)
      and ($2 is null or u.agent_level = $2) and ($3 is null or u.no_assess = $3) and ($4 is null or u.spread_uid = $4)
  $sql$;
  v_count bigint;
  v_list jsonb;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  if p_sort is null or p_sort !~ '^-?(uid|add_time|frozen_points|available_points|total_points_earned|brokerage_price)$' then
    perform app.fail('invalid_argument', 'sort is uid, add_time, frozen_points, available_points, total_points_earned or brokerage_price, with a leading - for descending.');
  end if;
  -- Dynamic SQL, so that a page sorted by uid is an index scan that stops after the rows of the page.
  execute format($sql$
    select coalesce(jsonb_agg(app.user_json(u, b) order by %2$s %3$s, u.uid %3$s), '[]')
    from (select u.uid %1$s order by %2$s %3$s, u.uid %3$s offset $5 limit $6) as m
    join app.users as u on u.uid = m.uid
    join app.user_balances as b on b.uid = m.uid
  $sql$,
    v_filter,
    case when p_sort ~ '(uid|add_time)$' then 'u.' else 'b.' end || ltrim(p_sort, '-'),
    case when p_sort like '-%' then 'desc' else 'asc' end
  ) into v_list using p_search, p_agent_level, p_no_assess, p_spread_uid, v_skip, p_limit;
  execute 'select count(*) ' || v_filter into v_count using p_search, p_agent_level, p_no_assess, p_spread_uid;
  return jsonb_build_object('list', v_list, 'count', v_count);
end
$$;

comment on function api.admin_get_users is
  'Returns one page of the members, filtered by uid, phone or nickname, level, no-assess flag and referrer, sorted by p_sort '
  '(a leading - sorts in descending order). Serves GET /adminapi/user.';

grant execute on function api.admin_get_users(text, smallint, boolean, bigint, text, integer, integer) to store_admin;
