begin;
\ir ../../support/fixture.psql
\ir ../../support/events.psql
select plan(8);

create temporary table m as select pg_temp.reporter() as a;
alter table m add b bigint;
update m set b = pg_temp.sign_up(a::text);
create temporary table o as select pg_temp.report(b) as kept, pg_temp.report(b) as refunded, pg_temp.report(b) as open
  from m;
select app.confirm_receipt(kept, now()), app.confirm_receipt(refunded, now()) from o;
select app.refund_order(refunded, null, 'all', now()) from o;
select count(*) from pg_temp.told();

select is(app.announce_maturities(now() + interval '6 days', 10), 0, 'commission that has not matured is not told');
select is(app.announce_maturities(now() + interval '7 days', 10), 2, 'what has matured is looked at');
select results_eq(
  'select pg_temp.told()',
  format($$ values ('commission.matured order %s for %s {"amount": "720.00"} by job') $$, kept, a),
  'and told, unless nothing is left of it'
)
from o, m;
select is(app.announce_maturities(now() + interval '8 days', 10), 0, 'once');

create temporary table u as
select (
  app.create_order(
    b, (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g), now()
  )
).id
from m;
alter table u add expires timestamptz;
update u set expires = app.order_expires_at((select o from app.orders as o where o.id = u.id));
select app.announce_expiries(expires - interval '11 minutes', 10), app.announce_expiries(expires, 10) from u;
select is_empty('select pg_temp.told()', 'an order that expires later, or has expired, is not told');
select app.announce_expiries(expires - interval '9 minutes', 10),
  app.announce_expiries(expires - interval '8 minutes', 10)
from u;
select results_eq(
  'select pg_temp.told()',
  format($$ values ('order.expiring order %s for %s {"expires_at": "%s"} by job') $$, u.id, b, app.utc(expires)),
  'one that is about to expire is told once'
)
from u, m;

-- Whatever the job does.
select throws_ok(
  format($$ select app.write_event('order.expiring', %s, 1, '{}', now()) $$, id), '23505', null,
  'a second time is impossible'
)
from u;
select throws_ok(
  format($$ select app.write_event('commission.matured', %s, 1, '{}', now()) $$, kept), '23505', null,
  'for each of the two types'
)
from o;

select * from finish();
rollback;
