-- Accounts at a bank or at Alipay that members are paid to.

create or replace function app.has_check_digit(p_number text)
returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    sum(case when d.place % 2 = 1 then d.digit else d.digit * 2 - case when d.digit > 4 then 9 else 0 end end) % 10 = 0,
    false
  )
  from (
    select t.digit::integer as digit, t.place
    from regexp_split_to_table(reverse(p_number), '') with ordinality as t (digit, place)
  ) as d
$$;

comment on function app.has_check_digit is
  'Returns whether the last digit of a card number is the check digit of the others (Luhn, ISO/IEC 7812-1). p_number '
  'has digits only.';

create or replace function app.check_payout_account(p_method text, p_holder text, p_account_no text, p_bank text)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(p_method, '') not in ('bank', 'alipay') then
    perform app.fail('invalid_argument', 'An account is at a bank or at Alipay.', '/method');
  elsif not coalesce(char_length(p_holder) between 1 and 64 and app.is_line(p_holder), false) then
    perform app.fail(
      'invalid_argument', 'The name of the account holder must have 1 to 64 characters and must not be blank.',
      '/holder'
    );
  elsif p_method = 'bank' and p_account_no !~ '^[0-9A-Za-z]{8,34}$' is not false then
    perform app.fail('invalid_argument', 'A bank account number has 8 to 34 digits or letters.', '/account_no');
  elsif p_method = 'bank' and p_account_no ~ '^62[0-9]{14,17}$' and not app.has_check_digit(p_account_no) then
    perform app.fail(
      'invalid_argument',
      'This is not the number of a card: its digits do not fit together. Compare it with the card, digit by digit.',
      '/account_no'
    );
  elsif p_method = 'alipay'
    and (
      p_account_no !~ '^([+]?[0-9]{5,20}|[0-9A-Za-z_][0-9A-Za-z_.%+-]{0,31}@[0-9A-Za-z-]{1,20}([.][0-9A-Za-z-]{1,20}){1,3})$'
      is not false
      or char_length(p_account_no) > 64
    ) then
    perform app.fail('invalid_argument', 'An Alipay account is a phone number or an email address.', '/account_no');
  elsif (p_method = 'bank') is distinct from (p_bank is not null) then
    perform app.fail(
      'invalid_argument', 'A bank account needs the name of the bank; an Alipay account has none.', '/bank'
    );
  elsif p_bank is not null and not (char_length(p_bank) between 1 and 64 and app.is_line(p_bank)) then
    perform app.fail(
      'invalid_argument', 'The name of the bank must have 1 to 64 characters and must not be blank.', '/bank'
    );
  end if;
end
$$;

comment on function app.check_payout_account is
  'Raises invalid_argument unless money can be sent to such an account. p_account_no is without spaces. A number of 16 '
  'to 19 digits that begins with 62 is that of a UnionPay card and needs its check digit.';

-- Locks: balances of the member, so that concurrent additions neither exceed the limit nor add an account twice.
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
  -- Row order: there is one at most, by payout_accounts_are_added_once.
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
  'Adds a payout account of a member and returns it. Spaces in the number are ignored.';

-- Locks: balances of the member, as app.request_withdrawal does, so that no withdrawal is requested to an account that
-- is being deleted.
-- Idempotent: an account is deleted once. A second call raises account_not_found.
create or replace function app.delete_payout_account(p_uid bigint, p_id bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lock_balances(array[p_uid]);
  if not exists (select from app.payout_accounts as a where a.id = p_id and a.uid = p_uid and a.deleted_at is null) then
    perform app.fail('account_not_found');
  elsif exists (select from app.withdrawals as w where w.account_id = p_id and w.ended_at is null) then
    perform app.fail('account_in_use', 'A withdrawal to this account is not finished yet.');
  end if;
  update app.payout_accounts as a set deleted_at = app.effect_time(p_now)
  where a.id = p_id and exists (select from app.withdrawals as w where w.account_id = p_id);
  if not found then
    delete from app.payout_accounts as a where a.id = p_id;
  end if;
end
$$;

comment on function app.delete_payout_account is
  'Deletes an account of a member, unless an open withdrawal goes to it. One that a withdrawal names is only hidden.';

-- Locks: the withdrawals and adjustments of the member by id, then the balances. Concurrent requests wait for the lock
-- of the balances, and then find no account. Additions of accounts wait, too, and app.call_api then finds no member.
-- Idempotent: a second call finds nothing left to remove.
create or replace function app.forget_payee(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.withdrawals as w where w.uid = p_uid order by w.id for update;
  perform from app.adjustments as a where a.uid = p_uid order by a.id for update;
  perform app.lock_balances(array[p_uid]);
  delete from app.payout_accounts as a where a.uid = p_uid;
  -- Who withheld tax must be able to say of whom, and why as much.
  if not exists (select from app.tax_withholdings as t where t.uid = p_uid) then
    delete from app.real_names as r where r.uid = p_uid;
    update app.tax_allowances as a set reason = app.forgotten_text() where a.uid = p_uid;
  end if;
  update app.transfers as t set openid = null, payee_name = null, package_info = null
  from app.withdrawals as w where w.id = t.withdrawal_id and w.uid = p_uid;
  update app.withdrawals as w set account_hint = '',
    reason = case when w.reason is not null then app.forgotten_text() end
  where w.uid = p_uid;
  -- Those of the store itself are known by their reasons.
  update app.adjustments as a set reason = app.forgotten_text() where a.uid = p_uid and a.created_by is not null;
end
$$;

comment on function app.forget_payee is
  'Removes what names a deleted member: payout accounts, WeChat ids and names of transfers, masked accounts and '
  'reasons of withdrawals, and reasons of adjustments by administrators. Also, unless tax was withheld, the real name '
  'and the reasons of tax allowances. Such a withdrawal can no longer be approved or put into a batch.';

create or replace function app.payout_account_json(p_account app.payout_accounts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_account.id, 'method', p_account.method, 'holder', p_account.holder, 'account_no',
    app.masked_account(p_account.account_no),
    'bank', p_account.bank, 'add_time', app.utc(p_account.add_time)
  )
$$;

comment on function app.payout_account_json is 'Returns an account in the format of the API, its number masked.';
