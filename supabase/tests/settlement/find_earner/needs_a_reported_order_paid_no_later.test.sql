-- Guarantee rules/4-own-order: R4: a referrer without a reported order of their own earns nothing
-- By: app.find_earner
begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select pg_temp.report(
  pg_temp.sign_up((select a::text from m)), 1, now() - interval '1 hour'
) as before_own;
select is(
  (pg_temp.settlement(before_own)).reason, 'referrer_not_eligible', 'a referrer without an own order does not earn'
)
from o;
select is((pg_temp.balances((select a from m))).cycle_no, 0, 'no place is taken');
select pg_temp.report((select a from m), 1, now());
create temporary table p as select pg_temp.report(
  pg_temp.sign_up((select a::text from m)), 1, now() - interval '1 minute'
) as paid_before,
  pg_temp.report(pg_temp.sign_up((select a::text from m)), 1, now()) as paid_after;
select is((pg_temp.settlement(paid_before)).earner_uid, null, 'an order paid before the own one does not pay') from p;
select is(
  (pg_temp.settlement(paid_after)).earner_uid, (select a from m), 'an order paid at the same time or later pays'
)
from p;

select * from finish();
rollback;
