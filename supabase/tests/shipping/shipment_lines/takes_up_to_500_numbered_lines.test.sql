begin;
\ir ../../support/fixture.psql
select plan(15);

create function pg_temp.lines(p_count integer) returns jsonb language sql as $$
  select coalesce(jsonb_agg(jsonb_build_object('line', n) order by n), '[]') from generate_series(1, p_count) as n
$$;
select is(cardinality(app.shipment_lines(pg_temp.lines(n))), n, format('%s lines', n))
from (values (1), (500)) as v (n);
select is(
  (
    select string_agg(concat_ws(' ', l.line, l.order_no, l.carrier, l.tracking_no), ', ' order by l.ordinality)
    from unnest(
      app.shipment_lines(
        '[{"line": 7, "order_no": " 1\u200b ", "carrier": "S F", "tracking_no": "X"}, {"line": 2, "order_no": " "}]'
      )
    ) with ordinality as l
  ),
  '7 1 S F X, 2', 'texts are cleaned, and the lines keep their sequence'
);
select is((app.shipment_lines('[{"line": 999999}]'))[1].line, 999999, 'a number has up to six digits');
select throws_ok(format('select app.shipment_lines(%L)', c.lines), 'PT422', 'invalid_argument', c.sentence) from (values
  (null::jsonb, 'no list is refused'), (pg_temp.lines(0), 'an empty one'), (pg_temp.lines(501), 'one of 501 lines'),
    ('{"line": 1}', 'an object'), ('[{"line": 1}, 2]', 'a line that is no object'),
  ('[{}]', 'one without a number'), ('[{"line": "1"}]', 'one whose number is a text'), ('[{"line": 0}]', 'zero'),
  ('[{"line": 1.5}]', 'a part of a number'), ('[{"line": 1000000}]', 'a number of seven digits'),
  ('[{"line": 1}, {"line": -1}]', 'a negative one')
) as c (lines, sentence);

select * from finish();
rollback;
