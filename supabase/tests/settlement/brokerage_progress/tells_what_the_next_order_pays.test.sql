begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
create function pg_temp.progress() returns text language sql as $$
  select format(
    'cycle %s: %s of %s, next %s, eligible %s', p ->> 'cycle_no', p ->> 'cycle_current', p ->> 'people_per_cycle',
    p ->> 'next_ratio', p ->> 'eligible'
  )
  from m, lateral app.brokerage_progress(m.a, now()) as p
$$;
select is(pg_temp.progress(), 'cycle 1: 0 of 3, next 0.2, eligible false', 'no place is taken');
select pg_temp.report((select a from m));
create temporary table o as select n, pg_temp.report(pg_temp.sign_up((select a::text from m))) as id
  from generate_series(1, 2) as n;
select is(pg_temp.progress(), 'cycle 1: 2 of 3, next 0.5, eligible true', 'two places taken');
select app.create_plan('{"people_per_cycle": 2, "tier_ratios": [0.1, 0.15]}', null, now());
select is(pg_temp.progress(), 'cycle 1: 2 of 3, next 0.5, eligible true', 'an open cycle keeps its plan');
select app.refund_order(id, null, null, now()) from o where n = 1;
select is(pg_temp.progress(), 'cycle 1: 1 of 3, next 0.2, eligible true', 'a freed place is the next place');
select pg_temp.report(pg_temp.sign_up((select a::text from m))) from generate_series(1, 2);
select is(
  pg_temp.progress(), 'cycle 2: 0 of 2, next 0.1, eligible true',
  'after the last place the next cycle, with the plan in force'
);
select is(
  app.brokerage_progress(m.a, now()) ->> 'total_brokerage', '3600.00',
  'commission of what was not refunded: 720 + 1080 + 1800'
)
from m;

select * from finish();
rollback;
