begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(20);

-- The scheduled configuration check may have run, and its findings wait for administrators, too.
delete from app.settings_checks;

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as
select (
  app.create_order(m.uid, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', n.units)), now())
).id,
  n.name
from m, goods as g, (values ('small', 1), ('large', 13), ('other', 13), ('cancelled', 13)) as n (name, units);
create temporary table admins as select pg_temp.administrator() as one;
create function pg_temp.pay(p_by uuid, p_name text, p_args jsonb default '{}') returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    p_by, 'pay_order_offline', jsonb_build_object('p_order_id', (select o.id from o where o.name = p_name)) || p_args
  );
begin
  return case when v_answer like '{%' then v_answer::jsonb ->> 'state' else v_answer end;
end
$$;
create function pg_temp.waiting(p_by uuid) returns text language plpgsql as $$
begin
  return (select string_agg(o.name, ', ') from o where to_jsonb(o.id) in (
    select jsonb_path_query(
      pg_temp.call(p_by, 'admin_get_orders', '{"p_waiting": "payment"}')::jsonb, '$.list[*].id'
    )));
end
$$;

select is(pg_temp.pay(a.one, 'small'), 'paid', 'up to the limit, one administrator records a payment alone')
from admins as a;
select is(pg_temp.pay(a.one, 'small'), 'paid', 'a repeated payment changes nothing') from admins as a;
select is(
  pg_temp.pay(a.one, 'large'), 'PT409 second_administrator_needed',
  'above the sum of 50,000.00, one administrator is not enough'
)
from admins as a;
alter table admins add two uuid;
update admins set two = pg_temp.administrator();
select is(
  pg_temp.pay(a.one, 'large', '{"p_pay_ref": "receipt 7"}'), 'unpaid',
  'with a second administrator, the order stays unpaid'
)
from admins as a;
select is(
  pg_temp.pay(a.one, 'large', '{"p_pay_ref": "receipt 8"}'), 'unpaid', 'the first administrator cannot confirm it'
)
from admins as a;
select results_eq(
  'select w.pay_ref, w.marked_by = a.one from app.waiting_payments as w, admins as a', $$ values ('receipt 7', true) $$,
  'the payment waits with its first reference'
);
select is(
  (select count(*)::int from app.settlement_jobs as j join o on o.id = j.order_id where o.name = 'large'), 0,
  'no settlement is written'
);
select is(pg_temp.waiting(a.two), 'large', 'the list shows what waits') from admins as a;
select is(
  pg_temp.call(
    a.two, 'admin_get_order', jsonb_build_object('p_id', o.id)
  )::jsonb #>> '{waiting_payment, marked_by, auth_id}',
  a.one::text, 'the order shows who marked it'
) from admins as a, o where o.name = 'large';
select is(
  concat_ws('; ', pg_temp.waits(a.one), pg_temp.waits(a.two)), 'shipment 1; shipment 1, payment 1',
  'it waits for the second administrator only'
)
from admins as a;
select is(pg_temp.pay(a.two, 'large'), 'paid', 'the second administrator confirms it') from admins as a;
select is(
  (select w.pay_ref from app.orders as w join o on o.id = w.id where o.name = 'large'), 'receipt 7',
  'without a reference, that of the first counts'
);
select results_eq(
  'select (d.auth_id = a.one), d.money from app.decided_alone as d, admins as a order by d.money',
  $$ values (false, 0.00), (true, 3600.00) $$, 'what two have decided is in the sum of neither'
);
select results_eq(
  $$ select x.actor = a.one, x.to_value from app.admin_actions as x, o, admins as a
  where x.target_id = o.id::text and o.name = 'large' order by x.id $$,
  $$ values (true, '{"waits": true, "amount": "46800.00"}'::jsonb), (true, '{"waits": true, "amount": "46800.00"}'),
  (false, '{"state": "paid", "amount": "46800.00"}') $$,
  'the log has who marked it and who confirmed it'
);
select is(pg_temp.pay(a.one, 'cancelled'), 'unpaid', 'another order waits') from admins as a;
select app.cancel_order(o.id, now()) from o where o.name = 'cancelled';
select is(pg_temp.waiting(a.two), null, 'an order that was cancelled no longer waits') from admins as a;
select is(pg_temp.pay(a.two, 'cancelled'), 'PT409 order_state_conflict', 'and cannot be paid') from admins as a;
select is(
  pg_temp.pay(a.one, 'other', jsonb_build_object('p_pay_ref', r.ref)), r.answer,
  format('a reference of %s characters above the limit', char_length(r.ref))
)
from admins as a,
  (
    values ('', 'PT422 invalid_argument'), (repeat('x', 129), 'PT422 invalid_argument'), (repeat('x', 128), 'unpaid')
  ) as r (ref, answer);

select * from finish();
rollback;
