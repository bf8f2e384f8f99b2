begin;
\ir ../../support/fixture.psql
select plan(10);

create temporary table m as select pg_temp.sign_up() as a;
create function pg_temp.grade_of_a() returns integer language sql as $$ select u.agent_level::integer
  from app.users as u, m where u.uid = m.a $$;
select pg_temp.report(pg_temp.sign_up((select a::text from m))) from generate_series(1, 3);
select is(pg_temp.grade_of_a(), 1, 'three direct orders make grade 1');
select app.set_agent_level(a, 0::smallint, null, now()) from m;
select is((select u.is_held from app.users as u, m where u.uid = m.a), true, 'a lowered member is held');
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select is(pg_temp.grade_of_a(), 0, 'a held member does not rise, even if all tasks are met');
select app.set_agent_level(a, 0::smallint, null, now(), false) from m;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select is(pg_temp.grade_of_a(), 1, 'the member rises after the end of the hold');
select results_eq($$ select c.from_level::integer, c.to_level::integer, c.from_held, c.to_held, c.reason
  from app.level_changes as c, m where c.uid = m.a order by c.id $$,
  $$ values (0, 1, false, false, 'tasks'), (1, 0, false, true, 'manual'), (0, 0, true, false, 'manual'),
  (0, 1, false, false, 'tasks') $$, 'every change is recorded');
select app.set_agent_level(a, 0::smallint, null, now(), false) from m;
select is(
  (select u.is_held from app.users as u, m where u.uid = m.a), false, 'a member lowered with hold false is not held'
);
select app.set_agent_level(a, 2::smallint, null, now(), true) from m;
select is((select u.is_held from app.users as u, m where u.uid = m.a), true, 'a hold can be set with any grade');
select app.set_agent_level(a, 3::smallint, null, now()) from m;
select is((select u.is_held from app.users as u, m where u.uid = m.a), true, 'a raised member stays held by default');
select app.set_agent_level(a, 4::smallint, null, now(), false) from m;
select is((select u.is_held from app.users as u, m where u.uid = m.a), false, 'a raise with hold false ends the hold');
select throws_ok(
  $$ insert into app.level_changes (uid, from_level, to_level, from_held, to_held, reason, order_id, add_time) select a,
  0, 1, true, true, 'tasks', 1, now()
  from m $$, '23514', null, 'nobody on hold rises by tasks'
);

select * from finish();
rollback;
