begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table o as select pg_temp.report(pg_temp.sign_up(), 2) as id;
select app.request_refund(
  o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), 'one is broken', now()
)
from o join app.order_lines as l on l.order_id = o.id;
select app.refund_order(id, null, 'asked', now()) from o;
select results_eq(
  'select r.state, r.reason, r.amount from app.refunds as r, o where r.order_id = o.id',
  $$ values ('refunded', 'one is broken', 3600.00) $$, 'a refund without units refunds the requested units'
);
select is((select queue_units from app.orders as x, o where x.id = o.id), 1, 'no other units are refunded');
select app.request_refund(id, null, repeat('x', 500), now()) from o;
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), 'named', now())
from o join app.order_lines as l on l.order_id = o.id;
select results_eq(
  'select r.state, r.amount, char_length(r.reason) from app.refunds as r, o where r.order_id = o.id order by r.id',
  $$ values ('refunded', 3600.00, 13), ('refunded', 3600.00, 500) $$,
  'a refund that names the units grants the request in its row'
);
select throws_ok(
  'select app.request_refund(id, null, repeat(''x'', 501), now()) from o', 'PT422', 'invalid_argument',
  'a reason that is too long is rejected'
);
select throws_ok(
  'select app.request_refund(id, null, '''', now()) from o', 'PT422', 'refund_exceeds_order',
  'nothing is left to request'
);

select * from finish();
rollback;
