-- The members whose rows a settlement of these orders locks: buyers, everyone who may be paid, and everyone whose
-- counters change. Asked before the locks are taken, so it names those who would be concerned as things stand.
-- Callers: settle_order, run_settlement_jobs. Reads only; the caller holds the structure lock.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.settlement_participants(p_order_ids bigint[])
returns bigint[]
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select array_agg(distinct c.uid)
    from app.orders as o
    join app.commission_plans as p on p.version = o.plan_version
    cross join lateral (
      select o.uid
      union all
      select s.uid
      from app.upline_shares(o.uid) as s
      where s.depth = 1 or s.agent_level < (select app.top_grade()) or s.umbrella_points > s.passed_on
      union all
      select app.find_earner(o, p.brokerage_scope, p.max_depth)
    ) as c
    where o.id = any (p_order_ids) and c.uid is not null
  );
end
$$;
