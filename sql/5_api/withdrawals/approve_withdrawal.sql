-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal.
-- Raises: forbidden, own_account, withdrawal_not_found, account_not_found, withdrawal_state_conflict.
-- Idempotent: an approved withdrawal stays as it is.
create or replace function api.approve_withdrawal(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  v_after := app.approve_withdrawal(v_before, null);
  perform app.record_withdrawal_action('approve_withdrawal', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.approve_withdrawal is
  'Approves a requested withdrawal and returns it. Serves PUT /adminapi/withdrawal/{id}/approve.';

grant execute on function api.approve_withdrawal(bigint) to store_admin;
