begin;
\ir ../../support/fixture.psql
select plan(2);

-- 1 has an order and joins below 2. Then 3, who is below 4, leaves.
create temporary table decided as
select (m).uid,
  concat_ws(' ', (m).direct_orders, (m).umbrella_orders, (m).direct_members, (m).umbrella_members) as counts,
  (m).has_left
from app.decide_levels(
  array[
    app.new_tree_change('refer', 1, p_referrer => 2, p_orders_below => 0, p_members_below => 0, p_raises => true),
    app.new_tree_change('leave', 3)
  ],
  array[
    (1, null, 0, true, false, 1, 0, 0, 0, 0, false, false), (2, null, 0, true, false, 0, 0, 0, 0, 0, false, false),
    (3, 4, 0, true, false, 0, 0, 0, 0, 0, false, false), (4, null, 0, true, false, 0, 0, 0, 0, 0, false, false)
  ]::app.tree_member[],
  app.level_rules(app.levels_json())
) as r, unnest(r.members) as m;
select results_eq(
  'select uid, counts from decided where uid in (2, 4) order by uid', $$ values (2::bigint, '1 1 1 1'),
  (4, '0 0 0 0') $$, 'who joins counts above them, and who leaves counts nothing, whatever came before'
);
select results_eq('select uid from decided where has_left', 'select 3::bigint', 'who leaves has left');

select * from finish();
rollback;
