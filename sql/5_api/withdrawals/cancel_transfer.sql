-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal.
-- Raises: forbidden, own_account, withdrawal_not_found, withdrawal_state_conflict.
-- Idempotent: a transfer that is being cancelled is queried again.
create or replace function api.cancel_transfer(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  perform app.require_admin('money');
  select l.* into v_withdrawal from app.lock_withdrawals(array[p_id]) as l;
  perform app.cancel_transfer(v_withdrawal, clock_timestamp());
  perform app.record_action(
    'cancel_transfer', 'withdrawal', p_id::text, jsonb_build_object('transfer_state', v_withdrawal.transfer_state),
    jsonb_build_object('transfer_state', 'cancelling')
  );
  return app.admin_withdrawal_json(v_withdrawal);
end
$$;

comment on function api.cancel_transfer is
  'Has WeChat cancel a transfer that the member has not confirmed, and returns the withdrawal, which stays paying until WeChat says how it '
  'ended. Serves PUT /adminapi/withdrawal/{id}/cancel.';

grant execute on function api.cancel_transfer(bigint) to store_admin;
