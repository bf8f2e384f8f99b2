-- Security definer: client roles have no write privilege on adjustments and balances.
-- Locks: balances of the member.
-- Raises: forbidden, own_account and what app.create_adjustment raises.
-- Not idempotent: each call makes an adjustment. Clients send an Idempotency-Key.
create or replace function api.create_adjustment(
  p_uid bigint, p_reason text, p_brokerage numeric default null, p_frozen_points numeric default null, p_available_points numeric default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
begin
  perform app.require_admin('money');
  perform app.reject_own_member(p_uid);
  v_adjustment := app.create_adjustment(p_uid, p_brokerage, p_frozen_points, p_available_points, p_reason, auth.uid(), null);
  perform app.record_adjustment_action('create_adjustment', null, v_adjustment);
  return app.adjustment_json(v_adjustment);
end
$$;

comment on function api.create_adjustment is
  'Corrects the balances of a member and returns the adjustment: booked within the limits of the settings, otherwise waiting for a '
  'second administrator. Serves POST /adminapi/adjustment.';

grant execute on function api.create_adjustment(bigint, text, numeric, numeric, numeric) to store_admin;
