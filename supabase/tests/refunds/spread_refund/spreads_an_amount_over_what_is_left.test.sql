begin;
\ir ../../support/fixture.psql
select plan(11);

-- Three lines of 0.01, 0.02 and 299.70 for other goods, 3600.00 of queue goods, and freight of 8.00 for each unit of
-- tea.
create temporary table o as
select (app.create_order(pg_temp.sign_up(), (
  select jsonb_build_array(
    jsonb_build_object('product_id', g.tea, 'quantity', 1, 'discount', '99.89'),
    jsonb_build_object('product_id', g.tea, 'quantity', 2, 'discount', '199.78'),
    jsonb_build_object('product_id', g.tea, 'quantity', 3), jsonb_build_object('product_id', g.flagship, 'quantity', 1)
  ) from goods as g
), now())).id;
select app.pay_order(id, 'test', 'one', now()) from o;
create function pg_temp.spread(p_amount numeric) returns text language plpgsql as $$
begin
  return (
    select string_agg(
      case when i.quantity > 0 then i.quantity || ' units' else i.amount::text end, ', ' order by i.line_id
    )
    from o, unnest(app.spread_refund(o.id, p_amount)) as i
  );
exception when sqlstate 'PT422' then
  return sqlerrm;
end
$$;
select is(pg_temp.spread(c.amount), c.items, c.sentence) from (values
  (
    100.00, '7.68, 92.32',
    'in proportion to what is left, by running sums that are rounded down; a line without a share has none'
  ),
  (0.01, '0.01', 'one cent goes to the last line'), (0.00, null, 'nothing is nothing'),
  (3899.73, '1 units, 2 units, 3 units, 1 units', 'everything that is left means all units'),
  (3899.72, '0.01, 0.02, 299.70, 3599.99', 'nearly everything leaves a cent of the queue goods'),
  (3899.74, 'refund_exceeds_order', 'more than is left'), (-0.01, 'invalid_argument', 'less than nothing'),
  (0.001, 'invalid_argument', 'a part of a cent')
) as c (amount, items, sentence);
select is(
  (select concat_ws(' ', r.amount, r.freight) from o, app.refund_order(o.id, null, 'a', now(), 100.00) as r),
  '100.00 0.00', 'an amount refunds no freight by itself'
);
select is(
  (select concat_ws(' ', r.amount, r.freight) from o, app.refund_order(o.id, null, 'b', now(), 3799.73, 24.00) as r),
  '3823.73 24.00', 'only where it is named'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
