-- Precondition: the caller has locked the order.
-- Idempotent: see app.add_to_outbox.
create or replace function app.ask_to_close(p_attempt app.payment_attempts, p_run_after timestamptz, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.add_to_outbox(
    'close_payment', p_attempt.attempt_no,
    jsonb_build_object('order_id', p_attempt.order_id, 'attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider),
    p_run_after, p_now
  )
$$;

comment on function app.ask_to_close is
  'Adds a call to the outbox that closes a payment attempt at its provider, unless it is paid by then.';
