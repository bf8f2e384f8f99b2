-- PUT /adminapi/order/{id}/refund with {"refuse": true}: refuses the open refund request of an order.
-- Security definer: refunds are written by functions only. Raises: forbidden and what app.refuse_refund raises.
create or replace function api.refuse_refund(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.require_admin();
  return app.refund_json(app.refuse_refund(p_order_id, clock_timestamp()));
end
$$;

grant execute on function api.refuse_refund(bigint) to store_admin;
