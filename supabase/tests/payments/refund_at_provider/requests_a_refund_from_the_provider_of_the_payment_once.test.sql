begin;
\ir ../../support/fixture.psql
select plan(13);

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
create function pg_temp.record_state(
  p_state text, p_number integer, p_reason text default null
) returns text language sql as $$
  select r.state
  from o,
    app.record_refund_state(o.attempt_no || '-r' || p_number, p_state, 'provider-' || p_number, p_reason, now()) as r
$$;
create function pg_temp.shown() returns text language sql as $$
  select string_agg(coalesce(j ->> 'provider_state', 'none'), ' ' order by (j ->> 'id')::bigint)
  from o, jsonb_array_elements(app.refunds_json(o.id)) as j
$$;

select is(pg_temp.refund('first'), '3600.00', 'a unit is refunded');
select is(pg_temp.refund('first'), '3600.00', 'a repeated reference returns the same refund');
select results_eq(
  $$ select refund_no, payment_no, pay_ref, amount, total, state from app.provider_refunds join o on order_id = o.id $$,
  $$ select attempt_no || '-r1', attempt_no, 'ref-1', 3600.00, 7200.00, 'refunding'
  from o $$, 'one refund is requested from the provider'
);
select results_eq(
  $$ select kind, payload ->> 'amount_minor', payload ->> 'total_minor' from app.outbox
  join o on key = attempt_no || '-r1' $$,
  $$ values ('refund_payment', '360000', '720000') $$, 'the outbox has the amounts in the smallest unit of the currency'
);
select is(pg_temp.shown(), 'refunding', 'the member sees that the refund is not decided');
select is(pg_temp.record_state('accepted', 1), 'refunding', 'an accepted refund is still refunding');
select is(
  (select count(*)::integer from app.outbox join o on key = attempt_no || '-r1'), 1,
  'an accepted refund is queried again'
);
select is(pg_temp.record_state('succeeded', 1), 'succeeded', 'a refund that the provider has paid out succeeds');
select is(pg_temp.record_state('failed', 1, 'too_late'), 'succeeded', 'a later state does not change a decided refund');
select is(
  (select count(*)::integer from app.outbox join o on key = attempt_no || '-r1'), 0,
  'a decided refund is not queried again'
);
select is(pg_temp.refund('second'), '3600.00', 'the other unit is refunded');
select is(
  pg_temp.record_state('failed', 2, 'not_enough'), 'failed', 'a refund that the provider has not paid out fails'
);
select is(pg_temp.shown(), 'succeeded failed', 'the member sees both states');

select * from finish();
rollback;
