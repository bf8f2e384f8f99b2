-- Guarantee money/refund-everything
begin;
\ir ../../support/fixture.psql
select plan(22);

-- Orders of 2 teas at 99.90 with freight of 16.00.
create function pg_temp.order(p_is_shipped boolean) returns bigint language plpgsql as $$
declare
  v_id bigint := (
    app.create_order(
      pg_temp.sign_up(),
      (select jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 2)) from goods as g), now()
    )
  ).id;
begin
  perform app.pay_order(v_id, 'test', 'paid ' || v_id, now());
  if p_is_shipped then
    perform app.deliver_order(v_id, now());
  end if;
  return v_id;
end
$$;
create temporary table o as select n.name, pg_temp.order(n.name like 'shipped%') as id
  from (values ('paid'), ('shipped'), ('kept'), ('by parts'), ('shipped, freight'), ('alone'), ('asked')) as n (name);
create function pg_temp.one(p_name text) returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
  join o on o.id = l.order_id where o.name = p_name
$$;
create function pg_temp.refund(
  p_name text, p_lines jsonb default null, p_freight numeric default null, p_ref text default null
) returns text language plpgsql as $$
declare
  v_refund app.refunds;
begin
  v_refund := app.refund_order((select id from o where name = p_name), p_lines, p_ref, now(), p_freight => p_freight);
  return concat_ws(
    ' ', v_refund.amount, v_refund.freight, (select x.refund_status from app.orders as x where x.id = v_refund.order_id)
  );
exception when sqlstate 'PT422' or sqlstate 'PT409' then
  return sqlerrm;
end
$$;
select is(
  (select freight from app.orders as x join o using (id) where o.name = 'paid'), 16.00, 'the freight of the order'
);
select is(pg_temp.refund('paid'), '215.80 16.00 2', 'all units before the shipment: with the freight');
select is(pg_temp.refund('paid', '[]', 0.01), 'refund_exceeds_order', 'not twice');
select is(pg_temp.refund('shipped'), '199.80 0.00 2', 'all units after the shipment: without it');
select is(
  pg_temp.refund('shipped', '[]', 3.00, 'f'), '3.00 3.00 2',
  'a part of the freight may follow, also if nothing else is left'
);
select is(pg_temp.refund('shipped', '[]', 3.00, 'f'), '3.00 3.00 2', 'which its reference repeats');
select is(pg_temp.refund('shipped', '[]', 4.00, 'f'), 'refund_reference_used', 'for the same freight only');
select is(pg_temp.refund('shipped', null, 13.00), '13.00 13.00 2', 'then the rest, also without lines');
select is(pg_temp.refund('shipped', '[]', 0.01), 'refund_exceeds_order', 'and no more');
select is(pg_temp.refund('kept', null, 0.00), '199.80 0.00 2', 'who names 0.00 refunds none');
select is(pg_temp.refund('by parts', pg_temp.one('by parts')), '99.90 0.00 3', 'the first of two units: without it');
select is(pg_temp.refund('by parts', pg_temp.one('by parts')), '115.90 16.00 2', 'the last unit: with it');
select is(
  pg_temp.refund('shipped, freight', null, 8.00), '207.80 8.00 2', 'who names it refunds it after the shipment, too'
);
select is(pg_temp.refund('alone', '[]', 16.00), '16.00 16.00 3', 'freight alone refunds a part');
select is(pg_temp.refund('alone', '[]'), 'invalid_argument', 'nothing is no refund');
select is(pg_temp.refund('alone', '[]', 0.00), 'invalid_argument', 'nor is freight of 0.00');
select is(pg_temp.refund('alone', '[]', -1.00), 'invalid_argument', 'nor less');
select is(pg_temp.refund('alone', '[]', 0.001), 'invalid_argument', 'nor a part of a cent');
select is(pg_temp.refund('alone'), '199.80 0.00 2', 'the last units then have no freight left');
select is(
  (
    select concat_ws(' ', r.amount, r.freight) from o, app.request_refund(o.id, null, '', now()) as r
    where o.name = 'asked'
  ),
  '215.80 16.00', 'a request shows the same'
);
select is(pg_temp.refund('asked'), '215.80 16.00 2', 'and so does its answer');
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
