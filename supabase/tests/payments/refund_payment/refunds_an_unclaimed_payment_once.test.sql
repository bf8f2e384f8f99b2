begin;
\ir ../../support/fixture.psql
select plan(9);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
create temporary table o as
select n.id, (r.attempt).attempt_no
from app.create_order(
  pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods),
  now()
) as n
cross join lateral app.open_attempt(n.id, 'local', 'local', null, now()) as r;
select app.cancel_order(id, now()) from o;
select app.record_payment_notification('local', 'late', 'payment', null, attempt_no, 'ref-1', 3600, 'CNY', now())
from o, generate_series(1, 2);
create temporary table n as select id from app.payment_notifications where event_id = 'late' order by id;

create function pg_temp.refund(p_id bigint) returns text language sql as $$
  select coalesce(substring(a from '"state": ?"(\w+)"'), a)
  from admins, pg_temp.call(admins.id, 'refund_payment', jsonb_build_object('p_notification_id', p_id)) as a
$$;
select is(
  (select jsonb_array_length(app.unclaimed_payments_json(id)) from o), 1,
  'a payment of a cancelled order is listed once'
);
select is(pg_temp.refund((select min(id) from n)), 'refunding', 'an administrator requests its refund');
select is(
  pg_temp.refund((select max(id) from n)), 'refunding', 'a second notification of the payment requests no second refund'
);
select results_eq(
  $$ select payment_no, amount, total, refund_id from app.provider_refunds
  where order_id = (select id from o) $$, $$ select attempt_no, 3600.00, 3600.00, null::bigint
  from o $$, 'the whole payment is refunded once'
);
select app.record_refund_state((select attempt_no || '-r1' from o), 'failed', null, 'not_enough', now());
select is(pg_temp.refund((select min(id) from n)), 'refunding', 'a failed refund can be requested again');
select app.record_refund_state((select attempt_no || '-r2' from o), 'succeeded', 'provider-1', null, now());
select is(pg_temp.refund((select min(id) from n)), 'succeeded', 'a refund that has succeeded is not requested again');
select is(
  (select count(*)::integer from app.provider_refunds where order_id = (select id from o)), 2,
  'there are two attempts to refund'
);
select is(
  (select app.unclaimed_payments_json(id) -> 0 ->> 'refund_state' from o), 'succeeded',
  'the order shows the state of the refund'
);
select matches(pg_temp.refund(0), 'PT404 payment_not_found', 'an unknown notification is rejected');

select * from finish();
rollback;
