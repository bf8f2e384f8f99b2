-- Reads the members from the roots down to the first who is not at the top, and the unsettled orders of plans with scope umbrella. The
-- property test test/property/closed_branches.test.ts proves the conditions by the model. They suffice; they are not necessary.
create or replace function app.closed_branches(p_members integer default 1)
returns table (uid bigint, agent_level smallint, above integer, members integer, orders integer, opened_by text[])
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
#variable_conflict use_column
declare
  v_levels constant app.level_rule[] := (select l.rules from app.level_versions as l order by l.version desc limit 1);
  v_is_umbrella constant boolean := (select p.brokerage_scope = 'umbrella' from app.commission_plans as p order by p.version desc limit 1);
begin
  return query
    with recursive heads as (
      select u.uid, u.agent_level, 0 as above, 0::numeric as points_above, 0::smallint as grade_above
      from app.users as u where u.spread_uid is null
      union all
      select u.uid, u.agent_level, h.above + 1, greatest(h.points_above, v_levels[h.agent_level + 1].umbrella_points), greatest(h.grade_above, h.agent_level)
      from heads as h join app.users as u on u.spread_uid = h.uid
      -- Below a member with task counts, every order counts for that member.
      where not v_levels[h.agent_level + 1].is_counted
    ),
    -- An order that waits for its settlement looks for an earner by the plan in force when it was paid.
    waiting as (
      select u.spread_uid as uid, o.paid_at
      from app.orders as o
      join app.commission_plans as p on p.version = o.plan_version and p.brokerage_scope = 'umbrella'
      join app.users as u on u.uid = o.uid
      where o.paid_at is not null and o.has_queue_goods and not exists (select from app.settlements as s where s.order_id = o.id)
      union
      select u.spread_uid, w.paid_at from waiting as w join app.users as u on u.uid = w.uid
    ),
    facts as (
      select
        h.*, coalesce(t.umbrella_members, 0) as members, coalesce(t.umbrella_orders, 0) as orders,
        (
          select min(o.paid_at) from app.orders as o
          where o.uid = h.uid and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
        ) as eligible_since,
        (select min(w.paid_at) from waiting as w where w.uid = h.uid) as waiting_since
      from heads as h left join app.team_totals as t on t.uid = h.uid
      where v_levels[h.agent_level + 1].umbrella_points >= h.points_above and coalesce(t.umbrella_members, 0) >= p_members
    )
    select
      f.uid, f.agent_level, f.above, f.members, f.orders, array_remove(array[
        'referrer_of_root',
        case when f.above > 0 then 'new_top_grade' end,
        case when f.above > 0 then 'lowered_above' end,
        case when f.points_above > 0 then 'lowered' end,
        case when f.grade_above > f.agent_level then 'points_of_grades' end,
        case when f.above > 0 and f.eligible_since is null then 'scope_umbrella' end,
        case when f.above > 0 and f.eligible_since is not null and (v_is_umbrella or f.waiting_since is not null) then 'own_refund' end,
        case when f.above > 0 and coalesce((select min(w.paid_at) from waiting as w) < f.eligible_since, exists (select from waiting)) then 'joining_orders' end
      ], null)
    from facts as f
    where f.above = 0 or (
      (f.eligible_since is not null or not v_is_umbrella) and coalesce(f.waiting_since >= f.eligible_since, f.waiting_since is null)
    )
    order by f.members desc, f.uid;
end
$$;

comment on function app.closed_branches is
  'Returns the members below whom a branch is closed: no new order of a member below them pays or counts for anybody above them. Their own '
  'orders do. above: how many members are above; 0 for the root of a tree. members and orders: the team totals of the member, at least p_members. '
  'opened_by: what alone would open the branch again (docs/scale.md). app.orders_that_paid_above() has what earlier orders still pay above.';
