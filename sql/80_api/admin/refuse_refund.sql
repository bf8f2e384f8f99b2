-- PUT /adminapi/order/{id}/refund/refuse: refuses the open refund request of an order.
-- Security definer: refunds are written by functions only. Raises: forbidden and what app.refuse_refund raises.
create or replace function api.refuse_refund(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  perform app.require_admin();
  -- A statement of its own, so that the answer is read after the change.
  v_refund := app.refuse_refund(p_order_id, null);
  return app.refund_json(v_refund);
end
$$;

grant execute on function api.refuse_refund(bigint) to store_admin;
