-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawals, by id.
-- Raises: forbidden, own_account, invalid_argument, withdrawal_not_found, account_not_found, withdrawal_state_conflict.
-- Idempotent: approved withdrawals stay as they are.
create or replace function api.approve_withdrawals(p_ids jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_list jsonb := '[]'::jsonb;
begin
  perform app.require_admin('money');
  for v_before in select l.* from app.lock_withdrawals(app.require_ids(p_ids)) as l loop
    perform app.record_withdrawal_action('approve_withdrawals', v_before, app.approve_withdrawal(v_before, null));
    v_list := v_list || to_jsonb(v_before.id);
  end loop;
  return jsonb_build_object('ids', v_list);
end
$$;

comment on function api.approve_withdrawals is
  'Approves several requested withdrawals, all or none, and returns their ids. Serves PUT /adminapi/withdrawal/approve.';

grant execute on function api.approve_withdrawals(jsonb) to store_admin;
