create or replace function app.reconcile_refunds(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select
      'refunded_units_equal_refunds', format('order line %s', l.id), coalesce(sum(i.quantity), 0)::text, l.refunded_quantity::text
    from app.order_lines as l
    left join (
      app.refund_lines as i join app.refunds as r on r.id = i.refund_id and r.state = 'refunded'
    ) on i.line_id = l.id
    where l.order_id between p_from and p_to
    group by l.id
    having l.refunded_quantity <> coalesce(sum(i.quantity), 0)
    union all
    select 'refund_status_equals_refunds', format('order %s', o.id), t.status::text, o.refund_status::text
    from app.orders as o
    join (
      select l.order_id, sum(l.refunded_quantity) as refunded, sum(l.quantity - l.refunded_quantity) as units_left
      from app.order_lines as l
      where l.order_id between p_from and p_to
      group by l.order_id
    ) as l on l.order_id = o.id
    left join app.refunds as r on r.order_id = o.id and r.state = 'requested'
    cross join lateral (
      select case when l.units_left = 0 then 2 when r.id is not null then 1 when l.refunded > 0 then 3 else 0 end as status
    ) as t
    where o.id between p_from and p_to and o.refund_status <> t.status;
end
$$;

comment on function app.reconcile_refunds is
  'Finds order lines whose refunded units, and orders whose refund status, do not follow from the refunds.';
