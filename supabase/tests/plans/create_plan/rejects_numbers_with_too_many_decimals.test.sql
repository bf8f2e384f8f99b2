begin;
\ir ../../support/fixture.psql
select plan(9);

create function pg_temp.rejection(p_plan jsonb) returns text language sql as $$
  select throws_ok(format('select app.create_plan(%L, null, now())', p_plan), 'PT422', 'plan_invalid', p_plan::text)
$$;
select pg_temp.rejection('{"points_per_brokerage": 0.00009}');
select pg_temp.rejection('{"payout_cap": 0.499996}');
select pg_temp.rejection('{"points_per_brokerage": "0.00001"}');
select pg_temp.rejection('{"payout_cap": "0.999999999"}');
select pg_temp.rejection('{"payout_cap": "half"}');
select pg_temp.rejection('{"tier_ratios": [0.2, 0.3, 0.500001]}');
select lives_ok(
  $$ select app.create_plan('{"points_per_brokerage": 0.33330, "payout_cap": 0.999990}', null, now()) $$,
  'trailing zeros are accepted'
);

create function pg_temp.levels(p_points text) returns jsonb language sql as $$
  select jsonb_agg(case l ->> 'grade' when '4' then jsonb_set(l, '{direct_points}', p_points::jsonb) else l end)
  from jsonb_array_elements(app.levels_json()) as l
$$;
select throws_ok(
  format('select app.set_agent_levels(%L, null, now())', pg_temp.levels('1300.00005')), 'PT422', 'levels_invalid',
  'points of a level'
);
select lives_ok(
  format('select app.set_agent_levels(%L, null, now())', pg_temp.levels('1300.00050')), 'four decimals are kept'
);

select * from finish();
rollback;
