begin;
\ir ../../support/fixture.psql
select plan(14);

create temporary table m as select pg_temp.reporter() as a, pg_temp.reporter() as b, pg_temp.sign_up() as gone;
create temporary table n as select pg_temp.sign_up(a::text) as buyer, pg_temp.sign_up() as alone from m;
create temporary table below as select pg_temp.sign_up(buyer::text) as uid from n;
create temporary table o as select pg_temp.buy(buyer) as waiting, pg_temp.buy(alone) as early from n;

select app.set_spread(buyer, b, 'The link of another member was open', null, now()),
  app.set_spread(alone, b, 'She named her referrer on the phone', null, now())
from m, n;
select results_eq(
  'select u.spread_uid from n join app.users as u on u.uid in (n.buyer, n.alone)',
  'select b from m, generate_series(1, 2)', 'the referrers are set'
);
select results_eq('select c.from_uid, c.to_uid, c.reason from app.spread_changes as c order by c.id',
  $$ select m.a, m.b, 'The link of another member was open' from m
  union all select null, m.b, 'She named her referrer on the phone'
  from m $$, 'each change is recorded with its reason');
select is(
  (
    select count(*) from app.events as e, n
    where e.type = 'member.referred' and e.subject_id in (n.buyer, n.alone) and e.uid = (select b from m)
  ),
  2::bigint, 'the new referrer hears of it'
);

select app.settle_order(waiting, now()), app.settle_order(early, now()) from o;
select is((pg_temp.settlement(waiting)).earner_uid, b, 'an order that waited pays the new referrer') from o, m;
select is((pg_temp.settlement(early)).reason, 'no_referrer', 'an order that was placed without a referrer pays nobody')
from o;
select is((pg_temp.balances(b)).direct_orders, 2, 'both count for the new referrer') from m;
select is((pg_temp.balances(a)).direct_orders, 0, 'and none for the one before') from m;
select is_empty($$ select * from app.reconcile() as r where r.check_name <> 'job_is_not_late' $$, 'the store adds up');

select throws_ok(
  format('select app.set_spread(%s, %s, %L, null, now())', buyer, a, 'back'), 'PT409', 'spread_decided',
  'once an order of the member is settled, it stays'
)
from m, n;
select throws_ok(
  format('select app.set_spread(%s, %s, %L, null, now())', a, below.uid, 'ring'), 'PT409', 'spread_decided',
  'so it does for a member whose own orders are settled'
)
from m, below;
select throws_ok(
  format('select app.set_spread(%s, %s, %L, null, now())', gone, gone, 'self'), 'PT422', 'spread_is_self',
  'nobody refers themselves'
)
from m;
update app.users set left_at = now(), left_position = nextval('app.positions') where uid = (select gone from m);
select throws_ok(
  format('select app.set_spread(%s, %s, %L, null, now())', below.uid, gone, 'gone'), 'PT422', 'spread_unknown',
  'somebody who left refers nobody'
)
from m, below;
select throws_ok(
  format('select app.set_spread(%s, %s, %L, null, now())', gone, b, 'back'), 'PT404', 'user_not_found',
  'and gets no referrer'
)
from m;
select throws_ok(
  format('select app.set_spread(%s, %s, %L, null, now())', below.uid, b, '   '), 'PT422', 'invalid_argument',
  'a reason is given'
)
from m, below;

select * from finish();
rollback;
