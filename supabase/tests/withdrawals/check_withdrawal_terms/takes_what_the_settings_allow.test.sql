begin;
\ir ../../support/fixture.psql
select plan(14);

create function pg_temp.fault(p_amount numeric, p_method text default 'bank') returns text language plpgsql as $$
declare
  v_field text;
begin
  perform app.check_withdrawal_terms(p_amount, p_method);
  return 'none';
exception when sqlstate 'PT422' then
  get stacked diagnostics v_field = column_name;
  return v_field;
end
$$;

update app.settings set withdrawal_minimum = 20, withdrawal_maximum = 5000, withdrawal_methods = '{bank, wechat}';
select is(pg_temp.fault(c.amount), c.fault, c.sentence) from (values
  (20, 'none', 'the smallest amount'), (5000, 'none', 'the largest'), (20.01, 'none', 'a cent more than the smallest'),
    (20.010, 'none', 'zeros at the end do not count'),
  (19.99, '/amount', 'a cent too little'), (5000.01, '/amount', 'a cent too much'),
  (20.001, '/amount', 'parts of a cent'), (null, '/amount', 'no amount')
) as c (amount, fault, sentence);
select is(pg_temp.fault(100, c.method), c.fault, c.sentence) from (values
  ('wechat', 'none', 'another way that is allowed'), ('alipay', '/method', 'one that is not'),
    ('cash', '/method', 'one that does not exist'), (null, '/method', 'none')
) as c (method, fault, sentence);
update app.settings set withdrawal_maximum = null;
select is(pg_temp.fault(999999999999.99), 'none', 'without a maximum, any amount');
update app.settings set withdrawal_methods = '{}';
select is(pg_temp.fault(100), '/method', 'without ways, nothing');

select * from finish();
rollback;
