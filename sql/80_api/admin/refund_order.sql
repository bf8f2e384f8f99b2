-- PUT /adminapi/order/{id}/refund: refunds units of an order (null: those asked for, or everything left).
-- Security definer: refunds are written by functions only. Raises: forbidden and what app.refund_order raises.
-- Safe twice: by the reference.
create or replace function api.refund_order(p_order_id bigint, p_lines jsonb default null, p_refund_ref text default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.require_admin();
  return app.refund_json(app.refund_order(p_order_id, p_lines, p_refund_ref, clock_timestamp()));
end
$$;

grant execute on function api.refund_order(bigint, jsonb, text) to store_admin;
