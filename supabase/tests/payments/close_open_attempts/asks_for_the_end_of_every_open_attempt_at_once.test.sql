begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table o as
select n.name,
  (
    app.create_order(
      pg_temp.sign_up(),
      (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods),
      '2026-03-01 12:00+00'
    )
  ).id
from (values ('cancelled'), ('paid'), ('waiting')) as n (name);
select from o
cross join (values ('local'), ('wechat')) as p (provider),
  app.open_attempt(o.id, p.provider, 'native', null, '2026-03-01 12:00+00');
select from app.payment_attempts as a
join o on o.id = a.order_id, app.end_attempt(a.attempt_no, 'closed', null, '2026-03-01 12:01+00')
where o.name = 'cancelled' and a.provider = 'wechat';
create view pg_temp.calls as
select o.name,
  string_agg(
    concat_ws(' ', a.provider, to_char(b.run_after at time zone 'UTC', 'HH24:MI')), ', ' order by a.provider
  ) as closes
from o join app.payment_attempts as a on a.order_id = o.id
left join app.outbox as b on b.kind = 'close_payment' and b.key = a.attempt_no
group by o.name;

select is(closes, 'local 12:30, wechat 12:30', 'an open attempt is closed when it expires') from pg_temp.calls
where name = 'paid';
select app.cancel_order(id, '2026-03-01 12:05+00') from o where name = 'cancelled';
select app.pay_order(id, 'offline', 'receipt', '2026-03-01 12:06+00') from o where name = 'paid';
select is(closes, 'local 12:05, wechat', 'when the order is cancelled, at once, unless it has ended') from pg_temp.calls
where name = 'cancelled';
select is(closes, 'local 12:06, wechat 12:06', 'when it is paid in another way, too, at every provider')
from pg_temp.calls where name = 'paid';
select is(closes, 'local 12:30, wechat 12:30', 'the attempts of other orders stay as they are') from pg_temp.calls
where name = 'waiting';
select is(
  (select count(*)::integer from app.payment_attempts as a join o on o.id = a.order_id where a.state = 'open'), 5,
  'every attempt stays open until its provider has closed it'
);

select * from finish();
rollback;
