create or replace function app.reconcile_settlements(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'paid_order_has_settlement_or_job', format('order %s', o.id), 'one of them', 'neither'
    from app.orders as o
    join app.commission_plans as p on p.version = o.plan_version
    where o.id between p_from and p_to and o.paid_at is not null
      and (o.is_imported or (o.has_queue_goods and (p.brokerage_timing = 'on_pay' or o.state = 'received')))
      and not exists (select from app.settlements as s where s.order_id = o.id)
      and not exists (select from app.settlement_jobs as j where j.order_id = o.id)
    union all
    select 'settled_order_has_no_job', format('order %s', j.order_id), 'no job', j.state
    from app.settlement_jobs as j
    where j.order_id between p_from and p_to and exists (select from app.settlements as s where s.order_id = j.order_id)
    union all
    select
      'commission_equals_bill', format('order %s', s.order_id),
      format('%s %s', s.commission, s.commission_points),
      format('%s %s', coalesce(l.commission, 0), coalesce(l.points, 0))
    from app.settlements as s
    left join (
      select b.order_id, sum(b.brokerage_delta) as commission, sum(b.frozen_delta) as points
      from app.user_bill as b
      where b.order_id between p_from and p_to and b.source = 'cycle' and b.reverses_id is null
      group by b.order_id
    ) as l on l.order_id = s.order_id
    where s.order_id between p_from and p_to and s.settled_at >= app.archived_until('user_bill') and (s.commission, s.commission_points) <> (coalesce(l.commission, 0), coalesce(l.points, 0));
end
$$;

comment on function app.reconcile_settlements is
  'Finds paid orders that would never be settled, settled orders that still have a job, and commissions that differ from the '
  'bill.';
