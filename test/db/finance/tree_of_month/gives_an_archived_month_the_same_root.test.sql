begin;
\ir ../../support/fixture.psql
\ir ../../support/archive.psql
select plan(10);

-- Business months of Shanghai have rows in two months by UTC.
update app.settings set time_zone = 'Asia/Shanghai';
create temporary table m as select pg_temp.sign_up() as uid;
select pg_temp.old_order(null, '2025-03-02T00:00:00Z', (select uid from m));
select pg_temp.old_order((select uid from m), '2025-03-05T00:00:00Z'), pg_temp.old_order((select uid from m), '2025-03-31T15:59:00Z'),
  pg_temp.old_order((select uid from m), '2025-03-31T16:30:00Z'), pg_temp.old_order((select uid from m), '2025-04-05T00:00:00Z');
select from app.close_month('2025-03', null);
select from app.close_month('2025-04', null);
select from app.close_month('2025-05', null);
select pg_temp.night();

create function pg_temp.roots() returns text[] language sql as $$
  select array_agg(app.month_root(t.month, repeat('5a', 32)) ->> 'root' order by t.month) from unnest('{2025-03, 2025-04, 2025-05}'::text[]) as t (month)
$$;
create function pg_temp.proof() returns jsonb language sql as $$
  select t.proofs from app.tree_of_month('2025-04-01', decode(repeat('5a', 32), 'hex'), (select uid from m)) as t
$$;
create temporary table before as select pg_temp.roots() as roots, pg_temp.proof() as proof;
select is((select count(distinct r) from before, unnest(roots) as r), 3::bigint, 'months have roots of their own');
select is(roots[3], encode(sha256(''), 'hex'), 'a month without rows has the hash of nothing') from before;
select cmp_ok((select jsonb_array_length(proof) from before), '>', 2, 'a member has rows in April');
select is(
  (select array_agg(to_char(r.add_time at time zone 'UTC', 'YYYY-MM') order by r.add_time) from (select distinct date_trunc('month', b.add_time at time zone 'UTC') at time zone 'UTC' as add_time from app.user_bill as b where b.add_time >= '2025-03-31T16:00Z' and b.add_time < '2025-04-30T16:00Z') as r),
  '{2025-03,2025-04}', 'in two months by UTC'
);

select is(app.archive_month('user_bill', '2025-03-01'), true, 'March by UTC is archived');
select is(pg_temp.roots(), (select roots from before), 'the roots are the same with rows in both places');
select app.archive_month('user_bill', '2025-04-01');
select is(pg_temp.roots(), (select roots from before), 'and with all rows archived');
select is(pg_temp.proof(), (select proof from before), 'so is a proof');
alter table archive.user_bill_202504 rename to dumped;
select throws_ok($$ select app.month_root('2025-04', repeat('5a', 32)) $$, 'PT409', 'month_archived', 'a month whose dump is not there has no root, instead of a wrong one');
alter table archive.dumped rename to user_bill_202504;
select app.attach_month('user_bill', '2025-04-01');
select app.attach_month('user_bill', '2025-03-01');
select is(pg_temp.roots(), (select roots from before), 'the roots are the same when the months are attached again');

select * from finish();
rollback;
