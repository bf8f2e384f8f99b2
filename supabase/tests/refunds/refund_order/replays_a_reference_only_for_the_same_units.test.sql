begin;
\ir ../../support/fixture.psql
select plan(12);

create temporary table o as select n, pg_temp.report(pg_temp.sign_up(), 3) as id from generate_series(1, 5) as n;
create temporary table l as select o.n, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) as one
  from o join app.order_lines as l on l.order_id = o.id;

select app.refund_order(o.id, l.one, 'r1', now()) from o join l using (n) where n = 1;
select throws_ok(
  $$ select app.refund_order(id, null, 'r1', now()) from o
  where n = 1 $$, 'PT409', 'refund_reference_used', 'a reference that refunded one unit is rejected for all units'
);
select app.refund_order(id, null, 'r2', now()) from o where n = 1;
select is(
  (app.refund_order(id, null, 'r2', now())).refund_ref, 'r2',
  'a reference that refunded all units can be repeated for all units'
)
from o where n = 1;

select app.request_refund(o.id, l.one, '', now()) from o join l using (n) where n = 2;
select app.refund_order(id, null, 'r3', now()) from o where n = 2;
select is(
  (app.refund_order(id, null, 'r3', now())).amount, 3600.00,
  'a reference that refunded a request can be repeated for the request'
)
from o where n = 2;

select app.refund_order(o.id, l.one, 'r4', now()) from o join l using (n) where n = 3;
select app.request_refund(id, null, '', now()) from o where n = 3;
select throws_ok(
  $$ select app.refund_order(id, null, 'r4', now()) from o
  where n = 3 $$, 'PT409', 'refund_reference_used', 'the reference of another refund is rejected for a request'
);
select is(
  (select r.state from app.refunds as r join o on o.id = r.order_id where n = 3 order by r.id desc limit 1),
  'requested', 'the request stays open'
);

-- Two units are asked for, and one of them is refunded: in answer to the request, and beside it.
select app.request_refund(id, null, '', now()) from o where n in (4, 5);
select app.refund_order(o.id, l.one, 'r5', now(), p_answers_request => n = 4) from o join l using (n) where n in (4, 5);
select is(
  (app.refund_order(o.id, l.one, 'r5', now())).state, 'partly_refunded',
  'the same units repeat an answer, whose row has more that was asked for'
)
from o join l using (n) where n = 4;
select throws_ok(
  $$ select app.refund_order(o.id, l.one, 'r5', now(), p_answers_request => false) from o join l using (n)
  where n = 4 $$, 'PT409', 'refund_reference_used', 'but not as a refund beside the request'
);
select results_eq(
  $$ select r.state, r.amount from o join l using (n)
  cross join lateral app.refund_order(o.id, l.one, 'r5', now(), p_answers_request => false) as r where n = 5 $$,
  $$ values ('refunded', 3600.00) $$, 'a refund beside the request is repeated as such'
);

-- What was named counts, not what came of it.
select app.refund_order(id, null, 'r6', now(), p_amount => 5, p_freight => 0) from o where n = 5;
select throws_ok(
  $$ select app.refund_order(
    o.id, jsonb_build_array(jsonb_build_object('line_id', l.one -> 0 -> 'line_id', 'amount', '5.00')), 'r6', now()
  )
  from o join l using (n)
  where n = 5 $$, 'PT409', 'refund_reference_used', 'an amount of a line is not one of the order'
);
select throws_ok(
  $$ select app.refund_order(id, null, 'r6', now(), p_amount => 5) from o
  where n = 5 $$, 'PT409', 'refund_reference_used', 'nor is freight that was named that of the default'
);
select is(
  (app.refund_order(id, null, 'r6', now(), p_amount => 5.00, p_freight => 0.00)).refund_ref, 'r6',
  'zeros behind a point do not matter'
)
from o where n = 5;
select throws_ok(
  $$ select app.refund_order(o.id, l.one, 'r5', now(), p_answers_request => true) from o join l using (n)
  where n = 5 $$, 'PT409', 'refund_reference_used', 'a refund beside the request is none that answers it'
);

select * from finish();
rollback;
