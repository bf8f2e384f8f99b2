-- Guarantee privacy/analysts-read
begin;
\ir ../support/fixture.psql
select plan(11);
-- As a member of the role, postgres may take it.
create function pg_temp.try(p_sql text) returns text language sql as $$ select pg_temp.attempt('store_analyst',
  p_sql) $$;

select is_empty($$
  select c.relname, pg_temp.try(format('select count(*) from report.%I', c.relname)) from pg_class as c
  where c.relnamespace = 'report'::regnamespace
    and pg_temp.try(format('select count(*) from report.%I', c.relname)) !~ '^[0-9]+$'
$$, 'an analyst reads every view');
select is_empty($$
  select c.oid::regclass from pg_class as c
  where c.relnamespace in ('app'::regnamespace, 'compacted'::regnamespace, 'auth'::regnamespace)
    and c.relkind in ('r', 'p', 'v', 'S')
    and has_table_privilege('store_analyst', c.oid, 'select')
    and has_schema_privilege('store_analyst', c.relnamespace, 'usage')
$$, 'and no table of the store and of Auth');
select is_empty($$
  select p.oid::regprocedure from pg_proc as p
  where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace, 'entry'::regnamespace)
    and has_function_privilege('store_analyst', p.oid, 'execute')
$$, 'an analyst executes no function of the store');
select is_empty($$
  select c.relname from pg_class as c
  where c.relnamespace = 'report'::regnamespace
    and has_table_privilege('store_analyst', c.oid, 'insert, update, delete, truncate, references, trigger')
$$, 'and writes to no view');
select is_empty($$
  select t.statement, pg_temp.try(t.statement) from (values
    ('select count(*) from app.users'), ('select app.end_long_reports(now())'),
      ('create temporary table t (id integer)'), ('create table report.t (id integer)'),
      ('create table public.t (id integer)'),
    ('create function report.f() returns integer language sql as $f$ select 1 $f$'), ('create schema mine'),
    ('copy report.members to program ''cat'''),
    ('copy report.members to ''/tmp/members'''), ('select pg_read_file(''postgresql.conf'')'),
    ('select lo_export(1, ''/tmp/x'')'), ('alter role store_analyst connection limit 100'),
    ('alter role store_api password ''x'''), ('update report.members set level = 1'),
    ('select nextval(''app.positions'')')
  ) as t (statement)
  where pg_temp.try(t.statement) !~ '^(42501|25006|55000|42P01|3F000|0LP01) '
$$, 'whatever else is tried is refused');
select results_eq($$ select rolcanlogin, rolinherit, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolconnlimit
  from pg_roles where rolname = 'store_analyst' $$,
  $$ values (true, false, false, false, false, false, 5) $$,
  'the role signs in, at most five times, and is nothing more');
select is_empty(
  $$ select m.roleid::regrole from pg_auth_members as m
  where m.member = 'store_analyst'::regrole $$, 'it may become no other role'
);

-- Figures that docs/analysts.md says agree.
create temporary table m as select pg_temp.sign_up() as top;
create temporary table o as select pg_temp.report((select top from m)) as id,
  pg_temp.reporter((select top from m)) as one, pg_temp.reporter((select top from m)) as other;
select app.refund_order(o.id, null, 'receipt', now()) from o;
select results_eq(
  $$ select b.uid, sum(b.commission) from report.bill as b group by b.uid order by b.uid $$,
  $$ select r.uid, r.commission_balance from report.members as r where r.uid in (select b.uid from report.bill as b)
  order by r.uid $$,
  'the bill of each member adds up to the balance'
);
select results_eq(
  $$ select c.booked_day, sum(c.commission) from report.commissions as c group by c.booked_day $$,
  $$ select d.day, d.commission from app.overview_days(app.business_day(now()), 1) as d where d.commission > 0 $$,
  'commission of a day is that of the overview'
);
create temporary table today as
select d.day, s.* from (select app.business_day(now()) as day) as d
cross join lateral app.sum_between(app.day_bounds(d.day, d.day)) as s;
select results_eq(
  $$ select o.paid_day, sum(o.pay_price) from report.orders as o
  group by o.paid_day $$, 'select day, paid from today', 'what was paid on a day is that of the reports'
);
select results_eq(
  $$ select r.decided_day, sum(r.amount) from report.refunds as r where r.state in ('refunded', 'partly_refunded')
  group by r.decided_day $$, 'select day, refunded from today', 'and so is what was refunded'
);

select * from finish();
rollback;
