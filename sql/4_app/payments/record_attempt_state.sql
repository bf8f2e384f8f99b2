-- Locks: the order, the attempt.
-- Raises: payment_not_found, invalid_argument.
-- Idempotent: an attempt ends once, and a payment pays once (app.take_payment).
create or replace function app.record_attempt_state(
  p_attempt_no text, p_state text, p_pay_ref text, p_amount numeric, p_currency text, p_close_accepted boolean, p_now timestamptz,
  out attempt app.payment_attempts, out outcome text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  attempt := app.lock_attempt(p_attempt_no);
  if p_state = 'paid' and attempt.state <> 'paid' then
    outcome := (app.record_payment_notification(attempt.provider, null, 'payment', null, p_attempt_no, p_pay_ref, p_amount, p_currency, p_now)).outcome;
  elsif p_state = 'closed' or p_state = 'unknown' and p_close_accepted then
    perform app.end_attempt(p_attempt_no, 'closed', null, p_now);
  end if;
  select a.* into attempt from app.payment_attempts as a where a.attempt_no = p_attempt_no;
end
$$;

comment on function app.record_attempt_state is
  'Records the state of a payment attempt at its provider: open, paid, closed or unknown (the provider does not know it). An '
  'attempt that the provider does not know has ended once the provider has accepted to close it. Returns the attempt and, for a '
  'payment, its outcome (see app.take_payment).';
