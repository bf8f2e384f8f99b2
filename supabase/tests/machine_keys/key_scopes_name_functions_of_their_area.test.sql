begin;
\ir ../support/fixture.psql
select plan(6);

create temporary table scopes as
select s.scope, split_part(s.scope, ':', 1) as area, split_part(s.scope, ':', 2) as kind, f.name
from app.key_scopes() as s cross join lateral unnest(s.functions) as f (name);

select is_empty($$ select name from scopes group by name having count(*) > 1 $$, 'a function has one scope');
select is_empty($$
  select s.name from scopes as s left join pg_proc as p on p.pronamespace = 'api'::regnamespace and p.proname = s.name
  where p.oid is null or not has_function_privilege('store_admin', p.oid, 'execute')
$$, 'each is one of administrators');
select is_empty($$
  select s.name, s.scope from scopes as s
  join pg_proc as p on p.pronamespace = 'api'::regnamespace and p.proname = s.name
  where (p.provolatile = 'v') <> (s.kind = 'write')
$$, 'a scope to read changes nothing, and one to write does');
select is_empty($$
  select s.name, s.scope, m[1] from scopes as s
  join pg_proc as p on p.pronamespace = 'api'::regnamespace and p.proname = s.name
  cross join lateral regexp_matches(p.prosrc, 'app[.]require_admin[(]''([a-z]+)''[)]') as m
  where m[1] <> s.area
$$, 'what names an area has a scope of this area');
select is_empty(
  $$ select scope from scopes
  where area in ('plan', 'system', 'administrators', 'keys') $$,
  'no key changes the plan, settings, administrators or keys'
);
select set_eq($$
  select p.proname from pg_proc as p
  where p.pronamespace = 'api'::regnamespace and has_function_privilege('store_key', p.oid, 'execute')
    and p.proname not in (select s.name from scopes as s)
$$, $$ values ('call_tool'::name) $$, 'a key executes nothing else but a tool, which runs what it executes');

select * from finish();
rollback;
