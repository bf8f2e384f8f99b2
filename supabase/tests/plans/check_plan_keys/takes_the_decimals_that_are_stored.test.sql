begin;
\ir ../../support/fixture.psql
select plan(27);

-- What is said about a draft: where the fault is, or nothing.
create function pg_temp.fault(p_plan jsonb) returns text language plpgsql as $$
declare
  v_field text;
begin
  perform app.check_plan_keys(p_plan, '/plan');
  return 'none';
exception when sqlstate 'PT422' then
  get stacked diagnostics v_field = column_name;
  return coalesce(nullif(v_field, ''), 'the plan');
end
$$;

-- One digit for each decimal that is stored.
create temporary table decimals (name text, longest numeric);
insert into decimals values ('payout_cap', 0.12345), ('minimum_base', 0.12), ('points_per_brokerage', 0.1234);
select is(pg_temp.fault(jsonb_build_object(d.name, v.value)), v.fault, format('%s: %s', d.name, v.value))
from decimals as d cross join lateral (values
  (to_jsonb(d.longest), 'none'), (to_jsonb(d.longest::text), 'none'), (to_jsonb(d.longest * 1.000), 'none'),
    (to_jsonb(7), 'none'), ('null'::jsonb, 'none'),
  (to_jsonb((d.longest::text || '1')::numeric), '/plan/' || d.name),
  (to_jsonb(d.longest::text || '1'), '/plan/' || d.name)
) as v (value, fault);
select is(pg_temp.fault(c.plan), c.fault, c.sentence) from (values
  (jsonb '{"tier_ratios": [0.12345, 0.123450, 1]}', 'none', 'a ratio has up to five decimals'),
    ('{"tier_ratios": [0.2, 0.123456, 0.1234567]}', '/plan/tier_ratios/1', 'the first one with more is named'),
  ('{"tier_ratios": [0.2, "0.3"]}', '/plan/tier_ratios/1', 'a ratio is a number'),
  (
    '{"people_per_cycle": 3, "tier_ratios": [1], "brokerage_scope": "a", "brokerage_timing": "b", "points_per_brokerage": 1, "max_depth": 1, "payout_cap": 1, "minimum_base": 1, "holding_days": 1}',
    'none', 'a plan has these settings'
  ),
  ('{"version": 1}', 'the plan', 'and no other'), ('[]', 'the plan', 'a list is no plan')
) as c (plan, fault, sentence);

select * from finish();
rollback;
