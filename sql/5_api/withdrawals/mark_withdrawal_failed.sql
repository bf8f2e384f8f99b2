-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal, then the balances of its member.
-- Raises: forbidden, own_account, withdrawal_not_found, invalid_argument, withdrawal_state_conflict.
-- Idempotent: a failed withdrawal stays as it is.
create or replace function api.mark_withdrawal_failed(p_id bigint, p_reason text)
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
  perform app.reject_end_by_hand(v_before, clock_timestamp());
  v_after := app.end_withdrawal(p_id, 'failed', p_reason, null, null);
  perform app.record_withdrawal_action('mark_withdrawal_failed', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.mark_withdrawal_failed is
  'Records that the payment of an approved withdrawal failed, with a reason that the member sees. The amount returns to the balance. '
  'Returns the withdrawal. Serves PUT /adminapi/withdrawal/{id}/failed.';

grant execute on function api.mark_withdrawal_failed(bigint, text) to store_admin;
