begin;
set local search_path = extensions, public, pg_catalog;
select plan(7);

-- The columns that app.stored_figures() must have: numbers, times, and texts that are a state. Keys and ids are none,
-- nor are positions and versions, which name something.
create function pg_temp.figures() returns table (figure text) language sql as $$
  select format('%s.%s', c.relname, a.attname)
  from pg_class as c
  join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type as t on t.oid = a.atttypid
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attidentity = '' and (
      t.typname ~ '^_?(numeric|int2|int4|int8|float8|date|timestamptz|interval)$'
      or (t.typname = 'text' and a.attname ~ '(^|_)(state|status|outcome)$')
    )
    and not exists (
      select from pg_constraint as k
      where k.conrelid = c.oid and k.contype in ('p', 'u', 'f') and a.attnum = any (k.conkey)
    )
    and not (
      t.typname ~ '^int'
      and a.attname ~ '(^|_)(id|uid|position|version|era|grade|run|key)$|^(plan_in_force|notice_no)$'
    )
    and c.relname !~ '^staged_'
$$;
create temporary table listed as
select format('%s.%s', f.table_name, n.name) as figure, f.kind, f.source
from app.stored_figures() as f cross join lateral unnest(f.columns) as n (name);

select is_empty(
  'select figure from pg_temp.figures() except select figure from listed', 'every figure says where it comes from'
);
create table app.forgotten (id bigint, state text, amount numeric, note text);
select set_eq(
  'select figure from pg_temp.figures() except select figure from listed', '{forgotten.state,forgotten.amount}'::text[],
  'a figure that does not is detected'
);
select is_empty(
  $$ select l.figure from listed as l
  where not exists (
    select from pg_attribute as a join pg_class as c on c.oid = a.attrelid and c.relnamespace = 'app'::regnamespace
    where format('%s.%s', c.relname, a.attname) = l.figure and a.attnum > 0 and not a.attisdropped
  ) $$,
  'every column that is listed exists'
);
select is_empty('select figure from listed group by figure having count(*) > 1', 'every figure is listed once');
select is_empty(
  $$ select figure, kind from listed
  where kind not in ('input', 'derived', 'unchecked', 'outside', 'operational') or source = '' $$,
  'every kind is known'
);
select is_empty(
  $$ select l.figure, s.name from listed as l cross join lateral string_to_table(l.source, ' ') as s (name)
  where l.kind = 'derived' and l.source not like 'constraint %'
    and s.name not in (select c.name from app.reconcile_checks() as c)
  union all
  select l.figure, l.source from listed as l
  where l.kind = 'derived' and l.source like 'constraint %' and not exists (
    select from pg_constraint as c
    where c.conrelid = ('app.' || split_part(l.figure, '.', 1))::regclass
      and c.conname = split_part(l.source, ' ', 2)
  ) $$,
  'what is derived names checks of the reconciliation, or a constraint'
);
select is_empty(
  $$ select l.figure, s.name from listed as l cross join lateral string_to_table(l.source, ' ') as s (name)
  where l.kind = 'input' and not exists (
    select from pg_proc as p
    where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace) and p.proname = s.name
  ) $$,
  'what is input names functions'
);
select * from finish();
rollback;
