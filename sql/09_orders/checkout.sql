-- Checkout: prices, stock and points of an order that is placed.

create or replace function app.decide_points(
  p_lines app.order_lines[], p_use_points numeric, p_available numeric, p_rate numeric, p_max_share numeric
)
returns app.order_lines[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_whole numeric := (select coalesce(sum(l.paid), 0) from unnest(p_lines) as l where not l.is_queue_goods);
  v_money numeric := least(
    app.money_of_points(greatest(least(coalesce(p_use_points, 0), p_available), 0), p_rate),
    app.round_down(p_max_share * v_whole, app.money_decimals())
  );
  v_price numeric := 0.0;
  v_distributed numeric := 0.0;
  v_line app.order_lines;
  v_lines app.order_lines[] := array[]::app.order_lines[];
begin
  if v_money = 0 then
    return p_lines;
  end if;
  foreach v_line in array p_lines loop
    if not v_line.is_queue_goods then
      v_price := v_price + v_line.paid;
      v_line.paid_by_points := app.money_share(v_money, v_price, v_whole) - v_distributed;
      v_line.points := v_line.paid_by_points * p_rate;
      v_line.paid := v_line.paid - v_line.paid_by_points;
      v_distributed := v_distributed + v_line.paid_by_points;
    end if;
    v_lines := v_lines || v_line;
  end loop;
  return v_lines;
end
$$;

comment on function app.decide_points is
  'Decides what points pay for priced lines, and returns the lines with it. p_use_points is the most points to use, '
  'p_rate the points for 1.00, p_max_share the greatest share of the price. Points never pay queue goods. The other '
  'lines share the money in proportion to their prices, and none pays more than its price.';

create or replace function app.points_offer_json(p_uid bigint, p_lines app.order_lines[])
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'available', trim_scale(o.available_points), 'usable', trim_scale(o.points), 'pays', o.money::text,
    'reason', case
      when o.points > 0 then null
      when o.points_max_share = 0 then 'off'
      when o.has_only_queue_goods then 'only_queue_goods'
      when app.money_of_points(greatest(o.available_points, 0), o.points_rate) = 0 then 'no_points'
      else 'price_too_low'
    end
  )
  from (
    select
      b.available_points, s.points_rate, s.points_max_share, sum(l.points) as points, sum(l.paid_by_points) as money,
      bool_and(l.is_queue_goods) as has_only_queue_goods
    from app.user_balances as b
    cross join app.settings as s
    cross join lateral unnest(
      app.decide_points(p_lines, b.available_points, b.available_points, s.points_rate, s.points_max_share)
    ) as l
    where b.uid = p_uid
    group by b.uid, s.id
  ) as o
$$;

comment on function app.points_offer_json is
  'Returns how many points a member could use at most for priced lines and what they would pay, or the reason for '
  'none: off (the store accepts no points), only_queue_goods, no_points, or price_too_low.';

