create or replace function app.attempt_record(p_attempt app.payment_attempts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.attempt_json(p_attempt) || jsonb_build_object(
    'id', p_attempt.id, 'pay_ref', p_attempt.pay_ref, 'reason', p_attempt.reason, 'started_at', app.utc(p_attempt.started_at)
  )
$$;

comment on function app.attempt_record is 'Returns a payment attempt as administrators see it, without the payer.';

grant execute on function app.attempt_record(app.payment_attempts) to store_admin;
