begin;
\ir ../../support/fixture.psql
select plan(6);

-- Every decide function calls only decide functions and functions of Postgres, and uses no table.
create temporary table deciding as
with recursive reached as (
  select p.oid, p.proname::text as name, p.prosrc, p.provolatile
  from pg_proc as p
  where p.pronamespace = 'app'::regnamespace
    and p.proname in ('decide_cycles', 'decide_levels', 'decide_points', 'decide_refund')
  union
  select p.oid, p.proname::text, p.prosrc, p.provolatile
  from reached as r
  cross join lateral regexp_matches(r.prosrc, '\mapp\.(\w+)\s*\(', 'g') as m
  join pg_proc as p on p.pronamespace = 'app'::regnamespace and p.proname = m[1]
)
select * from reached;
select is((select array_agg(name order by name) from deciding), array[
  'basis_left', 'checkout_entry', 'commission_points', 'cycle_commission', 'decide_cycles', 'decide_levels',
    'decide_points', 'decide_refund', 'find_earner',
  'grant_amount', 'is_counted', 'is_money', 'level_points', 'meets_next_level', 'member_index', 'money_decimals',
  'money_of_points', 'money_share', 'new_entry', 'new_facts', 'new_tree_change', 'points_decimals', 'reversal_of',
  'reversals', 'round_down', 'umbrella_share'
], 'the list of decide functions is complete');
select is_empty($$ select name from deciding where provolatile <> 'i' $$, 'all of them are immutable');

-- Their source without comments, and without the texts in it.
create temporary table source as
select d.name, regexp_replace(regexp_replace(d.prosrc, '--[^\n]*', '', 'g'), '''[^'']*''', '''''', 'g') as code,
  d.prosrc
from deciding as d;
select is_empty($$
  select s.name, m[2] from source as s
  cross join lateral regexp_matches(s.code, '\m(from|join|into|update)\s+(\w+\.\w+)', 'g') as m
  union all
  select s.name, 'execute' from source as s where s.code ~ '\mexecute\M'
$$, 'none of them uses a table or dynamic SQL');

-- What they call of Postgres. A name counts as not immutable if any function of that name is not.
create temporary table called as
select s.name as caller, m[1] as function
from source as s cross join lateral regexp_matches(s.code, '(?<!\mapp\.)\m(\w+)\s*\(', 'g') as m
where m[1] not in (select k.word from pg_get_keywords() as k where k.catcode in ('R', 'C', 'T'))
  and m[1] not in ('filter', 'over');
select is_empty($$
  select c.caller, c.function from called as c
  where not exists (
    select from pg_proc as p where p.pronamespace = 'pg_catalog'::regnamespace and p.proname = c.function
  )
    or exists (
      select from pg_proc as p
      where p.pronamespace = 'pg_catalog'::regnamespace and p.proname = c.function and p.provolatile <> 'i'
    )
$$, 'they call only immutable functions of Postgres, so no clock, setting or sequence');
select is_empty($$
  select s.name, m[1] from source as s
  cross join lateral regexp_matches(
    s.code, '\m(current_(?:date|time|timestamp|user|role|catalog|schema)|localtime|localtimestamp|session_user|user)\M',
    'gi'
  ) as m
  union all
  select s.name, m[1] from source as s
  cross join lateral regexp_matches(s.prosrc, '''\s*(now|today|tomorrow|yesterday)\s*''', 'gi') as m
$$, 'none of them uses current_timestamp or similar');

-- A role that cannot read any table of the store can execute them.
create role reads_nothing;
grant usage on schema app to reads_nothing;
do $$
declare
  v_name text;
begin
  for v_name in select oid::regprocedure::text from deciding loop
    execute format('grant execute on function %s to reads_nothing', v_name);
  end loop;
end $$;
grant reads_nothing to postgres;
set local role reads_nothing;
select (app.decide_cycles(
  array[('settle', 1, 1, 10, 20, 1, 1, '2026-01-01T00:00:00Z', 3600, 1, null, true)::app.order_facts],
  array[(10, 2, 0, false, false, 0, 0, 0, 0, 0, false, false), (
    20, null, 0, false, false, 0, 0, 0, 0, 0, false, false
  )]::app.tree_member[],
  array[null, (20, '2025-01-01T00:00:00Z', 0, null, false, null, null, 0)]::app.cycle_state[],
  array[jsonb_populate_record(
    null::app.commission_plans,
    '{"version": 1, "people_per_cycle": 1, "tier_ratios": [0.2], "brokerage_scope": "direct", "payout_cap": 1, "points_per_brokerage": 1}'
  )]
)).settlements[1].commission as commission \gset
reset role;
select is(:'commission'::numeric, 720.00, 'a role without table privileges can decide');

select * from finish();
rollback;
