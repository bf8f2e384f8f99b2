begin;
\ir ../support/fixture.psql
select plan(19);

create function pg_temp.terms() returns text language sql as $$
  select concat_ws(' ', s.withdrawal_minimum, s.withdrawal_maximum, s.withdrawal_fee_rate, s.withdrawal_methods) from app.settings as s
$$;
select is(pg_temp.terms(), '10.00 0.00000 {bank,alipay}', 'a new store has a minimum, no maximum and no fee, and does not pay out by WeChat');
select throws_ok(format('select app.set_withdrawal_terms(%s)', c.args), 'PT422', 'invalid_argument', format('%s is rejected', c.sentence)) from (values
  ('0, null, null, null', 'a minimum of nothing'), ('0.001, null, null, null', 'a minimum of less than a cent'), ('10.005, null, null, null', 'a minimum with parts of a cent'),
  ('1000000.01, null, null, null', 'a minimum of more than a million'), ('''NaN'', null, null, null', 'a minimum that is no number'), ('null, 9.99, null, null', 'a maximum below the minimum in force'),
  ('20, 19, null, null', 'a maximum below the minimum of the same request'), ('null, 100.001, null, null', 'a maximum with parts of a cent'), ('null, 1e15, null, null', 'a maximum that is too large'), ('null, -1, null, null', 'a negative maximum'),
  ('null, null, 1, null', 'a fee of the whole amount'), ('null, null, -0.1, null', 'a negative fee'), ('null, null, 0.000001, null', 'a fee with six decimals'),
  ('null, null, null, ''["cash"]''', 'an unknown method'), ('null, null, null, ''{}''', 'a value that is no list of methods')
) as c (args, sentence);
select from app.set_withdrawal_terms(20, 5000, 0.006, '["wechat", "bank", "bank"]');
select is(pg_temp.terms(), '20.00 5000.00 0.00600 {bank,wechat}', 'all terms can be changed');
select from app.set_withdrawal_terms(null, 0, null, '[]');
select is(pg_temp.terms(), '20.00 0.00600 {}', 'a maximum of 0 removes the limit, and terms that are not named stay');
select lives_ok('select app.set_withdrawal_terms(null, null, null, null)', 'a call without values changes nothing');

select * from finish();
rollback;
