begin;
\ir ../../support/fixture.psql
select plan(12);
grant store_api to postgres;

create temporary table new as select pg_temp.sign_up() as uid from generate_series(1, 2);
create temporary table m as select u.uid, u.auth_id from app.users as u join new on new.uid = u.uid;
create temporary table a as select '{"name": "Lin", "phone": "+86 138 0000 0000", "region": ["广东省", "深圳市"], "street": "Nanhai Road 1"}'::jsonb as address;
create function pg_temp.as_member(p_number integer, p_function text, p_args jsonb) returns text language sql as $$
  select pg_temp.call(
    (select m.auth_id from m order by m.uid offset p_number - 1 limit 1), p_function, p_args, 'authenticated'
  )
$$;
create function pg_temp.tea(p_more jsonb) returns jsonb language sql as $$
  select jsonb_build_object('p_items', jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)))
    || p_more
  from goods as g
$$;

create temporary table saved as
select (pg_temp.as_member(1, 'create_address', jsonb_build_object('p_address', address))::jsonb ->> 'id')::bigint as id
from a;
create temporary table o as
select pg_temp.as_member(
  1, 'create_order', pg_temp.tea(jsonb_build_object('p_address_id', saved.id, 'p_remark', 'Ring twice'))
)::jsonb as result
from saved;
select is(o.result -> 'address', a.address, 'the order has the address') from o, a;
select is(o.result ->> 'remark', 'Ring twice', 'the order has the remark') from o;
select pg_temp.as_member(
  1, 'set_address', jsonb_build_object('p_id', saved.id, 'p_address', a.address || '{"street": "Elsewhere 2"}')
)
from saved, a;
select is(
  (select x.address ->> 'street' from app.orders as x, o where x.id = (o.result ->> 'id')::bigint), 'Nanhai Road 1',
  'a later change of the address book does not affect the order'
);
select matches(
  pg_temp.as_member(2, 'create_order', pg_temp.tea(jsonb_build_object('p_address_id', saved.id))),
  'PT404 address_not_found', 'the address of another member is not found'
)
from saved;
select is(
  pg_temp.as_member(2, 'create_order', pg_temp.tea(jsonb_build_object('p_address', address)))::jsonb -> 'address',
  address, 'an order can have an address that is not in the address book'
)
from a;
select is(pg_temp.as_member(2, 'get_addresses', '{}'), '[]', 'that address is not added to the address book');
select matches(
  pg_temp.as_member(
    1, 'create_order', pg_temp.tea(jsonb_build_object('p_address_id', saved.id, 'p_address', a.address))
  ),
  'PT422 invalid_argument', 'an order with both kinds of address is rejected'
)
from saved, a;
select matches(
  pg_temp.as_member(1, 'create_order', pg_temp.tea('{"p_address": {"name": "Lin"}}')), 'PT422 invalid_argument',
  'an incomplete address is rejected'
);
select matches(
  pg_temp.as_member(1, 'create_order', pg_temp.tea(jsonb_build_object('p_remark', repeat('a', 501)))),
  'PT422 invalid_argument', 'a remark of more than 500 characters is rejected'
);
select is(
  pg_temp.as_member(
    1, 'create_order', pg_temp.tea(jsonb_build_object('p_remark', repeat('a', 500)))
  )::jsonb ->> 'remark',
  repeat('a', 500), 'one of 500 is kept'
);
select matches(
  pg_temp.as_member(1, 'create_order', pg_temp.tea('{"p_expected_price": 99.90}')), 'PT409 price_changed',
  'an order with another price than expected is rejected'
);
select is(
  pg_temp.as_member(1, 'create_order', pg_temp.tea('{"p_expected_price": 107.9}'))::jsonb ->> 'pay_price', '107.90',
  'an order with the expected price is accepted'
);

select * from finish();
rollback;
