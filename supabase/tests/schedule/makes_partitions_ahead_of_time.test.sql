begin;
\ir ../support/fixture.psql
select plan(8);

create temporary table due as select t.name, m.month::date
  from unnest(app.monthly_tables()) as t (name),
    unnest(array['2031-05-01', '2031-06-01', '2031-07-01']::date[]) as m (month);
select from due, lateral pg_temp.create_partition(name, month);
select is(
  (
    select count(*) from pg_inherits
    where inhrelid::regclass::text ~ '^app.(user_bill|points_release_log|admin_actions)_20310[567]$'
  ),
  9::bigint, 'the partitions are created and attached'
);
select is((select bool_and(app.create_month_partition(name, month)) from due), true, 'repeating the call is a no-op');
select is_empty(
  $$ select relname from pg_class
  where relnamespace = 'app'::regnamespace and relispartition and relkind = 'r' and not relrowsecurity $$,
  'the partitions have row-level security'
);
create function pg_temp.parts(p_table regclass) returns setof text language sql as $$
  select pg_get_constraintdef(oid) from pg_constraint where conrelid = p_table and conname <> 'it_is_in_its_month'
  union all select regexp_replace(indexdef, '^.* USING', '') from pg_indexes
  where schemaname || '.' || tablename = p_table::text
  union all select tgfoid::regproc::text from pg_trigger where tgrelid = p_table and not tgisinternal
$$;
select bag_eq(
  $$ select pg_temp.parts('app.user_bill_203105') $$, $$ select pg_temp.parts('app.user_bill_default') $$,
  'they have the keys, constraints, indexes and triggers of the other partitions of the bill'
);
select bag_eq(
  $$ select pg_temp.parts('app.points_release_log_203105') $$,
  $$ select pg_temp.parts('app.points_release_log_default') $$,
  'they have those of the other partitions of the release log'
);
select bag_eq(
  $$ select pg_temp.parts('app.admin_actions_203105') $$, $$ select pg_temp.parts('app.admin_actions_default') $$,
  'they have those of the other partitions of the action log'
);

select is_empty($$
  select d.name from due as d
  where not exists (
    select from pg_constraint as c
    where c.conrelid = app.month_part(d.name, d.month) and c.conname = 'it_is_in_its_month' and c.convalidated
  )
$$, 'and a constraint that proves their bounds');

-- A month of the action log that was dropped has no partition, and gets none.
insert into app.dropped_actions (month, row_count, digest, dropped_at) values ('2031-08-01', 0, '0', now());
select
from unnest('{admin_actions, user_bill}'::text[]) as t (name),
  unnest(array['2031-08-01', '2031-09-01']::date[]) as m (month), lateral pg_temp.create_partition(t.name, m.month);
select set_eq(
  $$ select inhrelid::regclass::text from pg_inherits
  where inhrelid::regclass::text ~ '^app.(admin_actions|user_bill)_20310[89]$' $$,
  array['app.admin_actions_203109', 'app.user_bill_203108', 'app.user_bill_203109'],
  'a dropped month of the action log gets no partition, all others do'
);

select * from finish();
rollback;
