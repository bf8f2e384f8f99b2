begin;
\ir ../../support/fixture.psql
select plan(5);
grant store_api to postgres;

update app.settings set orders_per_hour = 2;
create temporary table m as select pg_temp.sign_up() as uid;
create function pg_temp.order(p_quantity integer default 1) returns text language sql as $$
  select left(pg_temp.call(
    (select u.auth_id from app.users as u, m where u.uid = m.uid), 'create_order',
    (
      select jsonb_build_object(
        'p_items', jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', p_quantity))
      )
      from goods as g
    ),
    'authenticated'
  ), 23)
$$;

select is(pg_temp.order(0), 'PT422 invalid_argument', 'an order that is rejected does not count');
select is(
  array(select left(pg_temp.order(), 1) from generate_series(1, 2)), array['{', '{'],
  'up to the quota, orders are placed'
);
select is(pg_temp.order(), 'PT429 too_many_requests', 'no more orders are placed within the hour');
select lives_ok($$ select pg_temp.buy(uid) from m $$, 'what the store does for a member is not limited');
update app.used_quotas set began_at = began_at - interval '1 hour';
select is(left(pg_temp.order(), 1), '{', 'after the hour, orders are placed again');

select * from finish();
rollback;
