-- Orders until they are shipped: found, shown, paid and cancelled.

-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.dated_number(p_at timestamptz, p_serial bigint)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select to_char(p_at at time zone s.time_zone, 'YYYYMMDDHH24MISS') || lpad(p_serial::text, 8, '0')
    from app.settings as s
  );
end
$$;

comment on function app.dated_number is
  'Returns an order or withdrawal number: date and time in the time zone of the store, then eight digits of a '
  'sequence.';

-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_order(p_order_id bigint)
returns app.orders
language plpgsql
volatile
as $$
declare
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id for update;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return v_order;
end
$$;

comment on function app.lock_order is 'Locks an order and returns it.';

-- Locks: the order, the products with a limited stock; if points paid for it, the balances of the buyer.
-- Idempotent: a cancelled order is returned unchanged.
create or replace function app.cancel_order(p_order_id bigint, p_now timestamptz, p_is_expired boolean default false)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_points numeric := v_order.points_left;
  v_now timestamptz;
begin
  if v_order.state = 'unpaid' then
    perform app.return_stock(
      p_order_id,
      array(
        select (l.id, l.quantity, 0)::app.refund_item from app.order_lines as l where l.order_id = p_order_id
        order by l.id
      )
    );
    if v_points > 0 then
      perform app.lock_balances(array[v_order.uid]);
    end if;
    v_now := app.effect_time(p_now);
    update app.orders set state = 'cancelled', cancelled_at = v_now, is_expired = coalesce(p_is_expired, false),
      points_left = 0
    where id = p_order_id returning * into v_order;
    perform app.close_open_attempts(p_order_id, v_now);
    if v_points > 0 then
      perform app.book_entries(array[app.checkout_entry(v_order, v_points)], '{}', '{}', v_now);
    end if;
    perform app.write_event(
      case when v_order.is_expired then 'order.expired' else 'order.cancelled' end, v_order.id, v_order.uid, '{}', v_now
    );
  elsif v_order.state <> 'cancelled' then
    perform app.fail('order_state_conflict', 'Only an unpaid order can be cancelled; ask for a refund instead.');
  end if;
  return v_order;
end
$$;

comment on function app.cancel_order is
  'Cancels an unpaid order and returns it. Gives back its stock and points, and asks providers to close its open '
  'payments.';

