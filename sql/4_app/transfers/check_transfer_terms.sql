-- Raises: invalid_argument.
create or replace function app.check_transfer_terms(p_amount numeric, p_method text, p_payee_name text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_terms app.settings := (select s from app.settings as s);
  v_net numeric := p_amount - app.withdrawal_fee(p_amount, v_terms.withdrawal_fee_rate);
begin
  if p_payee_name is not null and (p_method <> 'wechat' or char_length(p_payee_name) not between 1 and 64 or not app.is_visible(p_payee_name)) then
    perform app.fail('invalid_argument', 'Only a withdrawal to WeChat names the payee, with 1 to 64 characters.', '/payee_name');
  elsif p_method <> 'wechat' then
    return;
  elsif v_net < v_terms.transfer_minimum then
    perform app.fail('invalid_argument', format('WeChat transfers at least %s.', v_terms.transfer_minimum), '/amount');
  elsif v_net > v_terms.transfer_maximum then
    perform app.fail('invalid_argument', format('WeChat transfers at most %s at once.', v_terms.transfer_maximum), '/amount');
  elsif v_net >= v_terms.transfer_name_from and p_payee_name is null then
    perform app.fail('invalid_argument', format('From %s on, WeChat needs your full name.', v_terms.transfer_name_from), '/payee_name');
  end if;
end
$$;

comment on function app.check_transfer_terms is
  'Raises invalid_argument unless the amount less the fee is within the limits of transfers, and the payee is named where WeChat needs '
  'the name. A withdrawal by another method must not name a payee.';
