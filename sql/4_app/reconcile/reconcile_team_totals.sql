-- Like the task counts, each total is compared with the totals of the direct members (decision 0011): every member is visited
-- once. The totals are sums over their own copy of referrers and orders, so they must agree at any time; the copy may differ from
-- the members only where a change is queued.
create or replace function app.reconcile_team_totals(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
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
        t.spread_uid as uid, count(*) as direct_members, sum(t.own_orders) as direct_orders, sum(t.umbrella_members + 1) as umbrella_members,
        sum(t.umbrella_orders + t.own_orders) as umbrella_orders
      from app.team_totals as t
      where t.spread_uid between p_from and p_to
      group by t.spread_uid
    ),
    totals as (
      select
        t.uid, array[t.direct_members, t.direct_orders, t.umbrella_members, t.umbrella_orders]::bigint[] as kept,
        array[
          coalesce(s.direct_members, 0), coalesce(s.direct_orders, 0), coalesce(s.umbrella_members, 0), coalesce(s.umbrella_orders, 0)
        ]::bigint[] as recount
      from app.team_totals as t left join sums as s on s.uid = t.uid
      where t.uid between p_from and p_to
    ),
    buyers as materialized (
      select distinct o.uid from app.orders_since(p_since) as n (id) join app.orders as o on o.id = n.id where p_since > '-infinity'
    ),
    orders as (
      select o.uid, count(*) as orders
      from app.orders as o
      where o.uid between p_from and p_to and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
        and (p_since = '-infinity' or o.uid in (select y.uid from buyers as y))
      group by o.uid
    ),
    copies as (
      select
        u.uid, concat_ws(
          ' ', coalesce(u.spread_uid, 0),
          case when p_since = '-infinity' or u.uid in (select y.uid from buyers as y) then coalesce(o.orders, 0) else coalesce(t.own_orders, 0) end
        ) as present,
        concat_ws(' ', coalesce(t.spread_uid, 0), coalesce(t.own_orders, 0)) as copied
      from app.users as u left join orders as o on o.uid = u.uid left join app.team_totals as t on t.uid = u.uid
      where u.uid between p_from and p_to
    )
    select 'team_totals_equal_recount', format('uid %s', t.uid), array_to_string(t.recount, ' '), array_to_string(t.kept, ' ')
    from totals as t where t.kept <> t.recount
    union all
    select 'team_totals_follow_members', format('uid %s', c.uid), c.present, c.copied
    from copies as c where c.present <> c.copied and c.uid not in (select q.uid from app.team_changes as q);
end
$$;

comment on function app.reconcile_team_totals is
  'Finds members whose team totals are not the sums of those of their direct members, and members whose referrer or number of '
  'reported orders is not in the totals although no change of them is queued. With p_since, orders are counted only for members with one that changed since then.';
