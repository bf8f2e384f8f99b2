-- Takes no locks, because it changes no existing row.
-- Raises: user_not_found, invalid_argument, product_unavailable.
-- Not idempotent: each call creates an order. An unpaid order has no effect on anybody.
create or replace function app.create_order(p_uid bigint, p_items jsonb, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_buyer app.users;
  v_lines app.order_lines[];
  v_order app.orders;
begin
  perform app.require_time(p_now);
  select u.* into v_buyer from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  v_lines := app.price_items(p_items);

  insert into app.orders (
    order_no, uid, referrer_uid, total_price, discount, freight, pay_price, has_queue_goods, queue_base, queue_units, add_time
  )
  select
    to_char(p_now at time zone 'UTC', 'YYYYMMDDHH24MISS') || lpad(nextval('app.order_no_seq')::text, 8, '0'),
    p_uid, v_buyer.spread_uid,
    sum(l.price * l.quantity), sum(l.discount), sum(p.freight * l.quantity), sum(l.paid + p.freight * l.quantity),
    bool_or(l.is_queue_goods),
    coalesce(sum(l.paid) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity) filter (where l.is_queue_goods), 0),
    p_now
  from unnest(v_lines) as l join app.products as p on p.id = l.product_id
  returning * into v_order;

  insert into app.order_lines (order_id, product_id, title, price, quantity, discount, paid, is_queue_goods)
  select v_order.id, l.product_id, l.title, l.price, l.quantity, l.discount, l.paid, l.is_queue_goods
  from unnest(v_lines) with ordinality as l order by l.ordinality;
  return v_order;
end
$$;

comment on function app.create_order is
  'Creates an unpaid order and returns it. Prices, the queue-goods flag (R1) and the buyer''s referrer are copied onto it. '
  'p_items: [{"product_id": 1, "quantity": 2, "discount": "10.00"}]. discount is optional and must never come from a client.';
