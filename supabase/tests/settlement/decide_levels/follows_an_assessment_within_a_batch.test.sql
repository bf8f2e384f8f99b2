begin;
\ir ../../support/fixture.psql
select plan(4);

-- A buyer below a referrer. The flag is set before an order, and removed before the next one.
create function pg_temp.counts(p_changes integer) returns text language sql as $$
  select concat_ws(' ', b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members)
  from app.decide_levels(
    (array[
      ('assess', 1, null, 0, null, null, true, null, null, null, null, false),
        ('settle', 1, 1, 1, null, 1, null, null, null, null, null, false),
      ('assess', 1, null, 0, null, null, false, null, null, null, null, false),
      ('settle', 1, 2, 1, null, 1, null, null, null, null, null, false)
    ]::app.tree_change[])[:p_changes],
    array[(1, 2, 0, true, false, 1, 0, 0, 0, 0, false, false), (
      2, null, 0, true, false, 0, 1, 1, 1, 1, false, false
    )]::app.tree_member[],
    app.level_rules(app.levels_json())
  ) as r, unnest(r.members) as b where b.uid = 2
$$;
select is(pg_temp.counts(n), c.counts, c.sentence) from (values
  (1, '0 0 0 0', 'the flag takes the orders of a member out of the counts'),
  (2, '0 0 0 0', 'an order after it does not count'),
  (3, '2 2 1 1', 'without the flag, all orders count'),
  (4, '3 3 1 1', 'an order after that counts')
) as c (n, counts, sentence);

select * from finish();
rollback;
