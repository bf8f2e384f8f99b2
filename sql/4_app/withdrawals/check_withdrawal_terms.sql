-- Raises: invalid_argument.
create or replace function app.check_withdrawal_terms(p_amount numeric, p_method text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_terms app.settings := (select s from app.settings as s);
begin
  if p_method is null or p_method <> all (v_terms.withdrawal_methods) then
    perform app.fail('invalid_argument', 'The store does not pay out this way at present.', '/method');
  elsif p_amount is null or scale(trim_scale(p_amount)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount has at most two decimals.', '/amount');
  elsif p_amount < v_terms.withdrawal_minimum then
    perform app.fail('invalid_argument', format('A withdrawal is at least %s.', v_terms.withdrawal_minimum), '/amount');
  elsif p_amount > v_terms.withdrawal_maximum then
    perform app.fail('invalid_argument', format('A withdrawal is at most %s.', v_terms.withdrawal_maximum), '/amount');
  end if;
end
$$;

comment on function app.check_withdrawal_terms is
  'Raises invalid_argument unless the settings allow a withdrawal of this amount by this method.';
