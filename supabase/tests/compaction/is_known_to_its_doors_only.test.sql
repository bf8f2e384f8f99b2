begin;
\ir ../support/fixture.psql
select plan(6);

-- The doors, each with its reason. Who reads the bill or the release log uses them, and knows nothing of what is
-- behind.
create temporary table doors (kind oid, id oid, reason text);
insert into doors values
  ('pg_proc'::regclass, 'app.bill(timestamptz, timestamptz)'::regprocedure, 'by period'),
  ('pg_proc'::regclass, 'app.releases(date, date, timestamptz)'::regprocedure, 'by period, of the release log'),
  ('pg_proc'::regclass, 'app.bill_row(bigint)'::regprocedure, 'by id'),
  ('pg_proc'::regclass, 'app.months_with_rows(bigint)'::regprocedure, 'the months of a member'),
  ('pg_proc'::regclass, 'app.steps_back(timestamptz, timestamptz)'::regprocedure, 'backwards'),
  ('pg_proc'::regclass, 'app.reject_compacted_release(date)'::regprocedure, 'a late release'),
  ('pg_class'::regclass, 'compacted.bill'::regclass, 'analysts');

-- What is behind them: the tables with their types, all of schema compacted, and the helpers.
create temporary table helpers (name text);
insert into helpers
select unnest('{app.releases_of_run, app.is_in_run, app.bill_of_run, app.log_of_run, report.releases_of_run, app.built_part, app.digest_of_rows, app.compaction_obstacle, app.original_days,
  app.lock_compaction, app.prepare_compaction, app.create_part, app.constrain_part, app.build_runs, app.expanded_query, app.build_compaction, app.check_parts, app.has_older_transaction, app.exchange_parts,
  app.exchange_compacted, app.compact_month, app.give_up_compaction, app.build_expansion, app.drop_originals, app.exchange_expanded, app.expand_month, app.next_month_to_compact, app.compact_due_months}'::text[]);
create temporary table behind (kind oid, id oid);
insert into behind
select 'pg_class'::regclass, c.oid from pg_class as c
where c.relnamespace = 'app'::regnamespace and c.relname ~ '^compacted_'
  or c.relnamespace = 'compacted'::regnamespace and c.oid not in (select d.id from doors as d);
insert into behind
select 'pg_type'::regclass, t.oid from pg_type as t
join behind as b on b.id = t.typrelid
  or b.id in (select e.typrelid from pg_type as e where e.oid = t.typelem and e.typrelid <> 0);
insert into behind select 'pg_proc'::regclass, h.name::regproc from helpers as h;

-- A function in SQL with a text as its body has no dependencies in the catalogue. A copy whose body Postgres has parsed
-- has them.
create schema probe;
create temporary table copies (id oid, of oid);
create function pg_temp.copy_functions() returns void language plpgsql as $fn$
declare
  v_function record;
begin
  for v_function in
    select p.oid, p.proname, pg_get_function_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as result,
      regexp_replace(p.prosrc, ';\s*$', '') as body, p.prosrc ~ '\$\d' as by_number
    from pg_proc as p
    where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace, 'entry'::regnamespace, 'report'::regnamespace)
      and p.prolang = (select l.oid from pg_language as l where l.lanname = 'sql')
      and p.prosqlbody is null and p.oid not in (select c.of from copies as c)
  loop
    execute format(
      'create function probe.f%s(%s) returns %s language sql begin atomic %s; end', v_function.oid,
      v_function.arguments, v_function.result, v_function.body
    );
    insert into copies select p.oid, v_function.oid from pg_proc as p
    where p.proname = 'f' || v_function.oid and p.pronamespace = 'probe'::regnamespace;
  end loop;
end
$fn$;

