-- Raises: invalid_argument. No message repeats a value.
create or replace function app.check_payout_account(p_method text, p_holder text, p_account_no text, p_bank text)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(p_method, '') not in ('bank', 'alipay') then
    perform app.fail('invalid_argument', 'An account is at a bank or at Alipay.', '/method');
  elsif not coalesce(char_length(p_holder) between 1 and 64 and app.is_visible(p_holder), false) then
    perform app.fail('invalid_argument', 'The name of the account holder must have 1 to 64 characters and must not be blank.', '/holder');
  elsif p_method = 'bank' and p_account_no !~ '^[0-9A-Za-z]{8,34}$' is not false then
    perform app.fail('invalid_argument', 'A bank account number has 8 to 34 digits or letters.', '/account_no');
  elsif p_method = 'alipay' and p_account_no !~ '^([+]?[0-9]{5,20}|[0-9A-Za-z_][^@[:space:]]{0,39}@[^@[:space:]]{1,20})$' is not false then
    perform app.fail('invalid_argument', 'An Alipay account is a phone number or an email address.', '/account_no');
  elsif (p_method = 'bank') is distinct from (p_bank is not null) then
    perform app.fail('invalid_argument', 'A bank account needs the name of the bank; an Alipay account has none.', '/bank');
  elsif p_bank is not null and not (char_length(p_bank) between 1 and 64 and app.is_visible(p_bank)) then
    perform app.fail('invalid_argument', 'The name of the bank must have 1 to 64 characters and must not be blank.', '/bank');
  end if;
end
$$;

comment on function app.check_payout_account is
  'Raises invalid_argument unless money can be sent to such an account. p_account_no is without spaces. No number begins like a formula, so '
  'the file of a batch has every number unchanged.';
