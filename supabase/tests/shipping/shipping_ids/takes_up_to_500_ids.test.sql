begin;
\ir ../../support/fixture.psql
select plan(13);

select is(app.shipping_ids('[3, 1, 2]'), '{1, 2, 3}', 'the ids are returned in ascending order');
select is(app.shipping_ids('[1]'), '{1}', 'one is enough');
select is(
  cardinality(app.shipping_ids((select jsonb_agg(n order by n) from generate_series(1, 500) as n))), 500,
  'five hundred are allowed'
);
select is(app.shipping_ids('[9999999999999999]'), '{9999999999999999}', 'an id has up to 16 digits');
select throws_ok(format('select app.shipping_ids(%L)', c.ids), 'PT422', 'invalid_argument', c.sentence) from (values
  (null::jsonb, 'no list is refused'), ('[]', 'an empty one'),
    ((select jsonb_agg(n order by n) from generate_series(1, 501) as n), 'one of 501'),
  ('{"1": 1}', 'an object'), ('"1"', 'a text'), ('["1"]', 'an id that is a text'), ('[1, 0]', 'zero'),
  ('[1.5]', 'a part of a number'), ('[10000000000000000]', 'a number of 17 digits')
) as c (ids, sentence);

select * from finish();
rollback;
