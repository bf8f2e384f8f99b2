-- Idempotent: the row of an order is written once.
create or replace function app.ask_to_upload_shipping(p_order app.orders, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.add_to_outbox('upload_shipping', p_order.id::text, jsonb_build_object('order_id', p_order.id), p_now, p_now)
  from app.payment_attempts as a
  where a.order_id = p_order.id and a.provider = 'wechat' and a.method = 'jsapi' and a.provider = p_order.pay_type and a.pay_ref = p_order.pay_ref;
end
$$;

comment on function app.ask_to_upload_shipping is
  'Adds a call to the outbox that reports the shipment of an order to WeChat, if the order was paid inside WeChat. WeChat '
  'withholds the money until then.';
