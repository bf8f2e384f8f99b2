-- Security definer: client roles have no write privilege on settings.
-- Locks: the row of settings.
-- Raises: forbidden, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_settings(
  p_time_zone text default null, p_site_name text default null, p_h5_share_url text default null, p_max_unpaid_orders integer default null,
  p_payment_minutes integer default null, p_order_expiry_minutes integer default null, p_offline_payment boolean default null,
  p_offline_payment_days integer default null, p_receipt_days integer default null,
  p_logo text default null, p_colour text default null, p_points_rate numeric default null, p_points_max_share numeric default null,
  p_adjustment_limit_money numeric default null, p_adjustment_limit_points numeric default null,
  p_withdrawal_minimum numeric default null, p_withdrawal_maximum numeric default null, p_withdrawal_fee_rate numeric default null,
  p_withdrawal_methods jsonb default null,
  p_transfer_minimum numeric default null, p_transfer_maximum numeric default null, p_transfer_name_from numeric default null,
  p_refund_window_days integer default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.settings;
  v_after app.settings;
begin
  perform app.require_admin('system');
  select s.* into v_before from app.settings as s for update;
  perform app.set_settings(p_time_zone, p_site_name, p_h5_share_url, p_max_unpaid_orders, p_logo, p_colour, clock_timestamp());
  perform app.set_order_times(p_payment_minutes, p_order_expiry_minutes, p_offline_payment, p_offline_payment_days, p_receipt_days, p_refund_window_days);
  perform app.set_points_terms(p_points_rate, p_points_max_share);
  perform app.set_adjustment_limits(p_adjustment_limit_money, p_adjustment_limit_points);
  perform app.set_withdrawal_terms(p_withdrawal_minimum, p_withdrawal_maximum, p_withdrawal_fee_rate, p_withdrawal_methods);
  perform app.set_transfer_limits(p_transfer_minimum, p_transfer_maximum, p_transfer_name_from);
  select s.* into v_after from app.settings as s;
  perform app.record_action('set_settings', 'settings', null, to_jsonb(v_before) - 'id', to_jsonb(v_after) - 'id');
  return api.get_settings();
end
$$;

comment on function api.set_settings is
  'Changes the given settings of the store and returns all of them; null leaves a setting as it is, an empty '
  'logo removes it, and a maximum of 0 removes the limit. Serves PUT /adminapi/system/settings.';

grant execute on function api.set_settings(
  text, text, text, integer, integer, integer, boolean, integer, integer, text, text, numeric, numeric, numeric, numeric, numeric, numeric, numeric, jsonb,
  numeric, numeric, numeric, integer
) to store_admin;
