-- Security definer: client roles cannot read payout_accounts.
-- Raises: forbidden, withdrawal_not_found.
create or replace function api.admin_get_withdrawal(p_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  perform app.require_admin();
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return app.admin_withdrawal_json(v_withdrawal) || jsonb_build_object(
    'withdrawable', app.withdrawable(v_withdrawal.uid, clock_timestamp())::text,
    'batch_no', (select b.batch_no from app.withdrawal_batches as b where b.id = v_withdrawal.batch_id),
    'transfer', app.transfer_json(v_withdrawal, clock_timestamp()),
    'payee', (
      select jsonb_build_object('holder', a.holder, 'account_no', a.account_no, 'bank', a.bank)
      from app.payout_accounts as a where a.id = v_withdrawal.account_id and app.may_change('money')
    )
  );
end
$$;

comment on function api.admin_get_withdrawal is
  'Returns a withdrawal with the amount that the member can still withdraw, its transfer at WeChat and, only for administrators with the area money, the account '
  'with its unmasked number. Serves GET /adminapi/withdrawal/{id}.';

grant execute on function api.admin_get_withdrawal(bigint) to store_admin;
