create or replace function app.withdrawal_json(p_withdrawal app.withdrawals)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_withdrawal.id, 'withdrawal_no', p_withdrawal.withdrawal_no, 'method', p_withdrawal.method, 'account', p_withdrawal.account_hint,
    'amount', p_withdrawal.amount::text, 'fee', p_withdrawal.fee::text,
    'net_amount', (p_withdrawal.amount - p_withdrawal.fee)::text, 'state', p_withdrawal.state, 'transfer_state', p_withdrawal.transfer_state, 'reason', p_withdrawal.reason,
    'add_time', app.utc(p_withdrawal.add_time), 'approved_at', app.utc(p_withdrawal.approved_at), 'paying_at', app.utc(p_withdrawal.paying_at),
    'ended_at', app.utc(p_withdrawal.ended_at)
  )
$$;

comment on function app.withdrawal_json is 'Returns a withdrawal in the format of the API. net_amount is what the member receives.';

grant execute on function app.withdrawal_json(app.withdrawals) to authenticated, store_admin;
