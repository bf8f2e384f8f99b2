begin;
\ir ../support/fixture.psql
select plan(6);

-- Functions without a search path use the caller's. Each name and type in them must therefore be qualified.
-- Keywords are not names. Types that are keywords always refer to pg_catalog.
create function pg_temp.unqualified(p_source text) returns setof text language plpgsql as $$
declare
  v_types constant text := '(pg_catalog|app|api|auth)\.|(numeric|decimal|integer|int|bigint|smallint|boolean|real|timestamp|time|interval|character|varchar|bit|record)\M';
  v_source text := regexp_replace(
    regexp_replace(regexp_replace(p_source, '--[^\n]*', '', 'g'), '''([^'']|'''')*''', '''''', 'g'), '\s+', ' ', 'g'
  );
begin
  return query
  select 'function ' || m[1] from regexp_matches(v_source, '(?<![.\w])([a-z_]\w*) ?\(', 'g') as m
  where m[1] not in (
    'coalesce', 'greatest', 'least', 'nullif', 'extract', 'cast', 'row', 'exists', 'in', 'any', 'all', 'some', 'and',
    'or', 'not', 'over', 'filter', 'as',
    'when', 'if', 'elsif', 'then', 'while', 'from', 'select', 'values', 'array', 'using', 'by', 'on', 'conflict',
    'lateral', 'numeric', 'decimal', 'varchar'
  )
  and v_source !~ ('insert into (app|pg_catalog)\.' || m[1] || ' ?\(')
  union all
  select 'type ' || m[1] from regexp_matches(v_source, ':: ?([a-z_][\w.]*)', 'g') as m
  where m[1] !~ ('^(' || v_types || ')')
  union all
  select 'relation ' || m[1]
  from regexp_matches(
    v_source, '\m(?:(?<!distinct )from|join|insert into|(?<!do )(?<!for )update) (?!lateral\M|only\M)([a-z_][\w.]*)',
    'g'
  ) as m
  where m[1] !~ '\.'
  union all
  select 'type of ' || m[1]
  from regexp_matches(
    v_source, '\m(v_\w+) (?:constant )?(?=[a-z_][\w.]*(?:\[\]|%rowtype|%type)?(?: :=|;))(?!' || v_types || ')', 'g'
  ) as m;
end $$;

select is_empty($$
  select p.oid::regprocedure, u.name from pg_proc as p cross join lateral pg_temp.unqualified(p.prosrc) as u (name)
  where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace)
    and not coalesce('search_path=pg_catalog, pg_temp' = any (p.proconfig), false)
$$, 'every name and type is qualified');
select set_eq(
  $$ select pg_temp.unqualified('select round(p_at) + pg_catalog.abs(1)') $$, array['function round'],
  'an unqualified function is detected'
);
select set_eq(
  $$ select pg_temp.unqualified('select ''text(''::text, 1::bigint -- cast::uuid') $$, array['type text'],
  'an unqualified type is detected, but not in strings and comments'
);
select set_eq(
  $$ select pg_temp.unqualified('select 1 from users as u join app.orders as o on true') $$, array['relation users'],
  'an unqualified table is detected'
);
select set_eq(
  $$ select pg_temp.unqualified('declare v_day date; v_uids bigint[]; begin end') $$, array['type of v_day'],
  'the unqualified type of a variable is detected'
);
select set_eq($$
  select p.oid::regprocedure::text from pg_proc as p
  where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace)
    and not coalesce('search_path=pg_catalog, pg_temp' = any (p.proconfig), false)
    and (p.prosecdef or p.prorettype = 'trigger'::regtype)
$$, array[]::text[], 'a trigger or a function with the rights of its owner always has a search path of its own');

select * from finish();
rollback;
