-- Security definer: client roles have no write privilege on payment attempts.
-- Locks: the order, the attempt.
-- Raises: payment_not_found.
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
    update app.payment_attempts as a set started_at = coalesce(a.started_at, clock_timestamp()) where a.id = v_attempt.id;
  end if;
  return app.attempt_json(v_attempt);
end
$$;

comment on function api.record_payment_start is
  'Records that the provider has started a payment, or with p_refusal that it refused to. If the response is lost, nothing is '
  'recorded and the attempt stays open. Serves POST /api/order/{id}/pay.';

grant execute on function api.record_payment_start(text, text) to service_role;
