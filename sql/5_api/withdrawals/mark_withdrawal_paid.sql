-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal.
-- Raises: forbidden, own_account, withdrawal_not_found, invalid_argument, withdrawal_state_conflict.
-- Idempotent: a paid withdrawal stays as it is.
create or replace function api.mark_withdrawal_paid(p_id bigint, p_payment_ref text default null)
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
  v_after := app.end_withdrawal(p_id, 'paid', null, p_payment_ref, null);
  perform app.record_withdrawal_action('mark_withdrawal_paid', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.mark_withdrawal_paid is
  'Records that an approved withdrawal was paid, with the reference of the payment, and returns it. Serves PUT /adminapi/withdrawal/{id}/paid.';

grant execute on function api.mark_withdrawal_paid(bigint, text) to store_admin;
