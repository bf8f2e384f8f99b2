-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
-- Raises: forbidden and what app.preview_refund raises.
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

comment on function api.preview_refund is
  'Returns what refunding these units now would reverse, without writing (app.preview_refund). Serves POST '
  '/adminapi/order/{id}/refund/preview.';

grant execute on function api.preview_refund(bigint, jsonb) to store_admin;
