begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table before as select (select count(*) from app.users) as users,
  (select count(*) from app.orders) as orders, (select count(*) from app.user_bill) as bill;
select is(
  (
    select string_agg(v.subject || ': ' || v.message, '; ') from app.verify_agent_config() as v
    where v.check_id = 'end_to_end' and v.severity <> 'ok'
  ),
  null, 'the test orders have the results that the rules require'
);
select results_eq(
  'select users, orders, bill from before',
  'select (select count(*) from app.users), (select count(*) from app.orders), (select count(*) from app.user_bill)',
  'the test orders are rolled back'
);
select from app.create_plan('{"people_per_cycle": 1, "tier_ratios": [0], "points_per_brokerage": 0}', null, now());
select is(
  (
    select string_agg(v.subject || ': ' || v.message, '; ') from app.verify_agent_config() as v
    where v.check_id = 'end_to_end' and v.severity <> 'ok'
  ),
  null, 'a plan that pays nothing passes, too'
);
update app.agent_levels set umbrella_points = 900 where grade = 2;
select ok(
  exists (select from app.verify_agent_config() as v where v.check_id = 'points_do_not_fall' and v.severity = 'error'),
  'a wrong setting is found'
);

select * from finish();
rollback;
