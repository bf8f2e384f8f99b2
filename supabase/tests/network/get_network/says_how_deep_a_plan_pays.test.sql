begin;
\ir ../../support/fixture.psql
select plan(12);

create function pg_temp.reach(p_plan jsonb, p_umbrella boolean default true) returns text language sql as $$
  select concat_ws(' ', coalesce(r ->> 'commission', 'all'), coalesce(r ->> 'points', 'all'), r ->> 'is_deeper')
  from app.plan_reach(app.draft_plan(p_plan), (
    select jsonb_agg(case when p_umbrella then l else l || '{"umbrella_points": 0}' end)
    from jsonb_array_elements(app.levels_json()) as l
  )) as r
$$;
select is(
  pg_temp.reach('{"brokerage_scope": "direct", "max_depth": null}'), '1 all true',
  'points of the levels have no limit of their own'
);
select is(
  pg_temp.reach('{"brokerage_scope": "direct", "max_depth": null}', false), '1 1 false',
  'without umbrella points, only referrers are paid'
);
select is(
  pg_temp.reach('{"brokerage_scope": "umbrella", "max_depth": null}', false), 'all 1 true',
  'the nearest who is eligible can be at any depth'
);
select is(
  pg_temp.reach('{"brokerage_scope": "umbrella", "max_depth": 4}'), '4 4 true', 'max_depth beyond the threshold'
);
select is(
  pg_temp.reach('{"brokerage_scope": "umbrella", "max_depth": 3}'), '3 3 false', 'max_depth up to the threshold'
);
select is(
  pg_temp.reach('{"tier_ratios": [0, 0, 0], "brokerage_scope": "umbrella", "max_depth": 2}'), '0 2 false',
  'a plan that pays no commission'
);
update app.settings set network_depth = 1;
select is(
  pg_temp.reach('{"brokerage_scope": "direct", "max_depth": 2}'), '1 2 true', 'the threshold of the settings counts'
);

create function pg_temp.finding() returns text language sql as $$
  select concat_ws(': ', v.severity, v.message) from app.verify_plan() as v
  where v.check_id = 'plan_stays_within_the_depth'
$$;
select from app.create_plan('{"brokerage_scope": "umbrella", "max_depth": 2}', null, now());
select is(
  pg_temp.finding(), 'hint: commission up to depth 2, points by level up to depth 2; the settings say 1',
  'the check states what is deeper, as a hint'
);
select from app.create_plan('{"brokerage_scope": "direct", "max_depth": null}', null, now());
select is(
  pg_temp.finding(), 'hint: commission up to depth 1, points by level without a limit; the settings say 1',
  'and what has no limit'
);
select from app.create_plan('{"max_depth": 1}', null, now());
select is(
  pg_temp.finding(), 'ok: commission up to depth 1, points by level up to depth 1; the settings say 1',
  'and nothing else'
);

-- An order at depth 2 pays the member there as long as the plan goes so deep.
select from app.create_plan('{"brokerage_scope": "umbrella", "max_depth": 2}', null, now());
create temporary table m as select pg_temp.grade(pg_temp.reporter(), 4) as top;
create temporary table o as select pg_temp.report(
  pg_temp.sign_up(pg_temp.sign_up((select top::text from m))::text), 1, now() + interval '1 hour'
) as id;
create function pg_temp.depths(p_plan jsonb) returns jsonb language sql as $$
  select app.simulate(p_plan, null, now() + interval '30 minutes', now() + interval '2 hours') -> 'depths'
$$;
select is(
  pg_temp.depths('{}'),
  '[{"depth": 2, "points": 1520, "commission": "720.00", "paid_points": 1520, "paid_commission": "720.00"}]',
  'a simulation pays at the depth at which it was paid'
);
select is(
  pg_temp.depths('{"max_depth": 1}'),
  '[{"depth": 2, "points": 0, "commission": "0.00", "paid_points": 1520, "paid_commission": "720.00"}]',
  'and a draft that ends before, not there'
);

select * from finish();
rollback;
