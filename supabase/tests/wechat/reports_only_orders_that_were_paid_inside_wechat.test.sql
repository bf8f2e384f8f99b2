begin;
\ir ../support/fixture.psql
select plan(8);

-- An order that was paid by an attempt, and delivered.
create function pg_temp.deliver(p_provider text, p_method text, p_openid text) returns bigint language plpgsql as $$
declare
  v_order app.orders := app.create_order(
    pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', tea, 'quantity', 2)) from goods),
    now()
  );
  v_attempt app.payment_attempts := (app.open_attempt(v_order.id, p_provider, p_method, p_openid, now())).attempt;
begin
  perform app.record_payment_notification(
    p_provider, 'e' || v_order.id, 'payment', null, v_attempt.attempt_no, 'ref' || v_order.id, v_attempt.amount, 'CNY',
    now()
  );
  perform app.deliver_order(v_order.id, now(), 'SF', 'SF1001');
  return v_order.id;
end
$$;
create function pg_temp.rows_of(p_order_id bigint) returns bigint language sql as $$
  select count(*) from app.outbox where kind = 'upload_shipping' and key = p_order_id::text
$$;

create temporary table o as select pg_temp.deliver('wechat', 'jsapi', 'payer') as inside,
  pg_temp.deliver('wechat', 'h5', null) as browser, pg_temp.deliver('local', 'local', null) as local;
select is(pg_temp.rows_of(inside), 1::bigint, 'an order that was paid inside WeChat is reported') from o;
select is(pg_temp.rows_of(browser) + pg_temp.rows_of(local), 0::bigint, 'other orders are not reported') from o;
create temporary table changed as
select n.id, (a.attempt).attempt_no
from app.create_order(
  pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', tea, 'quantity', 2)) from goods), now()
) as n,
  app.open_attempt(n.id, 'wechat', 'jsapi', 'payer', now()) as a;
select app.end_attempt(attempt_no, 'closed', null, now()) from changed;
select
from changed as c, app.open_attempt(c.id, 'wechat', 'h5', null, now()) as a,
  app.record_payment_notification(
    'wechat', 'e', 'payment', null, (a.attempt).attempt_no, 'ref', (a.attempt).amount, 'CNY', now()
  );
select app.deliver_order(id, now(), 'SF', 'SF1001') from changed;
select is(
  pg_temp.rows_of(id), 0::bigint, 'nor is one that was to be paid inside WeChat, and then was paid in a browser'
)
from changed;
select results_eq('select api.get_shipping_notice(inside) from o', $$
  select jsonb_build_object(
    'transaction_id', 'ref' || inside, 'openid', 'payer', 'appid', null, 'carrier', 'SF', 'carrier_code', 'SF',
    'tracking_no', 'SF1001', 'contact', null, 'item_desc', 'Tea x2'
  )
  from o
$$, 'the notice has the payment and the shipment');
select throws_ok(
  format('select api.get_shipping_notice(%s)', browser), 'PT404', 'order_not_found',
  'there is no notice of another order'
)
from o;
select api.record_shipping_notice(inside) from o;
select is(pg_temp.rows_of(inside), 0::bigint, 'a recorded notice is removed from the outbox') from o;
select app.deliver_order(inside, now() + interval '1 hour', 'SF', 'SF1002') from o;
select is(pg_temp.rows_of(inside), 0::bigint, 'a corrected tracking number is not reported again') from o;
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
