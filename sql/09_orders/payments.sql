-- Payments: attempts at a provider, and notifications that become payments or need attention.

create or replace function app.attempt_json(p_attempt app.payment_attempts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider, 'method', p_attempt.method, 'amount',
    p_attempt.amount::text,
    'state', p_attempt.state, 'expires_at', app.utc(p_attempt.expires_at), 'add_time', app.utc(p_attempt.add_time),
    'ended_at', app.utc(p_attempt.ended_at)
  )
$$;

comment on function app.attempt_json is 'Returns a payment attempt as the buyer sees it.';

grant execute on function app.attempt_json(app.payment_attempts) to store_admin;

create or replace function app.attempt_record(p_attempt app.payment_attempts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.attempt_json(p_attempt) || jsonb_build_object(
    'id', p_attempt.id, 'pay_ref', p_attempt.pay_ref, 'reason', p_attempt.reason, 'started_at',
    app.utc(p_attempt.started_at)
  )
$$;

comment on function app.attempt_record is 'Returns a payment attempt as administrators see it, without the payer.';

grant execute on function app.attempt_record(app.payment_attempts) to store_admin;

-- Precondition: the caller has locked the order.
-- Idempotent: see app.add_to_outbox.
create or replace function app.queue_close(p_attempt app.payment_attempts, p_run_after timestamptz, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.add_to_outbox(
    'close_payment', p_attempt.attempt_no,
    jsonb_build_object(
      'order_id', p_attempt.order_id, 'attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider
    ),
    p_run_after, p_now
  )
$$;

comment on function app.queue_close is
  'Adds a call to the outbox that closes a payment attempt at its provider, unless it is paid by then.';

-- Precondition: the caller has locked the order.
-- Idempotent: the time depends only on p_now.
create or replace function app.plan_payment_query(p_attempt app.payment_attempts, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_next timestamptz := (
    select min(t.due)
    from app.settings as s
    cross join unnest(s.payment_query_minutes) as m (minutes)
    cross join lateral (select p_attempt.add_time + make_interval(mins => m.minutes)) as t (due)
    where t.due > p_now and t.due < p_attempt.expires_at
  );
begin
  if not exists (
    select from app.outbox as o where o.kind = 'query_payment' and o.key = p_attempt.attempt_no and o.run_after = v_next
  ) then
    perform app.finish_outbox('query_payment', p_attempt.attempt_no);
    perform app.add_to_outbox(
      'query_payment', p_attempt.attempt_no,
      jsonb_build_object(
        'order_id', p_attempt.order_id, 'attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider
      ),
      v_next, p_now
    ) where v_next is not null;
  end if;
end
$$;

comment on function app.plan_payment_query is
  'Replaces the outbox call that queries an open payment attempt by one at the next time of payment_query_minutes '
  'after p_now. There is none after the last time, and none once the attempt has expired.';

-- Precondition: the caller has locked the order.
-- PL/pgSQL, so that the session caches the query plan: Postgres would plan it again in every payment.
create or replace function app.close_open_attempts(p_order_id bigint, p_now timestamptz)
returns void
language plpgsql
volatile
as $$
begin
  perform app.queue_close(a, p_now, p_now) from app.payment_attempts as a
  where a.order_id = p_order_id and a.state = 'open' order by a.id;
end
$$;

comment on function app.close_open_attempts is
  'Adds calls to the outbox, due now, that close the open payment attempts of an order that can no longer be paid.';

-- A provider accepts a second start of the same number only with the same values. An attempt with other values, or one
-- that is about to expire, must therefore be closed first.
-- Locks: the order, its open attempt.
-- Idempotent while the attempt is open: the same method and payer return the same attempt.
create or replace function app.open_attempt(
  p_order_id bigint, p_provider text, p_method text, p_openid text, p_now timestamptz, out attempt app.payment_attempts,
  out must_close boolean
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
    perform app.fail(
      'order_state_conflict', 'This order is free of charge. Payment providers do not accept a payment of zero.'
    );
  end if;
  select a.* into attempt from app.payment_attempts as a
  where a.order_id = p_order_id and a.provider = p_provider and a.state = 'open' for update;
  if found then
    must_close := attempt.method <> p_method or attempt.expires_at <= v_now + interval '1 minute'
      or (select p.openid from app.payment_payers as p where p.attempt_id = attempt.id) is distinct from p_openid;
    return;
  end if;
  -- Attempts one after the other would hold the stock for ever.
  if app.first_order_ends_at(v_order) <= v_now then
    perform app.fail('order_state_conflict', 'The time to pay this order is over. Place it again.');
  end if;
  select count(*) + 1 into v_number from app.payment_attempts as a where a.order_id = p_order_id;
  if v_number > 50 then
    perform app.fail('order_state_conflict', 'The payment of this order was started 50 times. Place a new order.');
  end if;
  must_close := false;
  insert into app.payment_attempts (order_id, attempt_no, provider, method, amount, expires_at, add_time)
  select p_order_id, v_order.order_no || '-' || v_number, p_provider, p_method, v_order.pay_price,
    v_now + make_interval(mins => s.payment_minutes), v_now
  from app.settings as s
  returning * into attempt;
  insert into app.payment_payers (attempt_id, openid) select attempt.id, p_openid where p_openid is not null;
  perform app.plan_payment_query(attempt, v_now);
  perform app.queue_close(attempt, attempt.expires_at, v_now);
end
$$;

comment on function app.open_attempt is
  'Returns the open attempt to pay an order at a provider, or opens one, which the outbox will query and close. '
  'must_close: it has other values or is about to expire, and must be closed at the provider first.';

create or replace function app.payer_of_order(p_order_id bigint, p_openid text, out openid text, out appid text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  select a.openid, a.appid into openid, appid
  from app.orders as o
  join app.users as u on u.uid = o.uid
  join app.wechat_accounts as a on a.auth_id = u.auth_id
  where o.id = p_order_id and (p_openid is null or a.openid = p_openid);
end
$$;

comment on function app.payer_of_order is
  'Returns the buyer''s id at WeChat and the app of that id. Nulls if the buyer does not sign in with WeChat, or if '
  'p_openid is another id.';

-- The order of an attempt never changes, so it can be read before the lock.
-- Locks: the order, the attempt.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_attempt(p_attempt_no text)
returns app.payment_attempts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts;
begin
  select a.* into v_attempt from app.payment_attempts as a where a.attempt_no = p_attempt_no;
  if not found then
    perform app.fail('payment_not_found');
  end if;
  perform app.lock_order(v_attempt.order_id);
  select a.* into v_attempt from app.payment_attempts as a where a.id = v_attempt.id for update;
  return v_attempt;
end
$$;

comment on function app.lock_attempt is
  'Locks the order of a payment attempt and then the attempt, and returns the attempt.';

-- Precondition: the caller has locked the order and the attempt.
create or replace function app.record_paid_attempt(p_attempt app.payment_attempts, p_pay_ref text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.payment_attempts as a
  set state = 'paid', pay_ref = p_pay_ref, reason = null, ended_at = coalesce(a.ended_at, app.effect_time(p_now))
  where a.id = p_attempt.id;
  perform app.finish_outbox(k.kind, p_attempt.attempt_no)
  from (values ('query_payment'), ('close_payment')) as k (kind);
end
$$;

comment on function app.record_paid_attempt is
  'Records that the provider has the money of an attempt, whether or not the order could take it.';

-- Locks: the order, the attempt.
-- Idempotent: a payment that has already paid the order gets the outcome repeated.
create or replace function app.take_payment(
  p_provider text, p_payment_no text, p_pay_ref text, p_amount numeric, p_currency text, p_now timestamptz,
  out order_id bigint, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts;
  v_order app.orders;
begin
  select a.* into v_attempt from app.payment_attempts as a where a.attempt_no = p_payment_no;
  order_id := coalesce(v_attempt.order_id, (select o.id from app.orders as o where o.order_no = p_payment_no));
  select o.* into v_order from app.orders as o where o.id = take_payment.order_id for update;
  select a.* into v_attempt from app.payment_attempts as a where a.id = v_attempt.id for update;
  reason := case
    when v_order.id is null then 'order_unknown'
    when v_attempt.provider <> p_provider then 'provider_differs'
    when p_pay_ref is null then 'reference_missing'
    when p_currency is distinct from 'CNY' then 'currency_differs'
    when p_amount is distinct from v_order.pay_price then 'amount_differs'
  end;
  if reason is not null then
    outcome := 'refused';
  elsif v_order.pay_type = p_provider and v_order.pay_ref = p_pay_ref then
    outcome := 'repeated';
  elsif v_attempt.state <> 'open' and v_order.state = 'unpaid' then
    -- Once the money of an attempt that had ended is recorded, the attempt is paid, and the same payment comes here
    -- again.
    outcome := 'attention';
    reason := 'attempt_' || case v_attempt.state when 'paid' then 'closed' else v_attempt.state end;
  else
    begin
      perform app.pay_locked_order(v_order, p_provider, p_pay_ref, p_now);
      outcome := 'paid';
    exception when sqlstate 'PT409' then
      outcome := 'attention';
      reason := sqlerrm;
    end;
  end if;
  perform app.record_paid_attempt(v_attempt, p_pay_ref, p_now) where outcome <> 'refused' and v_attempt.state <> 'paid';
end
$$;

comment on function app.take_payment is
  'Applies a verified payment to its order. p_payment_no is the number of an attempt or an order. Outcomes: paid; '
  'repeated (it already paid the order); refused (it does not match the order); attention (the attempt had ended, or '
  'the order is cancelled or was paid otherwise).';

-- Providers repeat notifications. The first 30 deliveries of an event are recorded.
-- Not idempotent: each call is one delivery.
create or replace function app.record_notification(
  p_provider text, p_event_id text, p_order_id bigint, p_order_no text, p_pay_ref text, p_amount numeric,
  p_currency text, p_outcome text,
  p_reason text, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if (
    select count(*) from (
      select from app.payment_notifications as n where n.provider = p_provider and n.event_id = p_event_id limit 30
    ) as known
  ) < 30 then
    insert into app.payment_notifications
      (provider, event_id, order_id, order_no, pay_ref, amount, currency, outcome, reason, add_time)
    values (
      p_provider, p_event_id, p_order_id, p_order_no, p_pay_ref, p_amount, p_currency, p_outcome, p_reason,
      app.effect_time(p_now)
    );
  end if;
end
$$;

comment on function app.record_notification is 'Records a notification of a provider with its outcome.';

-- Locks: the order, the attempt.
-- Idempotent: a repeated payment has the outcome repeated and changes no order.
create or replace function app.record_payment_notification(
  p_provider text, p_event_id text, p_kind text, p_fault text, p_order_no text, p_pay_ref text, p_amount numeric,
  p_currency text,
  p_now timestamptz, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order_id bigint;
begin
  if p_fault is not null then
    outcome := 'refused';
    reason := p_fault;
  elsif p_kind = 'payment' then
    select t.order_id, t.outcome, t.reason into v_order_id, outcome, reason
    from app.take_payment(p_provider, p_order_no, p_pay_ref, p_amount, p_currency, p_now) as t;
  else
    outcome := 'ignored';
    reason := 'not_a_payment';
  end if;

  -- A payment that was found by a query has no event. The first response is recorded.
  if p_event_id is null and p_fault is null and outcome = 'repeated' then
    return;
  end if;
  perform app.record_notification(
    p_provider, p_event_id, v_order_id, p_order_no, p_pay_ref, p_amount, p_currency, outcome, reason, p_now
  );
end
$$;

comment on function app.record_payment_notification is
  'Processes a verified payment notification or, with p_event_id null, the provider''s answer to a query, and records '
  'the outcome (app.take_payment). p_order_no is the number of an attempt or an order. p_kind is payment, or other if '
  'no action is needed. p_fault is what the edge function found wrong beyond the signature.';

-- Locks: the order, the attempt.
-- Idempotent: an attempt that has ended is returned unchanged.
create or replace function app.end_attempt(p_attempt_no text, p_state text, p_reason text, p_now timestamptz)
returns app.payment_attempts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts := app.lock_attempt(p_attempt_no);
  v_now timestamptz := app.effect_time(p_now);
begin
  if v_attempt.state = 'open' then
    update app.payment_attempts as a
    set state = p_state, reason = p_reason, ended_at = greatest(least(v_now, a.expires_at), a.add_time)
    where a.id = v_attempt.id returning a.* into v_attempt;
    perform app.finish_outbox(k.kind, p_attempt_no) from (values ('query_payment'), ('close_payment')) as k (kind);
  end if;
  return v_attempt;
end
$$;

comment on function app.end_attempt is
  'Records that an attempt was closed or refused by its provider, and returns it. It ends no later than it expires.';

-- Locks: the order, the attempt.
-- Idempotent: an attempt ends once, and a payment pays once (app.take_payment).
create or replace function app.record_attempt_state(
  p_attempt_no text, p_state text, p_pay_ref text, p_amount numeric, p_currency text, p_close_accepted boolean,
  p_now timestamptz,
  out attempt app.payment_attempts, out outcome text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  attempt := app.lock_attempt(p_attempt_no);
  if p_state = 'paid' and attempt.state <> 'paid' then
    outcome := (
      app.record_payment_notification(
        attempt.provider, null, 'payment', null, p_attempt_no, p_pay_ref, p_amount, p_currency, p_now
      )
    ).outcome;
  elsif p_state = 'closed' or p_state = 'unknown' and p_close_accepted then
    perform app.end_attempt(p_attempt_no, 'closed', null, p_now);
  end if;
  select a.* into attempt from app.payment_attempts as a where a.attempt_no = p_attempt_no;
  perform app.plan_payment_query(attempt, app.effect_time(p_now)) where attempt.state = 'open';
end
$$;

comment on function app.record_attempt_state is
  'Records the state of a payment attempt at its provider: open, paid, closed or unknown (to the provider). An unknown '
  'one ends once the provider has accepted to close it. An open one is queried again (app.plan_payment_query). Returns '
  'the attempt and, for a payment, its outcome (app.take_payment).';

-- Anyone can send such notifications. Beyond the limit, a call costs one index lookup and writes nothing.
-- Locks: an advisory lock, tried without waiting. A notification that arrives while another one is being recorded is
-- not recorded.
-- Not idempotent: each call is one notification.
create or replace function app.record_unverified(p_provider text, p_reason text, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_kept integer;
begin
  if not pg_try_advisory_xact_lock(app.lock_number('unverified_notifications')) then
    return false;
  end if;
  select count(*) into v_kept from (
    select from app.payment_notifications as n
    where n.provider = p_provider and n.outcome = 'unverified' and n.add_time > p_now - interval '1 hour'
    limit 20
  ) as recent;
  if v_kept < 20 then
    insert into app.payment_notifications (provider, outcome, reason, add_time) values (
      p_provider, 'unverified', p_reason, p_now
    );
  end if;
  return v_kept < 20;
end
$$;

comment on function app.record_unverified is
  'Records that a notification could not be verified, without its content, and returns whether it wrote a row. Writes '
  'at most 20 for each provider and hour.';
