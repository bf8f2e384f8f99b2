-- Security definer: client roles have no write privilege on the outbox.
-- Idempotent: a recorded notice is gone from the outbox.
create or replace function api.record_shipping_notice(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.finish_outbox('upload_shipping', p_order_id::text);
  return jsonb_build_object();
end
$$;

comment on function api.record_shipping_notice is
  'Records that WeChat knows the shipment of an order, or does not need to know it.';

grant execute on function api.record_shipping_notice(bigint) to service_role;
