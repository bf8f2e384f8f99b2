-- Guarantee reports/network
begin;
\ir ../../support/fixture.psql
select plan(6);

select
  is(app.number_tree(array[null, 1, 1, 2, 4]),
  row(
    array[0, 1, 1, 2, 3], array[3, 2, 0, 1, 0], array[4, 2, 0, 1, 0], (app.number_tree(array[null, 1, 1, 2, 4])).firsts
  ),
  'depth, height and size of a tree whose referrers come before the members below them');
select is(
  (app.number_tree(array[2, 4, 4, 5, null])).heights, array[0, 1, 0, 2, 3],
  'of one whose referrers come after the members below them'
);
select is(app.number_tree('{}'), row('{}'::integer[], '{}'::integer[], '{}'::integer[], '{}'::integer[]), 'no members');
-- Looking at every member above each of 100,000 would be five thousand million steps.
select is(concat_ws(' ', (n.depths)[100000], (n.heights)[1], (n.sizes)[1]), '99999 99999 99999', 'a chain of 100,000')
from app.number_tree(array(select nullif(i - 1, 0) from generate_series(1, 100000) as i)) as n;

-- Against every member above every member, found one by one.
select setseed(0.7);
create temporary table tree as
select i as number, case when i % 40 > 1 then i - 1 - floor(random() * (i % 40 - 1))::integer end as referrer
from generate_series(1, 200) as i;
create temporary table above as
with recursive above as (
  select t.number, t.referrer as other from tree as t where t.referrer is not null
  union all
  select a.number, t.referrer from above as a join tree as t on t.number = a.other where t.referrer is not null
)
select * from above;
create temporary table numbered as
select m.* from app.number_tree(array(select t.referrer from tree as t order by t.number)) as n
cross join lateral unnest(n.depths, n.sizes, n.firsts) with ordinality as m (depth, size, first, number);
select results_eq(
  'select l.number, h.number from numbered as l join numbered as h on l.first > h.first and l.first <= h.first + h.size order by 1, 2',
  'select number::bigint, other::bigint from above order by 1, 2', 'the numbers say who is above whom'
);
select is((select count(distinct first) from numbered), 200::bigint, 'no number is given twice');

select * from finish();
rollback;
