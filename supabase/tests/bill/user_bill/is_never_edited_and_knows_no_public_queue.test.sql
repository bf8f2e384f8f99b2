-- Guarantee rules/12-no-queue: R12: the bill has no row of the former public queue
-- By: the types are a constraint, app.user_bill
begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.reporter() as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select throws_ok(
  'update app.user_bill set brokerage_delta = 1 where uid = (select a from m)', '23001', null,
  'a bill row cannot be updated'
);
select throws_ok(
  'delete from app.user_bill where uid = (select a from m)', '23001', null, 'a bill row cannot be deleted'
);
select throws_ok('truncate app.user_bill', '23001', null, 'the bill cannot be truncated');
select throws_ok(format($$ insert into app.user_bill (uid, type, source, brokerage_delta, brokerage_after, frozen_after,
  available_after, basis, rate, add_time, order_id)
  select a, %L, 'cycle', 1, 1, 0, 0, 1, 1, now(), (select max(id) from app.orders) from m $$, t.type), '23514', null,
    t.type || ' is no type (R12)')
from unnest(array['queue_refund', 'public_queue_refund', 'refund']) as t (type);

select * from finish();
rollback;
