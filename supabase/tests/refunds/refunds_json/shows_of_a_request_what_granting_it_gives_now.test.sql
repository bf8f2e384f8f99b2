-- Guarantee money/refund-amount-shown: An open request shows the amount that granting it now would pay back, as the
-- preview shows and the answer pays
-- By: the freight is computed when it is read, app.current_freight (decision 0176)
begin;
\ir ../../support/fixture.psql
select plan(16);
grant store_api to postgres;

-- Orders of 2 teas at 99.90 with freight of 16.00, all of which is asked for.
create temporary table o as
select n.name,
  (
    app.create_order(
      pg_temp.sign_up(),
      (select jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 2)) from goods as g), now()
    )
  ).id
from (
  values ('waiting'), ('shipped'), ('received'), ('refused'), ('taken back'), ('granted'), ('freight alone'),
  ('one of two')
) as n (name);
select app.pay_order(id, 'test', name, now()) from o;
create function pg_temp.one(p_name text) returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
  join o on o.id = l.order_id where o.name = p_name
$$;
select app.request_refund(id, case when name = 'one of two' then pg_temp.one(name) end, '', now()) from o;
-- What the buyer reads of the newest refund, in all and of it freight, and what the preview says that granting it would
-- give.
create function pg_temp.shown(p_name text) returns text language sql as $$
  select concat_ws(' ', r ->> 'amount', r ->> 'freight')
  from o join app.orders as x using (id)
  cross join lateral (
    select pg_temp.read(x.uid, 'get_refunds', jsonb_build_object('p_order_id', o.id)) #> '{list,0}' as r
  ) as l
  where o.name = p_name
$$;
create function pg_temp.foreseen(p_name text) returns text language sql as $$
  select concat_ws(' ', p ->> 'amount', p ->> 'freight') from o
  cross join lateral app.preview_refund(o.id, null, now()) as p where o.name = p_name
$$;
select is(pg_temp.shown('waiting'), '215.80 16.00', 'before the shipment, a request for everything has the freight');
select is(pg_temp.shown('one of two'), '99.90 0.00', 'one of two units has none');
select app.deliver_order(id, now()) from o where name in ('shipped', 'refused', 'taken back', 'granted');
select is(pg_temp.shown('shipped'), '199.80 0.00', 'after the shipment, it has none any more');
select is(pg_temp.foreseen('shipped'), '199.80 0.00', 'and the preview says the same');
select app.confirm_receipt(id, now()) from o where name = 'received';
select is(pg_temp.shown('received'), '199.80 0.00', 'nor after a receipt without a shipment');
select is(pg_temp.foreseen('received'), '199.80 0.00', 'as the preview says');
select app.refund_order(id, '[]', null, now(), p_freight => 6.00) from o where name = 'freight alone';
select is(
  (select string_agg(concat_ws(' ', r ->> 'state', r ->> 'amount', r ->> 'freight'), ', ' order by (r ->> 'id')::bigint)
   from o cross join lateral jsonb_array_elements(app.refunds_json(o.id)) as r where o.name = 'freight alone'),
  'requested 209.80 10.00, refunded 6.00 6.00', 'a refund of freight leaves it what is left of the freight'
);
select is(pg_temp.foreseen('freight alone'), '209.80 10.00', 'as the preview says');
select app.refund_order(id, pg_temp.one(name), null, now(), p_answers_request => false) from o
where name = 'one of two';
select is(
  (
    select concat_ws(' ', r ->> 'amount', r ->> 'freight') from o
    cross join lateral jsonb_array_elements(app.refunds_json(o.id)) as r
    where o.name = 'one of two' and r ->> 'state' = 'requested'
  ),
  '115.90 16.00', 'who asked for the unit that is the last one by now gets the freight'
);
select is(pg_temp.foreseen('one of two'), '115.90 16.00', 'as the preview says');

-- The end of a request keeps what it was at the end.
select app.refuse_refund(id, now()) from o where name = 'refused';
select is(pg_temp.shown('refused'), '199.80 0.00', 'a refused request keeps what it would have given at the end');
select is(
  (
    select e.payload ->> 'amount' from app.events as e join o on o.id = e.subject_id
    where o.name = 'refused' and e.type = 'refund.refused'
  ),
  '199.80', 'and so does its event'
);
select app.take_back_refund(id, now()) from o where name = 'taken back';
select is(pg_temp.shown('taken back'), '199.80 0.00', 'so does one that was taken back');
select app.refund_order(id, null, null, now()) from o where name = 'granted';
select is(pg_temp.shown('granted'), '199.80 0.00', 'the answer gives what was shown');
select is(
  (
    select string_agg(concat_ws(' ', l ->> 'title', l ->> 'quantity'), ', ') from o
    cross join lateral jsonb_array_elements(app.refunds_json(o.id) #> '{0,lines}') as l where o.name = 'granted'
  ),
  'Tea 2', 'a line says what its goods are called'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
