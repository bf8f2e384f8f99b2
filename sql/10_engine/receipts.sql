-- The receipt of an order: by its buyer, or by the store some days after the shipment. With timing confirm, it settles
-- the order (R2, R3).

create or replace function app.is_to_be_received(p_order app.orders, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_order.state = 'delivered' and p_order.refund_status not in (1, 2)
    and greatest(p_order.delivered_at, s.lifecycle_from) <= p_now - make_interval(days => s.receipt_days)
  from app.settings as s
$$;

comment on function app.is_to_be_received is
  'Returns whether the receipt of an order is to be confirmed automatically. It was shipped receipt_days ago, counted '
  'from lifecycle_from at the earliest, and has no open refund request and no complete refund.';

-- With the first two conditions, an index limits the orders that are read.
create or replace function app.orders_to_receive(p_now timestamptz)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select o.id
    from app.orders as o
    where o.state = 'delivered'
      and o.delivered_at <= p_now - (select make_interval(days => s.receipt_days) from app.settings as s)
      and app.is_to_be_received(o, p_now)
    order by o.delivered_at, o.id
  )
$$;

comment on function app.orders_to_receive is
  'Returns the orders that app.is_to_be_received selects, in the sequence of shipment.';

-- Locks: structure (shared), the order; if it settles, balances by uid.
-- Idempotent: a received order is returned unchanged.
create or replace function app.confirm_receipt(p_order_id bigint, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_now timestamptz;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  v_now := app.effect_time(p_now);
  if v_order.state = 'received' then
    return v_order;
  elsif v_order.state not in ('paid', 'delivered') or v_order.refund_status = 2 then
    perform app.fail('order_state_conflict', 'Only the receipt of a paid order that is not refunded can be confirmed.');
  end if;
  update app.orders set state = 'received', received_at = v_now where id = p_order_id returning * into v_order;
  perform app.write_event('order.received', v_order.id, v_order.uid, '{}', v_now);
  if v_order.has_queue_goods and exists (
    select from app.commission_plans as p where p.version = v_order.plan_version and p.brokerage_timing = 'confirm'
  ) then
    perform app.settle_order(p_order_id, p_now);
  end if;
  -- An order that is settled later gets its maturity then.
  update app.commission_maturities as m set matures_at = app.matures_at(
    v_order.received_at, s.settled_at, p.holding_days
  )
  from app.settlements as s, app.commission_plans as p
  where m.order_id = p_order_id and m.matures_at is null and s.order_id = p_order_id
    and p.version = v_order.plan_version;
  return v_order;
end
$$;

comment on function app.confirm_receipt is
  'Confirms the receipt of a paid order, shipped or not, and returns it. With timing confirm, settles it in the same '
  'transaction (R2, R3). Its commission matures holding_days later.';

-- Locks: structure (shared), the order; if it settles, balances by uid.
-- Idempotent: an order is received once. A second call returns false.
create or replace function app.receive_if_due(p_order_id bigint, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lock_structure_shared();
  if not app.is_to_be_received(app.lock_order(p_order_id), app.effect_time(p_now)) then
    return false;
  end if;
  perform app.confirm_receipt(p_order_id, p_now);
  return true;
end
$$;

comment on function app.receive_if_due is
  'Confirms the receipt of an order (app.confirm_receipt) if it is due under its lock (app.is_to_be_received), and '
  'returns whether it did.';

-- One transaction for each order, because a settlement locks the members above it.
-- Idempotent, also when it runs concurrently: see app.receive_if_due.
create or replace procedure app.receive_delivered_orders(p_now timestamptz default null)
language plpgsql
as $$
declare
  v_run record := app.begin_run('receive_delivered_orders', 1);
  v_order_id bigint;
begin
  commit;
  foreach v_order_id in array app.orders_to_receive(app.trusted_time(p_now)) loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      perform app.receive_if_due(v_order_id, p_now);
    exception when others then
      raise warning 'order % was not received: %', v_order_id, sqlerrm;
    end;
    perform app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.receive_delivered_orders is
  'Confirms the receipt of all orders that are due (app.is_to_be_received), each in its own transaction. An order that '
  'is locked or fails is left for the next run.';
