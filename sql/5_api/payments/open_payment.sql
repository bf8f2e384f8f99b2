-- Security definer: client roles have no write privilege on payment attempts. Only the service may call it, because it knows which
-- providers are configured: an attempt at a provider that nobody can ask would never end.
-- Precondition: the edge function has checked that the caller is the buyer.
-- Locks: the order, its open attempt.
-- Raises: order_not_found, order_already_paid, order_state_conflict, invalid_argument.
-- Idempotent: see app.open_attempt.
create or replace function api.open_payment(p_order_id bigint, p_provider text, p_method text, p_openid text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_opened record;
  v_payer record := app.payer_of_order(p_order_id, p_openid);
  v_openid text := case when p_method = 'jsapi' then coalesce(p_openid, v_payer.openid) else p_openid end;
begin
  if p_method = 'jsapi' and v_openid is null then
    perform app.fail('invalid_argument', 'Sign in with WeChat, or send the openid of the payer.', '/openid');
  end if;
  v_opened := app.open_attempt(p_order_id, p_provider, p_method, v_openid, null);
  return app.attempt_json(v_opened.attempt) || jsonb_build_object(
    'openid', v_openid, 'appid', v_payer.appid,
    'must_close', v_opened.must_close, 'amount_minor', ((v_opened.attempt).amount * 100)::bigint,
    'description', (
      select left(s.site_name, 90) || ' ' || o.order_no from app.settings as s join app.orders as o on o.id = p_order_id
    )
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The provider, the method or the payer is missing or too long.');
end
$$;

comment on function api.open_payment is
  'Opens an attempt to pay an order at a provider, before the provider is called, and returns the values to start it with. The '
  'default of p_openid, for the method jsapi, is the id of the buyer at WeChat; appid is the app of that id, if it is known. '
  'must_close: the order has an open attempt with other values, which must be closed first. Serves POST /api/order/{id}/pay.';

grant execute on function api.open_payment(bigint, text, text, text) to service_role;
