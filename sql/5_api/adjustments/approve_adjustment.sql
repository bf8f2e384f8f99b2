-- Security definer: client roles have no write privilege on adjustments and balances.
-- Locks: the adjustment, then the balances of its member.
-- Raises: forbidden, own_account, adjustment_not_found, second_administrator_needed, adjustment_state_conflict.
-- Idempotent: an adjustment that is booked stays as it is.
create or replace function api.approve_adjustment(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.adjustments;
  v_after app.adjustments;
begin
  perform app.require_admin('money');
  v_before := app.lock_adjustment(p_id);
  perform app.reject_own_member(v_before.uid);
  v_after := app.decide_adjustment(p_id, 'booked', auth.uid(), null);
  perform app.record_adjustment_action('approve_adjustment', v_before, v_after);
  return app.adjustment_json(v_after);
end
$$;

comment on function api.approve_adjustment is
  'Books an adjustment that waits for a second administrator, and returns it. Serves PUT /adminapi/adjustment/{id}/approve.';

grant execute on function api.approve_adjustment(bigint) to store_admin;