create or replace function app.require_items(p_items jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_items is null or jsonb_typeof(p_items) <> 'array' or jsonb_array_length(p_items) not between 1 and 50 then
    perform app.fail('invalid_argument', 'An order has between 1 and 50 items.');
  elsif exists (
    select from jsonb_array_elements(p_items) as i (value)
    where jsonb_typeof(i.value) <> 'object'
      or coalesce(i.value ->> 'product_id', '') !~ '^[0-9]{1,18}$'
      or coalesce(i.value ->> 'quantity', '') !~ '^[1-9][0-9]{0,3}$'
      or coalesce(i.value ->> 'discount', '0') !~ '^[0-9]{1,9}([.][0-9]{1,2})?$'
  ) then
    perform app.fail('invalid_argument', 'Every item needs a product_id and a quantity between 1 and 9999.');
  end if;
end
$$;

comment on function app.require_items is
  'Raises invalid_argument unless a value is a list of 1 to 50 items: [{"product_id", "quantity", "discount"}].';

grant execute on function app.require_items(jsonb) to anon, authenticated, store_admin;

-- Locks: with p_locks, the products with a limited stock, by id, so that what is read stays true until the stock is
-- taken.
create or replace function app.price_items(p_items jsonb, p_locks boolean default false)
returns app.order_lines[]
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_item jsonb;
  v_product app.products;
  v_line app.order_lines;
  v_lines app.order_lines[] := array[]::app.order_lines[];
  v_limited bigint[] := array[]::bigint[];
begin
  perform app.require_items(p_items);
  for v_item in select i.value from jsonb_array_elements(p_items) with ordinality as i order by i.ordinality loop
    select p.* into v_product from app.products as p
    where p.id = (v_item ->> 'product_id')::bigint and p.is_show and not p.is_del;
    if not found then
      perform app.fail('product_unavailable', format('Product %s is not on sale.', v_item ->> 'product_id'));
    end if;
    v_line.product_id := v_product.id;
    v_line.title := v_product.title;
    v_line.price := v_product.price;
    v_line.quantity := (v_item ->> 'quantity')::integer;
    v_line.discount := coalesce((v_item ->> 'discount')::numeric, 0);
    v_line.paid_by_points := 0;
    v_line.points := 0;
    v_line.paid := v_line.price * v_line.quantity - v_line.discount;
    v_line.is_queue_goods := v_product.is_queue_goods;
    if v_line.paid < 0 then
      perform app.fail('invalid_argument', 'A discount is larger than the price.');
    end if;
    v_line.stock_taken := case when v_product.stock is null then 0 else v_line.quantity end;
    v_lines := v_lines || v_line;
    if v_product.stock is not null then
      v_limited := v_limited || v_product.id;
      -- Two items may be of the same product.
      if (select sum(l.stock_taken) from unnest(v_lines) as l where l.product_id = v_product.id) > v_product.stock then
        perform app.fail('out_of_stock', format('Product %s has only %s units left.', v_product.id, v_product.stock));
      end if;
    end if;
  end loop;
  if p_locks and v_limited <> '{}' then
    perform from app.products as p where p.id = any (v_limited) order by p.id for no key update;
    -- Price and stock may have changed before the products were locked.
    return app.price_items(p_items);
  end if;
  return v_lines;
end
$$;

comment on function app.price_items is
  'Returns the items of a new order as priced lines, in the same sequence. Raises out_of_stock for more than is in '
  'stock.';

-- Precondition: with p_locks, the caller has locked the products of the lines.
-- Locks: with p_locks, the balances of the buyer, so that nobody else spends the same points.
create or replace function app.use_points(
  p_uid bigint, p_lines app.order_lines[], p_use_points numeric, p_locks boolean
)
returns app.order_lines[]
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_use_points not between 0 and 99999999999999 then
    perform app.fail('invalid_argument', 'The number of points to use must be 0 or more.', '/use_points');
  elsif p_locks then
    perform app.lock_balances(array[p_uid]);
  end if;
  return (
    select app.decide_points(p_lines, p_use_points, b.available_points, s.points_rate, s.points_max_share)
    from app.user_balances as b cross join app.settings as s
    where b.uid = p_uid
  );
end
$$;

comment on function app.use_points is
  'Returns the lines of an order with what the buyer''s available points pay for them, at most p_use_points.';

create or replace function app.checkout_entry(p_order app.orders, p_points numeric)
returns app.bill_entry
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select app.new_entry(
    p_order.uid, case when p_points < 0 then 'points_spent' else 'points_returned' end, 'checkout',
    p_available => p_points, p_order_id => p_order.id,
    p_basis => case when p_points < 0 then p_order.paid_by_points end,
    p_rate => case when p_points < 0 then p_order.points_spent / p_order.paid_by_points end
  )
$$;

comment on function app.checkout_entry is
  'Returns the bill entry for points that an order takes (negative) or returns. If it takes them, basis is the money '
  'that they pay and rate the points for 1.00.';

-- Locks: the buyer (for key share), the products with a limited stock, by id; with p_use_points, the balances of the
-- buyer.
-- Not idempotent: each call creates an order. An unpaid order has no effect other than the stock and the points that it
-- takes. An order that costs nothing cannot be paid by its buyer, so it is paid here. Its base is below any minimum: it
-- pays nobody and counts for nothing.
create or replace function app.create_order(
  p_uid bigint, p_items jsonb, p_now timestamptz, p_address jsonb default null, p_remark text default '',
  p_expected_price numeric default null,
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
  -- The referrer stays that of the order until it is committed: app.set_spread waits for this lock, and no settlement
  -- does.
  select u.* into v_buyer from app.users as u where u.uid = p_uid for key share;
  if not found then
    perform app.fail('user_not_found');
  end if;
  if p_address is not null then
    perform app.require_address(p_address);
  end if;
  if not app.is_text(p_remark) then
    perform app.reject_text('/remark');
  elsif char_length(p_remark) > 500 then
    perform app.fail('invalid_argument', 'A remark has at most 500 characters.', '/remark');
  end if;
  perform app.refuse_words(p_remark, '/remark');
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
    order_no, uid, referrer_uid, total_price, discount, freight, paid_by_points, points_spent, points_left, pay_price,
    has_queue_goods, queue_base,
    queue_units, address, remark, add_time
  )
  values (
    app.dated_number(v_now, nextval('app.order_no_seq')),
    p_uid, v_buyer.spread_uid, v_order.total_price, v_order.discount, v_order.freight, v_order.paid_by_points,
    v_order.points_spent,
    v_order.points_spent, v_order.pay_price, v_order.has_queue_goods, v_order.queue_base, v_order.queue_units,
    p_address,
    coalesce(p_remark, ''), v_now
  )
  returning * into v_order;

  insert into app.order_lines (
    order_id, product_id, title, price, quantity, discount, paid_by_points, points, paid, is_queue_goods, stock_taken
  )
  select
    v_order.id, l.product_id, l.title, l.price, l.quantity, l.discount, l.paid_by_points, l.points, l.paid,
      l.is_queue_goods, l.stock_taken
  from unnest(v_lines) with ordinality as l order by l.ordinality;
  if exists (select from unnest(v_lines) as l where l.stock_taken > 0) then
    update app.products as p set stock = p.stock - t.units
    from (
      select l.product_id, sum(l.stock_taken) as units from unnest(v_lines) as l where l.stock_taken > 0
      group by l.product_id
    ) as t
    where p.id = t.product_id;
  end if;
  if v_order.points_spent > 0 then
    perform app.book_entries(array[app.checkout_entry(v_order, -v_order.points_spent)], '{}', '{}', v_now);
  end if;
  return case
    when v_order.pay_price = 0 then app.pay_locked_order(v_order, 'free', v_order.order_no, v_now)
    else v_order
  end;
end
$$;

comment on function app.create_order is
  'Creates an unpaid order, or a paid one if it costs nothing (docs/decisions/0178), and returns it. Prices, the '
  'queue-goods flag (R1), the referrer and the address are copied onto it. p_items: [{"product_id": 1, "quantity": 2, '
  '"discount": "10.00"}]; a discount must never come from a client. Raises price_changed unless it costs '
  'p_expected_price. p_use_points is the most points to use.';

-- Precondition: the transaction holds no other lock.
-- Locks: an advisory lock for the buyer, so that concurrent orders cannot exceed the limit.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.limit_unpaid_orders(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := (select s.max_unpaid_orders from app.settings as s);
begin
  perform pg_advisory_xact_lock(hashtextextended(p_uid::text, app.lock_number('unpaid_orders')));
  perform app.reject_leaving(p_uid);
  -- A separate statement, so that it sees the orders that were committed while the lock was awaited.
  if (select count(*) from app.orders as o where o.uid = p_uid and o.state = 'unpaid') >= v_most then
    perform app.fail(
      'too_many_unpaid_orders', format('A member has at most %s unpaid orders; pay or cancel one first.', v_most)
    );
  end if;
end
$$;

comment on function app.limit_unpaid_orders is
  'Raises too_many_unpaid_orders if a member has as many unpaid orders as app.settings allows, and account_leaving if '
  'their account waits for its deletion.';

create or replace function app.unpaid_units(p_uid bigint, p_product_id bigint default null)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(sum(l.stock_taken), 0)
  from app.orders as o join app.order_lines as l on l.order_id = o.id
  where o.uid = p_uid and o.state = 'unpaid' and (p_product_id is null or l.product_id = p_product_id)
$$;

comment on function app.unpaid_units is
  'Returns how many units of limited stock the unpaid orders of a member hold, of one product or of all.';

-- A share is compared with what nobody has paid for: the stock that is left, and what the member holds of it.
-- Precondition: the transaction has called app.limit_unpaid_orders, whose lock keeps other orders of the member out.
-- Locks: the products with a limited stock, by id.
create or replace function app.limit_unpaid_units(p_uid bigint, p_items jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_settings app.settings;
  v_product record;
  v_units bigint := 0;
begin
  perform app.require_items(p_items);
  perform from app.products as p
  where p.stock is not null
    and p.id in (select (i.value ->> 'product_id')::bigint from jsonb_array_elements(p_items) as i (value))
  order by p.id for no key update;
  select s.* into v_settings from app.settings as s;
  for v_product in
    select p.id, p.stock, sum((i.value ->> 'quantity')::bigint)::bigint as asked, h.units as held,
      greatest(floor(v_settings.max_unpaid_share * (p.stock + h.units)), 1) as most
    from jsonb_array_elements(p_items) as i (value)
    join app.products as p on p.id = (i.value ->> 'product_id')::bigint
    cross join lateral (select app.unpaid_units(p_uid, p.id) as units) as h
    where p.stock is not null
    group by p.id, h.units
    -- Of more than there is, app.price_items says how much is left.
    order by sum((i.value ->> 'quantity')::bigint) > p.stock desc, p.id
  loop
    if v_product.asked > v_product.stock then
      return;
    elsif v_product.held + v_product.asked > v_product.most then
      perform app.fail('too_many_unpaid_units', format(
        'A member can have at most %s unpaid units of product %s now. Order fewer, or pay or cancel an unpaid order first.',
        v_product.most, v_product.id
      ));
    end if;
    v_units := v_units + v_product.asked;
  end loop;
  if v_units > 0 and v_units + app.unpaid_units(p_uid) > v_settings.max_unpaid_units then
    perform app.fail('too_many_unpaid_units', format(
      'A member can have at most %s unpaid units of goods with a limited stock. Order fewer, or pay or cancel an unpaid order first.',
      v_settings.max_unpaid_units
    ));
  end if;
end
$$;

comment on function app.limit_unpaid_units is
  'Raises too_many_unpaid_units if a member would hold more limited stock without paying than app.settings allows: '
  'units altogether, or a share of a product, but at least one unit.';

create or replace function app.reject_discounts(p_items jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_path_exists(p_items, '$[*].discount') then
    perform app.fail('invalid_argument', 'An item has a product_id and a quantity, nothing else.');
  end if;
end
$$;

comment on function app.reject_discounts is 'Raises invalid_argument for items of a client that name a discount.';

-- Precondition: the caller has locked the order, but no balances.
-- Locks: the products with a limited stock, by id.
create or replace function app.return_stock(p_order_id bigint, p_items app.refund_item[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.products as p
  where p.stock is not null
    and p.id in (select l.product_id from app.order_lines as l where l.order_id = p_order_id and l.stock_taken > 0)
  order by p.id for no key update;
  with returned as (
    update app.order_lines as l set stock_taken = l.stock_taken - i.quantity
    from unnest(p_items) as i
    where l.id = i.line_id and l.order_id = p_order_id and l.stock_taken > 0 and i.quantity > 0
    returning l.product_id, i.quantity
  )
  update app.products as p set stock = p.stock + r.units
  from (select r.product_id, sum(r.quantity) as units from returned as r group by r.product_id) as r
  -- The limit may have been lifted since.
  where p.id = r.product_id and p.stock is not null;
end
$$;

comment on function app.return_stock is
  'Adds units of an order that was not shipped back to the stock of their products.';
