create or replace function app.reconcile_maturities(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with due as (
      select
        s.order_id, s.earner_uid as uid, app.matures_at(o.received_at, s.settled_at, p.holding_days) as matures_at,
        s.commission + coalesce(sum(l.brokerage_delta), 0) as amount_left
      from app.settlements as s
      join app.orders as o on o.id = s.order_id
      join app.commission_plans as p on p.version = s.order_plan_version
      left join app.user_bill as l on l.order_id = s.order_id and l.type = 'brokerage_reversal'
      where s.order_id between p_from and p_to and s.commission > 0 and s.settled_at >= app.archived_until('user_bill')
      group by s.order_id, o.received_at, p.holding_days
    )
    select
      'maturity_equals_its_settlement', format('order %s', coalesce(d.order_id, m.order_id)),
      concat_ws(' ', d.amount_left, 'of uid', d.uid, 'at', app.utc(d.matures_at)),
      concat_ws(' ', m.amount_left, 'of uid', m.uid, 'at', app.utc(m.matures_at))
    from due as d
    full join (
      select t.* from app.commission_maturities as t where t.order_id between p_from and p_to and not app.is_order_archived(t.order_id)
    ) as m on m.order_id = d.order_id
    where (d.uid, d.amount_left, d.matures_at) is distinct from (m.uid, m.amount_left, m.matures_at);
end
$$;

comment on function app.reconcile_maturities is
  'Finds commission whose maturity is missing, or differs from the settlement, the receipt and the refunds of its order.';
