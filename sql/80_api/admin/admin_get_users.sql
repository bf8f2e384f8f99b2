-- GET /adminapi/user: members by uid, nickname or phone, level and flag, sorted by uid or points ('-' means descending).
-- Raises: invalid_argument.
create or replace function api.admin_get_users(
  p_search text default null, p_agent_level smallint default null, p_no_assess boolean default null,
  p_sort text default '-uid', p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_answer jsonb;
begin
  if p_sort is null or p_sort !~ '^-?(uid|frozen_points|available_points|brokerage_price)$' then
    perform app.fail('invalid_argument', 'sort is uid, frozen_points, available_points or brokerage_price, with a leading - for descending.');
  end if;
  with matching as (
    select u.uid, row_number() over (order by
      case p_sort
        when 'uid' then u.uid when '-uid' then -u.uid
        when 'frozen_points' then b.frozen_points when '-frozen_points' then -b.frozen_points
        when 'available_points' then b.available_points when '-available_points' then -b.available_points
        when 'brokerage_price' then b.brokerage_price when '-brokerage_price' then -b.brokerage_price
      end, u.uid
    ) as place
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    where (p_agent_level is null or u.agent_level = p_agent_level)
      and (p_no_assess is null or u.no_assess = p_no_assess)
      and (p_search is null or u.uid::text = p_search or u.phone = p_search or position(lower(p_search) in lower(u.nickname)) > 0)
  )
  select jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.user_json(u, b) order by m.place)
      from (select * from matching as a order by a.place offset v_skip limit p_limit) as m
      join app.users as u on u.uid = m.uid
      join app.user_balances as b on b.uid = m.uid
    ), '[]'),
    'count', (select count(*) from matching)
  ) into v_answer;
  return v_answer;
end
$$;

grant execute on function api.admin_get_users(text, smallint, boolean, text, integer, integer) to store_admin;
