-- Checks of reconciliation: counts, levels, points, releases, stock, totals.

create or replace function app.reconcile_article_pool()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'article_pool_holds_what_may_be_read', format('article %s', coalesce(a.id, p.article_id)),
    coalesce(format('category %s', a.cid), 'in no pool'), coalesce(format('category %s', p.cid), 'in no pool')
  from (select b.id, b.cid from app.articles as b where b.status = 1 and b.is_del = 0 and b.hidden = 0) as a
  full join app.article_pool as p on p.article_id = a.id and p.cid = a.cid
  where a.id is null or p.article_id is null
  union all
  select 'article_pool_has_no_gap', format('category %s', p.cid), count(*)::text, max(p.slot)::text
  from app.article_pool as p
  group by p.cid
  having count(*) <> max(p.slot)
$$;

comment on function app.reconcile_article_pool is
  'Finds published articles without a slot in the article pool, slots without such an article, and categories whose '
  'slots have a gap.';

-- Every member passes on their own orders and, where task counts are stored, the umbrella counts. What a member at the
-- top grade receives goes to the next member above. If this holds for every member, it holds for the whole tree by
-- induction from the leaves, so each member is visited once and not once for every ancestor (decision 0011).
create or replace function app.reconcile_counters(
  p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity'
)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
-- The planner overestimates the depth of the tree; JIT compilation for that estimate takes longer than the query.
set jit = off
as $$
begin
  return query
    with recursive top as materialized (select app.top_grade() as grade),
    ranged as materialized (
      -- The members, and everyone who passes something on to them.
      select u.uid, u.spread_uid, u.agent_level < g.grade as is_kept, u.no_assess
      from app.users as u cross join top as g
      where u.uid between p_from and p_to or u.spread_uid between p_from and p_to
    ),
    -- Members at the top grade who pass on to one of the members what they receive. Each costs lookups; a join would
    -- read all members and orders of the store for every slice, because the planner expects far more of them than there
    -- are.
    passing as (
      select m.uid
      from ranged as m join ranged as r on r.uid = m.spread_uid and r.uid between p_from and p_to
      where not m.is_kept and r.is_kept
      union
      select d.uid
      from passing as p
      cross join top as g
      cross join lateral (select u.uid, u.agent_level from app.users as u where u.spread_uid = p.uid offset 0) as d
      where d.agent_level >= g.grade
    ),
    looked_at as materialized (
      select m.uid, m.spread_uid, m.is_kept, m.no_assess from ranged as m
      union
      select d.uid, d.spread_uid, d.agent_level < g.grade, d.no_assess
      from passing as p
      cross join top as g
      cross join lateral (select u.* from app.users as u where u.spread_uid = p.uid offset 0) as d
    ),
    members as materialized (
      select
        b.uid, u.spread_uid, u.is_kept,
        b.own_orders, r.orders as own_recount, case when u.no_assess then 0 else r.orders end as assessed,
        b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members
      from looked_at as u
      cross join lateral (select k.* from app.user_balances as k where k.uid = u.uid offset 0) as b
      cross join lateral (
        select
          case
            when p_since > '-infinity'
              and not exists (select from app.changed_orders as c where c.uid = b.uid) then b.own_orders
            else (
              select count(*)::integer
              from app.orders as o join app.settlements as s on s.order_id = o.id and s.state in ('settled', 'imported')
              where o.uid = b.uid and app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
            )
          end as orders
      ) as r
    ),
    handed as (
      select
        m.spread_uid as uid, sum(m.assessed) as direct_orders, count(*) filter (where m.assessed > 0) as direct_members,
        sum(m.assessed + case when m.is_kept then m.umbrella_orders else 0 end) as orders,
        sum((m.assessed > 0)::integer + case when m.is_kept then m.umbrella_members else 0 end) as members
      from members as m
      where m.spread_uid is not null
      group by m.spread_uid
    ),
    handed_on as (
      select h.uid, h.orders, h.members from handed as h join members as m on m.uid = h.uid
      where not m.is_kept and (h.orders, h.members) <> (0, 0)
      union all
      select m.spread_uid, p.orders, p.members
      from handed_on as p join members as m on m.uid = p.uid
      where not m.is_kept and m.spread_uid is not null
    ),
    passed as (
      select p.uid, sum(p.orders) as orders, sum(p.members) as members
      from handed_on as p join members as m on m.uid = p.uid
      where m.is_kept
      group by p.uid
    ),
    counters as (
      select
        m.uid, m.is_kept, m.own_orders, m.own_recount,
        array[m.direct_orders, m.umbrella_orders, m.direct_members, m.umbrella_members]::bigint[] as kept,
        array[
          coalesce(h.direct_orders, 0), coalesce(h.orders, 0) + coalesce(p.orders, 0),
          coalesce(h.direct_members, 0), coalesce(h.members, 0) + coalesce(p.members, 0)
        ]::bigint[] as recount
      from members as m
      left join handed as h on h.uid = m.uid
      left join passed as p on p.uid = m.uid
      where m.uid between p_from and p_to
    )
    select 'counters_equal_recount', format('uid %s', k.uid), array_to_string(k.recount, ' '),
      array_to_string(k.kept, ' ')
    from counters as k where k.is_kept and k.kept <> k.recount
    union all
    select 'own_orders_equal_recount', format('uid %s', k.uid), k.own_recount::text, k.own_orders::text
    from counters as k where k.own_orders <> k.own_recount;
