begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 3) as top;
insert into app.users (uid, nickname, spread_uid, spread_time) overriding system value
select 800000000 + n, 'Chain', case n when 1 then (select top from m) else 800000000 + n - 1 end, now()
from generate_series(1, 10000) as n;
insert into app.user_balances (uid) select 800000000 + n from generate_series(1, 10000) as n;
select lives_ok('select pg_temp.report(800010000)', 'an order at the bottom is settled');
select is((pg_temp.balances((select top from m))).frozen_points, 500.0000, 'the top of the chain gets its share');
select is((pg_temp.balances((select top from m))).umbrella_orders, 1, 'the order counts for the top of the chain');

select * from finish();
rollback;
