begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(8);

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create temporary table o as
select (
  app.create_order(
    m.uid, (select jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 2)) from goods as g), now()
  )
).id
from m;
select app.pay_order(id, 'test', 'one', now()) from o;
create temporary table l as select l.id from app.order_lines as l join o on o.id = l.order_id;
create function pg_temp.preview(p_uid bigint, p_lines jsonb default null) returns jsonb language sql as $$
  select to_jsonb(
    pg_temp.call(
      u.auth_id, 'preview_own_refund', jsonb_strip_nulls(jsonb_build_object('p_order_id', o.id, 'p_lines', p_lines)),
      'authenticated'
    )
  )
  from o, app.users as u where u.uid = p_uid
$$;
create function pg_temp.figures(p_uid bigint, p_lines jsonb default null) returns text language sql as $$
  select concat_ws(' ', t.j ->> 'amount', t.j ->> 'freight', t.j ->> 'points')
  from (select (pg_temp.preview(p_uid, p_lines) #>> '{}')::jsonb as j) as t
$$;
select is(pg_temp.figures(uid), '215.80 16.00 0', 'of all units: with the freight, as nothing was shipped') from m;
select is(
  pg_temp.figures(uid, (select jsonb_build_array(jsonb_build_object('line_id', id, 'quantity', 1)) from l)),
  '99.90 0.00 0', 'of one unit: without it'
)
from m;
select is(
  (pg_temp.preview(uid) #>> '{}')::jsonb -> 'lines',
  (
    select jsonb_build_array(jsonb_build_object('line_id', id, 'units', 2, 'amount', '199.80', 'left', '199.80')) from l
  ),
  'with each line'
) from m;
select is((pg_temp.preview(uid) #>> '{}')::jsonb ? 'reversals', false, 'and nothing of what members lose') from m;
select alike(
  pg_temp.preview(uid, (select jsonb_build_array(jsonb_build_object('line_id', id, 'amount', '1.00')) from l)) #>> '{}',
  '%invalid_argument%', 'a buyer asks for units, not for amounts'
)
from m;
select alike(
  pg_temp.preview(uid, (select jsonb_build_array(jsonb_build_object('line_id', id, 'quantity', 3)) from l)) #>> '{}',
  '%refund_exceeds_order%', 'and for what is there'
)
from m;
select alike(pg_temp.preview(other) #>> '{}', '%order_not_found%', 'of an order of their own') from m;
select is(
  (select concat_ws(' ', r.amount, r.freight) from o, app.request_refund(o.id, null, '', now()) as r), '215.80 16.00',
  'the request has the same amounts'
);

select * from finish();
rollback;
