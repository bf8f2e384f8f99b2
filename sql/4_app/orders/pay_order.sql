-- Locks: the order.
-- Raises: order_not_found, order_state_conflict, order_already_paid, payment_reference_used, invalid_argument.
-- Idempotent: a repeated call with the same payment reference returns the order unchanged.
create or replace function app.pay_order(p_order_id bigint, p_pay_type text, p_pay_ref text, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_plan app.commission_plans;
  v_now timestamptz;
begin
  if coalesce(p_pay_type, '') !~ '^[a-z][a-z0-9_]{0,31}$' or coalesce(char_length(p_pay_ref), 0) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment needs a type and a reference of 1 to 128 characters.');
  end if;
  v_order := app.lock_order(p_order_id);
  v_now := app.effect_time(p_now);
  if v_order.paid_at is not null then
    if v_order.pay_type = p_pay_type and v_order.pay_ref = p_pay_ref then
      return v_order;
    end if;
    perform app.fail('order_already_paid', 'This order was already paid with another payment reference.');
  elsif v_order.state <> 'unpaid' then
    perform app.fail('order_state_conflict', format('This order is %s and cannot be paid.', v_order.state));
  end if;

  select p.* into v_plan from app.commission_plans as p order by p.version desc limit 1;
  begin
    update app.orders
    set state = 'paid', plan_version = v_plan.version,
        below_minimum = v_order.has_queue_goods and app.is_below_minimum(v_order.queue_base, v_plan.minimum_base),
        pay_type = p_pay_type, pay_ref = p_pay_ref, paid_at = v_now
    where id = p_order_id
    returning * into v_order;
  exception when unique_violation then
    perform app.fail('payment_reference_used', 'This payment reference already paid another order.');
  end;
  perform app.close_open_attempts(p_order_id, v_now);
  insert into app.settlement_jobs (order_id, run_after, created_at)
  select p_order_id, v_now, v_now
  where v_plan.brokerage_timing = 'on_pay' and v_order.has_queue_goods;
  return v_order;
end
$$;

comment on function app.pay_order is
  'Records the payment of an order and returns the order. With timing on_pay, it also writes the settlement job (R2). The plan '
  'in force now remains the plan of the order, whenever it is settled. Providers of other open payments are asked to close them.';
