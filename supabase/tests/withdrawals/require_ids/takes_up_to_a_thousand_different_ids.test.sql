begin;
\ir ../../support/fixture.psql
select plan(15);

select is(app.require_ids('[3, 1, 2]'), '{1, 2, 3}', 'the ids are returned in ascending order');
select is(app.require_ids('[1]'), '{1}', 'one is enough');
select is(
  cardinality(app.require_ids((select jsonb_agg(n order by n) from generate_series(1, 1000) as n))), 1000,
  'a thousand are allowed'
);
select is(app.require_ids('[9999999999999999]'), '{9999999999999999}', 'an id has up to 16 digits');
select throws_ok(format('select app.require_ids(%L)', c.ids), 'PT422', 'invalid_argument', c.sentence) from (values
  (null::jsonb, 'no list is refused'), ('[]', 'an empty one'),
    ((select jsonb_agg(n order by n) from generate_series(1, 1001) as n), 'one of 1001'),
    ('[1, 1]', 'one that names an id twice'),
  ('{"1": 1}', 'an object'), ('"1"', 'a text'), ('["1"]', 'an id that is a text'), ('[1, 0]', 'zero'),
  ('[-1]', 'a negative number'), ('[1.5]', 'a part of a number'),
  ('[10000000000000000]', 'a number of 17 digits')
) as c (ids, sentence);

select * from finish();
rollback;
