begin;
\ir ../../support/fixture.psql
select plan(13);

insert into auth.users (email_confirmed_at, id, email) values (
  now(), '00000000-0000-4000-8000-0000000000f1', 'planner@example.com'
);
select app.add_administrator('planner@example.com');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-0000000000f1", "role": "store_admin"}', true);
select pg_temp.grade(pg_temp.sign_up(), 4);

-- The code and detail of the error.
create function pg_temp.rejection(p_sql text, p_draft jsonb) returns text language plpgsql as $$
declare
  v_reason text;
begin
  execute p_sql using p_draft;
  return null;
exception when others then
  get stacked diagnostics v_reason = pg_exception_detail;
  return sqlerrm || ': ' || v_reason;
end
$$;
create function pg_temp.changed(p_grade integer, p_change jsonb) returns jsonb language sql as $$
  select jsonb_agg(case when l ->> 'grade' = p_grade::text then l || p_change else l end)
  from jsonb_array_elements(app.levels_json()) as l
$$;

select is(
  pg_temp.rejection('select api.preview_brokerage_config($1, null)', p.draft),
  pg_temp.rejection('select app.create_plan($1, null, now())', p.draft), 'plan ' || p.draft::text
)
from (
  values (jsonb '[]'), ('{"surprise": 1}'), ('{"people_per_cycle": 2}'), ('{"payout_cap": 0.4}'), ('{"max_depth": 0}'),
  ('{"tier_ratios": "all"}')
) as p (draft);
select is(
  pg_temp.rejection('select api.preview_brokerage_config(null, $1)', l.draft),
  pg_temp.rejection('select app.set_agent_levels($1, null, now())', l.draft), 'levels: ' || l.what
)
from (values ('none', '[]'), ('tasks', pg_temp.changed(2, '{"tasks": {}}')),
  ('points', pg_temp.changed(2, '{"umbrella_points": 600}')), ('name', pg_temp.changed(2, '{"name": ""}')),
  ('target', pg_temp.changed(1, '{"tasks": {"direct_orders": 0}}')), ('held', app.levels_json() - 4)) as l (what,
  draft);
select alike(
  pg_temp.rejection('select api.preview_brokerage_config(null, $1)', app.levels_json() - 4),
  'levels_invalid: A grade that members hold%', 'the detail names the violated rule'
);

select * from finish();
rollback;
