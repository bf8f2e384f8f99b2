begin;
\ir ../../support/fixture.psql
select plan(8);

create temporary table m as select pg_temp.reporter() as reporter, pg_temp.sign_up() as other;
select ok(app.has_reported_order(reporter, now()), 'a member with a paid order of queue goods has reported') from m;
select ok(not (select app.has_reported_order(other, now())), 'a member without orders has not, although others have')
from m;
select ok(
  not (select app.has_reported_order(reporter, now() - interval '1 second')), 'nor has a member before the payment'
)
from m;

create temporary table g as select pg_temp.sign_up() as tea, pg_temp.sign_up() as part, pg_temp.sign_up() as mixed,
  pg_temp.sign_up() as refunded, pg_temp.sign_up() as small;
create function pg_temp.paid(p_uid bigint, p_items jsonb) returns bigint language plpgsql as $$
declare
  v_id bigint := (app.create_order(p_uid, p_items, now())).id;
begin
  perform app.pay_order(v_id, 'test', 'test-' || v_id, now());
  return v_id;
end
$$;
create function pg_temp.item(p_id bigint, p_quantity integer) returns jsonb language sql as $$ select jsonb_build_array(
  jsonb_build_object('product_id', p_id, 'quantity', p_quantity)
) $$;
create function pg_temp.refund(p_id bigint, p_units integer) returns bigint language sql as $$
  select (
    app.refund_order(
      p_id,
      (
        select jsonb_agg(jsonb_build_object('line_id', l.id, 'quantity', p_units)) from app.order_lines as l
        where l.order_id = p_id and l.is_queue_goods
      ),
      null, now()
    )
  ).id
$$;
select pg_temp.paid(g.tea, pg_temp.item(x.tea, 1)) from g, goods as x;
select pg_temp.refund(pg_temp.paid(g.part, pg_temp.item(x.flagship, 2)), 1) from g, goods as x;
select pg_temp.refund(pg_temp.paid(g.mixed, pg_temp.item(x.flagship, 1) || pg_temp.item(x.tea, 1)), 1)
from g, goods as x;
select pg_temp.refund(pg_temp.paid(g.refunded, pg_temp.item(x.flagship, 1)), 1) from g, goods as x;
select app.create_plan('{"minimum_base": 3600.01}', null, now());
select pg_temp.paid(g.small, pg_temp.item(x.flagship, 1)) from g, goods as x;
select ok(not (select app.has_reported_order(tea, now())), 'an order of other goods is not a reported order') from g;
select ok(app.has_reported_order(part, now()), 'an order of which a part is refunded is one') from g;
select ok(not (select app.has_reported_order(mixed, now())), 'an order of which only other goods are left is none')
from g;
select ok(not (select app.has_reported_order(refunded, now())), 'a refunded order is none') from g;
select ok(not (select app.has_reported_order(small, now())), 'an order below the minimum is none') from g;

select * from finish();
rollback;
