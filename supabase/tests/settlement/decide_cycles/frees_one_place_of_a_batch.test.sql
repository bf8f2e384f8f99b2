begin;
\ir ../../support/fixture.psql
select plan(4);

-- A buyer (1) below a member (2), whose open cycle of five has three places taken, by the orders 11, 12 and 13.
create temporary table p as select (
  app.create_plan('{"people_per_cycle": 5, "tier_ratios": [0.1, 0.1, 0.1, 0.1, 0.1]}', null, now())
).version;
create function pg_temp.order(p_kind text, p_id bigint) returns app.order_facts language sql as $$
  select (p_kind, p_id, 1, 1, 2, p.version, p.version, '2026-03-02 00:00+00', 100, 1, null, true)::app.order_facts
  from p
$$;
-- What becomes of orders in turn: the places that they get, and those of the cycle afterwards.
create function pg_temp.places(
  p_orders app.order_facts[], p_is_open boolean default true
) returns text language sql as $$
  select concat_ws(
    '; ',
    coalesce(
      (
        select string_agg(format('%s in %s', s.place, s.cycle_no), ', ' order by s.ordinality)
        from unnest(d.settlements) with ordinality as s
      ),
      cardinality(d.settlements) || ' settled'
    ),
    array_to_string((d.cycles[2]).taken, ' '), array_to_string((d.cycles[2]).orders, ' '), (d.cycles[2]).placed
  )
  from p, app.decide_cycles(
    p_orders,
    array[(1, 2, 0, true, false, 0, 0, 0, 0, 0, false, false), (
      2, null, 0, true, false, 1, 0, 0, 0, 0, false, false
    )]::app.tree_member[],
    array[null, (2, '2026-03-01 00:00+00', 1, p.version, p_is_open, '{1, 2, 3}', '{11, 12, 13}', 0)]::app.cycle_state[],
    app.load_plans(array[p.version])
  ) as d
$$;

select is(
  pg_temp.places(array[pg_temp.order('free', 12)]), '0 settled; 1 3; 11 13; -1',
  'a place in the middle is freed, and only that'
);
select is(
  pg_temp.places(array[pg_temp.order('free', 11), pg_temp.order('settle', 21), pg_temp.order('settle', 22)]),
  '1 in 1, 4 in 1; 2 3 1 4; 12 13 21 22; 1', 'the next orders of the batch take it and the next place, none twice'
);
select is(
  pg_temp.places(array[pg_temp.order('free', 13), pg_temp.order('settle', 21)]), '3 in 1; 1 2 3; 11 12 21; 0',
  'the last one is taken again, too'
);
select is(
  pg_temp.places(array[pg_temp.order('free', 12), pg_temp.order('settle', 21)], false), '1 in 2; 1; 21; 1',
  'a complete cycle frees no place'
);

select * from finish();
rollback;
