begin;
\ir ../../support/fixture.psql
select plan(6);

-- A call from before batches were stored, which settled two orders in the sequence of their ids: 1440 + 1080 for places
-- 1 and 2, instead of 720 + 2160.
create temporary table m as select pg_temp.reporter() as a, now() + interval '1 hour' as at;
create temporary table o as
select pg_temp.buy(pg_temp.sign_up(m.a::text), 2, m.at + interval '2 minutes') as second,
  pg_temp.buy(pg_temp.sign_up(m.a::text), 1, m.at + interval '1 minute') as first
from m;
select app.settle_order(o.second, m.at + interval '3 minutes') from o, m;
select app.settle_order(o.first, m.at + interval '3 minutes') from o, m;
update app.settlements as s set batch = null from o where s.order_id in (o.first, o.second);
select results_eq(
  'select d.commission, d.points from app.sequence_differences() as d, m where d.uid = m.a',
  'values (360.00, 360.0000)', 'a member was paid too little'
);

-- The account is removed while a deletion waits.
insert into app.account_deletions (uid, auth_id, asked_at, due_at, brokerage, frozen_points, available_points)
select m.a, u.auth_id, now(), now() + interval '7 days', 0, 0, 0 from m join app.users as u on u.uid = m.a;
delete from auth.users where id = (select u.auth_id from app.users as u, m where u.uid = m.a);
create temporary table before as select pg_temp.balances(a) as b from m;
select is(
  (select array[(b).brokerage_price, (b).frozen_points] from before), '{0.00, 0.0000}', 'who gives up what they have'
);
select is_empty('select from app.sequence_differences()', 'what was paid too little is given up, too');
select is_empty('select from app.adjust_sequence()', 'so nothing is adjusted');
select is((select pg_temp.balances(a) from m), b, 'and nothing is owed') from before;

-- Who only left stays owed.
delete from app.account_deletions where true;
select is(
  (select d.commission from app.sequence_differences() as d), 360.00,
  'to a member whose account was removed, it is owed'
);

select * from finish();
rollback;
