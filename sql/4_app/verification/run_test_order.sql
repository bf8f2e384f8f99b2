-- Precondition: the caller rolls everything back.
-- Raises: what app.create_order, app.pay_order, app.settle_order and app.confirm_receipt raise.
create or replace function app.run_test_order(p_uid bigint, p_product_id bigint, p_now timestamptz)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  v_order := app.create_order(p_uid, jsonb_build_array(jsonb_build_object('product_id', p_product_id, 'quantity', 1)), p_now);
  v_order := app.pay_order(v_order.id, 'check', 'check-' || v_order.id, p_now);
  if exists (select from app.settlement_jobs as j where j.order_id = v_order.id) then
    perform app.settle_order(v_order.id, p_now);
  end if;
  perform app.confirm_receipt(v_order.id, p_now);
  return v_order.id;
end
$$;

comment on function app.run_test_order is
  'Runs a test order of one unit of a product for the configuration check: places it, pays it, settles it and confirms its '
  'receipt, with the timing of the plan in force. Returns its id.';
