begin;
\ir ../support/fixture.psql
select plan(8);

select is_empty($$
  select p.oid::regprocedure from pg_proc as p
  where p.pronamespace = 'api'::regnamespace and p.prosecdef and p.provolatile <> 'v'
    and has_function_privilege('authenticated', p.oid, 'execute') and array_to_string(p.proargnames, ' ') ~ 'uid'
$$, 'no such function has a uid parameter');

create temporary table m as select pg_temp.reporter() as a;
create temporary table n as select pg_temp.sign_up((select a::text from m)) as b;
select pg_temp.report((select b from n));
create function pg_temp.call_as(p_sub text, p_work text) returns text language plpgsql as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_sub, 'role', 'authenticated')::text, true);
  return pg_temp.attempt('authenticated', p_work);
end
$$;
create temporary table who as select u.uid, u.auth_id::text as sub from app.users as u;
create temporary table reads (work) as values
  ('select api.get_me() ->> ''uid'''), ('select api.get_assets_overview() ->> ''brokerage_price'''),
    ('select api.get_brokerage_progress() ->> ''total_brokerage''');

select results_eq(
  'select pg_temp.call_as(sub, ''select api.get_me() ->> ''''uid'''''') from who, m where uid = a',
  'select a::text from m', 'the referrer reads their own uid'
);
select results_eq(
  'select pg_temp.call_as(sub, ''select api.get_me() ->> ''''uid'''''') from who, n where uid = b',
  'select b::text from n', 'the member below reads their own uid'
);
select is(
  (select string_agg(distinct pg_temp.call_as(sub, work), ', ') from who, m, reads where uid = a and work !~ 'get_me'),
  '720.00', 'the referrer reads what they earned'
);
select is(
  (select string_agg(distinct pg_temp.call_as(sub, work), ', ') from who, n, reads where uid = b and work !~ 'get_me'),
  '0.00', 'the member below reads that they earned nothing'
);
select is(
  (
    select string_agg(distinct left(pg_temp.call_as('00000000-0000-0000-0000-000000000000', work), 21), ', ') from reads
  ),
  'PT401 unauthenticated', 'an account without a member reads nothing'
);
select is(
  (select string_agg(distinct left(pg_temp.call_as(null, work), 21), ', ') from reads), 'PT401 unauthenticated',
  'a token without an account reads nothing'
);
update app.users set auth_id = null where uid = (select b from n);
select is(
  (select string_agg(distinct left(pg_temp.call_as(sub, work), 21), ', ') from who, n, reads where uid = b),
  'PT401 unauthenticated', 'an account that was detached from its member reads nothing'
);

select * from finish();
rollback;
