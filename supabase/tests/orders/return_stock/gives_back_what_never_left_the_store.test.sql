begin;
\ir ../../support/fixture.psql
select plan(10);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table p as with added as (
  insert into app.products (title, price, stock) values ('Cup', 10, 10) returning id
) select * from added;
create function pg_temp.order_cups(
  p_quantity integer, p_is_paid boolean default true
) returns bigint language plpgsql as $$
declare
  v_id bigint := (
    select o.id
    from m, p,
      lateral app.create_order(
        m.a, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', p_quantity)), now()
      ) as o
  );
begin
  if p_is_paid then
    perform app.pay_order(v_id, 'test', 'test-' || v_id, now());
  end if;
  return v_id;
end
$$;
create function pg_temp.stock() returns bigint language sql as $$ select x.stock from app.products as x, p
  where x.id = p.id $$;
create function pg_temp.one_unit(p_order_id bigint) returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
  where l.order_id = p_order_id
$$;

create temporary table o as select pg_temp.order_cups(2, false) as unpaid, pg_temp.order_cups(3) as paid,
  pg_temp.order_cups(2) as delivered;
select is(pg_temp.stock(), 3::bigint, 'orders take seven units from the stock');
select app.cancel_order(unpaid, now()) from o;
select is(pg_temp.stock(), 5::bigint, 'a cancelled order returns all its units');
select app.cancel_order(unpaid, now()) from o;
select is(pg_temp.stock(), 5::bigint, 'cancelling again returns nothing');
select app.refund_order(paid, pg_temp.one_unit(paid), 'first', now()) from o;
select is(pg_temp.stock(), 6::bigint, 'a partial refund returns its units');
select app.refund_order(paid, pg_temp.one_unit(paid), 'first', now()) from o;
select is(pg_temp.stock(), 6::bigint, 'the same refund again returns nothing');
select app.refund_order(paid, null, 'rest', now()) from o;
select is(pg_temp.stock(), 8::bigint, 'a refund of the rest returns the rest');
select app.deliver_order(delivered, now()) from o;
select app.refund_order(delivered, null, null, now()) from o;
select is(pg_temp.stock(), 8::bigint, 'a refund after shipment returns nothing');

create temporary table later as select pg_temp.order_cups(1, false) as lifted;
update app.products as x set stock = null from p where x.id = p.id;
select lives_ok(
  'select app.cancel_order(lifted, now()) from later',
  'an order of a product that has become unlimited can be cancelled'
);
select is(pg_temp.stock(), null, 'the product stays unlimited');

create temporary table o2 as select pg_temp.order_cups(1, false) as unlimited;
update app.products as x set stock = 4 from p where x.id = p.id;
select app.cancel_order(unlimited, now()) from o2;
select is(pg_temp.stock(), 4::bigint, 'an order that took nothing returns nothing');

select * from finish();
rollback;
