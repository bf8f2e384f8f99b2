-- POST /adminapi/order/{id}/refund/preview: what refunding these units now would reverse; changes nothing.
-- Security definer: it decides from tables that no client role reads. Stable, so the database itself keeps it from writing. Raises: forbidden and what app.preview_refund raises.
create or replace function api.preview_refund(p_order_id bigint, p_lines jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.preview_refund(p_order_id, p_lines, null);
end
$$;

grant execute on function api.preview_refund(bigint, jsonb) to store_admin;
