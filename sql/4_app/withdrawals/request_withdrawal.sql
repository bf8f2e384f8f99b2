-- Locks: balances of the member, so that concurrent requests, refunds and adjustments run one after the other.
-- Raises: invalid_argument, user_not_found, account_not_found, withdrawal_open, withdrawal_exceeds_balance.
-- Not idempotent: each call makes a request. A member has at most one open request.
create or replace function app.request_withdrawal(
  p_uid bigint, p_amount numeric, p_method text, p_account_id bigint, p_now timestamptz, p_payee_name text default null
)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account app.payout_accounts;
  v_withdrawal app.withdrawals;
  v_withdrawable numeric;
  v_now timestamptz;
begin
  perform app.require_user(p_uid);
  perform app.check_withdrawal_terms(p_amount, p_method);
  perform app.check_transfer_terms(p_amount, p_method, p_payee_name);
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  select a.* into v_account from app.payout_accounts as a where a.id = p_account_id and a.uid = p_uid and a.method = p_method and a.deleted_at is null;
  if v_account.id is null and (p_method <> 'wechat' or p_account_id is not null) then
    perform app.fail('account_not_found');
  elsif exists (select from app.withdrawals as w where w.uid = p_uid and w.ended_at is null) then
    perform app.fail('withdrawal_open', 'Your last withdrawal is not finished yet.');
  end if;
  v_withdrawable := app.withdrawable(p_uid, v_now);
  if p_amount > v_withdrawable then
    perform app.fail('withdrawal_exceeds_balance', format('You can withdraw at most %s now.', greatest(v_withdrawable, 0)));
  end if;
  insert into app.withdrawals (withdrawal_no, uid, method, account_id, account_hint, amount, fee, add_time)
  select
    'W' || to_char(v_now at time zone 'UTC', 'YYYYMMDDHH24MISS') || lpad(nextval('app.withdrawal_no_seq')::text, 8, '0'),
    p_uid, p_method, v_account.id, case p_method when 'wechat' then 'WeChat' else concat_ws(' ', v_account.bank, app.masked_account(v_account.account_no)) end, p_amount,
    app.withdrawal_fee(p_amount, s.withdrawal_fee_rate), v_now
  from app.settings as s
  returning * into v_withdrawal;
  perform app.book_withdrawal(v_withdrawal, 'withdrawal', v_now);
  perform app.add_transfer(v_withdrawal, p_payee_name) where p_method = 'wechat';
  return v_withdrawal;
end
$$;

comment on function app.request_withdrawal is
  'Requests the withdrawal of matured commission and returns it. The amount leaves the balance at once, so that nothing can be '
  'withdrawn twice. The fee is that of the settings now. A withdrawal by wechat goes to the WeChat account with which the member signs '
  'in.';
