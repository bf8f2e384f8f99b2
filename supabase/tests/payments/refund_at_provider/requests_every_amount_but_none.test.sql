begin;
\ir ../../support/fixture.psql
select plan(3);

-- One order of small things, which was paid through the store, and the refund of each of its lines.
create temporary table things as
with added as (
  insert into app.products (title, price) values ('Nothing', 0), ('One cent', 0.01), ('One', 1.00)
  returning id, title, price
)
select * from added;
create temporary table o as
select n.id, (r.attempt).attempt_no
from app.create_order(
  pg_temp.sign_up(), (select jsonb_agg(jsonb_build_object('product_id', id, 'quantity', 1) order by id) from things),
  now()
) as n
cross join lateral app.open_attempt(n.id, 'local', 'local', null, now()) as r;
select app.record_payment_notification('local', 'event', 'payment', null, attempt_no, 'ref', 1.01, 'CNY', now()) from o;
create function pg_temp.requested(p_title text) returns text language sql as $$
  select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), p_title, now())
  from o join app.order_lines as l on l.order_id = o.id where l.title = p_title;
  select string_agg(concat_ws(' of ', p.amount, p.total), ', ') from app.refunds as r join o on o.id = r.order_id
  left join app.provider_refunds as p on p.refund_id = r.id where r.refund_ref = p_title
$$;

select is(pg_temp.requested('One cent'), '0.01 of 1.01', 'a cent is asked of the provider');
select is(pg_temp.requested('One'), '1.00 of 1.01', 'so is 1.00');
select is(pg_temp.requested('Nothing'), '', 'but nothing is not: providers refuse it');

select * from finish();
rollback;
