begin;
\ir ../../support/fixture.psql
select plan(4);

-- Members cannot pay offline, so every order expires 45 minutes after it was placed or after its last attempt.
update app.settings set lifecycle_from = '2026-01-01', offline_payment = false, order_expiry_minutes = 45;
create function pg_temp.order(p_at timestamptz) returns bigint language sql as $$
  select (
    app.create_order(
      pg_temp.sign_up(),
      (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods), p_at
    )
  ).id
$$;
create temporary table o as
select n.name, pg_temp.order(timestamptz '2026-03-01 12:00+00' + n.after) as id
from (
  values ('old', interval '0'), ('tried', interval '0'), ('open', interval '0'), ('paid', interval '0'),
  ('young', interval '1 second')
) as n (name, after);
select from o, app.open_attempt(o.id, 'local', 'local', null, '2026-03-01 12:10+00') where o.name in ('tried', 'open');
select from o
join app.payment_attempts as a on a.order_id = o.id,
  app.end_attempt(a.attempt_no, 'closed', null, '2026-03-01 12:20+00')
where o.name = 'tried';
select from o, app.pay_order(o.id, 'test', 'paid', '2026-03-01 12:10+00') where o.name = 'paid';
create function pg_temp.expired(p_at timestamptz) returns text language sql as $$
  select string_agg(o.name, ' ' order by o.name) from o where o.id = any (app.expired_orders(p_at))
$$;

select is(pg_temp.expired('2026-03-01 12:44:59+00'), null, 'before 45 minutes, nothing has expired');
select is(pg_temp.expired('2026-03-01 12:45+00'), 'old', 'after 45 minutes, an order without an attempt has');
select is(
  pg_temp.expired('2026-03-01 13:05+00'), 'old tried young', 'one with an attempt, 45 minutes after that has ended'
);
select is(pg_temp.expired('2026-03-05'), 'old tried young', 'one with an open attempt has not, nor one that was paid');

select * from finish();
rollback;
