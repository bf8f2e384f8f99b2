begin;
\ir ../../support/fixture.psql
select plan(3);

create function pg_temp.without_comment() returns setof text language sql as $$
  select p.oid::regprocedure::text from pg_proc as p
  where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace) and obj_description(p.oid, 'pg_proc') is null
  union all
  select c.oid::regclass::text from pg_class as c
  where c.relnamespace in ('app'::regnamespace, 'api'::regnamespace) and c.relkind in ('r', 'p', 'v', 'm', 'c')
    and not c.relispartition
    and coalesce(obj_description(c.oid, 'pg_class'), obj_description(c.reltype, 'pg_type')) is null
$$;

select is_empty(
  'select pg_temp.without_comment()', 'every function, procedure, table, view and type of the store has a comment'
);
create function api.nameless() returns void language sql as '';
create table app.nameless ();
select set_eq(
  'select pg_temp.without_comment()', array['api.nameless()', 'app.nameless'], 'an object without a comment is detected'
);
select is_empty($$
  select d.objoid::regprocedure from pg_description as d
  join pg_proc as p on p.oid = d.objoid and d.classoid = 'pg_proc'::regclass
  where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace) and d.description !~ '^[A-Z].*\.$'
$$, 'comments on functions are sentences');

select * from finish();
rollback;
