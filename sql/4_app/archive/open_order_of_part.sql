create or replace function app.open_order_of_part(p_part regclass, p_received_before timestamptz, p_now timestamptz)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order bigint;
begin
  execute format($sql$
    select o.id
    from (select distinct l.order_id as id from %s as l where l.order_id is not null) as b
    join app.orders as o on o.id = b.id
    left join app.commission_maturities as m on m.order_id = o.id
    where o.state = 'unpaid' or o.refund_status = 1
      or (o.refund_status <> 2 and (o.state in ('paid', 'delivered') or o.received_at >= $1))
      or (m.amount_left > 0 and (m.matures_at is null or m.matures_at > $2))
      or exists (select from app.provider_refunds as p where p.order_id = o.id and p.state = 'refunding')
    order by o.id limit 1
  $sql$, p_part) into v_order using p_received_before, p_now;
  return v_order;
end
$$;

comment on function app.open_order_of_part is
  'Returns an order with rows in a month of the bill that is open, can be refunded as a matter of course, or has commission that matures; '
  'null if there is none.';
