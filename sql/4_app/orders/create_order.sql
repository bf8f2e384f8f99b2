-- Locks: the products with a limited stock, by id; with p_use_points, the balances of the buyer.
-- Raises: user_not_found, invalid_argument, product_unavailable, out_of_stock, price_changed.
-- Not idempotent: each call creates an order. An unpaid order has no effect other than the stock and the points that it takes.
create or replace function app.create_order(
  p_uid bigint, p_items jsonb, p_now timestamptz, p_address jsonb default null, p_remark text default '', p_expected_price numeric default null,
  p_use_points numeric default null
)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_buyer app.users;
  v_lines app.order_lines[];
  v_order app.orders;
  v_now timestamptz;
begin
  select u.* into v_buyer from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  if p_address is not null then
    perform app.require_address(p_address);
  end if;
  if char_length(p_remark) > 500 then
    perform app.fail('invalid_argument', 'A remark has at most 500 characters.', '/remark');
  end if;
  v_lines := app.price_items(p_items, p_locks => true);
  if p_use_points <> 0 then
    v_lines := app.use_points(p_uid, v_lines, p_use_points, true);
  end if;
  v_now := app.effect_time(p_now);
  v_order := app.order_of_lines(v_lines);
  if p_expected_price <> v_order.pay_price then
    perform app.fail('price_changed', format('The order costs %s now.', v_order.pay_price));
  end if;

  insert into app.orders (
    order_no, uid, referrer_uid, total_price, discount, freight, paid_by_points, points_spent, points_left, pay_price, has_queue_goods, queue_base,
    queue_units, address, remark, add_time
  )
  values (
    to_char(v_now at time zone 'UTC', 'YYYYMMDDHH24MISS') || lpad(nextval('app.order_no_seq')::text, 8, '0'),
    p_uid, v_buyer.spread_uid, v_order.total_price, v_order.discount, v_order.freight, v_order.paid_by_points, v_order.points_spent,
    v_order.points_spent, v_order.pay_price, v_order.has_queue_goods, v_order.queue_base, v_order.queue_units, p_address,
    coalesce(p_remark, ''), v_now
  )
  returning * into v_order;

  insert into app.order_lines (order_id, product_id, title, price, quantity, discount, paid_by_points, points, paid, is_queue_goods, stock_taken)
  select
    v_order.id, l.product_id, l.title, l.price, l.quantity, l.discount, l.paid_by_points, l.points, l.paid, l.is_queue_goods, l.stock_taken
  from unnest(v_lines) with ordinality as l order by l.ordinality;
  if exists (select from unnest(v_lines) as l where l.stock_taken > 0) then
    update app.products as p set stock = p.stock - t.units
    from (select l.product_id, sum(l.stock_taken) as units from unnest(v_lines) as l where l.stock_taken > 0 group by l.product_id) as t
    where p.id = t.product_id;
  end if;
  if v_order.points_spent > 0 then
    perform app.book_entries(array[app.checkout_entry(v_order, -v_order.points_spent)], '{}', '{}', v_now);
  end if;
  return v_order;
end
$$;

comment on function app.create_order is
  'Creates an unpaid order, takes its units from the stock of the products that have a limited one, and returns it. Prices, the '
  'queue-goods flag (R1), the buyer''s referrer and the address are copied onto it. p_items: [{"product_id": 1, "quantity": 2, '
  '"discount": "10.00"}]. discount is optional and must never come from a client. p_expected_price is what the buyer has agreed to pay. '
  'p_use_points is the most points to use: what they pay is taken off the price of goods that are not queue goods, and the points are taken from '
  'the available ones.';
