begin;
\ir ../../support/fixture.psql
select plan(15);

-- The JSON Pointer of the setting that an error names.
create function pg_temp.fault(p_plan jsonb) returns text language plpgsql as $$
declare
  v_field text;
begin
  perform app.create_plan(p_plan, null, now());
  return 'none';
exception when sqlstate 'PT422' then
  get stacked diagnostics v_field = column_name;
  return v_field;
end
$$;
select is(pg_temp.fault(c.plan), c.field, c.sentence) from (values
  (jsonb '{"max_depth": 0, "holding_days": 1}', '/max_depth', 'the setting that breaks a rule'),
  ('{"people_per_cycle": 3, "max_depth": 0}', '/max_depth', 'not a valid one before it'),
  (
    '{"people_per_cycle": 3, "payout_cap": 0.4, "holding_days": 7}', '/payout_cap',
    'nor one that the rule does not name'
  ),
  ('{"tier_ratios": [0.2, 0.3, 1.01]}', '/tier_ratios/2', 'the last ratio'),
  ('{"tier_ratios": [0.2, -0.3, 0.5]}', '/tier_ratios/1', 'a ratio in the middle'),
  (
    '{"tier_ratios": [0.6, 0.3, 0.7], "payout_cap": 0.5}', '/tier_ratios/0', 'the first of several ratios above the cap'
  ),
  ('{"tier_ratios": [0.2, null, 0.5]}', '/tier_ratios/1', 'a ratio that is missing'),
  ('{"tier_ratios": [0.2, 0.3]}', '/tier_ratios', 'all ratios, if their number is wrong'),
  ('{"people_per_cycle": 2}', '/people_per_cycle', 'the number of places, if the draft has no ratios'),
  ('{"payout_cap": 0.4}', '/payout_cap', 'a cap below the ratios'),
  ('{"max_depth": 3, "payout_cap": null}', '/payout_cap', 'a setting that must have a value'),
  ('{"people_per_cycle": null}', '/people_per_cycle', 'another one'),
  ('{"max_depth": null, "holding_days": "soon"}', '/holding_days', 'a setting of another type'),
  ('{"max_depth": 99999999999}', '/max_depth', 'a setting that is too large'),
  ('{"max_depth": null, "holding_days": 9}', 'none', 'no setting, if all are valid')
) as c (plan, field, sentence);

select * from finish();
rollback;
