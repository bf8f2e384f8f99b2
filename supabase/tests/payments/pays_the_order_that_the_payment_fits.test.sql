begin;
\ir ../support/fixture.psql
select plan(26);

create function pg_temp.order(p_name text) returns app.orders language sql as $$
  select app.create_order(
    pg_temp.sign_up(),
    (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g), now()
  )
$$;
create temporary table o as select n.name, r.*
  from unnest(array['first', 'second', 'cancelled', 'offline', 'queried']) as n (name)
  cross join lateral pg_temp.order(n.name) as r;
select app.cancel_order(id, now()) from o where name = 'cancelled';
select app.pay_order(id, 'offline', 'till-1', now()) from o where name = 'offline';

-- Outcome and reason of a notification about an order.
create function pg_temp.notify(
  p_order text, p_ref text, p_amount numeric default 3600, p_currency text default 'CNY', p_kind text default 'payment',
  p_fault text default null
) returns text language sql as $$
  select concat_ws(': ', r.outcome, r.reason)
  from app.record_payment_notification(
    'test', 'event of ' || p_ref, p_kind, p_fault, coalesce((select order_no from o where name = p_order), p_order),
    p_ref, p_amount, p_currency, now()
  ) as r
$$;
create function pg_temp.state(p_order text) returns text language sql as $$
  select concat_ws(' ', r.state, r.pay_type, r.pay_ref) from app.orders as r
  where r.id = (select id from o where name = p_order)
$$;

select is(pg_temp.notify('nowhere', 'ref-1'), 'refused: order_unknown', 'a payment of an unknown order is refused');
select is(
  pg_temp.notify('first', 'ref-1', 3599.99), 'refused: amount_differs', 'a payment of a fen too little is refused'
);
select is(
  pg_temp.notify('first', 'ref-1', 3600.01), 'refused: amount_differs', 'a payment of a fen too much is refused'
);
select is(pg_temp.notify('first', 'ref-1', null), 'refused: amount_differs', 'a payment without an amount is refused');
select is(
  pg_temp.notify('first', 'ref-1', 3600, 'USD'), 'refused: currency_differs', 'a payment in another currency is refused'
);
select is(
  pg_temp.notify('first', 'ref-1', 3600, null), 'refused: currency_differs', 'a payment without a currency is refused'
);
select is(pg_temp.notify('first', null), 'refused: reference_missing', 'a payment without a reference is refused');
select is(
  pg_temp.notify('first', 'ref-1', p_fault => 'merchant_differs'), 'refused: merchant_differs',
  'a notification with a fault that the edge function found is refused'
);
select is(
  pg_temp.notify('first', 'ref-1', p_kind => 'other'), 'ignored: not_a_payment',
  'a notification that is not a payment is ignored'
);
select is(pg_temp.state('first'), 'unpaid', 'the order is still unpaid');
select is_empty(
  'select * from app.settlement_jobs where order_id in (select id from o where name <> ''offline'')',
  'no settlement job is added'
);

select is(pg_temp.notify('first', 'ref-1'), 'paid', 'a payment that matches its order pays it');
select is(pg_temp.state('first'), 'paid test ref-1', 'the order has the type and the reference of the payment');
select isnt_empty(
  'select * from app.settlement_jobs where order_id = (select id from o where name = ''first'')',
  'a settlement job is added'
);
select is(pg_temp.notify('first', 'ref-1'), 'repeated', 'a repeated payment has no effect');
select is(pg_temp.notify('first', 'ref-2'), 'attention: order_already_paid', 'a second payment needs attention');
select is(
  pg_temp.notify('second', 'ref-1'), 'attention: payment_reference_used',
  'a payment whose reference paid another order needs attention'
);
select is(
  pg_temp.notify('cancelled', 'ref-3'), 'attention: order_state_conflict',
  'a payment of a cancelled order needs attention'
);
select is(
  pg_temp.notify('offline', 'till-1'), 'attention: order_already_paid',
  'a payment of an order that was paid offline needs attention, even with the same reference'
);
select is(
  pg_temp.state('second') || ', ' || pg_temp.state('cancelled') || ', ' || pg_temp.state('offline'),
  'unpaid, cancelled, paid offline till-1', 'payments that need attention do not change their orders'
);

select results_eq(
  $$ select outcome, count(*)::integer from app.payment_notifications where provider = 'test' group by outcome
  order by outcome $$,
  $$ values ('attention', 4), ('ignored', 1), ('paid', 1), ('refused', 8), ('repeated', 1) $$,
  'every notification is recorded with its outcome'
);
select results_eq(
  $$ select order_id, amount, currency from app.payment_notifications where outcome = 'paid' and provider = 'test' $$,
  $$ select id, 3600.00, 'CNY' from o where name = 'first' $$, 'the record has order, amount and currency'
);
select pg_temp.notify('first', 'ref-1') from generate_series(1, 50);
select is(
  (select count(*)::integer from app.payment_notifications where event_id = 'event of ref-1'), 30,
  'at most thirty deliveries of an event are recorded'
);
select is(pg_temp.notify('first', 'ref-1'), 'repeated', 'further deliveries still return the outcome');

-- A query of the payment has no event.
create function pg_temp.query(p_ref text) returns text language sql as $$
  select r.outcome
  from o, app.record_payment_notification('test', null, 'payment', null, o.order_no, p_ref, 3600, 'CNY', now()) as r
  where o.name = 'queried'
$$;
select is(
  array[pg_temp.query('ref-4'), pg_temp.query('ref-4'), pg_temp.query('ref-4'), pg_temp.query('ref-5')],
  '{paid,repeated,repeated,attention}', 'a query finds a payment like a notification'
);
select results_eq(
  $$ select n.outcome from app.payment_notifications as n join o on o.id = n.order_id where o.name = 'queried'
  order by n.id $$,
  $$ values ('paid'), ('attention') $$, 'only its first response is recorded'
);

select * from finish();
rollback;
