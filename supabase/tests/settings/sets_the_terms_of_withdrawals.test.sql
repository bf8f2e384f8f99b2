begin;
\ir ../support/fixture.psql
select plan(19);

create function pg_temp.terms() returns text language sql as $$
  select concat_ws(' ', s.withdrawal_minimum, s.withdrawal_maximum, s.withdrawal_fee_rate, s.withdrawal_methods)
  from app.settings as s
$$;
select is(
  pg_temp.terms(), '10.00 0.00000 {bank,alipay}',
  'a new store has a minimum, no maximum and no fee, and does not pay out by WeChat'
);
select throws_ok(
  format('select app.set_settings(%L, now())', c.changes), 'PT422', 'invalid_argument',
  format('%s is rejected', c.sentence)
)
from (values
  ('{"withdrawal_minimum": 0}', 'a minimum of nothing'),
    ('{"withdrawal_minimum": 0.001}', 'a minimum of less than a cent'),
    ('{"withdrawal_minimum": 10.005}', 'a minimum with parts of a cent'),
  ('{"withdrawal_minimum": 1000000.01}', 'a minimum of more than a million'),
  ('{"withdrawal_minimum": "NaN"}', 'a minimum that is no number'),
  ('{"withdrawal_maximum": 9.99}', 'a maximum below the minimum in force'),
  ('{"withdrawal_minimum": 20, "withdrawal_maximum": 19}', 'a maximum below the minimum of the same request'),
  ('{"withdrawal_maximum": 100.001}', 'a maximum with parts of a cent'),
  ('{"withdrawal_maximum": 1e15}', 'a maximum that is too large'), ('{"withdrawal_maximum": -1}', 'a negative maximum'),
  ('{"withdrawal_fee_rate": 1}', 'a fee of the whole amount'), ('{"withdrawal_fee_rate": -0.1}', 'a negative fee'),
  ('{"withdrawal_fee_rate": 0.000001}', 'a fee with six decimals'),
  ('{"withdrawal_methods": ["cash"]}', 'an unknown method'),
  ('{"withdrawal_methods": {}}', 'a value that is no list of methods')
) as c (changes, sentence);
select
from app.set_settings(
  '{"withdrawal_minimum": 20, "withdrawal_maximum": 5000, "withdrawal_fee_rate": 0.006, "withdrawal_methods": ["wechat", "bank", "bank"]}',
  now()
);
select is(pg_temp.terms(), '20.00 5000.00 0.00600 {bank,wechat}', 'all terms can be changed');
select from app.set_settings('{"withdrawal_maximum": 0, "withdrawal_methods": []}', now());
select is(pg_temp.terms(), '20.00 0.00600 {}', 'a maximum of 0 removes the limit, and terms that are not named stay');
select lives_ok($$ select app.set_settings('{}', now()) $$, 'a call without values changes nothing');

select * from finish();
rollback;
