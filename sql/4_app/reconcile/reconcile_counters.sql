-- Every member passes on their own orders and, where task counts are stored, the umbrella counts. What a member at the top grade
-- receives goes to the next member above. If this holds for every member, it holds for the whole tree by induction from the
-- leaves, so each member is visited once and not once for every ancestor (decision 0011).
create or replace function app.reconcile_counters(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
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
    -- Members at the top grade who pass on to one of the members what they receive. There are few, so each costs one lookup of those below;
    -- a join would read all members of the store for every slice.
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
    buyers as materialized (
      select distinct o.uid from app.orders_since(p_since) as n (id) join app.orders as o on o.id = n.id where p_since > '-infinity'
    ),
    own as (
      select o.uid, count(*)::integer as orders
      from looked_at as u
      join app.orders as o on o.uid = u.uid
      join app.settlements as s on s.order_id = o.id and s.state in ('settled', 'imported')
      where app.is_counted(o.queue_units, o.refund_status, o.below_minimum) and (p_since = '-infinity' or u.uid in (select y.uid from buyers as y))
      group by o.uid
    ),
    members as materialized (
      select
        b.uid, u.spread_uid, u.is_kept,
        b.own_orders, r.orders as own_recount, case when u.no_assess then 0 else r.orders end as assessed,
        b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members
      from looked_at as u
      join app.user_balances as b on b.uid = u.uid
      left join own as w on w.uid = b.uid
      cross join lateral (
        select case when p_since = '-infinity' or b.uid in (select y.uid from buyers as y) then coalesce(w.orders, 0) else b.own_orders end as orders
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
      select h.uid, h.orders, h.members from handed as h join members as m on m.uid = h.uid where not m.is_kept and (h.orders, h.members) <> (0, 0)
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
    select 'counters_equal_recount', format('uid %s', k.uid), array_to_string(k.recount, ' '), array_to_string(k.kept, ' ')
    from counters as k where k.is_kept and k.kept <> k.recount
    union all
    select 'own_orders_equal_recount', format('uid %s', k.uid), k.own_recount::text, k.own_orders::text
    from counters as k where k.own_orders <> k.own_recount;
end
$$;

comment on function app.reconcile_counters is
  'Finds members below the top grade whose stored task counts differ from what their direct members add up to, and members whose '
  'count of own orders differs from their orders (R8, R9). With p_since, own orders are recounted only for members with an order that changed since then.';
