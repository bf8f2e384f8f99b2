begin;
\ir ../../support/fixture.psql
select plan(3);

select app.set_agent_levels(
  (
    select jsonb_agg(case when l ->> 'grade' = '0' then l else jsonb_set(l, '{tasks}', '{"umbrella_orders": 1}') end)
    from jsonb_array_elements(app.levels_json()) as l
  ),
  null, now()
);
create temporary table m as select pg_temp.sign_up() as top;
create temporary table n as select pg_temp.sign_up((select top::text from m)) as middle;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select middle::text from n))) as id;
select is(
  (select agent_level from app.users as u, n where u.uid = n.middle), 4::smallint, 'all grades whose tasks are met'
);
select is((select agent_level from app.users as u, m where u.uid = m.top), 4::smallint, 'for everyone above the buyer');
select is(
  (select count(*) from app.level_changes as c, o where c.order_id = o.id), 8::bigint, 'one record per grade and member'
);

select * from finish();
rollback;