-- Without plpgsql_check, whose function this calls, the tests are skipped.
set local check_function_bodies = off;
create function pg_temp.dependents() returns table (who text, kind oid, id oid, depends_on text) language sql as $$
  with found (class, id, behind_class, behind_id) as (
    -- Views, types of arguments and results, copies of functions in SQL, policies, constraints, triggers.
    select
      case
        when d.classid = 'pg_rewrite'::regclass then 'pg_class'::regclass::oid
        when d.classid = 'pg_policy'::regclass then 'pg_policy'::regclass::oid
        else d.classid
      end,
      coalesce(
        (select c.of from copies as c where d.classid = 'pg_proc'::regclass and c.id = d.objid),
        (select w.ev_class from pg_rewrite as w where d.classid = 'pg_rewrite'::regclass and w.oid = d.objid), d.objid
      ),
      d.refclassid, d.refobjid
    from pg_depend as d join behind as b on b.kind = d.refclassid and b.id = d.refobjid
    where d.classid in ('pg_proc'::regclass, 'pg_rewrite'::regclass, 'pg_class'::regclass) and d.deptype in ('n', 'a')
    union
    -- What statements in PL/pgSQL name.
    select 'pg_proc'::regclass::oid, p.oid, b.kind, b.id
    from pg_proc as p
    left join lateral (
      select distinct t.tgrelid from pg_trigger as t where t.tgfoid = p.oid and not t.tgisinternal
    ) as t on true
    cross join lateral plpgsql_show_dependency_tb(p.oid::regprocedure, coalesce(t.tgrelid, 0)::regclass) as s
    join behind as b on b.id = s.oid
      and b.kind = case when s.type = 'RELATION' then 'pg_class'::regclass::oid else 'pg_proc'::regclass::oid end
    where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace, 'entry'::regnamespace, 'report'::regnamespace)
      and p.prolang = (select l.oid from pg_language as l where l.lanname = 'plpgsql')
      -- Those that read transition tables, which plpgsql_show_dependency_tb does not know.
      and not exists (
        select from pg_trigger as t where t.tgfoid = p.oid and (t.tgoldtable is not null or t.tgnewtable is not null)
      )
  )
  select pg_describe_object(f.class, f.id, 0), f.class, f.id, pg_describe_object(f.behind_class, f.behind_id, 0)
  from found as f
  where not exists (select from behind as b where b.kind = f.class and b.id = f.id)
    and not exists (
      select from pg_class as c where f.class = 'pg_class'::regclass and c.oid = f.id and c.relkind in ('i', 'I', 't')
    )
$$;
create function pg_temp.strangers() returns setof text language sql as $$
  select d.who || ' names ' || d.depends_on from pg_temp.dependents() as d
  where not exists (select from doors as o where o.kind = d.kind and o.id = d.id)
    -- The schedule goes on with the job, as with every other.
    and not (d.id = 'app.continue_unfinished_runs()'::regprocedure and d.depends_on ~ 'compact_due_months')
  order by 1
$$;

create temporary table has as select exists (select from pg_extension where extname = 'plpgsql_check') as checker;
do $$ begin if (select checker from has) then perform pg_temp.copy_functions(); end if; end $$;
select case when not checker then skip('plpgsql_check is not installed', 6) else collect_tap(
  cmp_ok((select count(*) from copies), '>', 200::bigint, 'functions in SQL are looked at'),
  is_empty('select * from pg_temp.strangers()', 'nobody else names a table, a type or a helper of the compaction'),
  is_empty(
    'select d.reason from doors as d where not exists (select from pg_temp.dependents() as t where t.kind = d.kind and t.id = d.id)',
    'and each is needed'
  )
) end from has;

-- It would be seen.
create function app.stranger_in_sql() returns bigint language sql stable as 'select count(*) from app.compacted_months';
create function app.stranger_in_plpgsql() returns integer language plpgsql stable as 'begin return app.original_days(); end';
create view report.stranger as select r.uid from app.compacted_releases as r;
do $$ begin if (select checker from has) then perform pg_temp.copy_functions(); end if; end $$;
select case when not checker then null else collect_tap(
  ok(
    'function app.stranger_in_sql() names table app.compacted_months' in (select pg_temp.strangers()),
    'a function in SQL is found'
  ),
  ok(
    'function app.stranger_in_plpgsql() names function app.original_days()' in (select pg_temp.strangers()),
    'one in PL/pgSQL, too'
  ),
  ok('view report.stranger names table app.compacted_releases' in (select pg_temp.strangers()), 'and a view')
) end from has;

select * from finish();
rollback;
