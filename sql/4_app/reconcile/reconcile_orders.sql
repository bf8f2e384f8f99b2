create or replace function app.reconcile_orders(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with refunded_before as (
      -- Units that were refunded before their order was settled.
      select i.line_id, sum(i.quantity)::integer as quantity
      from app.refunds as r
      join app.refund_lines as i on i.refund_id = r.id
      join app.settlements as s on s.order_id = r.order_id
      where r.order_id between p_from and p_to and r.state = 'refunded' and r.decided_position < s.position
      group by i.line_id
    ),
    queue_goods as materialized (
      select
        l.order_id, sum(l.paid) as paid,
        sum(app.amount_left(l.paid, l.quantity, l.refunded_quantity)) as base_left, sum(l.quantity - l.refunded_quantity) as units_left,
        sum(app.amount_left(l.paid, l.quantity, coalesce(b.quantity, 0))) as base_settled,
        sum(l.quantity - coalesce(b.quantity, 0)) as units_settled
      from app.order_lines as l
      left join refunded_before as b on b.line_id = l.id
      where l.order_id between p_from and p_to and l.is_queue_goods
      group by l.order_id
    )
    select
      'queue_goods_left_equal_lines', format('order %s', o.id),
      format('%s of %s units', coalesce(q.base_left, 0), coalesce(q.units_left, 0)), format('%s of %s units', o.queue_base, o.queue_units)
    from app.orders as o
    left join queue_goods as q on q.order_id = o.id
    where o.id between p_from and p_to and (o.queue_base, o.queue_units) <> (coalesce(q.base_left, 0), coalesce(q.units_left, 0))
    union all
    select
      'minimum_base_equals_plan', format('order %s', o.id),
      format('%s of at least %s', q.paid, p.minimum_base), case when o.below_minimum then 'below' else 'not below' end
    from app.orders as o
    join queue_goods as q on q.order_id = o.id
    join app.commission_plans as p on p.version = o.plan_version
    where o.below_minimum <> (q.paid < p.minimum_base)
    union all
    select
      'settlement_equals_its_order', format('order %s', s.order_id),
      concat_ws(' ', o.state, o.uid, o.referrer_uid, 'plan', p.version, p.brokerage_scope, q.base_settled, 'of', q.units_settled),
      concat_ws(' ', s.state, s.uid, s.referrer_uid, 'plan', s.order_plan_version, s.brokerage_scope, s.base, 'of', s.units)
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    left join app.commission_plans as p on p.version = o.plan_version
    left join queue_goods as q on q.order_id = o.id
    where s.order_id between p_from and p_to and ((s.uid, s.referrer_uid, s.order_plan_version, s.brokerage_scope, s.base, s.units, s.state, s.reason is not distinct from 'below_minimum')
      is distinct from (
        o.uid, o.referrer_uid, p.version, p.brokerage_scope, coalesce(q.base_settled, 0), coalesce(q.units_settled, 0),
        case when o.is_imported then 'imported' when q.units_settled > 0 then 'settled' else 'refunded' end,
        not o.is_imported and o.below_minimum and q.units_settled > 0
      )
      or s.plan_in_force < s.order_plan_version or s.settled_at < o.paid_at);
end
$$;

comment on function app.reconcile_orders is
  'Finds orders whose queue goods left or minimum base do not follow from their lines and their plan, and settlements that '
  'contradict their order.';
