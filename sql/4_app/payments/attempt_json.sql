create or replace function app.attempt_json(p_attempt app.payment_attempts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider, 'method', p_attempt.method, 'amount', p_attempt.amount::text,
    'state', p_attempt.state, 'expires_at', app.utc(p_attempt.expires_at), 'add_time', app.utc(p_attempt.add_time),
    'ended_at', app.utc(p_attempt.ended_at)
  )
$$;

comment on function app.attempt_json is 'Returns a payment attempt as the buyer sees it.';

grant execute on function app.attempt_json(app.payment_attempts) to store_admin;
