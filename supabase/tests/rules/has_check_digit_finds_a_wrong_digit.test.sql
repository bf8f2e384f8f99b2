begin;
\ir ../support/fixture.psql
select plan(7);

select is(app.has_check_digit(n), expected, n) from (values
  ('4111111111111111', true), ('4111111111111112', false), ('6222021234567890128', true),
    ('6222021234567890123', false), ('0', true)
) as t (n, expected);
select is(
  (select count(*)::int from generate_series(0, 18) as p, generate_series(1, 9) as d
   where app.has_check_digit(
     overlay('6222021234567890128' placing ((substr('6222021234567890128', p + 1, 1)::int + d) % 10)::text from p + 1)
   )),
     0, 'every wrong digit is found'
);
select is(app.has_check_digit('2622021234567890128'), false, 'two digits in the wrong order are found');

select * from finish();
rollback;
