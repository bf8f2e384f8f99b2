begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
select app.set_agent_level(a, 2::smallint, '00000000-0000-4000-8000-0000000000e2', now()) from m;
select app.set_agent_level(a, 2::smallint, null, now()) from m;
select results_eq('select c.from_level::integer, c.to_level::integer, c.reason, c.changed_by from app.level_changes as c, m where c.uid = m.a',
  $$ values (0, 2, 'manual', '00000000-0000-4000-8000-0000000000e2'::uuid) $$,
  'setting the same grade twice is one change');
select app.set_agent_level(a, 1::smallint, null, now()) from m;
select is(
  (select u.agent_level from app.users as u, m where u.uid = m.a), 1::smallint, 'an administrator can lower a grade'
);
update app.agent_levels set is_active = false where grade = 3;
select throws_ok(
  'select app.set_agent_level(a, 3::smallint, null, now()) from m', 'PT422', 'level_unknown',
  'an inactive grade is rejected'
);
select throws_ok(
  'select app.set_agent_level(a, 77::smallint, null, now()) from m', 'PT422', 'level_unknown',
  'an unknown grade is rejected'
);
select throws_ok(
  'select app.set_agent_level(a, null, null, now()) from m', 'PT422', 'level_unknown', 'null is rejected'
);
select throws_ok(
  'select app.set_agent_level(0, 1::smallint, null, now())', 'PT404', 'user_not_found', 'an unknown member is rejected'
);

select * from finish();
rollback;
