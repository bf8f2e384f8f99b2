begin;
\ir ../../support/fixture.psql
select plan(5);
grant store_api to postgres;

update app.settings set cancellations_per_hour = 2;
create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as
select n, (app.create_order(m.uid, jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)), now())).id
from m, goods as g, generate_series(1, 4) as n;
create function pg_temp.cancel(p_number integer) returns text language sql as $$
  select left(pg_temp.call(u.auth_id, 'cancel_order', jsonb_build_object('p_order_id', o.id), 'authenticated'), 23)
  from app.users as u, m, o where u.uid = m.uid and o.n = p_number
$$;

select is(
  array(select left(pg_temp.cancel(n), 1) from generate_series(1, 2) as n order by n), array['{', '{'],
  'up to the quota, orders are cancelled'
);
select is(left(pg_temp.cancel(1), 1), '{', 'what is cancelled already does not count');
select is(pg_temp.cancel(3), 'PT429 too_many_requests', 'no more orders are cancelled within the hour');
select is((select app.cancel_order(id, now(), true)).state, 'cancelled', 'an order expires nevertheless') from o
where n = 4;
update app.used_quotas set began_at = began_at - interval '1 hour';
select is(left(pg_temp.cancel(3), 1), '{', 'after the hour, orders are cancelled again');

select * from finish();
rollback;
