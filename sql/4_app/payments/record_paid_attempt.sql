-- Precondition: the caller has locked the order and the attempt.
-- Raises: invalid_argument.
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
  perform app.finish_outbox('close_payment', p_attempt.attempt_no);
end
$$;

comment on function app.record_paid_attempt is
  'Records that the provider has the money of an attempt, whether or not the order could take it.';