-- Security invoker: reads with the rights of the caller.
-- Texts are compared as a range, from the search text to the same text followed by the last character of Unicode,
-- because LIKE cannot use an index when the pattern is unknown at planning time.
create or replace function app.find_orders(p_search text)
returns table (order_id bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select o.id from app.orders as o
  where o.id = app.search_number(p_search)
  union
  select o.id from app.orders as o
  where char_length(p_search) >= 4 and reverse(o.order_no) ~>=~ reverse(p_search)
    and reverse(o.order_no) ~<=~ (reverse(p_search) || U&'\+10FFFF')
  union
  select l.order_id from app.parcels as l where l.tracking_no in (p_search, upper(p_search))
  union
  select o.id from app.users as u join app.orders as o on o.uid = u.uid
  where app.may_search_names() and lower(u.nickname) ~>=~ lower(p_search)
    and lower(u.nickname) ~<=~ (lower(p_search) || U&'\+10FFFF')
$$;

comment on function app.find_orders is
  'Returns the orders that match a search text: id, the last four or more characters of the order number, a tracking '
  'number, or the beginning of the buyer''s nickname, ignoring case (app.may_search_names).';

grant execute on function app.find_orders(text) to store_admin;

-- Returns a set and has no set clause, so that the planner can inline it: a scalar function with a subquery never is.
create or replace function app.has_reported_order(p_uid bigint, p_paid_by timestamptz)
returns setof boolean
language sql
stable
rows 1
as $$
  select exists (
    select from app.orders as o
    where o.uid = p_uid and o.paid_at <= p_paid_by
      and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
  )
$$;

comment on function app.has_reported_order is
  'Returns, in one row, whether a member has a reported order of their own that was paid no later than p_paid_by (R4).';

-- Digits and letters only, because they need no encoding in an address.
create or replace function app.tracking_url(p_url text, p_tracking_no text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when p_tracking_no ~ '^[A-Za-z0-9-]+$' then replace(p_url, '{number}', p_tracking_no) end
$$;

comment on function app.tracking_url is
  'Returns the page of a carrier about a parcel; null if the carrier has none, or the number has other characters than '
  'letters, digits and hyphens.';

grant execute on function app.tracking_url(text, text) to authenticated, store_admin;

create or replace function app.parcel_json(p_parcel app.parcels)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_parcel.id, 'carrier', p_parcel.carrier, 'carrier_code', p_parcel.carrier_code, 'carrier_name', c.name,
    'carrier_name_zh', c.name_zh,
    'tracking_no', p_parcel.tracking_no, 'tracking_url', app.tracking_url(c.tracking_url, p_parcel.tracking_no),
    'shipped_at', app.utc(p_parcel.shipped_at)
  )
  from (select) as one
  left join app.carriers as c on c.code = p_parcel.carrier_code
$$;

comment on function app.parcel_json is
  'Returns a parcel as the API shows it, with the name of its carrier as recorded and as in the list now.';

grant execute on function app.parcel_json(app.parcels) to authenticated, store_admin;

create or replace function app.refund_window_end(p_received_at timestamptz)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_received_at + s.refund_window_days * interval '1 day' from app.settings as s
$$;

comment on function app.refund_window_end is
  'Returns from when on the buyer of an order received then can no longer request a refund; null if it was not '
  'received.';

grant execute on function app.refund_window_end(timestamptz) to authenticated, store_admin;

-- Security invoker: reads with the rights of the caller.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.order_json(p_order app.orders)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- A query plan that was cached while the table was empty would later scan all lines for every order.
set enable_seqscan = off
as $$
begin
  return (
    select jsonb_build_object(
      'id', p_order.id, 'order_no', p_order.order_no, 'uid', p_order.uid, 'referrer_uid', p_order.referrer_uid,
      'state', p_order.state, 'shown_state', app.shown_state(p_order.state, p_order.refund_status), 'total_price',
      p_order.total_price::text, 'discount', p_order.discount::text,
      'freight', p_order.freight::text, 'paid_by_points', p_order.paid_by_points::text, 'points_spent',
      trim_scale(p_order.points_spent),
      'points_left', trim_scale(p_order.points_left), 'pay_price', p_order.pay_price::text, 'queue_base',
      p_order.queue_base::text,
      'queue_units', p_order.queue_units, 'refund_status', p_order.refund_status, 'paid_at', app.utc(p_order.paid_at),
      'delivered_at', app.utc(p_order.delivered_at), 'received_at', app.utc(p_order.received_at),
      'refund_request_until', app.utc(app.refund_window_end(p_order.received_at)), 'cancelled_at',
      app.utc(p_order.cancelled_at), 'is_expired', p_order.is_expired, 'add_time', app.utc(p_order.add_time),
      'expires_at', case when p_order.state = 'unpaid' then app.utc(app.order_expires_at(p_order)) end,
      'is_imported', p_order.is_imported, 'address', p_order.address, 'remark', p_order.remark,
      'carrier', p.list #> '{0,carrier}', 'tracking_no', p.list #> '{0,tracking_no}', 'parcels', p.list,
      'units_to_ship', case when app.is_to_ship(p_order.state, p_order.refund_status) then n.units_left else 0 end,
      'lines', n.list
    )
    from (
      select coalesce(jsonb_agg(app.parcel_json(l) order by l.id), '[]') as list from app.parcels as l
      where l.order_id = p_order.id
    ) as p
    cross join (
      select
        sum(l.quantity - l.refunded_quantity) as units_left,
        jsonb_agg(jsonb_build_object(
          'id', l.id, 'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity,
          'paid_by_points', l.paid_by_points::text, 'points', trim_scale(l.points), 'paid', l.paid::text,
          'is_queue_goods', l.is_queue_goods,
          'refunded_quantity', l.refunded_quantity, 'image', app.picture_of_product(l.product_id)
        ) order by l.id) as list
      from app.order_lines as l
      where l.order_id = p_order.id
    ) as n
  );
end
$$;

comment on function app.order_json is
  'Returns an order with its lines and parcels as the API shows it. carrier and tracking_no are those of the first '
  'parcel. units_to_ship is 0 unless the order waits for its shipment.';

grant execute on function app.order_json(app.orders) to authenticated, store_admin;

create or replace function app.order_of_lines(p_lines app.order_lines[])
returns app.orders
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  select
    sum(l.price * l.quantity), sum(l.discount), sum(p.freight * l.quantity), sum(l.paid_by_points), sum(l.points),
    sum(l.paid + p.freight * l.quantity),
    bool_or(l.is_queue_goods),
    coalesce(sum(l.paid) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity) filter (where l.is_queue_goods), 0)
  into
    v_order.total_price, v_order.discount, v_order.freight, v_order.paid_by_points, v_order.points_spent,
    v_order.pay_price, v_order.has_queue_goods, v_order.queue_base, v_order.queue_units
  from unnest(p_lines) as l join app.products as p on p.id = l.product_id;
  return v_order;
