begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table c (n serial, uid bigint);
insert into c (uid) select pg_temp.grade(pg_temp.sign_up(), 4);
insert into c (uid) select pg_temp.grade(pg_temp.sign_up((select uid::text from c order by n desc limit 1)), 4);
insert into c (uid) select pg_temp.grade(pg_temp.sign_up((select uid::text from c order by n desc limit 1)), 3);
insert into c (uid) select pg_temp.grade(pg_temp.sign_up((select uid::text from c order by n desc limit 1)), 2);
insert into c (uid) select pg_temp.grade(pg_temp.sign_up((select uid::text from c order by n desc limit 1)), 2);
insert into c (uid) select pg_temp.sign_up((select uid::text from c order by n desc limit 1));
insert into c (uid) select pg_temp.grade(pg_temp.sign_up((select uid::text from c order by n desc limit 1)), 1);
create temporary table o as select pg_temp.report(
  pg_temp.sign_up((select uid::text from c order by n desc limit 1)), 2
) as id;
select results_eq($$ select l.source, l.frozen_delta, l.agent_level::integer, l.passed_on from app.user_bill as l, o
  where l.order_id = o.id order by l.id $$,
  $$ values ('direct', 1000.0000, 1, null), ('umbrella', 600.0000, 2, 0.0000), ('umbrella', 400.0000, 3, 300.0000),
  ('umbrella', 600.0000, 4, 500.0000) $$,
  'direct points, then what exceeds the umbrella amount passed on, times two units');
select is(
  (pg_temp.balances((select uid from c where n = 4))).frozen_points, 0.0000,
  'a second member of the same grade gets nothing'
);
select is(
  (pg_temp.balances((select uid from c where n = 1))).frozen_points, 0.0000,
  'members above the first one of the top grade get nothing'
);

select * from finish();
rollback;
