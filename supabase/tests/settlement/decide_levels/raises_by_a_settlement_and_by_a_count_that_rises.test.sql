-- Guarantee rules/5-rise-at-once
begin;
\ir ../../support/fixture.psql
select plan(13);

-- A buyer (1) below a member (2), who rises with two direct orders. The buyer has two, and is not assessed.
create temporary table levels as
select array[(0, 0, 0, true, 1, 2, null, null, null), (
  1, 0, 0, true, null, null, null, null, null
)]::app.level_rule[] as rules;
create function pg_temp.outcome(p_changes app.tree_change[]) returns text language sql as $$
  select concat_ws(
    '; ', m.direct_orders, m.agent_level,
    (
      select string_agg(format('%s rises to %s by %s %s', r.uid, r.to_level, r.cause, r.ordinal), ', ')
      from unnest(d.rises) as r
    )
  )
  from levels as l, app.decide_levels(
    p_changes,
    array[(1, 2, 0, false, true, 2, 0, 0, 0, 0, false, false), (
      2, null, 0, false, false, 0, 0, 0, 0, 0, false, false
    )]::app.tree_member[],
    l.rules
  ) as d, unnest(d.members) as m where m.uid = 2
$$;

select is(
  pg_temp.outcome(array[app.new_tree_change('assess', 1, p_is_set => false)]), '2; 0',
  'by the first rules, orders that count again complete the task, but raise nobody'
);
select is(
  pg_temp.outcome(array[app.new_tree_change('assess', 1, p_is_set => false, p_raises => true)]),
  '2; 1; 2 rises to 1 by assess 1', 'by the second, they do'
);
select is(
  pg_temp.outcome(
    array[app.new_tree_change('assess', 1, p_is_set => false), app.new_tree_change(
      'assess', 1, p_is_set => true, p_raises => true
    )]
  ),
  '0; 0', 'a count that falls raises nobody'
);
select is(
  pg_temp.outcome(
    array[app.new_tree_change('assess', 1, p_is_set => false), app.new_tree_change(
      'count', 1, 7, p_step => 1, p_raises => true
    )]
  ),
  '3; 1; 2 rises to 1 by refund 2', 'an order that counts again does'
);
select is(
  pg_temp.outcome(
    array[app.new_tree_change('assess', 1, p_is_set => false), app.new_tree_change(
      'count', 1, 7, p_step => 0, p_raises => true
    )]
  ),
  '2; 0', 'not an answer that changes no count'
);
select is(
  pg_temp.outcome(
    array[app.new_tree_change('assess', 1, p_is_set => false), app.new_tree_change(
      'grade', 2, p_is_set => true, p_to_level => 0::smallint
    ), app.new_tree_change('grade', 2, p_is_set => false, p_to_level => 0::smallint, p_raises => true)]
  ),
  '2; 1; 2 rises to 1 by hold 3', 'the end of a hold raises the member'
);
select is(
  pg_temp.outcome(
    array[app.new_tree_change('assess', 1, p_is_set => false), app.new_tree_change(
      'grade', 2, p_is_set => false, p_to_level => 0::smallint
    )]
  ),
  '2; 0', 'a level that is set otherwise does not'
);
select is(
  pg_temp.outcome(
    array[app.new_tree_change('assess', 1, p_is_set => false), app.new_tree_change('import', 2, p_raises => true)]
  ),
  '2; 1; 2 rises to 1 by import 2', 'the end of an import does'
);
select is(
  pg_temp.outcome(
    array[app.new_tree_change('assess', 1, p_is_set => false), app.new_tree_change(
      'grade', 2, p_is_set => true, p_to_level => 0::smallint
    ), app.new_tree_change('import', 2, p_raises => true)]
  ),
  '2; 0', 'not if the level is held'
);
select is(
  pg_temp.outcome(
    array[app.new_tree_change('assess', 1, p_is_set => false), app.new_tree_change(
      'settle', 1, 7, p_units => 1, p_step => 1
    )]
  ),
  '3; 1; 2 rises to 1 by order 2', 'the next settled order does by both'
);
select is(
  pg_temp.outcome(array[app.new_tree_change('settle', 1, 7, p_units => 1, p_step => 1)]), '0; 0',
  'not one that does not count'
);
select is(
  pg_temp.outcome(array[app.new_tree_change('grade', 1, p_is_set => true, p_to_level => 1::smallint)]), '0; 0',
  'nor a level that is set by hand, which changes no count'
);

-- What is granted names the place of its order in the batch, which is the sequence of the bill.
select is(
  (
    select string_agg(concat_ws(' ', g.ordinal, g.order_id, trim_scale(g.points)), ', ' order by g.ordinal)
    from app.decide_levels(
      array[app.new_tree_change(
        'settle', 1, 7, p_units => 2, p_step => 1
      ), app.new_tree_change('assess', 1, p_is_set => true),
      app.new_tree_change('settle', 1, 9, p_units => 1, p_step => 1)],
      array[(1, 2, 0, false, false, 0, 0, 0, 0, 0, false, false), (
        2, null, 0, false, false, 0, 0, 0, 0, 0, false, false
      )]::app.tree_member[],
      array[(0, 500, 300, false, null, null, null, null, null)]::app.level_rule[]
    ) as d, unnest(d.grants) as g
  ),
  '1 7 1000, 3 9 500', 'each grant has the place of its change'
);

select * from finish();
rollback;
