begin;
\ir ../../support/fixture.psql
select plan(15);

update app.settings set lifecycle_from = '2026-01-01';
create function pg_temp.order(p_at text default '12:00') returns bigint language sql as $$
  select (
    app.create_order(
      pg_temp.sign_up(),
      (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods),
      ('2026-11-20 ' || p_at || '+00')::timestamptz
    )
  ).id
$$;
create function pg_temp.open(p_id bigint, p_at text) returns text language sql as $$
  select (r.attempt).attempt_no
  from app.open_attempt(p_id, 'local', 'local', null, ('2026-11-20 ' || p_at || '+00')::timestamptz) as r
$$;
create function pg_temp.expiry(p_id bigint) returns text language sql as $$
  select to_char(app.order_expires_at(o) at time zone 'UTC', 'DD HH24:MI') from app.orders as o where o.id = p_id
$$;
create function pg_temp.expire(p_id bigint, p_at text) returns text language sql as $$
  select case when app.expire_order(p_id, ('2026-11-20 ' || p_at || '+00')::timestamptz) then 'expired' else 'kept' end
$$;
create temporary table o as select pg_temp.order() as never, pg_temp.order() as tried, pg_temp.order() as paid;

select is(pg_temp.expiry(never), '27 12:00', 'an order without an attempt expires after seven days') from o;
update app.settings set offline_payment_days = 2;
select is(pg_temp.expiry(never), '22 12:00', 'the setting changes the number of days') from o;
update app.settings set offline_payment = false, order_expiry_minutes = 45;
select is(
  pg_temp.expiry(never), '20 12:45',
  'without offline payment, it expires as long after it was placed as after an attempt'
)
from o;
create temporary table attempt as select pg_temp.open(tried, '12:05') as no from o;
select is(pg_temp.expiry(tried), null, 'an order with an open attempt has no expiry time') from o;
select is(pg_temp.expire(tried, '23:59'), 'kept', 'an order with an open attempt is kept') from o;
select app.end_attempt(no, 'closed', null, '2026-11-20 12:15+00') from attempt;
select is(pg_temp.expiry(tried), '20 13:00', 'an order expires 45 minutes after its attempt has ended') from o;
select app.end_attempt(pg_temp.open(tried, '12:40'), 'closed', null, '2026-11-20 12:50+00') from o;
select is(pg_temp.expiry(tried), '20 13:35', 'the last attempt counts if there are several') from o;
update app.settings set lifecycle_from = '2026-11-20 15:00+00';
select is(
  pg_temp.expiry(never) || ' and ' || pg_temp.expiry(tried), '20 15:45 and 20 15:45',
  'the time of older orders counts from the installation'
)
from o;

select is(pg_temp.expire(tried, '15:44'), 'kept', 'an order is kept before its expiry time') from o;
select is(
  (select array[never, tried] <@ app.expired_orders('2026-11-20 15:45+00') from o), true,
  'the job finds the orders that have expired'
);
select is(pg_temp.expire(tried, '15:45'), 'expired', 'an order is cancelled at its expiry time') from o;
select is(pg_temp.expire(tried, '15:46'), 'kept', 'an order expires once') from o;
select is(
  (
    select concat_ws(
      ' ', state, case when is_expired then 'by expiry' end, to_char(cancelled_at at time zone 'UTC', 'HH24:MI')
    )
    from app.orders join o on id = tried
  ),
  'cancelled by expiry 15:45', 'the order states the time, and that it expired'
);
select app.pay_order(paid, 'test', 'ref-1', '2026-11-20 12:30+00') from o;
select is(pg_temp.expire(paid, '23:59'), 'kept', 'an order that was paid is kept') from o;
select is(
  (select paid = any (app.expired_orders('2027-11-20')) from o), false, 'the job does not find an order that was paid'
);

select * from finish();
rollback;
