-- Guarantee privacy/leaving
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(16);

-- The refund window of the settings has 7 days. Nothing that this creates lies within it, but what a test makes so.
create function pg_temp.reasons(p_uid bigint) returns text language sql as $$
  select coalesce(string_agg(o.reason, ', ' order by o.ordinality), 'none')
  from app.deletion_obstacles(p_uid, now()) with ordinality as o
$$;
create function pg_temp.ask(p_uid bigint) returns text language plpgsql as $$
declare
  v_detail text;
begin
  perform app.request_deletion(
    p_uid, greatest(b.brokerage_price, 0), b.frozen_points, greatest(b.available_points, 0), now()
  )
  from app.user_balances as b where b.uid = p_uid;
  return 'waits';
exception when sqlstate 'PT409' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return sqlerrm || ': ' || v_detail;
end
$$;

create temporary table m as select pg_temp.reporter() as earner, pg_temp.sign_up() as newcomer;
update app.orders as o set state = 'received', received_at = now() - interval '30 days' from m where o.uid = m.earner;
select pg_temp.earn(earner) from m;
select is(pg_temp.reasons(earner), 'none', 'commission alone stands in no way') from m;

create temporary table w as select pg_temp.withdraw(earner, 100) as id from m;
select is(pg_temp.reasons(earner), 'withdrawal_open', 'an open withdrawal does') from m;
select matches(pg_temp.ask(earner), '^deletion_not_possible: A withdrawal is not finished', 'and the request says so')
from m;
select is_empty('select * from app.account_deletions', 'a request that is refused leaves nothing');
select from w, app.cancel_withdrawal(app.lock_withdrawal(w.id), now());

create temporary table o as select pg_temp.buy(earner) as id from m;
select is(pg_temp.reasons(earner), 'order_open', 'a paid order that is not received is open') from m;
update app.orders set state = 'received', received_at = now() - interval '6 days' from o where orders.id = o.id;
select results_eq(
  'select d.reason, d.until from m, app.deletion_obstacles(m.earner, now()) as d',
  $$ values ('refund_window_open', now() + interval '1 day') $$,
  'a received order is in the way until its refund window ends'
);
update app.orders set received_at = now() - interval '8 days' from o where orders.id = o.id;
select is(pg_temp.reasons(earner), 'none', 'and not longer') from m;
select app.request_refund(o.id, null, 'Too large', now() - interval '2 days') from o;
select is(pg_temp.reasons(earner), 'refund_open', 'a refund that is not decided is open') from m;
select app.refuse_refund(o.id, now()) from o;
select pg_temp.buy(newcomer) from m;
select app.cancel_order(c.id, now())
from app.create_order(
  (select newcomer from m),
  (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods), now()
) as c;
update app.orders as o set state = 'received', received_at = now() - interval '30 days' from m
where o.uid = m.newcomer and o.state = 'paid';
select is(pg_temp.reasons(newcomer), 'none', 'a cancelled order is not open') from m;

select app.create_adjustment(newcomer, -20, null, -3, 'Test', null, now()) from m;
select is(pg_temp.reasons(newcomer), 'debt, points_owed', 'what the member owes is in the way') from m;
select matches(pg_temp.ask(newcomer), '^deletion_not_possible: You owe the store commission', 'and the request says so')
from m;
select app.create_adjustment(newcomer, 20, null, 3, 'Test', null, now()) from m;

select throws_ok(
  format('select app.request_deletion(%s, 0, 0, 0, now())', earner), 'PT409', 'changed_meanwhile',
  'what is given up is repeated exactly'
) from m;
select is(pg_temp.ask(earner), 'waits', 'then the deletion waits') from m;
select is(pg_temp.ask(earner), 'waits', 'a second request changes nothing') from m;
select throws_ok(
  format('select app.limit_unpaid_orders(%s)', earner), 'PT409', 'account_leaving', 'who leaves places no order'
)
from m;
select throws_ok(
  format('select pg_temp.withdraw(%s, 100)', earner), 'PT409', 'account_leaving', 'and withdraws nothing'
)
from m;

select * from finish();
rollback;
