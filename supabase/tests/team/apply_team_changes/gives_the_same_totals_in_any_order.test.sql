begin;
\ir ../../support/fixture.psql
select plan(5);

-- A tree of 200 members with orders. The queue may hold their changes in any order and repeat them: transactions commit
-- in any order.
select setseed(0.3);
insert into app.users (uid, nickname, spread_uid, spread_time) overriding system value
select 700000000 + n, 'm', case when n % 50 > 0 then 700000000 + n - 1 - floor(random() * (n % 50))::bigint end,
  case when n % 50 > 0 then now() end
from generate_series(0, 199) as n;
insert into app.user_balances (uid) select 700000000 + n from generate_series(0, 199) as n;
select pg_temp.buy(700000000 + (n * 7) % 200) from generate_series(1, 60) as n;
create temporary table members as select u.uid from app.users as u where u.uid between 700000000 and 700000199;
-- The sums, counted from every member up.
create temporary table counted as
with recursive upward as (
  select u.spread_uid as uid, 1 as depth,
    (select count(*) from app.orders as o where o.uid = u.uid and o.paid_at is not null) as orders
  from app.users as u join members using (uid) where u.spread_uid is not null
  union all
  select u.spread_uid, a.depth + 1, a.orders from upward as a join app.users as u on u.uid = a.uid
  where u.spread_uid is not null
)
select a.uid,
  concat_ws(
    ' ', count(*) filter (where a.depth = 1), coalesce(sum(a.orders) filter (where a.depth = 1), 0), count(*),
    sum(a.orders)
  ) as team
from upward as a group by a.uid;

create function pg_temp.differences() returns setof bigint language sql as $$
  select m.uid from members as m left join counted as c using (uid)
  where pg_temp.team(m.uid) not in (coalesce(c.team, '0 0 0 0'), coalesce(c.team, 'none'))
$$;
create function pg_temp.apply_one_by_one(p_order text) returns void language plpgsql as $$
declare v_uid bigint; begin
  delete from app.team_totals as t using members as m where t.uid = m.uid;
  for v_uid in execute 'select m.uid from members as m, generate_series(1, 2) order by ' || p_order loop
    perform app.apply_team_changes(array[v_uid]);
  end loop;
end $$;

select pg_temp.apply_one_by_one('m.uid');
select is_empty('select pg_temp.differences()', 'changes from the top down');
select pg_temp.apply_one_by_one('m.uid desc');
select is_empty('select pg_temp.differences()', 'changes from the bottom up');
select pg_temp.apply_one_by_one('random()');
select is_empty('select pg_temp.differences()', 'changes in random order');
delete from app.team_totals as t using members as m where t.uid = m.uid;
select app.apply_team_changes(array(select m.uid from members as m order by random()));
select is_empty('select pg_temp.differences()', 'all changes in one batch');
select is_empty(
  'select r.* from app.reconcile_team_totals() as r join members as m on r.subject = format(''uid %s'', m.uid)',
  'the nightly reconciliation agrees'
);

select * from finish();
rollback;
