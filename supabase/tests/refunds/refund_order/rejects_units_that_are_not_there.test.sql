begin;
\ir ../../support/fixture.psql
select plan(18);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select pg_temp.buy(a, 2) as id, pg_temp.buy(a) as other,
  (
    app.create_order(a, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)), now())
  ).id as unpaid
  from m, goods as g;
create temporary table l as select (select min(id) from app.order_lines where order_id = o.id) as own,
  (select min(id) from app.order_lines where order_id = o.other) as foreign_line
  from o;
select throws_ok(
  format(
    'select app.refund_order(%s, %L, null, now())', o.id,
    replace(replace(c.lines, 'OWN', l.own::text), 'FOREIGN', l.foreign_line::text)
  ),
  'PT422', c.code, format('a refund of %s is rejected', c.sentence)
)
from o, l, (values
  ('[]', 'invalid_argument', 'no lines'), ('{}', 'invalid_argument', 'something that is no list'),
    ('[{"line_id": OWN}]', 'invalid_argument', 'a line without a quantity'),
  ('[{"line_id": OWN, "quantity": 0}]', 'invalid_argument', 'no units of a line'),
  ('[{"line_id": OWN, "quantity": 1}, {"line_id": OWN, "quantity": 1}]', 'invalid_argument', 'a line twice'),
  (
    (select jsonb_agg(jsonb_build_object('line_id', n, 'quantity', 1))::text from generate_series(1, 51) as n),
    'invalid_argument', 'more than 50 lines'
  ),
  ('[{"line_id": OWN, "quantity": 3}]', 'refund_exceeds_order', 'more units than bought'),
  ('[{"line_id": FOREIGN, "quantity": 1}]', 'refund_exceeds_order', 'a line of another order')
) as c (lines, code, sentence);
select throws_ok(
  'select app.refund_order(unpaid, null, null, now()) from o', 'PT409', 'order_state_conflict',
  'a refund of an unpaid order is rejected'
);
select throws_ok(
  'select app.refund_order(0, null, null, now())', 'PT404', 'order_not_found',
  'a refund of an unknown order is rejected'
);
select throws_ok(
  'select app.preview_refund(unpaid, null, now()) from o', 'PT409', 'order_state_conflict',
  'so is the preview of a refund of an unpaid order'
);
select throws_ok(
  'select app.preview_refund(0, null, now())', 'PT404', 'order_not_found',
  'so is the preview of a refund of an unknown order'
);
select throws_ok(
  format('select app.refund_order(%s, null, %L, now())', o.id, repeat('r', c.n)), 'PT422', 'invalid_argument',
  format('a reference of %s characters is rejected', c.n)
)
from o, (values (0), (129)) as c (n);
select is(
  (
    app.refund_order(
      o.id, jsonb_build_array(jsonb_build_object('line_id', l.own, 'quantity', 1)), repeat('r', c.n), now()
    )
  ).refund_ref,
  repeat('r', c.n), format('a reference of %s characters is accepted', c.n)
)
from o, l, (values (1), (128)) as c (n);

-- The same product may be on several lines.
create temporary table many as
select r.id
from m,
  app.create_order(
    m.a,
    (select jsonb_agg(jsonb_build_object('product_id', g.tea, 'quantity', 1)) from goods as g, generate_series(1, 50)),
    now()
  ) as r;
select app.pay_order(id, 'test', 'many', now()) from many;
select is(
  (
    app.refund_order(
      id,
      (
        select jsonb_agg(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
        where l.order_id = many.id
      ),
      null, now()
    )
  ).amount,
  5395.00, 'a refund can name 50 lines'
) from many;
select is(
  (select o.refund_status from app.orders as o join many on many.id = o.id), 2::smallint, 'all of them are refunded'
);

select * from finish();
rollback;
