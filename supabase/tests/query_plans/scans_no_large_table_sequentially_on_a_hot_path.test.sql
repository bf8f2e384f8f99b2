begin;
\ir ../support/fixture.psql

-- Explain does not show the statements inside functions. The server counts the sequential scans of a
-- transaction, including those inside functions. A scan of a few pages is harmless, so rows are counted.
create temporary table big as
select c.oid, c.relname from pg_class as c
where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
  and c.relname ~ '^(users|user_balances|orders|order_lines|settlements|settlement_jobs|user_bill.*|points_release_log.*|level_changes|no_assess_changes|articles|refunds|refund_lines|team_totals)$';
create function pg_temp.scans(p_work text) returns text language plpgsql as $$
declare
  v_before jsonb := (
    select jsonb_object_agg(b.relname, s.seq_tup_read) from big as b
    join pg_stat_xact_user_tables as s on s.relid = b.oid
  );
begin
  execute p_work;
  return (
    select string_agg(b.relname, ' ' order by b.relname) from big as b
    join pg_stat_xact_user_tables as s on s.relid = b.oid
    where s.seq_tup_read > (v_before ->> b.relname)::bigint + 500
  );
end
$$;

-- A random tree of 10,000 with an own order each, 600 settled orders, as many waiting ones, and a day of release.
select setseed(0.5);
insert into app.users (uid, nickname, spread_uid, spread_time) overriding system value
select 1000000 + i, 'm', case when i > 1 then 1000000 + 1 + floor(random() * (i - 1))::bigint end,
  case when i > 1 then now() end
from generate_series(1, 10000) as i;
insert into app.user_balances (uid, frozen_points, total_points_earned) select u.uid, 1000, 1000 from app.users as u
where u.uid > 1000000;
insert into app.orders (
  order_no, uid, referrer_uid, total_price, pay_price, has_queue_goods, queue_base, queue_units, state, plan_version,
  pay_type, pay_ref, paid_at, add_time
)
select 'p-' || n.number || '-' || u.uid, u.uid, u.spread_uid, 3600, 3600, true, 3600, 1, 'paid',
  app.active_plan_version(), 'test', n.number || '-' || u.uid,
  now() - interval '1 hour', now() - interval '1 hour'
from app.users as u cross join generate_series(1, 2) as n (number) where u.uid > 1000000
-- The ids do not depend on where a vacuum has left space for the rows of the members.
order by n.number, u.uid;
insert into app.order_lines (order_id, product_id, title, price, quantity, paid, is_queue_goods)
select o.id, (select p.id from app.products as p where p.is_queue_goods order by p.id limit 1), 'Flagship', 3600, 1,
  3600, true
from app.orders as o where o.order_no like 'p-%';
insert into app.settlement_jobs (order_id, run_after, created_at)
select o.id, now(), now() from app.orders as o where o.order_no like 'p-2-%' order by o.id limit 1200;
analyze app.users, app.user_balances, app.orders, app.order_lines, app.settlements, app.settlement_jobs, app.user_bill,
app.points_release_log, app.level_changes;
select app.run_settlement_jobs(600, now());
insert into app.release_runs (release_date, started_at) values ('2020-01-01', now()), ('2020-01-02', now());
select app.release_chunk('2020-01-01', app.release_candidates('2020-01-01', 1000000, 1000), now());
analyze app.users, app.user_balances, app.orders, app.order_lines, app.settlements, app.settlement_jobs, app.user_bill,
app.points_release_log, app.level_changes;

select pg_temp.sum_teams();
analyze app.team_totals;

select plan(28);
create temporary table joined as select pg_temp.sign_up('1007500') as uid;
create temporary table one as
select u.uid, u.auth_id, p.flagship, (select min(j.order_id) from app.settlement_jobs as j) as waiting,
  (select min(s.order_id) from app.settlements as s) as settled, (select max(o.id) from app.orders as o) as newest
from joined as m join app.users as u on u.uid = m.uid cross join goods as p;
-- The member above all of them gets an account.
create temporary table newcomer as select pg_temp.sign_up() as uid;
create temporary table head as select u.uid, u.auth_id from app.users as u join newcomer as n on n.uid = u.uid;
update app.users as u set auth_id = null from head where u.uid = head.uid;
update app.users as u set auth_id = head.auth_id from head where u.uid = 1000001;
create temporary table made as select (
  app.create_order(uid, jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)), now())
).id
  from one;