end
$$;

comment on function app.order_of_lines is
  'Returns an order with the sums of its priced lines, and all other columns null.';

-- Precondition: the caller has locked the order.
-- Idempotent: a repeated call with the same payment reference returns the order unchanged, and so does any for an order
-- that costs nothing.
create or replace function app.pay_locked_order(p_order app.orders, p_pay_type text, p_pay_ref text, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := p_order;
  v_now timestamptz := app.effect_time(p_now);
begin
  if coalesce(p_pay_type, '') !~ '^[a-z][a-z0-9_]{0,31}$'
    or coalesce(char_length(p_pay_ref), 0) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment needs a type and a reference of 1 to 128 characters.');
  end if;
  if v_order.paid_at is not null then
    if v_order.pay_type = 'free' or (v_order.pay_type = p_pay_type and v_order.pay_ref = p_pay_ref) then
      return v_order;
    end if;
    perform app.fail('order_already_paid', 'This order was already paid with another payment reference.');
  elsif v_order.state <> 'unpaid' then
    perform app.fail('order_state_conflict', format('This order is %s and cannot be paid.', v_order.state));
  end if;

  begin
    with plan as (
      select p.version, p.minimum_base, p.brokerage_timing from app.commission_plans as p order by p.version desc
      limit 1
    ),
    job as (
      insert into app.settlement_jobs (order_id, run_after, created_at)
      select v_order.id, v_now, v_now from plan as p where p.brokerage_timing = 'on_pay' and v_order.has_queue_goods
    )
    update app.orders as o
    set state = 'paid', plan_version = p.version,
      below_minimum = o.has_queue_goods and app.is_below_minimum(o.queue_base, p.minimum_base),
        pay_type = p_pay_type, pay_ref = p_pay_ref, paid_at = v_now
    from plan as p
    where o.id = v_order.id
    returning o.* into v_order;
  exception when unique_violation then
    perform app.fail('payment_reference_used', 'This payment reference already paid another order.');
  end;
  perform app.close_open_attempts(v_order.id, v_now);
  perform app.write_event(
    'order.paid', v_order.id, v_order.uid, jsonb_build_object('pay_price', v_order.pay_price::text), v_now
  );
  return v_order;
end
$$;

comment on function app.pay_locked_order is
  'Records the payment of an order and returns it. The plan in force now remains its plan; with timing on_pay, this '
  'writes the settlement job (R2). Providers of other open payments are asked to close them.';

-- Locks: the order.
-- Idempotent: see app.pay_locked_order.
create or replace function app.pay_order(p_order_id bigint, p_pay_type text, p_pay_ref text, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.pay_locked_order(app.lock_order(p_order_id), p_pay_type, p_pay_ref, p_now);
end
$$;

comment on function app.pay_order is
  'Locks an order, records its payment and returns it. For SQL only: the store uses app.take_payment or '
  'app.pay_order_offline.';

-- Precondition: the caller has locked the sum of the administrator (app.lock_decided_alone), then the order.
-- Idempotent: the reference defaults to one that is derived from the order id, so a repeated call is the same payment.
-- If the administrator who marked the payment marks it again, it is applied without a second one once their limit
-- allows it.
create or replace function app.pay_order_offline(p_order app.orders, p_pay_ref text, p_by uuid, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_waiting app.waiting_payments;
  v_pay_ref text;
begin
  if not app.is_line(p_pay_ref) then
    perform app.reject_text('/pay_ref');
  end if;
  select w.* into v_waiting from app.waiting_payments as w where w.order_id = p_order.id and w.refused_at is null;
  v_pay_ref := coalesce(p_pay_ref, v_waiting.pay_ref, 'order-' || p_order.id);
  if p_order.state = 'unpaid' and coalesce(v_waiting.marked_by = p_by, true)
    and not app.decide_alone('offline_payment', p_order.pay_price, 0, p_by, p_order.uid, p_now) then
    if char_length(v_pay_ref) not between 1 and 128 then
      perform app.fail('invalid_argument', 'A payment needs a type and a reference of 1 to 128 characters.');
    end if;
    insert into app.waiting_payments (order_id, pay_ref, marked_by, add_time) values (
      p_order.id, v_pay_ref, p_by, app.effect_time(p_now)
    )
    on conflict (order_id) do update
      set pay_ref = excluded.pay_ref, marked_by = excluded.marked_by, add_time = excluded.add_time, refused_by = null,
        refused_at = null, reason = null
      where waiting_payments.refused_at is not null;
    return p_order;
  elsif p_order.state = 'unpaid' and v_waiting.marked_by <> p_by then
    perform app.reject_key_as_second();
  end if;
  delete from app.waiting_payments as w where w.order_id = p_order.id;
  return app.pay_locked_order(p_order, 'offline', v_pay_ref, p_now);
end
$$;

comment on function app.pay_order_offline is
  'Records that an order was paid offline and returns it. Above the day''s limit of the administrator p_by, it stays '
  'unpaid until a second administrator marks it, too (app.waiting_payments).';

-- Locks: the order.
-- Idempotent: a payment that is refused stays refused, with the first reason.
create or replace function app.refuse_payment(p_order_id bigint, p_reason text, p_by uuid, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  if not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif not coalesce(app.is_visible(p_reason) and char_length(p_reason) <= 500, false) then
    perform app.fail('invalid_argument', 'Say in 1 to 500 characters why the payment is refused.', '/reason');
  end if;
  v_order := app.lock_order(p_order_id);
  if v_order.state <> 'unpaid' or not exists (select from app.waiting_payments as w where w.order_id = p_order_id) then
    perform app.fail('order_state_conflict', 'No payment of this order waits for a second administrator.');
  end if;
  update app.waiting_payments as w set refused_by = p_by, refused_at = app.effect_time(p_now), reason = p_reason
  where w.order_id = p_order_id and w.refused_at is null;
  return v_order;
end
$$;

comment on function app.refuse_payment is
  'Refuses an offline payment that waits for a second administrator, and returns the order, which stays unpaid. '
  'Whoever marked it can refuse it, too.';

-- Takes no lock, because the buyer of an order never changes.
create or replace function app.reject_own_order(p_order_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.reject_own_member((select o.uid from app.orders as o where o.id = p_order_id));
end
$$;

comment on function app.reject_own_order is
  'Raises own_account if the calling administrator is the buyer of the order.';

-- Takes no lock, because the buyer of an order never changes.
create or replace function app.require_own_order(p_order_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In a variable, because the planner may call a stable function in a condition for its estimates, and this one may
  -- raise.
  v_uid bigint := app.require_uid();
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
end
$$;

comment on function app.require_own_order is 'Raises order_not_found unless the caller is the buyer of the order.';
