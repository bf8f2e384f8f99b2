-- A provider accepts a second start of the same number only with the same values. An attempt with other values, or one that is about
-- to expire, must therefore be closed first.
-- Locks: the order, its open attempt.
-- Raises: order_not_found, order_already_paid, order_state_conflict, invalid_argument.
-- Idempotent while the attempt is open: the same method and payer return the same attempt.
create or replace function app.open_attempt(
  p_order_id bigint, p_provider text, p_method text, p_openid text, p_now timestamptz, out attempt app.payment_attempts, out must_close boolean
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.effect_time(p_now);
  v_number integer;
begin
  if v_order.paid_at is not null then
    perform app.fail('order_already_paid');
  elsif v_order.state <> 'unpaid' then
    perform app.fail('order_state_conflict', format('This order is %s and cannot be paid.', v_order.state));
  elsif v_order.pay_price = 0 then
    perform app.fail('order_state_conflict', 'This order is free of charge. Payment providers do not accept a payment of zero.');
  end if;
  select a.* into attempt from app.payment_attempts as a
  where a.order_id = p_order_id and a.provider = p_provider and a.state = 'open' for update;
  if found then
    must_close := attempt.method <> p_method or attempt.expires_at <= v_now + interval '1 minute'
      or (select p.openid from app.payment_payers as p where p.attempt_id = attempt.id) is distinct from p_openid;
    return;
  end if;
  select count(*) + 1 into v_number from app.payment_attempts as a where a.order_id = p_order_id;
  if v_number > 50 then
    perform app.fail('order_state_conflict', 'The payment of this order was started 50 times. Place a new order.');
  end if;
  must_close := false;
  insert into app.payment_attempts (order_id, attempt_no, provider, method, amount, expires_at, add_time)
  select p_order_id, v_order.order_no || '-' || v_number, p_provider, p_method, v_order.pay_price, v_now + make_interval(mins => s.payment_minutes), v_now
  from app.settings as s
  returning * into attempt;
  insert into app.payment_payers (attempt_id, openid) select attempt.id, p_openid where p_openid is not null;
  perform app.ask_to_close(attempt, attempt.expires_at, v_now);
end
$$;

comment on function app.open_attempt is
  'Opens an attempt to pay an order at a provider and returns it, or returns the open one. must_close says that the open one has '
  'other values and must be closed at the provider first. When the attempt expires, the provider is asked to close it.';
