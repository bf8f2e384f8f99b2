-- Security definer: no client role may read app.wechat_accounts and app.payment_payers.
-- Raises: order_not_found.
create or replace function api.get_shipping_notice(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_notice jsonb;
begin
  select jsonb_build_object(
    'transaction_id', o.pay_ref, 'openid', p.openid, 'appid', (app.payer_of_order(o.id, p.openid)).appid, 'carrier', o.carrier,
    'tracking_no', o.tracking_no, 'contact', regexp_replace(o.address ->> 'phone', '^.*?(\d{3})[ -]?\d+[ -]?(\d{4})$', '\1****\2'),
    'item_desc', (select left(string_agg(l.title || ' x' || l.quantity, '; ' order by l.id), 120) from app.order_lines as l where l.order_id = o.id)
  )
  into v_notice
  from app.orders as o
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  join app.payment_payers as p on p.attempt_id = a.id
  where o.id = p_order_id and o.delivered_at is not null;
  if not found then
    perform app.fail('order_not_found', 'This order was not paid inside WeChat, or has not left the store.');
  end if;
  return v_notice;
end
$$;

comment on function api.get_shipping_notice is
  'Returns the data of an order that are sent to WeChat when it is shipped. The phone number is masked.';

grant execute on function api.get_shipping_notice(bigint) to service_role;
