begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(5);

select pg_temp.stage();
select pg_temp.import();
select set_config(
  'request.jwt.claims', jsonb_build_object('sub', pg_temp.administrator(), 'role', 'store_admin')::text, true
);

select is(
  api.get_places(501) -> 'count', to_jsonb((select b.total_places from app.user_balances as b where b.uid = 501)),
  'the places that the member brought are counted'
);
select is(
  api.get_places(501) #> '{list,0}',
  jsonb_build_object(
    'cycle_no', 1, 'place', 2, 'cycle_plan_version',
    (select c.plan_version from app.opening_cycles as c where c.uid = 501), 'order_id', null,
    'uid', null, 'nickname', null, 'base', null, 'ratio', null, 'commission', null, 'commission_points', null,
    'commission_at_settlement', null,
    'commission_points_at_settlement', null, 'settled_at', null
  ),
  'no order holds them'
);
create temporary table next as select pg_temp.report(502) as id;
select is(
  jsonb_path_query_array(api.get_places(501), '$.list[*].place')
  || jsonb_path_query_array(api.get_places(501), '$.list[*].order_id'),
  (select jsonb_build_array(3, 2, 1, id, null, null) from next), 'the next order takes the place after them'
);
select is(api.get_places(501, 2, 1) #> '{list,0,place}', '2', 'pages go through both');
select is(api.get_places(502) -> 'count', '0', 'a member without places has none');

select * from finish();
rollback;
