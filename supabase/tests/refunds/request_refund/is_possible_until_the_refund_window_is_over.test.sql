-- Guarantee money/refund-window: A refund can be requested until the refund window is over, and no later
-- By: app.refund_window_end, checked by app.request_refund
begin;
\ir ../../support/fixture.psql
select plan(10);

update app.settings set refund_window_days = 7;
create temporary table o as select n.name, pg_temp.report(pg_temp.sign_up(), 2, '2026-03-01 00:00+00') as id
  from (values ('in time'), ('late'), ('not received'), ('open')) as n (name);
select app.deliver_order(id, '2026-03-02 00:00+00', null, null) from o;
select app.request_refund(id, null, '', '2026-03-09 23:59+00') from o where name = 'open';
select app.confirm_receipt(id, '2026-03-03 00:00+00') from o where name in ('in time', 'late');

select is(
  app.refund_window_end('2026-03-03 00:00+00'), timestamptz '2026-03-10 00:00+00',
  'the window ends seven days after the receipt'
);
select is(app.refund_window_end(null), null, 'without a receipt, it has no end');
select is(app.order_json(s) ->> 'refund_request_until', '2026-03-10T00:00:00.000Z', 'the order says so')
from app.orders as s join o using (id) where name = 'late';
select is(app.order_json(s) -> 'refund_request_until', 'null', 'an order that was not received says nothing')
from app.orders as s join o using (id) where name = 'not received';
select lives_ok(
  $$ select app.request_refund(id, null, '', '2026-03-09 23:59:59+00') from o
  where name = 'in time' $$, 'until then, a refund can be requested'
);
select throws_ok(
  $$ select app.request_refund(id, null, '', '2026-03-10 00:00+00') from o
  where name = 'late' $$, 'PT409', 'refund_window_over', 'from then on, it cannot'
);
select lives_ok(
  $$ select app.request_refund(id, null, '', '2026-06-10 00:00+00') from o
  where name = 'not received' $$, 'goods that were not received can be given back at any time'
);
select is(
  (app.refund_order(id, null, null, '2026-04-01 00:00+00')).state, 'refunded', 'administrators may refund later'
)
from o where name = 'late';
select is((app.refund_order(id, null, null, '2026-04-01 00:00+00')).state, 'refunded', 'and may grant a request later')
from o where name = 'in time';
update app.settings set refund_window_days = 0;
select is(
  app.refund_window_end('2026-03-03 00:00+00'), timestamptz '2026-03-03 00:00+00',
  'a window of no days ends with the receipt'
);

select * from finish();
rollback;
