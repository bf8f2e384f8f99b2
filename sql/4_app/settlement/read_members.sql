-- Precondition: the caller has locked the balances if the result is to stay true.
-- Generic query plan: see app.get_upline.
create or replace function app.read_members(
  p_uids bigint[], p_earners bigint[], out members app.tree_member[], out cycles app.cycle_state[], out plans integer[]
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  select array_agg(m.member), array_agg(m.cycle), array_agg((m.cycle).plan_version)
  into members, cycles, plans
  from (
    select
      (
        u.uid, case when u.spread_uid = p_uids[width_bucket(u.spread_uid, p_uids)] then width_bucket(u.spread_uid, p_uids) end,
        u.agent_level, u.is_held, u.no_assess, b.own_orders, b.direct_orders, b.umbrella_orders, b.direct_members,
        b.umbrella_members, false
      )::app.tree_member as member,
      case when u.uid = any (p_earners) then (
        u.uid,
        (
          select min(o.paid_at) from app.orders as o
          where o.uid = u.uid and o.paid_at is not null and o.queue_units > 0 and o.refund_status <> 2 and not o.below_minimum
        ),
        b.cycle_no, b.cycle_plan_version, b.cycle_is_open, t.places, t.orders,
        0
      )::app.cycle_state end as cycle
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    left join lateral (
      select coalesce(array_agg(s.place), '{}') as places, coalesce(array_agg(s.order_id), '{}') as orders
      from app.taken_places as s
      where b.cycle_is_open and u.uid = any (p_earners) and s.earner_uid = u.uid and s.cycle_no = b.cycle_no and s.place_freed_at is null
    ) as t on true
    where u.uid = any (p_uids)
    order by u.uid
  ) as m;
end
$$;

comment on function app.read_members is
  'Returns the members with these uids, in order of uid, as decisions see them, the cycles of those in p_earners, and the '
  'versions of the plans of these cycles.';
