-- What members may call to take back a withdrawal that nobody has approved.

-- Locks: the withdrawal, the count of the caller's cancellations, the balances of the caller.
-- Idempotent: a cancelled withdrawal stays as it is.
create or replace function api.cancel_withdrawal(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_withdrawal app.withdrawals;
begin
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id and w.uid = v_uid for update;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  perform app.use_quota(v_uid, 'cancellation', clock_timestamp()) where v_withdrawal.state = 'requested';
  return app.withdrawal_json(app.cancel_withdrawal(v_withdrawal, null));
end
$$;

comment on function api.cancel_withdrawal is
  'Cancels a withdrawal of the caller that no administrator has approved, and returns it. The amount returns to the balance. Serves PUT '
  '/api/withdrawal/{id}/cancel.';

grant execute on function api.cancel_withdrawal(bigint) to authenticated, store_admin;
