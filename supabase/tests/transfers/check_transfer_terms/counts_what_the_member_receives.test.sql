begin;
\ir ../../support/fixture.psql
select plan(19);

create function pg_temp.fault(
  p_amount numeric, p_name text default null, p_method text default 'wechat'
) returns text language plpgsql as $$
declare
  v_field text;
begin
  perform app.check_transfer_terms(p_amount, p_method, p_name);
  return 'none';
exception when sqlstate 'PT422' then
  get stacked diagnostics v_field = column_name;
  return v_field;
end
$$;

-- The fee of a tenth is taken off first.
update app.settings set withdrawal_fee_rate = 0.1, transfer_minimum = 9, transfer_maximum = 900,
  transfer_name_from = 450;
select is(pg_temp.fault(c.amount, c.name), c.fault, c.sentence) from (values
  (9.99, null, 'none', 'the smallest amount: the fee is rounded down'), (9.98, null, '/amount', 'a cent less'),
    (1000, 'Chen', 'none', 'the largest'), (1000.01, 'Chen', '/amount', 'a cent more'),
  (499.98, null, 'none', 'below the amount of the name, no name is needed'),
  (499.99, null, '/payee_name', 'from it on, one is'), (499.99, 'Chen', 'none', 'which may be given'),
  (10, 'Chen', 'none', 'also for less')
) as c (amount, name, fault, sentence);
update app.settings set transfer_maximum = null;
select is(pg_temp.fault(999999999999, 'Chen'), 'none', 'without a maximum, any amount is transferred');
select is(pg_temp.fault(10, n.name), n.fault, format('a name of %s characters', char_length(n.name)))
from (
  values ('', '/payee_name'), ('陈', 'none'), (repeat('陈', 64), 'none'), (repeat('陈', 65), '/payee_name')
) as n (name, fault);
select is(pg_temp.fault(10, E'Chen\nJing'), '/payee_name', 'or of two lines');
select is(pg_temp.fault(10, ' '), '/payee_name', 'or of blanks');
select is(pg_temp.fault(c.amount, c.name, 'bank'), c.fault, c.sentence) from (values
  (0.01, null, 'none', 'at a bank, no limit counts'), (100000, null, 'none', 'and no name is needed'),
    (10, 'Chen', '/payee_name', 'or taken'), (10, '', '/payee_name', 'not even an empty one')
) as c (amount, name, fault, sentence);

select * from finish();
rollback;
