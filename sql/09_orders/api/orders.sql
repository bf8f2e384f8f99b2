-- What clients may call about orders, and about the cart, which clients keep (decision 0102).

-- Locks: the order, the count of the caller's cancellations, the products with a limited stock; if points paid for it,
-- the balances of the caller.
-- Idempotent: a cancelled order stays as it is.
create or replace function api.cancel_order(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  v_order := app.lock_order(p_order_id);
  perform app.use_quota(v_order.uid, 'cancellation', clock_timestamp()) where v_order.state = 'unpaid';
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.cancel_order(p_order_id, null);
  return app.order_json(v_order);
end
$$;

comment on function api.cancel_order is
  'Cancels one of the caller''s unpaid orders and returns it. Serves PUT /api/order/{id}/cancel.';

grant execute on function api.cancel_order(bigint) to authenticated, store_admin;

-- Locks: an advisory lock of the buyer (see app.limit_unpaid_orders), the count of their orders, the products with a
-- limited stock; with p_use_points, the balances of the caller.
create or replace function api.create_order(
  p_items jsonb, p_address_id bigint default null, p_address jsonb default null, p_remark text default '',
  p_expected_price numeric default null,
  p_use_points numeric default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_uid bigint := app.require_uid();
  v_address jsonb := p_address;
begin
  perform app.limit_unpaid_orders(v_uid);
  perform app.use_quota(v_uid, 'order', clock_timestamp());
  perform app.reject_discounts(p_items);
  perform app.limit_unpaid_units(v_uid, p_items);
  if p_address_id is not null and p_address is not null then
    perform app.fail('invalid_argument', 'Send either address_id or address, not both.', '/address_id');
  end if;
  if p_address_id is not null then
    v_address := app.own_address(v_uid, p_address_id);
  end if;
  -- A separate statement, so that order_json reads the new order.
  v_order := app.create_order(v_uid, p_items, null, v_address, p_remark, p_expected_price, p_use_points);
  -- Only now is it known what the order costs. The lock of limit_unpaid_orders keeps other orders of the member out.
  perform app.use_quota(v_uid, 'free_order', clock_timestamp()) where v_order.pay_type = 'free';
  return app.order_json(v_order);
end
$$;

comment on function api.create_order is
  'Creates an unpaid order of the caller, or a paid one if it costs nothing, and returns it (app.create_order). '
  'p_items is [{"product_id", "quantity"}]. At most ten orders an hour may cost nothing. Serves POST /api/order.';

grant execute on function api.create_order(jsonb, bigint, jsonb, text, numeric, numeric) to authenticated, store_admin;

create or replace function api.get_order(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_id and o.uid = v_uid;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return app.order_json(v_order);
end
$$;

comment on function api.get_order is 'Returns one of the caller''s orders. Serves GET /api/order/{id}.';

grant execute on function api.get_order(bigint) to authenticated, store_admin;

create or replace function api.get_orders(
  p_state text default null, p_page integer default 1, p_limit integer default 20, p_has_refund boolean default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    with matching as not materialized (
      select o.* from app.orders as o
      where o.uid = v_uid and (p_state is null or app.shown_state(o.state, o.refund_status) = p_state)
        and (p_has_refund is null or exists (select from app.refunds as r where r.order_id = o.id) = p_has_refund)
    )
    select app.list_json(jsonb_agg(app.order_json(l) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as l
  );
end
$$;

comment on function api.get_orders is
  'Returns one page of the caller''s orders, newest first, filtered by shown state and by whether a refund was asked '
  'for or made. Serves GET /api/order.';

grant execute on function api.get_orders(text, integer, integer, boolean) to authenticated, store_admin;

create or replace function api.count_open_orders()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object(
      'unpaid', count(*) filter (where s.state = 'unpaid'),
      'paid', count(*) filter (where s.state = 'paid'),
      'delivered', count(*) filter (where s.state = 'delivered'),
      'refund_requested', count(*) filter (where o.refund_status = 1)
    )
    from app.orders as o cross join lateral app.shown_state(o.state, o.refund_status) as s (state)
    where o.uid = v_uid
  );
end
$$;

comment on function api.count_open_orders is
  'Returns how many of the caller''s orders wait to be paid, shipped and received, and how many have an open refund '
  'request: {unpaid, paid, delivered, refund_requested}. Serves GET /api/order/count.';

grant execute on function api.count_open_orders() to authenticated, store_admin;

-- Locks: the sum of the administrator, the order.
-- Idempotent: see app.pay_order_offline.
create or replace function api.pay_order_offline(p_order_id bigint, p_pay_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders;
  v_order app.orders;
begin
  perform app.require_admin('money');
  perform app.lock_decided_alone('offline_payment', auth.uid(), clock_timestamp());
  perform app.reject_own_order(p_order_id);
  v_before := app.lock_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.pay_order_offline(v_before, p_pay_ref, auth.uid(), null);
  perform app.record_action(
    'pay_order_offline', 'order', p_order_id::text, jsonb_build_object('state', v_before.state),
    jsonb_build_object('state', v_order.state)
      || case when v_before.paid_at is null then jsonb_build_object('amount', v_order.pay_price::text) else '{}' end
      || case when v_order.state = 'unpaid' then '{"waits": true}'::jsonb else '{}' end
  );
  return app.order_json(v_order);
end
$$;

comment on function api.pay_order_offline is
  'Marks an order as paid offline and returns it (app.pay_order_offline). Serves PUT /adminapi/order/{id}/pay.';

grant execute on function api.pay_order_offline(bigint, text) to store_admin;

-- Locks: the order.
-- Idempotent: see app.refuse_payment.
create or replace function api.refuse_payment(p_order_id bigint, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_waited boolean;
begin
  perform app.require_admin('money');
  perform app.reject_own_order(p_order_id);
  perform app.lock_order(p_order_id);
  v_waited := exists (select from app.waiting_payments as w where w.order_id = p_order_id and w.refused_at is null);
  v_order := app.refuse_payment(p_order_id, p_reason, auth.uid(), null);
  perform app.record_action(
    'refuse_payment', 'order', p_order_id::text, jsonb_build_object('waits', v_waited),
    jsonb_build_object('waits', false)
    || case when v_waited then jsonb_build_object('reason', p_reason, 'amount', v_order.pay_price::text) else '{}' end,
    array['waits', 'amount']
  );
  return app.order_json(v_order);
end
$$;

comment on function api.refuse_payment is
  'Refuses an offline payment that waits for a second administrator, and returns the order (app.refuse_payment). '
  'Serves PUT /adminapi/order/{id}/pay/refuse.';

grant execute on function api.refuse_payment(bigint, text) to store_admin;

-- Security definer: client roles may not execute app.price_items and app.use_points.
-- Writes nothing and takes no lock.
create or replace function api.preview_order(p_items jsonb, p_use_points numeric default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_lines app.order_lines[];
  v_order app.orders;
  v_offer jsonb;
begin
  perform app.reject_discounts(p_items);
  v_lines := app.price_items(p_items);
  v_offer := app.points_offer_json(v_uid, v_lines);
  v_lines := app.use_points(v_uid, v_lines, p_use_points, false);
  v_order := app.order_of_lines(v_lines);
  return jsonb_build_object(
    'total_price', v_order.total_price::text, 'freight', v_order.freight::text, 'paid_by_points',
    v_order.paid_by_points::text,
    'points_spent', trim_scale(v_order.points_spent), 'pay_price', v_order.pay_price::text, 'points', v_offer,
    'lines', (
      select jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity,
        'paid_by_points', l.paid_by_points::text, 'points', trim_scale(l.points), 'paid', l.paid::text,
        'is_queue_goods', l.is_queue_goods,
        'image', app.picture_of_product(l.product_id)
      ) order by l.ordinality)
      from unnest(v_lines) with ordinality as l
    )
  );
end
$$;

comment on function api.preview_order is
  'Returns what an order of these items would cost with p_use_points, without placing it, and how many points could be '
  'used. pay_price is p_expected_price of api.create_order. Serves POST /api/order/preview.';

grant execute on function api.preview_order(jsonb, numeric) to authenticated, store_admin;

create or replace function app.require_cart(p_items jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_items(p_items);
  if exists (
    select from jsonb_array_elements(p_items) as i (value)
    where coalesce(i.value ->> 'price', '0') !~ '^[0-9]{1,9}([.][0-9]{1,2})?$'
      or coalesce(jsonb_typeof(i.value -> 'is_chosen'), 'boolean') <> 'boolean'
  ) then
    perform app.fail(
      'invalid_argument', 'The price of an item in a cart is an amount such as 19.90, and is_chosen is true or false.',
      '/items'
    );
  elsif (
    select count(distinct (i.value ->> 'product_id')::bigint) < count(*) from jsonb_array_elements(p_items) as i (value)
  ) then
    perform app.fail('invalid_argument', 'A cart has each product once.', '/items');
  end if;
end
$$;

comment on function app.require_cart is
  'Raises invalid_argument unless a value is a list of 1 to 50 different products: [{"product_id", "quantity", '
  '"price", "is_chosen"}].';

grant execute on function app.require_cart(jsonb) to anon, authenticated, store_admin;

create or replace function api.check_cart(p_items jsonb)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_cart(p_items);
  return (
    with items as (
      select (i.value ->> 'product_id')::bigint as product_id, (i.value ->> 'quantity')::integer as quantity,
        (i.value ->> 'price')::numeric as seen,
        coalesce((i.value ->> 'is_chosen')::boolean, true) as is_chosen, i.place
      from jsonb_array_elements(p_items) with ordinality as i (value, place)
    ), lines as (
      select i.*, p.title, p.price, p.stock, p.images[1] as image, p.is_queue_goods,
        case
          when p.id is null then 'unavailable'
          when p.stock = 0 then 'sold_out'
          when p.stock < i.quantity then 'too_few'
        end as problem
      from items as i left join app.products_on_sale(null, null) as p on p.id = i.product_id
    )
    select jsonb_build_object(
      'lines', jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'quantity', l.quantity, 'title', l.title, 'image', l.image, 'price', l.price::text,
        'stock', l.stock,
        'is_queue_goods', l.is_queue_goods, 'problem', l.problem, 'is_price_changed', coalesce(l.seen <> l.price, false)
      ) order by l.place),
      'total_price', coalesce(sum(l.price * l.quantity) filter (where l.is_chosen and l.problem is null), 0.00)::text
    )
    from lines as l
  );
end
$$;

comment on function api.check_cart is
  'Returns each item of a cart with the product as it is now, the problem that prevents ordering it, and whether its '
  'price has changed. total_price is that of the chosen items without a problem, without freight. Serves POST '
  '/api/cart.';

grant execute on function api.check_cart(jsonb) to anon, authenticated, store_admin;

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: a received order stays as it is.
create or replace function api.confirm_receipt(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.confirm_receipt(p_order_id, null);
  return app.order_json(v_order);
end
$$;

comment on function api.confirm_receipt is
  'Confirms that the caller has received an order and returns it (app.confirm_receipt; R2, R3). Serves PUT '
  '/api/order/{id}/receive.';

grant execute on function api.confirm_receipt(bigint) to authenticated, store_admin;
