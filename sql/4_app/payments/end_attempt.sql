-- Locks: the order, the attempt.
-- Raises: payment_not_found, invalid_argument.
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
    perform app.finish_outbox('close_payment', p_attempt_no);
  end if;
  return v_attempt;
end
$$;

comment on function app.end_attempt is
  'Records that an attempt was closed or refused by its provider, and returns it. An attempt ends no later than it expires.';
