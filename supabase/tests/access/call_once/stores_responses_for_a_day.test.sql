begin;
\ir ../../support/fixture.psql
select plan(7);

create temporary table member as select pg_temp.sign_up() as uid;
create temporary table caller as
select jsonb_build_object('sub', u.auth_id, 'role', 'authenticated') as claims from member as m
join app.users as u on u.uid = m.uid;
select app.add_administrator(claims ->> 'sub') from caller;
create function pg_temp.order_once(
  p_key text, p_quantity integer, p_role text default 'authenticated'
) returns bigint language plpgsql as $$
declare
  v_result jsonb := app.as_caller((select claims || jsonb_build_object('role', p_role) from caller), 'create_order',
    jsonb_build_object(
      'p_items', jsonb_build_array(jsonb_build_object('product_id', (select tea from goods), 'quantity', p_quantity))
    ),
    p_key);
begin
  perform set_config('role', 'none', true);
  return (v_result ->> 'id')::bigint;
end
$$;
grant select on caller, goods to authenticated, store_admin;
create temporary table made as select pg_temp.order_once('one', 1) as id;

select is(pg_temp.order_once('one', 1), id, 'the same key again gives the same order') from made;
select isnt(pg_temp.order_once('two', 1), id, 'another key gives another order') from made;
select isnt(pg_temp.order_once('one', 1, 'store_admin'), id, 'the same account in another role has keys of its own')
from made;
select throws_ok(
  $$ select pg_temp.order_once('one', 2) $$, 'PT422', 'idempotency_key_reused',
  'the same key with other arguments is rejected'
);

select app.forget_old_keys((select min(created_at) from app.idempotency_keys) + interval '24 hours', 10);
select is((select count(*) from app.idempotency_keys), 3::bigint, 'responses are kept for a day');
select app.forget_old_keys(
  (select max(created_at) from app.idempotency_keys) + interval '24 hours' + interval '1 second', 10
);
select is((select count(*) from app.idempotency_keys), 0::bigint, 'responses older than a day are deleted');
select isnt(pg_temp.order_once('one', 2), id, 'after a day, the key is free') from made;

select * from finish();
rollback;
