-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(20);

-- Three orders of a limited stock: one was paid at a provider and a unit of it refunded, one has an open payment, one
-- was cancelled.
create temporary table limited as
with added as (
  insert into app.products (title, price, freight, is_queue_goods, stock) values ('Last units', 100, 0, false, 10)
  returning id
) select id
from added;
create temporary table o (name text, id bigint, uid bigint, attempt_no text, line_id bigint);
create function pg_temp.add(p_name text) returns void language plpgsql as $$
declare
  v_uid bigint := pg_temp.sign_up();
  v_id bigint := (
    app.create_order(
      v_uid, (select jsonb_build_array(jsonb_build_object('product_id', id, 'quantity', 2)) from limited), now()
    )
  ).id;
begin
  insert into o select p_name, v_id, v_uid, (r.attempt).attempt_no, l.id
  from app.open_attempt(v_id, 'local', 'local', null, now()) as r, app.order_lines as l where l.order_id = v_id;
end $$;
select pg_temp.add(n) from unnest(array['paid', 'open', 'cancelled']) as n;
select app.record_payment_notification('local', 'event-1', 'payment', null, attempt_no, 'ref-1', 200, 'CNY', now())
from o where name = 'paid';
select app.refund_order(id, jsonb_build_array(jsonb_build_object('line_id', line_id, 'quantity', 1)), null, now())
from o where name = 'paid';
select app.cancel_order(id, now()) from o where name = 'cancelled';
create temporary table member as select pg_temp.sign_up() as referrer;
create temporary table follower as select pg_temp.sign_up((select referrer::text from member)) as uid;
select app.set_no_assess(uid, true, null, now()) from follower;
select pg_temp.sum_teams();
create temporary table known as select check_name, subject from app.reconcile();
select is_empty(
  $$ select k.* from known as k
  join o on k.subject ~ ('(order |payment )' || o.id || '|' || o.attempt_no) $$,
  'before the damage, there are no findings'
);

select matches(pg_temp.found(d.damage), '\m' || d.check_name || '\M', format('reconcile() finds %s', d.sentence))
from (values
  (
    'update app.order_lines set stock_taken = 2 where id = (select line_id from o where name = ''cancelled'')',
    'stock_is_given_back', 'units of a cancelled order that the stock lacks'
  ),
  (
    'update app.order_lines set stock_taken = 2 where id = (select line_id from o where name = ''paid'')',
    'stock_is_given_back', 'a unit refunded before delivery that the stock lacks'
  ),
  (
    'update app.order_lines set price = 101, paid = paid + 2 where id = (select line_id from o where name = ''open'')',
    'price_of_an_order_equals_its_lines', 'a line of another price'
  ),
  (
    'update app.orders set total_price = 199, pay_price = 199 where id = (select id from o where name = ''open'')',
    'price_of_an_order_equals_its_lines', 'an order of another price'
  ),
  (
    'update app.orders set discount = 1, pay_price = 199 where id = (select id from o where name = ''open'')',
    'price_of_an_order_equals_its_lines', 'a discount that no line has'
  ),
  (
    'update app.payment_attempts set amount = 199 where order_id = (select id from o where name = ''open'')',
    'attempt_asks_for_the_price', 'an attempt to pay another amount'
  ),
  (
    'update app.payment_attempts set state = ''paid'', pay_ref = ''ref-9'', ended_at = now() where order_id = (select id from o where name = ''open'')',
    'paid_attempt_is_booked', 'a payment that paid nothing'
  ),
  (
    'delete from app.outbox where kind = ''close_payment'' and key = (select attempt_no from o where name = ''open'')',
    'open_attempt_is_to_be_closed', 'an open payment that nobody will close'
  ),
  ('insert into app.payment_attempts (order_id, attempt_no, provider, method, amount, state, pay_ref, expires_at, add_time, ended_at)
    select order_id, attempt_no || ''-9'', provider, method, amount, state, pay_ref, expires_at, add_time, ended_at from app.payment_attempts where order_id = (select id from o where name = ''paid'')',
   'order_is_paid_by_one_attempt', 'an order that was paid by two payments'),
  (
    'update app.outbox set state = ''failed'' where kind = ''refund_payment''', 'outbox_row_has_not_failed',
    'a call to a provider that failed for good'
  ),
  (
    'delete from app.outbox where kind = ''refund_payment''', 'refunding_is_in_the_outbox',
    'a refund that no provider will be asked for'
  ),
  ('insert into app.provider_refunds (refund_no, order_id, provider, payment_no, pay_ref, amount, total, created_at)
    select refund_no || ''-9'', order_id, provider, payment_no, pay_ref, total, total, now() from app.provider_refunds where order_id = (select id from o where name = ''paid'')',
   'refunds_are_within_the_payment', 'refunds of more than was paid'),
  (
    'delete from app.provider_refunds where order_id = (select id from o where name = ''paid'')',
    'provider_is_asked_for_the_refund', 'a refund that the provider was never asked for'
  ),
  (
    'update app.provider_refunds set state = ''failed'', reason = ''no balance'', decided_at = now() where order_id = (select id from o where name = ''paid'')',
    'provider_refund_is_paid', 'a refund that the provider did not pay'
  ),
  (
    'update app.payment_attempts set ended_at = ended_at - interval ''1 hour'' where order_id = (select id from o where name = ''paid'')',
    'order_is_paid_by_its_attempt', 'an order that was paid at another time than its attempt'
  ),
  (
    'update app.provider_refunds set total = total + 1 where order_id = (select id from o where name = ''paid'')',
    'refund_states_its_payment', 'a refund of a payment of another amount'
  ),
  (
    'update app.team_totals set umbrella_members = 7 where uid = (select referrer from member)',
    'team_totals_equal_recount', 'team totals that are no sums'
  ),
  (
    'update app.team_totals set own_orders = 7 where uid = (select uid from follower)', 'team_totals_follow_members',
    'team totals that do not follow the orders'
  ),
  (
    'insert into app.no_assess_changes (uid, from_value, to_value, add_time) select uid, false, true, now() from follower',
    'no_assess_change_follows_the_one_before', 'a change of assessment that does not follow from the one before'
  )
) as d (damage, check_name, sentence);

select * from finish();
rollback;
