begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.sign_up() as top;
create temporary table n as select pg_temp.sign_up(top::text) as middle from m;
create temporary table l as select pg_temp.sign_up(middle::text) as low from n;
select throws_ok(
  format('select app.set_spread(%s, %s, %L, null, now())', top, low, 'ring'), 'PT422', 'spread_in_own_downline',
  'nobody below a member becomes the referrer'
)
from m, l;
select throws_ok(
  'select app.set_spread(1, 2, ''unknown'', null, now())', 'PT404', 'user_not_found', 'an unknown member has none'
);

-- Counted below: a settled order two steps down decides, too.
select pg_temp.report(low) from l;
create temporary table other as select pg_temp.sign_up() as uid;
select throws_ok(
  format('select app.set_spread(%s, %s, %L, null, now())', top, other.uid, 'late'), 'PT409', 'spread_decided',
  'an order of somebody below is enough'
)
from m, other;

select * from finish();
rollback;
