-- Locks: balances of the member, so that concurrent additions neither exceed the limit nor add an account twice.
-- Raises: invalid_argument, too_many_accounts.
-- Idempotent: adding the same account again returns the existing one.
create or replace function app.add_payout_account(
  p_uid bigint, p_method text, p_holder text, p_account_no text, p_bank text, p_now timestamptz
)
returns app.payout_accounts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- People type a card number in groups.
  v_account_no text := regexp_replace(p_account_no, '[[:space:]]', '', 'g');
  v_account app.payout_accounts;
begin
  perform app.check_payout_account(p_method, p_holder, v_account_no, p_bank);
  perform app.lock_balances(array[p_uid]);
  select a.* into v_account
  from app.payout_accounts as a
  where a.uid = p_uid and a.deleted_at is null
    and (a.method, a.account_no, a.holder) = (p_method, v_account_no, p_holder) and a.bank is not distinct from p_bank;
  if found then
    return v_account;
  elsif (select count(*) from app.payout_accounts as a where a.uid = p_uid and a.deleted_at is null) >= 10 then
    perform app.fail('too_many_accounts', 'A member has at most 10 accounts; delete one first.');
  end if;
  insert into app.payout_accounts (uid, method, holder, account_no, bank, add_time)
  values (p_uid, p_method, p_holder, v_account_no, p_bank, app.effect_time(p_now))
  returning * into v_account;
  return v_account;
end
$$;

comment on function app.add_payout_account is
  'Adds an account at a bank or at Alipay to the payout accounts of a member and returns it. Spaces in the number are ignored.';
