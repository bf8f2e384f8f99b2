begin;
\ir ../../support/fixture.psql
select plan(14);

create temporary table o as
select n.id, (r.attempt).attempt_no
from app.create_order(
  pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 2)) from goods),
  now()
) as n
cross join lateral app.open_attempt(n.id, 'local', 'local', null, now()) as r;
select app.record_payment_notification('local', 'event', 'payment', null, attempt_no, 'ref-1', 7200, 'CNY', now())
from o;
create function pg_temp.refund(p_ref text) returns text language sql as $$
  select r.amount::text
  from o,
    app.refund_order(
      o.id,
      (
        select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
        where l.order_id = o.id
      ),
      p_ref, now()
    ) as r
$$;
select pg_temp.refund('first'), pg_temp.refund('second');

-- Outcome and reason of a notification of the first refund.
create function pg_temp.notify(
  p_state text, p_reason text default null, p_amount numeric default 3600, p_refund text default '-r1',
  p_payment text default '', p_provider text default 'local'
) returns text language sql as $$
  select concat_ws(': ', r.outcome, r.reason)
  from o, app.record_refund_notification(
    p_provider, 'refund event', o.attempt_no || p_payment, 'ref-1', p_amount, o.attempt_no || p_refund, p_state,
    'provider-1', p_reason, now()
  ) as r
$$;
create function pg_temp.states() returns text language sql as $$
  select string_agg(r.state || coalesce(' ' || r.provider_ref, ''), ', ' order by r.id) from app.provider_refunds as r
  join o on r.order_id = o.id
$$;

select is(
  pg_temp.notify('succeeded', p_refund => '-r9'), 'ignored: refund_unknown',
  'a refund that the store did not request is ignored'
);
select is(
  pg_temp.notify('succeeded', p_provider => 'wechat'), 'ignored: refund_unknown',
  'a refund at another provider is ignored'
);
select is(
  pg_temp.notify('succeeded', p_payment => '1'), 'refused: payment_differs',
  'a notification that names another payment is refused'
);
select is(
  pg_temp.notify('succeeded', p_amount => 3599.99), 'refused: amount_differs',
  'a notification of another amount is refused'
);
select is(
  pg_temp.notify('succeeded', p_amount => null), 'refused: amount_differs',
  'a notification without an amount is refused'
);
select is(pg_temp.states(), 'refunding, refunding', 'none of them changes a refund');
select throws_ok(
  $$ select pg_temp.notify('lost') $$, 'PT422', 'invalid_argument', 'a state that does not exist is an error'
);

select is(
  pg_temp.notify('accepted', 'ABNORMAL'), 'refund: ABNORMAL', 'a notification of an undecided refund is recorded'
);
select is(pg_temp.states(), 'refunding provider-1, refunding', 'the refund remains undecided');
select is(pg_temp.notify('succeeded'), 'refund: succeeded', 'a notification of a refund that was paid out is recorded');
select is(
  pg_temp.notify('failed', 'CLOSED'), 'refund: CLOSED', 'a later notification of another state is recorded, too'
);
select is(pg_temp.states(), 'succeeded provider-1, refunding', 'it does not change the decided refund');
select results_eq(
  $$ select key = attempt_no || '-r2' from app.outbox, o
  where kind = 'refund_payment' $$, 'values (true)', 'only the other refund is still queried'
);
select results_eq(
  $$ select outcome, count(*)::integer, count(order_id)::integer from app.payment_notifications
  where event_id = 'refund event' group by outcome order by outcome $$,
  $$ values ('ignored', 2, 0), ('refund', 3, 3), ('refused', 3, 3) $$, 'every notification is recorded, with its order'
);

select * from finish();
rollback;
