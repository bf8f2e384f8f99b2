begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
grant store_api to postgres;
select plan(5);

create temporary table m as select n, pg_temp.wechat_member() as uid from generate_series(1, 2) as n;
create temporary table w as select m.n, (app.request_withdrawal(m.uid, 100, 'wechat', null, now())).id from m;
create temporary table admins as select pg_temp.administrator() as one;
create function pg_temp.approve_as(p_by uuid, p_n integer) returns text language sql as $$
  select concat_ws(' ', a ->> 'state', case when (a ->> 'waits')::boolean then 'waits' end)
  from w, jsonb(pg_temp.call(p_by, 'approve_withdrawal', jsonb_build_object('p_id', w.id))) as a where w.n = p_n
$$;
select is(pg_temp.approve_as(a.one, 1), 'approved', 'one person approves and so pays alone') from admins as a;
alter table admins add two uuid;
update admins set two = pg_temp.administrator();
select is(pg_temp.approve_as(a.one, 2), 'requested waits', 'of two, one alone does not, whatever the amount')
from admins as a;
select is_empty(
  $$ select from app.outbox as o join app.withdrawals as l on l.withdrawal_no = o.key join w on w.id = l.id
  where w.n = 2 $$, 'WeChat is not asked'
);
select is(pg_temp.approve_as(a.one, 2), 'requested waits', 'however often they approve it') from admins as a;
select is(pg_temp.approve_as(a.two, 2), 'approved', 'the other one does') from admins as a;

select * from finish();
rollback;
