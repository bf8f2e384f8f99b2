-- Security definer: client roles have no write privilege on orders or payment attempts.
-- Locks: the order, the attempt.
-- Raises: payment_not_found, invalid_argument.
-- Idempotent: see app.record_attempt_state.
create or replace function api.record_attempt_state(
  p_attempt_no text, p_state text, p_pay_ref text default null, p_amount_minor bigint default null, p_currency text default null,
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
  v_result := app.record_attempt_state(p_attempt_no, p_state, p_pay_ref, p_amount_minor / 100.0, p_currency, p_close_accepted, null);
  return jsonb_build_object('state', (v_result.attempt).state, 'outcome', v_result.outcome);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the response is missing, too long or too large.');
end
$$;

comment on function api.record_attempt_state is
  'Records the state of a payment attempt at its provider and returns the state of the attempt, and the outcome of a payment. '
  'Serves GET /api/order/{id}/payment.';

grant execute on function api.record_attempt_state(text, text, text, bigint, text, boolean) to service_role;