select is(pg_temp.scans($$ select count(*) from app.users $$), 'users', 'the test detects a sequential scan');
select is(
  (select count(*) from one join made on true where one.waiting + one.settled + made.id > 0), 1::bigint,
  'there are a waiting, a settled and a new order'
);
select is(
  pg_temp.scans(
    $$ select app.create_order(uid, jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)), now())
    from one $$
  ),
  null, 'create_order'
);
select is(pg_temp.scans($$ select app.pay_order(id, 'test', 'made', now()) from made $$), null, 'pay_order');
select is(pg_temp.scans($$ select app.settle_order(waiting, now()) from one $$), null, 'settle_order');
select is(pg_temp.scans($$ select app.run_settlement_jobs(50, now()) $$), null, 'run_settlement_jobs');
select is(pg_temp.scans($$ select app.confirm_receipt(settled, now()) from one $$), null, 'confirm_receipt');
select is(
  pg_temp.scans($$ select app.request_refund(settled, null, 'too large', now()) from one $$), null, 'request_refund'
);
select is(pg_temp.scans($$ select app.refund_order(settled, null, null, now()) from one $$), null, 'refund_order');
select is(pg_temp.scans($$ select app.explain_order(settled) from one $$), null, 'explain_order');
select is(
  pg_temp.scans(
    $$ select app.release_chunk('2020-01-02', app.release_candidates('2020-01-02', 1002500, 100), now()) $$
  ),
  null, 'release of a chunk'
);
select is(pg_temp.scans($$ select pg_temp.sign_up('1007500') $$), null, 'sign-up');
select is(pg_temp.scans($$ select app.sum_team_changes() $$), null, 'summing the team totals');
insert into app.imported_members (old_uid, uid, imported_at) values (1007499, 1007499, now());
create temporary table claimant as select pg_temp.sign_up('1007500') as uid;
select is(
  pg_temp.scans($$ select app.claim_for(uid, 1007499) from claimant $$), null, 'a claim, which deletes a member'
);
select is(
  (select i.claimed_by from app.imported_members as i where i.uid = 1007499), 'administrator', 'the claim was possible'
);
select set_config('request.jwt.claims', jsonb_build_object('sub', auth_id, 'role', 'authenticated')::text, true)
from one;
select is(
  pg_temp.scans($$ select api.get_assets_overview(), api.get_brokerage_progress() $$), null, 'assets and progress'
);
select is(pg_temp.scans($$ select api.get_bill(), api.get_orders() $$), null, 'the first page of bill and orders');
select is(
  pg_temp.scans(
    $$ select api.get_team_summary(), api.get_team_people(), api.get_team_people('umbrella'), api.get_team_orders() $$
  ),
  null, 'the team of a member with nobody below'
);
select set_config('request.jwt.claims', jsonb_build_object('sub', auth_id, 'role', 'authenticated')::text, true)
from head;
select is(
  pg_temp.scans(
    $$ select api.get_team_summary(), api.get_team_people(), api.get_team_people(p_sort => '-orders'),
    api.get_team_people(p_sort => 'members'), api.get_team_orders() $$
  ),
  null, 'the team of the member above 10,000'
);
select is(
  pg_temp.scans($$ select api.get_team_people('umbrella'), api.get_team_people('umbrella', p_sort => 'joined') $$),
  null, 'everyone below the member above 10,000'
);
select is(
  pg_temp.scans(
    $$ select api.get_team_people('umbrella', p_one_order_away => true), api.get_prospects(),
    api.get_month_earnings() $$
  ),
  null, 'what that member could earn, and who of the team is one order away'
);
select is(pg_temp.scans($$ select app.overview_days(app.business_day(now()) + 2, 1) $$), null, 'the overview');
select set_config(
  'request.jwt.claims', jsonb_build_object('sub', pg_temp.administrator(), 'role', 'store_admin')::text, true
);
select is(pg_temp.scans($$ select api.get_release_log() $$), null, 'the first page of the release log');
select is(pg_temp.scans($$ select api.get_release_log(p_uid => 1000500) $$), null, 'the release log of a member');
select is(
  pg_temp.scans(
    $$ select api.get_signals('retaken_place'), api.get_signals('shared_order'), api.get_signals('sign_up_burst') $$
  ),
  null, 'a page of each kind of signals'
);
select is(pg_temp.scans($$ select app.verify_end_to_end() $$), null, 'the test orders of the configuration check');
-- A store that has imported its orders, and has shipped none of its own.
update app.orders set is_imported = true where order_no like 'p-%';
select is(pg_temp.scans($$ select app.first_steps() $$), null, 'the first steps');
create temporary table read as select sum(s.seq_tup_read + s.idx_tup_fetch) as before from pg_stat_xact_user_tables as s
  where s.relid = 'app.user_balances'::regclass;
select api.admin_get_users();
select cmp_ok(
  (
    select s.seq_tup_read + s.idx_tup_fetch - r.before from pg_stat_xact_user_tables as s cross join read as r
    where s.relid = 'app.user_balances'::regclass
  ),
  '<=', 100::numeric, 'a page of members reads no balances but its own'
);

select * from finish();
rollback;
