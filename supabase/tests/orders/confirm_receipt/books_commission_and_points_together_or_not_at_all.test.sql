-- Guarantee rules/3-receipt: R3: commission and points of a receipt are booked together or not at all
-- By: one transaction, app.confirm_receipt
begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.reporter() as a;
select app.create_plan('{"brokerage_timing": "confirm"}', null, now());
create temporary table o as select pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id;

-- The points cannot be written, while the commission can.
create function pg_temp.refuse() returns trigger language plpgsql as $$ begin raise exception 'no points'; end $$;
create trigger refuse before insert on app.user_bill for each row
  when (new.type = 'frozen_points_brokerage') execute function pg_temp.refuse();
select throws_ok(
  'select app.confirm_receipt(id, now()) from o', 'P0001', 'no points', 'a receipt fails whose points cannot be booked'
);
select is_empty(
  'select * from app.user_bill where order_id = (select id from o)', 'no commission is booked without its points (R3)'
);
select is((select brokerage_price from app.user_balances where uid = (select a from m)), 0.00, 'no balance has it');
select is((select state from app.orders where id = (select id from o)), 'paid', 'the order is not received');

drop trigger refuse on app.user_bill;
select app.confirm_receipt(id, now()) from o;
select bag_eq(
  'select type from app.user_bill where order_id = (select id from o) and uid = (select a from m) and source = ''cycle''',
  'values (''brokerage''), (''frozen_points_brokerage'')', 'a later receipt books both'
);
select is((select state from app.orders where id = (select id from o)), 'received', 'and the order is received');

select * from finish();
rollback;
