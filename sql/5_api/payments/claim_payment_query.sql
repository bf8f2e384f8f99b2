-- Security definer: client roles have no write privilege on payment attempts.
-- Not idempotent: two calls within two seconds claim one query.
create or replace function api.claim_payment_query(p_attempt_no text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.payment_attempts as a set queried_at = clock_timestamp()
  where a.attempt_no = p_attempt_no and a.state = 'open' and coalesce(a.queried_at, '-infinity') < clock_timestamp() - interval '2 seconds';
  return to_jsonb(found);
end
$$;

comment on function api.claim_payment_query is
  'Returns whether the provider may be queried for an open payment attempt now: at most once in two seconds, however often a '
  'client asks. Serves GET /api/order/{id}/payment.';

grant execute on function api.claim_payment_query(text) to service_role;
