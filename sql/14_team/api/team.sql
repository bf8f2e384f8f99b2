-- What members may call about their team.

-- Security definer: members may not read the orders of others. The function starts from the member of the verified
-- token, and a cursor is only a time of payment and the id of an order.
create or replace function api.get_team_orders(p_cursor text default null, p_limit integer default 20)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object('list', o.list, 'next_cursor', o.next_cursor)
    from app.list_position(1, p_limit, p_cursor) as p
    cross join lateral app.team_orders(v_uid, p.add_time, p.id, p_limit) as o
  );
end
$$;

comment on function api.get_team_orders is
  'Returns one page of the orders below the caller that paid them or count for their tasks, latest first. Serves GET '
  '/api/spread/order.';

grant execute on function api.get_team_orders(text, integer) to authenticated, store_admin;

-- Security definer: members may not read other members. The function starts from the member of the verified token. No
-- parameter says whose team is read, and a cursor says where the caller's own list continues.
create or replace function api.get_team_people(
  p_depth text default 'direct', p_keyword text default null, p_sort text default '-joined', p_cursor text default null,
  p_limit integer default 20, p_one_order_away boolean default false
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_near boolean := coalesce(p_one_order_away, false);
  v_named bigint := app.person_by_uid(v_uid, p_depth, p_keyword);
  v_uids bigint[];
  v_next_cursor text;
begin
  perform app.check_page(1, p_limit);
  if p_depth is null or p_depth not in ('direct', 'umbrella') then
    perform app.fail('invalid_argument', 'depth is direct or umbrella.');
  end if;
  perform app.check_sort(p_sort, '{joined, nickname, agent_level, orders, members}');
  if p_depth = 'umbrella' and p_sort not in ('joined', '-joined') then
    perform app.fail('invalid_argument', 'With depth umbrella, sort is joined or -joined.');
  elsif char_length(p_keyword) not between 1 and 64 then
    perform app.fail('invalid_argument', 'keyword has between 1 and 64 characters.');
  end if;
  if v_named is not null then
    -- Row order: one member.
    v_uids := array(select v_named where not v_near or app.is_one_order_away(v_named));
  elsif p_depth = 'direct' then
    select p.uids, p.next_cursor into v_uids, v_next_cursor
    from app.direct_people(v_uid, p_keyword, v_near, p_sort, p_cursor, p_limit) as p;
  else
    select p.uids, p.next_cursor into v_uids, v_next_cursor
    from app.umbrella_people(v_uid, p_keyword, v_near, p_sort, p_cursor, p_limit) as p;
  end if;
  return jsonb_build_object(
    'list', app.people_json(v_uids), 'next_cursor', v_next_cursor,
    'as_of', (select app.utc(a.as_of) from app.team_totals_as_of as a)
  );
end
$$;

comment on function api.get_team_people is
  'Returns one page of the caller''s direct members, or of all members below (p_depth umbrella), without phones. '
  'p_keyword is a part of a nickname or a whole uid. p_one_order_away keeps only those of app.is_one_order_away. '
  'Serves GET /api/spread/people.';

grant execute on function api.get_team_people(text, text, text, text, integer, boolean) to authenticated, store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token, and sums of those
-- below.
create or replace function api.get_team_summary()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_today date := app.business_day(clock_timestamp());
begin
  return (
    select app.team_json(v_uid) || jsonb_build_object(
      'commission', jsonb_build_object(
        'today', app.commission_since(v_uid, app.local_day_begins(v_today, s.time_zone))::text,
        'month',
        app.commission_since(
          v_uid, app.local_day_begins(date_trunc('month', v_today::timestamp)::date, s.time_zone)
        )::text,
        'total', (b.total_brokerage - (app.opening_of(v_uid)).brokerage)::text
      ),
      'next_level', app.next_level_json(u, b)
    )
    from app.settings as s, app.users as u join app.user_balances as b on b.uid = u.uid
    where u.uid = v_uid
  );
end
$$;

comment on function api.get_team_summary is
  'Returns the caller''s team (app.team_json), their commission of today, this month and in all without the opening '
  'balance, and what is missing for the next level. Serves GET /api/spread/summary.';

grant execute on function api.get_team_summary() to authenticated, store_admin;
