begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
select pg_temp.reporter((select a from m));
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as asked,
  pg_temp.report(pg_temp.sign_up((select a::text from m))) as refunded;
select app.request_refund(asked, null, '', now()), app.refund_order(refunded, null, null, now()) from o;
select app.set_no_assess(pg_temp.reporter((select a from m)), true, null, now());
select pg_temp.buy(pg_temp.sign_up((select a::text from m)));
select app.create_plan('{"minimum_base": 3600.01}', null, now());
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
create temporary table x as select app.audit_counts((select a from m)) as audit;
select is(audit -> 'counted' ->> 'direct_orders', '1', 'the audit has the number of counted orders') from x;
select is(
  audit -> 'left_out',
  '{"refunded": 1, "refund_requested": 1, "member_not_assessed": 1, "not_settled": 1, "below_minimum": 1}'::jsonb,
  'the audit has the orders that do not count, by reason'
)
from x;
select is(
  (audit -> 'counted' ->> 'direct_orders')::integer, (pg_temp.balances((select a from m))).direct_orders,
  'the number equals the stored counter'
)
from x;
select is(audit -> 'level_is_held', 'false'::jsonb, 'the audit says that the level is not held') from x;
select app.set_agent_level(a, 0::smallint, null, now(), true) from m;
select is(app.audit_counts(a) -> 'level_is_held', 'true'::jsonb, 'the audit says that the level is held') from m;
select throws_ok('select app.audit_counts(0)', 'PT404', 'user_not_found', 'an unknown member is rejected');

select * from finish();
rollback;
