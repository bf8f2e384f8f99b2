-- Figures by day, members as administrators see them, and levels that would not be reached today.

-- A page reads a bounded number of rows. A member below the top grade has maintained counts and is assumed to cost ten
-- reads. A member at the top grade must be counted, which reads the downline. The team totals, which are at most a
-- minute old, say how large it is.
create or replace function app.level_review(p_after bigint, p_limit integer)
returns table (uid bigint, reached_level smallint, counts app.user_balances, next_after bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left integer := app.page_read_limit();
  v_top constant smallint := app.top_grade();
  v_found integer := 0;
  v_last bigint := p_after;
  v_user app.users;
  v_cost bigint;
begin
  for v_user in select u.* from app.users as u where u.agent_level > 0 and u.uid > p_after and u.left_at is null
    order by u.uid loop
    v_cost := case
      when v_user.agent_level < v_top then 10
      else 10 + coalesce(
        (select t.umbrella_members + t.umbrella_orders from app.team_totals as t where t.uid = v_user.uid), 0
      )
    end;
    if v_found = p_limit or (v_cost > v_left and v_left < app.page_read_limit()) then
      next_after := v_last;
      uid := null;
      return next;
      return;
    end if;
    v_last := v_user.uid;
    v_left := v_left - v_cost;
    uid := v_user.uid;
    reached_level := null;
    select b.* into counts from app.user_balances as b where b.uid = v_user.uid;
    if v_user.agent_level >= v_top and v_left >= 0 then
      select c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members
      into counts.direct_orders, counts.umbrella_orders, counts.direct_members, counts.umbrella_members
      from app.count_downline(v_user.uid) as c;
    end if;
    if v_user.agent_level < v_top or v_left >= 0 then
      reached_level := app.level_by_tasks(counts);
      continue when reached_level >= v_user.agent_level;
    end if;
    v_found := v_found + 1;
    return next;
  end loop;
end
$$;

comment on function app.level_review is
  'Returns the members after p_after, by uid, who have not left and would not reach their level today, with their '
  'task counts. reached_level is the grade that they would reach, null if the downline is too large to count. A last '
  'row with next_after says where the next page begins.';

-- A page reads as many members as it may, in the sequence of their uids. Members without orders below have met nothing.
create or replace function app.rise_review(p_after bigint, p_limit integer)
returns table (uid bigint, reached_level smallint, counts app.user_balances, next_after bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with examined as materialized (
    select u.uid, u.agent_level, u.is_held, u.left_at is not null as has_left from app.users as u where u.uid > p_after
    order by u.uid limit app.page_read_limit()
  ),
  found as materialized (
    select b as counts, e.agent_level
    from examined as e join app.user_balances as b on b.uid = e.uid
    where not e.is_held and b.umbrella_orders > 0 and app.meets_next_level((
      e.uid, null, e.agent_level, e.is_held, false, b.own_orders, b.direct_orders, b.umbrella_orders, b.direct_members,
      b.umbrella_members, false, e.has_left
    )::app.tree_member,
    (select l.rules[e.agent_level + 1] from app.level_versions as l order by l.version desc limit 1))
    order by e.uid limit p_limit
  )
  select (f.counts).uid, app.level_by_tasks(f.counts, f.agent_level), f.counts, null::bigint from found as f
  union all
  select null, null, null, n.after
  from (
    select case
      when (select count(*) from found) = p_limit then (select max((f.counts).uid) from found as f)
      when (select count(*) from examined) = app.page_read_limit() then (select max(e.uid) from examined as e)
    end as after
  ) as n
  where n.after is not null
$$;

comment on function app.rise_review is
  'Returns the members after p_after, by uid, who meet the tasks of the next level but have not risen, with their '
  'task counts and the grade that they reach. A last row with next_after says where the next page begins.';

create or replace function app.account_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select (
    select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(a)) as e
    where e.key in (
      'id', 'email', 'phone', 'raw_user_meta_data', 'created_at', 'last_sign_in_at', 'email_confirmed_at',
      'phone_confirmed_at'
    )
  ) || jsonb_build_object('identities', (
    select coalesce(
      jsonb_agg(jsonb_build_object('provider', i.provider, 'identity_data', i.identity_data) order by i.provider), '[]'
    )
    from auth.identities as i where i.user_id = a.id
  ))
  from app.users as u join auth.users as a on a.id = u.auth_id
  where u.uid = p_uid
$$;

comment on function app.account_json is
  'Returns the Auth account of a member without passwords and tokens; null without an account.';

create or replace function app.user_json(p_user app.users, p_balances app.user_balances)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'uid', p_user.uid, 'nickname', p_user.nickname, 'nickname_in_doubt', p_user.nickname_in_doubt, 'phone',
    p_user.phone, 'spread_uid', p_user.spread_uid,
    'referrer_nickname', (select r.nickname from app.users as r where r.uid = p_user.spread_uid),
    'agent_level', p_user.agent_level, 'agent_level_name',
    (select l.name from app.agent_levels as l where l.grade = p_user.agent_level),
    'level_is_held', p_user.is_held,
    'no_assess', p_user.no_assess,
    'brokerage_price', p_balances.brokerage_price::text, 'frozen_points', trim_scale(p_balances.frozen_points),
    'available_points', trim_scale(p_balances.available_points),
    'total_points_earned', trim_scale(p_balances.total_points_earned), 'add_time', app.utc(p_user.add_time), 'left_at',
    app.utc(p_user.left_at)
  )
