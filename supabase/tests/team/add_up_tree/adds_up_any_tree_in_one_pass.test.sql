begin;
\ir ../../support/fixture.psql
select plan(5);

select is(
  app.add_up_tree(array[null, 1, 1, 2, 4], array[1, 1, 1, 1, 1], array[10, 20, 30, 40, 50]),
  row(array[4, 2, 0, 1, 0], array[140, 90, 0, 50, 0]), 'a tree whose referrers come before the members below them'
);
select is(
  app.add_up_tree(array[2, 4, 4, 5, null], array[1, 1, 1, 1, 1], array[50, 40, 30, 20, 10]),
  row(array[0, 1, 0, 3, 4], array[0, 50, 0, 120, 140]), 'a tree whose referrers come after the members below them'
);
select is(
  app.add_up_tree(array[null, null, 1]::integer[], array[1, 1, 1], array[0, 0, 7]), row(array[1, 0, 0], array[7, 0, 0]),
  'several trees'
);
select is(app.add_up_tree('{}', '{}', '{}'), row('{}'::integer[], '{}'::integer[]), 'no members');
-- Adding every member to each of 100,000 members above would be five thousand million steps.
select is((s.members)[1], 99999, 'a chain of 100,000')
from app.add_up_tree(
  array(select nullif(n - 1, 0) from generate_series(1, 100000) as n), array_fill(1, array[100000]),
  array_fill(0, array[100000])
) as s;

select * from finish();
rollback;
