begin;
\ir ../../support/fixture.psql
select plan(12);

select throws_ok(
  format('select app.create_plan(%L, null, now())', c.plan), 'PT422', 'plan_invalid', coalesce(c.plan, 'null')
)
from (values (null), ('[]'), ('{"people_per_cycle": 0, "tier_ratios": []}'), ('{"people_per_cycle": 101}'),
  ('{"people_per_cycle": 2}'), ('{"tier_ratios": [0.2, 0.3, 1.01]}'),
  ('{"tier_ratios": [0.2, -0.1, 0.5]}'), ('{"tier_ratios": [0.2, null, 0.5]}'), ('{"payout_cap": 0.4}'),
  ('{"brokerage_scope": "everyone"}'), ('{"tier_ratios": [0.2, 0.3, 0.1234567]}'), ('{"surprise": 1}')) as c (plan);

select * from finish();
rollback;
