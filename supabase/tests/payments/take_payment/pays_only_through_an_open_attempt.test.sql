begin;
\ir ../../support/fixture.psql
select plan(20);

create temporary table o (name text, id bigint, order_no text, attempt_no text);
create function pg_temp.add(p_name text) returns void language plpgsql as $$
declare
  v_order app.orders := app.create_order(
    pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods),
    now()
  );
begin
  insert into o select p_name, v_order.id, v_order.order_no, (r.attempt).attempt_no
  from app.open_attempt(v_order.id, 'local', 'local', null, now()) as r;
end $$;
select pg_temp.add(n) from unnest(array['first', 'closed', 'refused', 'cancelled', 'twice']) as n;
select app.end_attempt(attempt_no, 'closed', null, now()) from o where name = 'closed';
select app.end_attempt(attempt_no, 'refused', 'payer_unknown', now()) from o where name = 'refused';
select app.cancel_order(id, now()) from o where name = 'cancelled';

create function pg_temp.notify(
  p_name text, p_ref text, p_provider text default 'local', p_amount numeric default 3600
) returns text language sql as $$
  select concat_ws(': ', r.outcome, r.reason)
  from o,
    app.record_payment_notification(
      p_provider, 'event of ' || p_ref, 'payment', null, o.attempt_no, p_ref, p_amount, 'CNY', now()
    ) as r
  where o.name = p_name
$$;
create function pg_temp.state(p_name text) returns text language sql as $$
  select concat_ws(' ', r.state, 'by', a.state, a.pay_ref) from o join app.orders as r using (id)
  join app.payment_attempts as a on a.attempt_no = o.attempt_no where o.name = p_name
$$;

select is(
  pg_temp.notify('first', 'ref-1', p_provider => 'wechat'), 'refused: provider_differs',
  'a payment of another provider is refused'
);
select is(
  pg_temp.notify('first', 'ref-1', p_amount => 3599.99), 'refused: amount_differs', 'an amount of a fen less is refused'
);
select is(pg_temp.state('first'), 'unpaid by open', 'a refused payment changes neither order nor attempt');
select is(pg_temp.notify('first', 'ref-1'), 'paid', 'a payment of the attempt pays the order');
select is(pg_temp.state('first'), 'paid by paid ref-1', 'the payment ends the attempt');
select is(pg_temp.notify('first', 'ref-1'), 'repeated', 'a repeated payment has no effect');
select is(pg_temp.notify('first', 'ref-2'), 'attention: order_already_paid', 'a second payment needs attention');

select is(
  pg_temp.notify('closed', 'ref-3'), 'attention: attempt_closed', 'a payment of a closed attempt needs attention'
);
select is(pg_temp.state('closed'), 'unpaid by paid ref-3', 'a payment of a closed attempt does not pay the order');
select is(
  pg_temp.notify('closed', 'ref-3'), 'attention: attempt_closed',
  'a repeated payment of a closed attempt needs attention, too'
);
select is(
  pg_temp.notify('refused', 'ref-4'), 'attention: attempt_refused', 'a payment of a refused attempt needs attention'
);
select is(
  pg_temp.notify('cancelled', 'ref-5'), 'attention: order_state_conflict',
  'a payment of a cancelled order needs attention'
);
select is(pg_temp.state('cancelled'), 'cancelled by paid ref-5', 'the order stays cancelled');
select is(
  pg_temp.attempt(
    'none', format('select (app.open_attempt(%s, %L, %L, null, now())).must_close', id, 'local', 'local')
  ),
  'false', 'an order whose attempt was closed can be paid by a new one'
)
from o where name = 'closed';

insert into o select 'wechat', id, order_no, (r.attempt).attempt_no
from o, lateral app.open_attempt(o.id, 'wechat', 'h5', null, now()) as r where name = 'twice';
select is(pg_temp.notify('twice', 'ref-6'), 'paid', 'a payment of one of two open attempts pays the order');
select is(
  (
    select run_after <= now() from app.outbox join o on key = attempt_no
    where name = 'wechat' and kind = 'close_payment'
  ),
  true, 'the call that closes the other attempt is due at once'
);
select is(
  pg_temp.notify('wechat', 'ref-7', p_provider => 'wechat'), 'attention: order_already_paid',
  'a payment of the other attempt needs attention'
);
select is(
  (
    select outcome || ' ' || (attempt).state
    from o, app.record_attempt_state(o.attempt_no, 'paid', 'ref-6', 3600, 'CNY', false, now()) where name = 'twice'
  ),
  null, 'a response that is already recorded is not recorded again'
);
select is_empty(
  $$ select * from app.outbox
  where key in (select attempt_no from o) $$, 'the outbox has no call for an attempt that has ended'
);
select is_empty(
  $$ select * from app.reconcile_payments()
  where subject in (select 'payment ' || attempt_no from o) $$, 'reconcile() finds nothing'
);

select * from finish();
rollback;
