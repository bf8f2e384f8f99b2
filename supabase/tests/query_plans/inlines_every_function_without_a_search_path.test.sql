begin;
\ir ../support/fixture.psql
select plan(3);

-- A function in SQL has no search path so that the planner inlines it (CONTRIBUTING.md). It does so where the body is
-- no more volatile than the function, contains no subquery, and uses a costly argument once.
create temporary table functions as
select p.oid, p.proname::text as name, p.proretset as is_set,
  coalesce(
    (select string_agg(format('x.a%s', a.i), ', ' order by a.i) from generate_series(1, p.pronargs) as a (i)), ''
  ) as arguments,
  (
    select string_agg(format('null::%s as a%s', format_type(t.type, null), t.i), ', ' order by t.i)
    from unnest(p.proargtypes) with ordinality as t (type, i)
  ) as columns
from pg_proc as p
where p.pronamespace = 'app'::regnamespace and p.prolang = (select l.oid from pg_language as l where l.lanname = 'sql')
  and p.prokind = 'f' and p.proconfig is null and not p.prosecdef;

create function pg_temp.plan_of(p_function functions) returns text language plpgsql as $$
declare
  v_line text;
  v_plan text := '';
begin
  for v_line in execute format(
    case
      when p_function.is_set
        then 'explain (verbose, costs off) select y from (select %3$s offset 0) as x cross join lateral app.%1$I(%2$s) as y'
    else 'explain (verbose, costs off) select app.%1$I(%2$s) from (select %3$s offset 0) as x' end,
    p_function.name, p_function.arguments, coalesce(p_function.columns, '1 as a1')
  ) loop
    v_plan := v_plan || v_line || E'\n';
  end loop;
  return v_plan;
end
$$;

select cmp_ok((select count(*) from functions), '>', 20::bigint, 'there are such functions');
select is_empty(
  $$ select f.name from functions as f where pg_temp.plan_of(f) ~ ('app\.' || f.name || '\(')
  order by f.name $$, 'the planner inlines each of them'
);
create function app.matures_wrongly(
  p_at timestamptz, p_days integer
) returns timestamptz language sql immutable as 'select p_at + p_days * interval ''24 hours''';
insert into functions values (
  'app.matures_wrongly'::regproc, 'matures_wrongly', false, 'x.a1, x.a2', 'null::timestamptz as a1, null::integer as a2'
);
select matches(
  (select pg_temp.plan_of(f) from functions as f where f.name = 'matures_wrongly'), 'app\.matures_wrongly\(',
  'the plan shows a function that is more volatile than it says'
);

select * from finish();
rollback;
