create or replace function app.admin_withdrawal_json(p_withdrawal app.withdrawals)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.withdrawal_json(p_withdrawal) || jsonb_build_object(
    'uid', p_withdrawal.uid, 'nickname', (select u.nickname from app.users as u where u.uid = p_withdrawal.uid),
    'payment_ref', p_withdrawal.payment_ref, 'batch_id', p_withdrawal.batch_id,
    'debt', (
      select (-w.amount)::text from app.withdrawable(p_withdrawal.uid, clock_timestamp()) as w (amount)
      where p_withdrawal.ended_at is null and w.amount < 0
    )
  )
$$;

comment on function app.admin_withdrawal_json is
  'Returns a withdrawal as administrators see it, with the commission that the member owes while it has not ended: refusing it reduces '
  'that debt. Null if nothing is owed.';

grant execute on function app.admin_withdrawal_json(app.withdrawals) to store_admin;
