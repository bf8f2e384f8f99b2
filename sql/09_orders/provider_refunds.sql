-- Refunds at a provider, payments that nobody claimed, and the shipping notice of WeChat.

create or replace function app.provider_refund_json(p_refund app.provider_refunds)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_refund.id, 'refund_no', p_refund.refund_no, 'order_id', p_refund.order_id, 'refund_id', p_refund.refund_id,
    'provider', p_refund.provider, 'payment_no', p_refund.payment_no, 'pay_ref', p_refund.pay_ref, 'amount',
    p_refund.amount::text,
    'state', p_refund.state, 'reason', p_refund.reason, 'created_at', app.utc(p_refund.created_at), 'decided_at',
    app.utc(p_refund.decided_at)
  )
$$;

comment on function app.provider_refund_json is 'Returns a refund at a provider as administrators see it.';

grant execute on function app.provider_refund_json(app.provider_refunds) to store_admin;

-- Locks: the order, the refund at the provider.
-- Idempotent: a decided refund stays as it is.
create or replace function app.record_refund_state(
  p_refund_no text, p_state text, p_provider_ref text, p_reason text, p_now timestamptz
)
returns app.provider_refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  if p_state is null or p_state not in ('accepted', 'succeeded', 'failed') then
    perform app.fail('invalid_argument', 'The state of a refund must be accepted, succeeded or failed.');
  end if;
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no;
  if not found then
    perform app.fail('refund_not_found');
  end if;
  perform app.lock_order(v_refund.order_id);
  update app.provider_refunds as r
  set state = case p_state when 'accepted' then r.state else p_state end,
    provider_ref = coalesce(p_provider_ref, r.provider_ref),
      reason = case p_state when 'failed' then coalesce(p_reason, 'refused') end,
      decided_at = case when p_state <> 'accepted' then app.effect_time(p_now) end
  where r.refund_no = p_refund_no and r.state = 'refunding';
  if p_state <> 'accepted' then
    perform app.finish_outbox('refund_payment', p_refund_no);
  end if;
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no;
  return v_refund;
end
$$;

comment on function app.record_refund_state is
  'Records the state of a refund at its provider: accepted (not decided yet), succeeded or failed. Returns the refund.';

-- Locks: the order, the refund at the provider.
-- Idempotent: a decided refund stays as it is.
create or replace function app.record_refund_notification(
  p_provider text, p_event_id text, p_payment_no text, p_pay_ref text, p_amount numeric, p_refund_no text, p_state text,
  p_provider_ref text,
  p_reason text, p_now timestamptz, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no and r.provider = p_provider;
  if not found then
    outcome := 'ignored';
    reason := 'refund_unknown';
  elsif v_refund.payment_no is distinct from p_payment_no then
    outcome := 'refused';
    reason := 'payment_differs';
  elsif v_refund.amount is distinct from p_amount then
    outcome := 'refused';
    reason := 'amount_differs';
  else
    perform app.record_refund_state(p_refund_no, p_state, p_provider_ref, p_reason, p_now);
    outcome := 'refund';
    reason := coalesce(p_reason, p_state);
  end if;
  perform app.record_notification(
    p_provider, p_event_id, v_refund.order_id, p_payment_no, p_pay_ref, p_amount, null, outcome, reason, p_now
  );
end
$$;

comment on function app.record_refund_notification is
  'Processes a verified notification of a refund and records the outcome. refund has the given reason or the state as '
  'its reason. ignored: the store did not request it. refused: payment or amount differ. p_payment_no is the number '
  'under which the provider knows the payment.';

-- Precondition: the caller has locked the order, and the payment was not refunded before.
-- Not idempotent: each call is one more attempt, with a number of its own. A unique index allows one that has not
-- failed.
create or replace function app.start_provider_refund(
  p_order_id bigint, p_refund_id bigint, p_provider text, p_payment_no text, p_pay_ref text, p_amount numeric,
  p_total numeric, p_now timestamptz
)
returns app.provider_refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  -- Row order: one row.
  insert into app.provider_refunds (
    refund_no, order_id, refund_id, provider, payment_no, pay_ref, amount, total, created_at
  )
  select p_payment_no || '-r' || count(*) + 1, p_order_id, p_refund_id, p_provider, p_payment_no, p_pay_ref, p_amount,
    p_total, p_now
  from app.provider_refunds as r where r.payment_no = p_payment_no
  returning * into v_refund;
  perform app.add_to_outbox(
    'refund_payment', v_refund.refund_no,
    jsonb_build_object(
      'order_id', p_order_id, 'provider', p_provider, 'attempt_no', p_payment_no, 'refund_no', v_refund.refund_no,
      'amount_minor', (p_amount * 100)::bigint, 'total_minor', (p_total * 100)::bigint
    ),
    p_now, p_now
  );
  return v_refund;
end
$$;

comment on function app.start_provider_refund is
  'Creates a refund of a payment at its provider, adds the call to the outbox, and returns the refund.';

-- Precondition: the caller has locked the order. A payment attempt that is paid never changes and needs no lock.
-- Not idempotent: see app.start_provider_refund.
create or replace function app.refund_at_provider(p_refund app.refunds, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.start_provider_refund(
    o.id, p_refund.id, a.provider, a.attempt_no, a.pay_ref, p_refund.amount, a.amount, p_now
  )
  from app.orders as o
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  where o.id = p_refund.order_id and p_refund.amount > 0;
end
$$;

comment on function app.refund_at_provider is
  'Requests a refund of an order from the provider of its payment. Does nothing if the order was paid otherwise: an '
  'administrator pays it back outside the store.';

create or replace function app.payment_refund_state(p_provider text, p_pay_ref text)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select r.state from app.provider_refunds as r
  where r.provider = p_provider and r.pay_ref = p_pay_ref and r.refund_id is null order by r.id desc limit 1
$$;

comment on function app.payment_refund_state is
  'Returns the state of the latest refund of an unclaimed payment at its provider; null if none was requested.';

grant execute on function app.payment_refund_state(text, text) to store_admin;

create or replace function app.unclaimed_payments_json(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'notification_id', n.id, 'provider', n.provider, 'payment_no', n.order_no, 'pay_ref', n.pay_ref, 'amount',
    n.amount::text,
    'reason', n.reason, 'add_time', app.utc(n.add_time), 'refund_state', app.payment_refund_state(n.provider, n.pay_ref)
  ) order by n.id desc), '[]')
  from (
    select distinct on (p.provider, p.pay_ref) p.*
    from app.payment_notifications as p where p.order_id = p_order_id and p.outcome = 'attention'
    order by p.provider, p.pay_ref, p.id
  ) as n
$$;

comment on function app.unclaimed_payments_json is
  'Returns the payments that could not be applied to an order, each once, with the state of their refund.';

grant execute on function app.unclaimed_payments_json(bigint) to store_admin;

-- Idempotent: the row of an order is written once.
create or replace function app.ask_to_upload_shipping(p_order app.orders, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.add_to_outbox(
    'upload_shipping', p_order.id::text, jsonb_build_object('order_id', p_order.id), p_now, p_now
  )
  from app.payment_attempts as a
  where a.order_id = p_order.id and a.provider = 'wechat' and a.method = 'jsapi' and a.provider = p_order.pay_type
    and a.pay_ref = p_order.pay_ref;
end
$$;

comment on function app.ask_to_upload_shipping is
  'Adds a call to the outbox that reports the shipment of an order to WeChat, if it was paid inside WeChat. WeChat '
  'withholds the money until then.';
