begin;
\ir ../../support/fixture.psql
select plan(12);

update app.settings set lifecycle_from = '2026-01-01';
select from app.create_plan('{"brokerage_timing": "confirm"}', null, '2026-10-31');
create temporary table m as select pg_temp.reporter() as referrer;
create function pg_temp.delivered() returns bigint language plpgsql as $$
declare
  v_id bigint := pg_temp.buy(pg_temp.sign_up((select referrer::text from m)), 1, '2026-11-01');
begin
  perform app.deliver_order(v_id, '2026-11-02 12:00+00');
  return v_id;
end $$;
create temporary table o as select pg_temp.delivered() as idle, pg_temp.delivered() as asking,
  pg_temp.delivered() as refunded, pg_temp.delivered() as received,
  pg_temp.buy(pg_temp.sign_up(), 1, '2026-11-01') as paid;
create function pg_temp.receive(p_id bigint, p_at timestamptz) returns text language sql as $$
  select case when app.receive_if_due(p_id, p_at) then 'received' else 'left' end
$$;
select app.request_refund(asking, null, '', '2026-11-03'), app.refund_order(refunded, null, null, '2026-11-03'),
  app.confirm_receipt(received, '2026-11-03')
from o;

select is(
  pg_temp.receive(idle, '2026-11-09 11:59+00'), 'left', 'an order is not received before seven days have passed'
)
from o;
select is(
  (select array[idle] <@ app.orders_to_receive('2026-11-09 12:00+00') from o), true,
  'the job finds an order after seven days'
);
select is(
  (select array[asking, refunded, received, paid] && app.orders_to_receive('2026-11-30') from o), false,
  'the job finds no order that waits for a refund, was refunded, was received or was not shipped'
);
select is(pg_temp.receive(idle, '2026-11-09 12:00+00'), 'received', 'the receipt is confirmed after seven days') from o;
select is(
  (select state || ' ' || received_at::date from app.orders join o on id = idle), 'received 2026-11-09',
  'the order states the time of the receipt'
);
select isnt_empty(
  $$ select * from app.settlements
  join o on order_id = idle $$, 'with the timing confirm, the receipt settles the order'
);
select is(pg_temp.receive(idle, '2026-11-09 12:01+00'), 'left', 'a second call changes nothing') from o;
select is(pg_temp.receive(asking, '2026-11-30'), 'left', 'an order with an open refund request is not received') from o;
select app.refuse_refund(asking, '2026-11-30') from o;
select is(pg_temp.receive(asking, '2026-11-30'), 'received', 'the order is received after the request was refused')
from o;
update app.settings set lifecycle_from = '2026-11-29', receipt_days = 3;
create temporary table late as select pg_temp.delivered() as id;
select is(
  pg_temp.receive(id, '2026-12-01'), 'left',
  'for an order that was shipped before the installation, the days count from the installation'
)
from late;
select is(pg_temp.receive(id, '2026-12-02'), 'received', 'the setting changes the number of days') from late;
select is(pg_temp.receive(paid, '2026-12-30'), 'left', 'an order that was not shipped is not received') from o;

select * from finish();
rollback;