end
$$;

comment on function app.reconcile_counters is
  'Finds members below the top grade whose task counts differ from what their direct members add up to, and members '
  'whose count of own orders differs from their orders (R8, R9).';

-- Every member begins at level 0, not held and assessed.
create or replace function app.reconcile_levels(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with changes as materialized (
      select
        c.*,
        coalesce(lag(c.to_level) over earlier, 0::smallint) as level_before,
        coalesce(lag(c.to_held) over earlier, false) as held_before,
        lead(c.id) over earlier is null as is_last
      from app.level_changes as c
      where c.uid between p_from and p_to
      window earlier as (partition by c.uid order by c.id)
    ),
    flags as materialized (
      select c.*, coalesce(lag(c.to_value) over earlier, false) as value_before,
        lead(c.id) over earlier is null as is_last
      from app.no_assess_changes as c
      where c.uid between p_from and p_to
      window earlier as (partition by c.uid order by c.id)
    )
    select
      'level_equals_last_change', format('uid %s', u.uid),
      concat_ws(' ', coalesce(c.to_level, 0), case when c.to_held then 'held' end),
      concat_ws(' ', u.agent_level, case when u.is_held then 'held' end)
    from app.users as u
    left join changes as c on c.uid = u.uid and c.is_last
    where u.uid between p_from and p_to
      and (u.agent_level, u.is_held) <> (coalesce(c.to_level, 0::smallint), coalesce(c.to_held, false))
    union all
    select
      'level_change_follows_the_one_before', format('level change %s of uid %s', c.id, c.uid),
      concat_ws(' ', c.level_before, case when c.held_before then 'held' end),
      concat_ws(' ', c.from_level, case when c.from_held then 'held' end)
    from changes as c
    where (c.from_level, c.from_held) <> (c.level_before, c.held_before)
    union all
    select
      'level_change_has_its_settlement', format('level change %s of uid %s', c.id, c.uid),
      format('a rise at position %s, %s', s.position, app.utc(s.settled_at)),
      format('from %s to %s at position %s, %s', c.from_level, c.to_level, c.position, app.utc(c.add_time))
    from changes as c
    left join app.settlements as s on s.order_id = c.order_id
    where c.reason = 'tasks' and coalesce(c.cause, 'order') = 'order'
      and ((s.position, s.settled_at) is distinct from (c.position, c.add_time) or c.to_level <= c.from_level)
    union all
    select * from app.reconcile_causes(p_from, p_to)
    union all
    select 'no_assess_equals_last_change', format('uid %s', u.uid), coalesce(f.to_value, false)::text, u.no_assess::text
    from app.users as u
    left join flags as f on f.uid = u.uid and f.is_last
    where u.uid between p_from and p_to and u.no_assess <> coalesce(f.to_value, false)
    union all
    select 'no_assess_change_follows_the_one_before', format('change %s of uid %s', f.id, f.uid), f.value_before::text,
      f.from_value::text
    from flags as f
    where f.from_value <> f.value_before
    union all
    select 'levels_equal_last_version', 'level settings', v.levels::text, app.levels_json()::text
    from app.level_versions as v
    where v.version = (select max(n.version) from app.level_versions as n) and v.levels <> app.levels_json()
      and p_from = 0;
end
$$;

comment on function app.reconcile_levels is
  'Finds levels, holds and assessments that do not follow from their recorded changes, changes without their '
  'predecessor or cause, and level settings that differ from their last version.';

create or replace function app.reconcile_points(
  p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity'
)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with events as (
      select o.id as order_id, o.uid, o.add_time as at, -o.points_spent as points, o.paid_by_points as money
      from app.orders as o where o.uid between p_from and p_to and o.points_spent > 0
      union all
      select o.id, o.uid, o.cancelled_at, o.points_spent, null
      from app.orders as o where o.uid between p_from and p_to and o.points_spent > 0 and o.state = 'cancelled'
      union all
      select o.id, o.uid, r.decided_at, sum(r.points), null
      from app.refunds as r join app.orders as o on o.id = r.order_id
      where o.uid between p_from and p_to and app.is_paid_back(r.state) and r.points > 0
      group by o.id, r.decided_at
    ),
    stated as (select e.* from events as e where e.at >= p_since),
    booked as (
      select
        l.order_id, l.uid, l.add_time as at, sum(l.available_delta) as points,
        sum(l.basis) as money
      from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to and l.source = 'checkout'
      group by l.order_id, l.uid, l.type, l.add_time
    )
    select
      'points_are_booked_as_they_were_used', format('order %s', coalesce(s.order_id, b.order_id)),
      concat_ws(' ', s.points, 'of uid', s.uid, 'for', s.money, app.utc(s.at)),
      concat_ws(' ', b.points, 'of uid', b.uid, 'for', b.money, app.utc(b.at))
    from stated as s
    full join booked as b on b.order_id = s.order_id and b.uid = s.uid and b.at = s.at
    and sign(b.points) = sign(s.points)
    where (s.points, s.money) is distinct from (b.points, b.money);

  return query
    -- Not materialized, so that the planner knows how many there are.
    with members as not materialized (
      select b.* from app.user_balances as b
      where b.uid between p_from and p_to and (
        p_since = '-infinity'
        or b.uid in (
          select l.uid from app.bill(p_since, 'infinity') as l
          where l.uid between p_from and p_to and l.source in ('checkout', 'adjustment')
        )
      )
    ),
    spent as (
      select o.uid, sum(o.points_left) as points from app.orders as o
      where o.uid in (select m.uid from members as m) and o.points_left > 0 group by o.uid
    ),
    adjusted as (
      select a.uid, sum(a.frozen_delta + a.available_delta) as points
      from app.adjustments as a where a.uid between p_from and p_to and a.state = 'booked' group by a.uid
    )
    select
      'points_are_all_accounted_for', format('uid %s', b.uid),
      concat_ws(' ', b.total_points_earned, 'earned', coalesce(a.points, 0), 'adjusted'),
      concat_ws(' ', b.frozen_points, 'frozen', b.available_points, 'available', coalesce(s.points, 0), 'spent')
    from members as b
    left join spent as s on s.uid = b.uid
    left join adjusted as a on a.uid = b.uid
    where b.total_points_earned + coalesce(a.points, 0) <> b.frozen_points + b.available_points + coalesce(s.points, 0);
end
$$;

comment on function app.reconcile_points is
  'Finds points at checkout that were not booked exactly once, and members whose earned and adjusted points are not '
  'the sum of frozen, available and spent ones.';

create or replace function app.reconcile_release_runs(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_is_running boolean := exists (
    select from app.job_runs as r
    where r.job = 'fsgx_release_frozen_points' and r.started_at > now() - interval '1 day' and app.is_running(r)
  );
begin
  return query
    select
      'release_run_equals_log', format('business day %s', coalesce(r.release_date, l.release_date)),
      format('%s users %s points', coalesce(l.users, 0), coalesce(l.points, 0)),
      format('%s users %s points', coalesce(r.users, 0), coalesce(r.points, 0))
    from (
      -- The sums of an unfinished day in ranges are those of its ranges.
      select d.release_date, coalesce(g.users, d.users) as users, coalesce(g.points, d.points) as points
      from app.release_runs as d
      left join lateral (
        select sum(o.users) as users, sum(o.points) as points from app.release_ranges as o
        where o.release_date = d.release_date and d.finished_at is null
      ) as g on true
    ) as r
    full join (
      select g.release_date, count(*) as users, sum(g.release_points) as points
      from app.releases(app.day_of_key(p_from), app.day_of_key(p_to)) as g
      group by g.release_date
    ) as l on l.release_date = r.release_date
    where coalesce(r.release_date, l.release_date) between app.day_of_key(p_from) and app.day_of_key(p_to)
      and (coalesce(r.users, 0), coalesce(r.points, 0)) <> (coalesce(l.users, 0), coalesce(l.points, 0))
    union all
    select
      'release_ranges_equal_their_day', format('business day %s', r.release_date),
      format('%s users %s points', r.users, r.points), format('%s users %s points', g.users, g.points)
    from app.release_runs as r
    join (
      select o.release_date, sum(o.users) as users, sum(o.points) as points from app.release_ranges as o
      where o.release_date between app.day_of_key(p_from) and app.day_of_key(p_to) group by o.release_date
    ) as g on g.release_date = r.release_date
    where r.finished_at is not null and (r.users, r.points) <> (g.users, g.points)
    union all
    select
      'release_day_is_finished', format('business day %s', r.release_date), 'finished',
      concat_ws(': ', format('unfinished, %s failures, %s runs cut', r.failures, r.cuts), r.last_error)
    from app.release_runs as r
    where r.release_date between app.day_of_key(p_from) and app.day_of_key(p_to) and r.finished_at is null
      and r.release_date < app.business_day(now())
      and not v_is_running
    union all
    select 'release_day_has_come', format('business day %s', r.release_date), format('at most %s', t.today), 'released'
    from app.release_runs as r cross join app.business_day(clock_timestamp() + app.clock_tolerance()) as t (today)
    where r.release_date between app.day_of_key(p_from) and app.day_of_key(p_to) and r.release_date > t.today;
end
$$;

comment on function app.reconcile_release_runs is
  'Finds business days whose log, ranges and record of the release disagree, days before today whose release is '
  'neither finished nor going on, and future days.';

create or replace function app.reconcile_releases(
  p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity'
)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    -- The row of the log and the row of the bill are written together and state the balance after it, which tells apart
    -- the rows of a member who was released for several days at once.
    select
      'release_equals_bill', format('uid %s', coalesce(g.uid, b.uid)),
      coalesce(
        format(
          'business day %s: %s of %s at %s', g.release_date, g.release_points, g.frozen_before, app.utc(g.add_time)
        ),
        'nothing'
      ),
      coalesce(
        format('bill %s: %s = %s x %s at %s', b.id, b.available_delta, b.basis, b.rate, app.utc(b.add_time)), 'nothing'
      )
    from (select l.* from app.releases('-infinity', 'infinity', p_since) as l where l.uid between p_from and p_to) as g
    full join (
      select l.* from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to and l.type = 'frozen_points_release'
    ) as b
      on b.uid = g.uid and b.add_time = g.add_time and b.frozen_after = g.frozen_after
    -- A late release is computed from the balance at the end of its day, if that is lower (app.release_members). The
    -- time zone of the store may have changed since, so every earlier balance of the member is accepted.
    where g.release_points is distinct from b.available_delta or b.rate <> app.release_rate()
      or b.basis > g.frozen_before or (b.basis < g.frozen_before and not exists (
        select from app.bill('-infinity', g.add_time) as l where l.uid = g.uid and l.frozen_after = b.basis
      ));
end
$$;

comment on function app.reconcile_releases is 'Finds releases that the log and the bill of a member state differently.';

create or replace function app.reconcile_stock(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'stock_is_given_back', format('line %s of order %s', l.id, l.order_id), format('at most %s units', h.units),
      format('%s units', l.stock_taken)
    from app.order_lines as l
    join app.orders as o on o.id = l.order_id
    cross join lateral (
      select case o.state
        when 'cancelled' then 0
        when 'paid' then l.quantity - l.refunded_quantity
        else l.quantity
      end as units
    ) as h
    where l.order_id between p_from and p_to and l.stock_taken > h.units;
end
$$;

comment on function app.reconcile_stock is
  'Finds units of cancelled orders, and units that were refunded before shipment, that were not returned to the stock.';

-- Like the task counts, each total is compared with the totals of the direct members (decision 0011): every member is
-- visited once. The totals are sums over their own copy of referrers and orders, so they must agree at any time; the
-- copy may differ from the members only where a change is queued.
create or replace function app.reconcile_team_totals(
  p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity'
)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  return query
    with sums as (
      select
        t.spread_uid as uid, count(*) as direct_members, sum(t.own_orders) as direct_orders,
        sum(t.umbrella_members + 1) as umbrella_members,
        sum(t.umbrella_orders + t.own_orders) as umbrella_orders
      from app.team_totals as t
      where t.spread_uid between p_from and p_to
      group by t.spread_uid
    ),
    totals as (
      select
        t.uid, array[t.direct_members, t.direct_orders, t.umbrella_members, t.umbrella_orders]::bigint[] as kept,
        array[
          coalesce(s.direct_members, 0), coalesce(s.direct_orders, 0), coalesce(s.umbrella_members, 0),
            coalesce(s.umbrella_orders, 0)
        ]::bigint[] as recount
      from app.team_totals as t left join sums as s on s.uid = t.uid
      where t.uid between p_from and p_to
    ),
    orders as (
      select o.uid, count(*) as orders
      from app.orders as o
      where o.uid between p_from and p_to
        and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
        and (p_since = '-infinity' or exists (select from app.changed_orders as c where c.uid = o.uid))
      group by o.uid
    ),
    copies as (
      select
        u.uid, concat_ws(
          ' ', coalesce(u.spread_uid, 0),
          case
            when p_since = '-infinity'
              or exists (select from app.changed_orders as c where c.uid = u.uid) then coalesce(o.orders, 0)
            else coalesce(t.own_orders, 0)
          end
        ) as present,
        concat_ws(' ', coalesce(t.spread_uid, 0), coalesce(t.own_orders, 0)) as copied
      from app.users as u
      left join orders as o on o.uid = u.uid
      left join app.team_totals as t on t.uid = u.uid and t.uid between p_from and p_to
      where u.uid between p_from and p_to
    )
    select 'team_totals_equal_recount', format('uid %s', t.uid), array_to_string(t.recount, ' '),
      array_to_string(t.kept, ' ')
    from totals as t where t.kept <> t.recount
    union all
    select 'team_totals_follow_members', format('uid %s', c.uid), c.present, c.copied
    from copies as c where c.present <> c.copied and c.uid not in (select q.uid from app.team_changes as q);
end
$$;

comment on function app.reconcile_team_totals is
  'Finds members whose team totals are not the sums of those of their direct members, or have another referrer or '
  'number of reported orders without a queued change.';

create or replace function app.reconcile_times(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_latest timestamptz := clock_timestamp() + app.clock_tolerance();
begin
  return query
    with later (uid, thing, at) as (
      select b.uid, 'bill row', b.add_time from app.bill(v_latest, 'infinity') as b
      where b.uid between p_from and p_to and b.add_time > v_latest
      union all
      select o.uid, 'order', greatest(
        o.add_time, o.paid_at, o.delivered_at, o.received_at, o.cancelled_at,
        (select s.settled_at from app.settlements as s where s.order_id = o.id),
        (select max(greatest(r.created_at, r.decided_at)) from app.refunds as r where r.order_id = o.id),
        (select max(greatest(a.add_time, a.ended_at)) from app.payment_attempts as a where a.order_id = o.id)
      )
      from app.orders_since(v_latest) as n (id) join app.orders as o on o.id = n.id
      where o.uid between p_from and p_to
      union all
      select w.uid, 'withdrawal', t.at
      from app.withdrawals as w
      cross join lateral (select greatest(w.add_time, w.approved_at, w.paying_at, w.ended_at) as at) as t
      where w.uid between p_from and p_to and t.at > v_latest
      union all
      select d.uid, 'adjustment', t.at
      from app.adjustments as d cross join lateral (select greatest(d.add_time, d.decided_at) as at) as t
      where d.uid between p_from and p_to and t.at > v_latest
    ), counted as (
      select l.uid, l.thing, count(*) as number, max(l.at) as latest from later as l group by l.uid, l.thing
    )
    select
      'no_row_is_from_the_future', format('uid %s', c.uid), format('nothing after %s', app.utc(v_latest)),
      format(
        '%s; the latest of %s', string_agg(format('%s: %s', c.thing, c.number), ', ' order by c.thing),
        app.utc(max(c.latest))
      )
    from counted as c
    group by c.uid;
end
$$;

comment on function app.reconcile_times is
  'Finds members with bill rows, orders, withdrawals or adjustments of a future time. Settlements, refunds and '
  'attempts to pay count for their order.';
