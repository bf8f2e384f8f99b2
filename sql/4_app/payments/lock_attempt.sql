-- The order of an attempt never changes, so it can be read before the lock.
-- Locks: the order, the attempt.
-- Raises: payment_not_found.
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

comment on function app.lock_attempt is 'Locks the order of a payment attempt and then the attempt, and returns the attempt.';
