-- What clients, providers and the worker may call about payments.

-- Not idempotent: two calls within two seconds claim one query.
create or replace function api.claim_payment_query(p_attempt_no text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.payment_attempts as a set queried_at = clock_timestamp()
  where a.attempt_no = p_attempt_no and a.state = 'open'
    and coalesce(a.queried_at, '-infinity') < clock_timestamp() - interval '2 seconds';
  return to_jsonb(found);
end
$$;

comment on function api.claim_payment_query is
  'Returns whether the provider may be queried for an open payment attempt now: at most once in two seconds. Serves '
  'GET /api/order/{id}/payment.';

grant execute on function api.claim_payment_query(text) to service_role;

-- Security definer: members have no privilege on payment attempts.
create or replace function api.get_payment(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_own_order(p_order_id);
  return (
    select jsonb_build_object('order_id', o.id, 'order_state', o.state, 'amount', o.pay_price::text, 'attempt', (
      select app.attempt_json(a) from app.payment_attempts as a where a.order_id = p_order_id order by a.id desc limit 1
    ))
    from app.orders as o where o.id = p_order_id
  );
end
$$;

comment on function api.get_payment is
  'Returns the state of one of the caller''s orders and its latest payment attempt. Serves GET '
  '/api/order/{id}/payment.';

grant execute on function api.get_payment(bigint) to authenticated, store_admin;

create or replace function api.get_payment_notifications(
  p_outcome text default null, p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  return (
    with matching as not materialized (
      select n.* from app.payment_notifications as n where p_outcome is null or n.outcome = p_outcome
    )
    select app.log_json(
      jsonb_agg(jsonb_build_object(
        'id', l.id, 'provider', l.provider, 'event_id', l.event_id, 'order_id', l.order_id, 'order_no', l.order_no,
        'pay_ref', l.pay_ref,
        'amount', l.amount::text, 'currency', l.currency, 'outcome', l.outcome, 'reason', l.reason, 'add_time',
        app.utc(l.add_time),
        'refund_state', case when l.outcome = 'attention' then app.payment_refund_state(l.provider, l.pay_ref) end
      ) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), p_limit
    )
    from (
      select m.* from matching as m where (m.add_time, m.id) < (v_position.add_time, v_position.id)
      order by m.add_time desc, m.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_payment_notifications is
  'Returns one page of the payment notifications, newest first. Serves GET /adminapi/payment/notification.';

grant execute on function api.get_payment_notifications(text, integer, integer, text) to store_admin;

-- Security definer: client roles have no write privilege on payment attempts. Only the service may call it, because it
-- knows which providers are configured: an attempt at a provider that nobody can ask would never end.
-- Precondition: the edge function has checked that the caller is the buyer.
-- Locks: the order, its open attempt.
-- Idempotent: see app.open_attempt.
create or replace function api.open_payment(
  p_order_id bigint, p_provider text, p_method text, p_openid text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_opened record;
  v_payer record := app.payer_of_order(p_order_id, p_openid);
  v_openid text := case when p_method = 'jsapi' then coalesce(p_openid, v_payer.openid) else p_openid end;
begin
  if p_method = 'jsapi' and v_openid is null then
    perform app.fail('invalid_argument', 'Sign in with WeChat, or send the openid of the payer.', '/openid');
  end if;
  v_opened := app.open_attempt(p_order_id, p_provider, p_method, v_openid, null);
  return app.attempt_json(v_opened.attempt) || jsonb_build_object(
    'openid', v_openid, 'appid', v_payer.appid,
    'must_close', v_opened.must_close, 'amount_minor', ((v_opened.attempt).amount * 100)::bigint,
    'description', (
      select left(s.site_name, 90) || ' ' || o.order_no from app.settings as s join app.orders as o on o.id = p_order_id
    )
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The provider, the method or the payer is missing or too long.');
end
$$;

comment on function api.open_payment is
  'Opens an attempt to pay an order, before the provider is called, and returns the values to start it with '
  '(app.open_attempt). With method jsapi, p_openid defaults to the buyer''s id at WeChat; appid is the app of that id, '
  'if known. Serves POST /api/order/{id}/pay.';

grant execute on function api.open_payment(bigint, text, text, text) to service_role;

-- Locks: the order, the attempt.
-- Idempotent: see app.record_attempt_state.
create or replace function api.record_attempt_state(
  p_attempt_no text, p_state text, p_pay_ref text default null, p_amount_minor bigint default null,
  p_currency text default null,
  p_close_accepted boolean default false
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result record;
begin
  if p_state is null or p_state not in ('open', 'paid', 'closed', 'unknown') then
    perform app.fail('invalid_argument', 'The state of a payment must be open, paid, closed or unknown.');
  end if;
  v_result := app.record_attempt_state(
    p_attempt_no, p_state, p_pay_ref, p_amount_minor / 100.0, p_currency, p_close_accepted, null
  );
  return jsonb_build_object('state', (v_result.attempt).state, 'outcome', v_result.outcome);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the response is missing, too long or too large.');
end
$$;

comment on function api.record_attempt_state is
  'Records the state of a payment attempt at its provider. Returns the state of the attempt and the outcome of a '
  'payment (app.record_attempt_state). Serves GET /api/order/{id}/payment.';

grant execute on function api.record_attempt_state(text, text, text, bigint, text, boolean) to service_role;

-- Security definer: no client role may write orders or notifications.
-- Locks: the order, the payment attempt.
-- Idempotent: a repeated notification pays nothing again.
create or replace function api.record_payment_notification(
  p_provider text, p_event_id text, p_kind text, p_fault text default null, p_order_no text default null,
  p_pay_ref text default null,
  p_amount_minor bigint default null, p_currency text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result record;
begin
  v_result := app.record_payment_notification(
    p_provider, p_event_id, p_kind, p_fault, p_order_no, p_pay_ref, p_amount_minor / 100.0, p_currency, null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$$;

comment on function api.record_payment_notification is
  'Applies a payment notification with a verified signature, and returns its outcome and reason '
  '(app.payment_notifications). p_amount_minor is in the smallest unit of the currency. Serves POST '
  '/api/pay/notify/{provider}.';

grant execute on function api.record_payment_notification(
  text, text, text, text, text, text, bigint, text
) to service_role;

-- Locks: the order, the attempt.
-- Idempotent: the first response is kept, and an attempt that has ended stays as it is.
create or replace function api.record_payment_start(p_attempt_no text, p_refusal text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts;
begin
  if p_refusal is not null then
    v_attempt := app.end_attempt(p_attempt_no, 'refused', left(p_refusal, 128), null);
  else
    v_attempt := app.lock_attempt(p_attempt_no);
    update app.payment_attempts as a set started_at = coalesce(a.started_at, clock_timestamp())
    where a.id = v_attempt.id;
  end if;
  return app.attempt_json(v_attempt);
end
$$;

comment on function api.record_payment_start is
  'Records that the provider has started a payment or, with p_refusal, refused to. Until then the attempt stays open. '
  'Serves POST /api/order/{id}/pay.';

grant execute on function api.record_payment_start(text, text) to service_role;

-- Security definer: no client role may write refunds or notifications.
-- Locks: the order, the refund at the provider.
-- Idempotent: a decided refund stays as it is.
create or replace function api.record_refund_notification(
  p_provider text, p_event_id text, p_payment_no text, p_pay_ref text, p_amount_minor bigint, p_refund_no text,
  p_state text,
  p_provider_ref text default null, p_reason text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result record;
begin
  v_result := app.record_refund_notification(
    p_provider, p_event_id, p_payment_no, p_pay_ref, p_amount_minor / 100.0, p_refund_no, p_state,
    left(p_provider_ref, 128), left(p_reason, 128), null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$$;

comment on function api.record_refund_notification is
  'Applies a notification of a refund with a verified signature, and returns its outcome and reason '
  '(app.payment_notifications). p_amount_minor is in the smallest unit of the currency. Serves POST '
  '/api/pay/notify/{provider}.';

grant execute on function api.record_refund_notification(
  text, text, text, text, bigint, text, text, text, text
) to service_role;

-- Locks: the order, the refund at the provider.
-- Idempotent: a decided refund stays as it is.
create or replace function api.record_refund_state(
  p_refund_no text, p_state text, p_provider_ref text default null, p_reason text default null
)
returns jsonb
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'state', (app.record_refund_state(p_refund_no, p_state, left(p_provider_ref, 128), left(p_reason, 128), null)).state
  )
$$;

comment on function api.record_refund_state is
  'Records what a provider reported about a refund, accepted, succeeded or failed. Returns its state: refunding, '
  'succeeded or failed.';

grant execute on function api.record_refund_state(text, text, text, text) to service_role;

-- Security definer: no client role may write notifications.
create or replace function api.record_unverified_notification(p_provider text, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object('kept', app.record_unverified(p_provider, p_reason, clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The provider or the reason is missing or too long.');
end
$$;

comment on function api.record_unverified_notification is
  'Records a payment notification whose signature could not be verified. kept is false if it was not recorded '
  '(app.record_unverified). Serves POST /api/pay/notify/{provider}.';

grant execute on function api.record_unverified_notification(text, text) to service_role;

-- Locks: the order.
-- Idempotent: a payment that is being refunded, or was, is returned unchanged.
create or replace function api.refund_payment(p_notification_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_payment app.payment_notifications;
  v_refund app.provider_refunds;
  v_before jsonb;
begin
  perform app.require_admin('money');
  select n.* into v_payment from app.payment_notifications as n
  where n.id = p_notification_id and n.outcome = 'attention';
  if not found then
    perform app.fail('payment_not_found', 'Only a payment that could not be applied to an order can be refunded here.');
  end if;
  perform app.reject_own_order(v_payment.order_id);
  perform app.lock_order(v_payment.order_id);
  select r.* into v_refund from app.provider_refunds as r
  where r.provider = v_payment.provider and r.pay_ref = v_payment.pay_ref and r.refund_id is null order by r.id desc
  limit 1;
  v_before := jsonb_build_object('refund_state', v_refund.state);
  if v_refund.id is null or v_refund.state = 'failed' then
    v_refund := app.start_provider_refund(
      v_payment.order_id, null, v_payment.provider, v_payment.order_no, v_payment.pay_ref, v_payment.amount,
      v_payment.amount, clock_timestamp()
    );
  end if;
  perform app.record_action(
    'refund_payment', 'order', v_payment.order_id::text, v_before, jsonb_build_object('refund_state', v_refund.state)
  );
  return app.provider_refund_json(v_refund);
end
$$;

comment on function api.refund_payment is
  'Requests the refund of a whole unclaimed payment (a notification with the outcome attention) from its provider, and '
  'returns it. Repeats a failed one with a new number. Serves PUT /adminapi/payment/notification/{id}/refund.';

grant execute on function api.refund_payment(bigint) to store_admin;

-- Locks: the order.
-- Idempotent: a failed refund is retried once. A second call raises order_state_conflict.
create or replace function api.retry_provider_refund(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_failed app.provider_refunds;
  v_refund app.provider_refunds;
begin
  perform app.require_admin('money');
  select r.* into v_failed from app.provider_refunds as r where r.id = p_id;
  if not found then
    perform app.fail('refund_not_found');
  end if;
  perform app.reject_own_order(v_failed.order_id);
  perform app.lock_order(v_failed.order_id);
  select r.* into v_failed from app.provider_refunds as r where r.id = p_id;
  if v_failed.state <> 'failed' then
    perform app.fail('order_state_conflict', 'Only a refund that the provider did not pay can be retried.');
  end if;
  begin
    v_refund := app.start_provider_refund(
      v_failed.order_id, v_failed.refund_id, v_failed.provider, v_failed.payment_no, v_failed.pay_ref, v_failed.amount,
      v_failed.total, clock_timestamp()
    );
  exception when unique_violation then
    perform app.fail('order_state_conflict', 'This refund has already been retried.');
  end;
  perform app.record_action(
    'retry_provider_refund', 'order', v_failed.order_id::text,
    jsonb_build_object('refund_state', v_failed.state), jsonb_build_object('refund_state', v_refund.state)
  );
  return app.provider_refund_json(v_refund);
end
$$;

comment on function api.retry_provider_refund is
  'Requests a refund that the provider did not pay again, with a new number, and returns it. Serves PUT '
  '/adminapi/payment/refund/{id}/retry.';

grant execute on function api.retry_provider_refund(bigint) to store_admin;
