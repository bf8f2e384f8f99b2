begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(8);

create temporary table m as select pg_temp.sign_up() as me;
create temporary table n as select pg_temp.sign_up((select me::text from m)) as a,
  pg_temp.sign_up((select me::text from m)) as b;
create function pg_temp.summary() returns jsonb language sql as $$ select pg_temp.read(
  (select me from m), 'get_team_summary'
) $$;
select is(
  pg_temp.summary() -> 'commission', '{"today": "0.00", "month": "0.00", "total": "0.00"}',
  'a new member has no commission'
);

-- One order before this month, one in this month before today, and one today, by the business days of the store.
create temporary table t as
select (app.business_day(now())::timestamp at time zone s.time_zone) as today,
  date_trunc('month', app.business_day(now())::timestamp) at time zone s.time_zone as month
from app.settings as s;
select pg_temp.report((select me from m), 1, (select month from t) - interval '1 day');
select pg_temp.report((select a from n), 1, (select month from t) - interval '1 second');
create temporary table early as select pg_temp.report((select b from n), 1, (select month from t)) as id;
select pg_temp.report((select a from n), 1, now());
select is(pg_temp.summary() #>> '{commission,total}', '3600.00', 'the total is 0.2 + 0.3 + 0.5 of 3,600.00');
select is(
  pg_temp.summary() #>> '{commission,month}', '2880.00', 'the commission of the month counts from its first second'
);
select is(
  pg_temp.summary() #>> '{commission,today}', case when (select today = month from t) then '2880.00' else '1800.00' end,
  'the commission of today counts from the first second of the business day'
);
select app.refund_order((select id from early), null, null, now());
select
  is(pg_temp.summary() -> 'commission',
  jsonb_build_object(
    'today', case when (select today = month from t) then '1800.00' else '720.00' end, 'month', '1800.00', 'total',
    '2520.00'
  ),
  'a refund lowers the commission of the day on which it is made');

select pg_temp.sum_teams();
select is(
  pg_temp.summary() - '{commission,next_level,as_of}'::text[],
  '{"direct": {"members": 2, "orders": 2}, "umbrella": {"members": 2, "orders": 2}}',
  'the summary has the members and orders of the team'
);
select is(pg_temp.summary() -> 'next_level',
  '{"agent_level": 2, "agent_level_name": "Cloud store", "in_review": false, "tasks": [
    {"type": "direct_members", "target": 3, "current": 1, "missing": 2, "met": false}, {"type": "umbrella_orders", "target": 30, "current": 2, "missing": 28, "met": false}
  ]}', 'the summary has what is missing for the next level');
select is(
  (pg_temp.summary() ->> 'as_of')::timestamptz, (select date_trunc('milliseconds', as_of) from app.team_totals_as_of),
  'the summary has the time up to which the totals are complete'
);

select * from finish();
rollback;