$$;

comment on function app.user_json is 'Returns a member with their balances as administrators see them.';

grant execute on function app.user_json(app.users, app.user_balances) to store_admin;

-- Security invoker: reads with the rights of the caller.
create or replace function app.admin_order_json(p_order app.orders)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.order_json(p_order) || jsonb_build_object(
    'nickname', (select u.nickname from app.users as u where u.uid = p_order.uid),
    'referrer_nickname', (select u.nickname from app.users as u where u.uid = p_order.referrer_uid)
  )
$$;

comment on function app.admin_order_json is
  'Returns an order in the form of app.order_json, with the nicknames of buyer and referrer.';

grant execute on function app.admin_order_json(app.orders) to store_admin;

-- What was paid is what is left of an order and what its refunds paid back. A refund follows its payment, so refunds of
-- the orders of these days are among the refunds of these days.
-- Reads through indexes: orders by payment time, refunds by their time, the part of the bill without releases, and one
-- row a day of releases.
create or replace function app.overview_days(p_today date, p_days integer)
returns table (
  day date, orders bigint, queue_orders bigint, queue_revenue numeric, commission numeric, points_frozen numeric,
  points_released numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first date := p_today - p_days + 1;
  v_zone text := (select s.time_zone from app.settings as s);
  v_from timestamptz := app.local_day_begins(v_first, v_zone);
begin
  return query
    with refunded as materialized (
      select app.local_day(f.paid_at, v_zone) as paid_day, app.local_day(f.decided_at, v_zone) as day, f.amount
      from app.refunded_lines(v_from) as f where f.is_queue_goods
    ), sold as (
      select app.local_day(o.paid_at, v_zone) as day, count(*) as orders,
        count(*) filter (where o.has_queue_goods) as queue_orders,
        sum(o.queue_base) as queue_revenue
      from app.orders as o where o.paid_at >= v_from group by 1
    ), returned as (
      select m.day, sum(m.amount) as amount
      from (
        select f.paid_day as day, f.amount from refunded as f union all select f.day, -f.amount from refunded as f
      ) as m
      group by m.day
    ), booked as (
      select app.local_day(b.add_time, v_zone) as day, sum(b.brokerage_delta) as commission,
        sum(b.frozen_delta + b.available_delta) as points
      from app.bill(v_from, 'infinity') as b
      where b.source <> 'release' and b.order_id is not null and app.is_earned(b.type) group by 1
    )
    select d.day, coalesce(s.orders, 0), coalesce(s.queue_orders, 0),
      coalesce(s.queue_revenue, 0.00) + coalesce(t.amount, 0.00), coalesce(b.commission, 0.00),
      coalesce(b.points, 0), coalesce(r.points, 0)
    from (select v_first + n.number as day from generate_series(0, p_days - 1) as n (number)) as d
    left join sold as s on s.day = d.day
    left join returned as t on t.day = d.day
    left join booked as b on b.day = d.day
    left join app.release_runs as r on r.release_date = d.day
    order by d.day;
end
$$;

comment on function app.overview_days is
  'Returns sales, earnings and releases of each of the last p_days business days, oldest first (docs/glossary.md, '
  'revenue and commission of a day). Released points count on the day on which they were due.';

grant execute on function app.overview_days(date, integer) to store_admin;
