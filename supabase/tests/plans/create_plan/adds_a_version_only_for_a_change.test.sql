begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table p as select app.active_plan_version() as version;
select is((app.create_plan('{}', null, now())).version, (select version from p), 'an empty change adds no version');
select is(
  (app.create_plan('{"brokerage_timing": "on_pay", "tier_ratios": [0.20000, 0.3, 0.5]}', null, now())).version,
  (select version from p), 'the same values add no version'
);
create temporary table q as select x.*
  from app.create_plan(
    '{"brokerage_timing": "confirm"}', '00000000-0000-4000-8000-0000000000e1', '2026-01-02 03:04:05+00'
  ) as x;
select results_eq(
  'select brokerage_timing, brokerage_scope, people_per_cycle::integer, tier_ratios::text from q',
  $$ values ('confirm', 'direct', 3, '{0.20000,0.30000,0.50000}') $$, 'omitted settings keep their values'
);
select results_eq(
  'select created_by, created_at from q',
  $$ values ('00000000-0000-4000-8000-0000000000e1'::uuid, '2026-01-02 03:04:05+00'::timestamptz) $$,
  'author and time are stored'
);
select is(app.active_plan_version(), (select version from q), 'the new version is in force');

select * from finish();
rollback;
