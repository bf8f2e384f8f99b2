begin;
\ir ../../support/fixture.psql
select plan(7);

create function pg_temp.rule(p_umbrella numeric, p_keeps_counts boolean) returns app.level_rule language sql as $$
  select r
  from jsonb_populate_record(
    null::app.level_rule, jsonb_build_object('umbrella_points', p_umbrella, 'keeps_counts', p_keeps_counts)
  ) as r
$$;
create function pg_temp.written(p_uid bigint, p_levels app.level_rule[]) returns bigint[] language sql as $$
  select u.written from app.upline_of(array[p_uid], p_levels) as u
$$;
-- A chain of seven members. The last one is the buyer.
create temporary table chain (n integer, uid bigint);
do $$
declare
  v_grades constant integer[] := '{2, 3, 1, 1, 2, 2, 0}';
begin
  for v_n in 1..7 loop
    insert into chain select v_n, pg_temp.sign_up((select c.uid::text from chain as c where c.n = v_n - 1));
    perform pg_temp.grade(c.uid, v_grades[v_n]) from chain as c where c.n = v_n;
  end loop;
end
$$;
create function pg_temp.places(p_levels app.level_rule[]) returns integer[] language sql as $$
  select array_agg(c.n order by c.n) from chain as b, unnest(pg_temp.written(b.uid, p_levels)) as w (uid)
  join chain as c on c.uid = w.uid where b.n = 7
$$;

select is(
  (
    select array_agg(c.n order by c.n)
    from chain as b, lateral app.upline_of(array[b.uid], app.level_rules(app.levels_json())) as u,
      unnest(u.uids) as l (uid)
    join chain as c on c.uid = l.uid where b.n = 7
  ),
  '{1,2,3,4,5,6,7}', 'the upline is complete'
);
select is(
  pg_temp.places(array_fill(pg_temp.rule(0, false), '{5}')), '{6,7}',
  'without points and counts, only the buyer and the referrer are written'
);
select is(
  pg_temp.places(array_fill(pg_temp.rule(0, true), '{5}')), '{1,2,3,4,5,6,7}', 'members with task counts are written'
);
select is(
  pg_temp.places(
    array[pg_temp.rule(0, false), pg_temp.rule(0.5, false), pg_temp.rule(0, false), pg_temp.rule(0.8, false),
    pg_temp.rule(0, false)]
  ),
  '{2,4,6,7}',
  'members who may get points by level are written, but not above a member with the same amount'
);
select is(
  pg_temp.places(
    array[pg_temp.rule(0, false), pg_temp.rule(0.5, false), pg_temp.rule(0.5, false), pg_temp.rule(0.8, false),
    pg_temp.rule(0, false)]
  ),
  '{2,6,7}',
  'the amount of the referrer is passed on'
);

-- Another buyer, two below the third member of the chain.
create temporary table beside as select pg_temp.sign_up(c.uid::text) as referrer from chain as c where c.n = 3;
alter table beside add buyer bigint;
update beside set buyer = pg_temp.sign_up(referrer::text);
select is(
  (
    select array_agg(c.n order by c.n)
    from beside as x, chain as b,
      app.upline_of(
        array[b.uid, x.buyer],
        array[pg_temp.rule(0, false), pg_temp.rule(0.5, false), pg_temp.rule(0, false), pg_temp.rule(0.8, false),
        pg_temp.rule(0, false)]
      ) as u,
      unnest(u.written) as w (uid) join chain as c on c.uid = w.uid where b.n = 7
  ),
  '{2,3,4,6,7}', 'a member who gets nothing for one of two buyers is written for the other'
);

-- The fourth member hides the third, who has the same level, until they leave.
update app.users as u set left_at = now(), left_position = nextval('app.positions') from chain as c
where c.uid = u.uid and c.n = 4;
select is(
  pg_temp.places(
    array[pg_temp.rule(0, false), pg_temp.rule(0.5, false), pg_temp.rule(0, false), pg_temp.rule(0.8, false),
    pg_temp.rule(0, false)]
  ),
  '{2,3,4,6,7}',
  'above a member who has left, whoever may get points instead is written'
);

select * from finish();
rollback;
