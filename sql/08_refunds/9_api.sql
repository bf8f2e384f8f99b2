-- What clients may call about refunds.

create or replace function api.get_refunds(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_list jsonb;
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
  v_list := app.refunds_json(p_order_id);
  return app.list_json(v_list, jsonb_array_length(v_list));
end
$$;

comment on function api.get_refunds is
  'Returns the refunds of one of the caller''s orders, newest first, with their states. Serves GET /api/order/{id}/refund.';

grant execute on function api.get_refunds(bigint) to authenticated, store_admin;

-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
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

-- Locks: structure (shared), the order, the products with a limited stock, balances by uid.
-- Idempotent with p_refund_ref: the same reference returns the same refund.
create or replace function api.refund_order(p_order_id bigint, p_lines jsonb default null, p_refund_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  v_before := app.load_refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refund_order(p_order_id, p_lines, p_refund_ref, null);
  v_after := app.load_refund_state(p_order_id);
  if v_after <> v_before then
    v_after := v_after || jsonb_build_object('refund_id', v_refund.id);
  end if;
  perform app.record_action('refund_order', 'order', p_order_id::text, v_before, v_after);
  return app.refund_json(v_refund);
end
$$;

comment on function api.refund_order is
  'Refunds units of an order and returns the refund. With p_lines null it refunds the units of the open request, or, without a '
  'request, all that is left. Serves PUT /adminapi/order/{id}/refund.';

grant execute on function api.refund_order(bigint, jsonb, text) to store_admin;

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: a request is refused once. A second call raises refund_not_found.
create or replace function api.refuse_refund(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  v_before := app.load_refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refuse_refund(p_order_id, null);
  perform app.record_action(
    'refuse_refund', 'order', p_order_id::text, v_before, app.load_refund_state(p_order_id) || jsonb_build_object('refund_id', v_refund.id)
  );
  return app.refund_json(v_refund);
end
$$;

comment on function api.refuse_refund is
  'Refuses the open refund request of an order and returns it. Serves PUT /adminapi/order/{id}/refund/refuse.';

grant execute on function api.refuse_refund(bigint) to store_admin;

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: an order has one open request. While it is open, another call raises refund_state_conflict.
create or replace function api.request_refund(p_order_id bigint, p_lines jsonb default null, p_reason text default '')
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that refund_json reads the new refund.
  v_refund := app.request_refund(p_order_id, p_lines, p_reason, null);
  return app.refund_json(v_refund);
end
$$;

comment on function api.request_refund is
  'Requests a refund of units of one of the caller''s orders and returns it. With p_lines null it requests all that is left. '
  'Serves POST /api/order/{id}/refund.';

grant execute on function api.request_refund(bigint, jsonb, text) to authenticated, store_admin;
