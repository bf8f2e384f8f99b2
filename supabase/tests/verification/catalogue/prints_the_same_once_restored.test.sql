begin;
\ir ../../support/fixture.psql
select plan(2);

-- A dump has expressions as Postgres prints them. Restored, some are printed with other brackets:
-- `a between b and c and d` without those of the first two. Such an expression would be a difference in every restored
-- store. Written as `d and a between b and c`, it is not.
create temporary table fresh as select * from app.catalogue();
create temporary table restored (statement text);
do $do$
declare
  v record;
begin
  for v in
    select c.conrelid::regclass as of, c.conname, pg_get_constraintdef(c.oid) as definition from pg_constraint as c
    where c.connamespace = 'app'::regnamespace and c.contype = 'c' and c.conislocal
  loop
    execute format('alter table %s drop constraint %I', v.of, v.conname);
    execute format('alter table %s add constraint %I %s', v.of, v.conname, v.definition);
    insert into restored values (v.conname);
  end loop;
  for v in
    select p.polrelid::regclass as of, p.polname, pg_get_expr(p.polqual, p.polrelid) as used,
      pg_get_expr(p.polwithcheck, p.polrelid) as checked
    from pg_policy as p
    join pg_class as c on c.oid = p.polrelid where c.relnamespace = 'app'::regnamespace
  loop
    execute format(
      'alter policy %I on %s %s %s', v.polname, v.of, 'using (' || v.used || ')', 'with check (' || v.checked || ')'
    );
    insert into restored values (v.polname);
  end loop;
  for v in
    select g.tgrelid::regclass as of, g.tgname, pg_get_triggerdef(g.oid) as definition from pg_trigger as g
    join pg_class as c on c.oid = g.tgrelid
    where not g.tgisinternal and g.tgqual is not null and g.tgparentid = 0 and c.relnamespace = 'app'::regnamespace
  loop
    execute format('drop trigger %I on %s', v.tgname, v.of);
    execute v.definition;
    insert into restored values (v.tgname);
  end loop;
  for v in
    select i.indexrelid::regclass as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index as i join pg_class as c on c.oid = i.indexrelid
    where c.relnamespace = 'app'::regnamespace and i.indpred is not null and not c.relispartition
      and not exists (select from pg_constraint as k where k.conindid = i.indexrelid)
  loop
    execute format('drop index %s', v.name);
    execute v.definition;
    insert into restored values (v.name);
  end loop;
  for v in
    select c.oid::regclass as name, array_to_string(c.reloptions, ', ') as options, pg_get_viewdef(c.oid) as definition
    from pg_class as c
    where c.relnamespace = 'app'::regnamespace and c.relkind = 'v'
  loop
    execute format('create or replace view %s with (%s) as %s', v.name, v.options, v.definition);
    insert into restored values (v.name);
  end loop;
end
$do$;
select cmp_ok(
  (select count(*) from restored), '>', 100::bigint,
  'constraints, policies and triggers are created as they are printed'
);
select is_empty(
  $$ select f.kind, f.name, f.definition from fresh as f except select c.kind, c.name, c.definition
  from app.catalogue() as c $$, 'and are printed in the same way again'
);

select * from finish();
rollback;
