begin;
\ir ../../support/fixture.psql
select plan(34);

create function pg_temp.fault(
  p_method text, p_account_no text, p_holder text default 'Chen', p_bank text default 'ICBC'
) returns text language plpgsql as $$
declare
  v_field text;
begin
  perform app.check_payout_account(p_method, p_holder, p_account_no, case when p_method = 'bank' then p_bank end);
  return 'none';
exception when sqlstate 'PT422' then
  get stacked diagnostics v_field = column_name;
  return v_field;
end
$$;
-- The least number of a card that begins with 62 and has so many digits, with its check digit, or another one.
create function pg_temp.card(p_digits integer, p_is_right boolean) returns text language sql as $$
  select c.number from generate_series(0, 9) as d, lateral (select rpad('62', p_digits - 1, '1') || d) as c (number)
  where app.has_check_digit(c.number) = p_is_right order by c.number limit 1
$$;

select is(
  pg_temp.fault('bank', '12345678', h.holder), h.fault, format('a holder of %s characters', char_length(h.holder))
)
from (
  values ('', '/holder'), ('陈', 'none'), (repeat('陈', 64), 'none'), (repeat('陈', 65), '/holder'), (null, '/holder')
) as h (holder, fault);
select is(
  pg_temp.fault('bank', '12345678', 'Chen', b.bank), b.fault, format('a bank of %s characters', char_length(b.bank))
)
from (values ('', '/bank'), ('工', 'none'), (repeat('工', 64), 'none'), (repeat('工', 65), '/bank')) as b (bank, fault);
select is(
  pg_temp.fault('bank', repeat('A', n.digits)), n.fault, format('a number of %s characters at a bank', n.digits)
)
from (values (7, '/account_no'), (8, 'none'), (34, 'none'), (35, '/account_no')) as n (digits, fault);
-- Other numbers that begin with 62 are no cards, and need no check digit.
select is(
  pg_temp.fault('bank', pg_temp.card(n, is_right)),
  case when is_right or n not between 16 and 19 then 'none' else '/account_no' end,
  format('%s digits that begin with 62 and %s', n, case when is_right then 'fit together' else 'do not' end)
)
from generate_series(15, 20) as n cross join (values (true), (false)) as r (is_right);
select is(
  pg_temp.fault('bank', '61' || substr(pg_temp.card(16, false), 3)), 'none', 'nor do those that begin otherwise'
);
select is(pg_temp.fault('alipay', a.account_no), a.fault, format('%s at Alipay', a.account_no)) from (values
  ('1234', '/account_no'), ('12345', 'none'), ('+' || repeat('1', 20), 'none'), (repeat('1', 21), '/account_no'),
  (repeat('a', 32) || '@' || repeat('b', 20) || '.' || repeat('c', 10), 'none'),
  (repeat('a', 32) || '@' || repeat('b', 20) || '.' || repeat('c', 11), '/account_no'),
  (repeat('a', 33) || '@b.cn', '/account_no'), ('a@' || repeat('b', 21) || '.cn', '/account_no')
) as a (account_no, fault);

select * from finish();
rollback;
