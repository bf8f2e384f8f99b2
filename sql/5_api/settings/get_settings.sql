-- Raises: forbidden.
create or replace function api.get_settings()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'time_zone', s.time_zone, 'site_name', s.site_name, 'h5_share_url', s.h5_share_url,
      'max_unpaid_orders', s.max_unpaid_orders, 'payment_minutes', s.payment_minutes, 'order_expiry_minutes', s.order_expiry_minutes,
      'offline_payment', s.offline_payment, 'offline_payment_days', s.offline_payment_days, 'receipt_days', s.receipt_days,
      'refund_window_days', s.refund_window_days,
      'points_rate', trim_scale(s.points_rate), 'points_max_share', trim_scale(s.points_max_share),
      'adjustment_limit_money', s.adjustment_limit_money::text, 'adjustment_limit_points', trim_scale(s.adjustment_limit_points),
      'withdrawal_minimum', s.withdrawal_minimum::text, 'withdrawal_maximum', s.withdrawal_maximum::text,
      'withdrawal_fee_rate', trim_scale(s.withdrawal_fee_rate), 'withdrawal_methods', to_jsonb(s.withdrawal_methods),
      'transfer_minimum', s.transfer_minimum::text, 'transfer_maximum', s.transfer_maximum::text, 'transfer_name_from', s.transfer_name_from::text,
      'logo', s.logo, 'colour', s.colour, 'updated_at', app.utc(s.updated_at)
    )
    from app.settings as s
  );
end
$$;

comment on function api.get_settings is 'Returns the settings of the store. Serves GET /adminapi/system/settings.';

grant execute on function api.get_settings() to store_admin;
