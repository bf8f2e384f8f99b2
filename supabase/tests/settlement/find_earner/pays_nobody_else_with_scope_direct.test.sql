begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as top;
create temporary table n as select pg_temp.sign_up((select top::text from m)) as middle;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select middle::text from n))) as id;
select is((pg_temp.settlement(id)).reason, 'referrer_not_eligible', 'an eligible member further up does not earn')
from o;
select is((pg_temp.balances((select top from m))).total_places, 0, 'no place is taken');
-- In a batch, the one further up may be the referrer of another buyer, whose cycle is known.
delete from app.settlement_jobs;
create temporary table b as select pg_temp.buy(pg_temp.sign_up(top::text)) as of_top,
  pg_temp.buy(pg_temp.sign_up(middle::text)) as of_middle
  from m, n;
select app.run_settlement_jobs(50, now());
select is(
  concat_ws(' ', (pg_temp.settlement(of_top)).earner_uid = top, (pg_temp.settlement(of_middle)).reason),
  't referrer_not_eligible', 'nor in a batch with an order of their own member'
) from b, m;

create temporary table late as select pg_temp.sign_up() as buyer;
create temporary table p as select pg_temp.buy((select buyer from late)) as id;
select app.bind_spread(buyer, top, now()) from late, m;
select app.settle_order(id, now()) from p;
select is((pg_temp.settlement(id)).reason, 'no_referrer', 'an order made before its buyer had a referrer pays nobody')
from p;

select * from finish();
rollback;
