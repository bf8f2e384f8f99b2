begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(20);

-- The scheduled configuration check may have run, and its findings wait for administrators, too.
delete from app.settings_checks;

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as
select (
  app.create_order(m.uid, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 14)), now())
).id,
  n.name
from m, goods as g, (values ('large'), ('own'), ('cancelled')) as n (name);
create temporary table admins as select pg_temp.administrator() as one, pg_temp.administrator() as two,
  pg_temp.administrator() as clerk;
update app.administrators as d set roles = '{service}' from admins as a where d.auth_id = a.clerk;
create function pg_temp.do(
  p_by uuid, p_function text, p_name text, p_args jsonb default '{}'
) returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    p_by, p_function, jsonb_build_object('p_order_id', (select o.id from o where o.name = p_name)) || p_args
  );
begin
  return case when v_answer like '{%' then v_answer::jsonb ->> 'state' else v_answer end;
end
$$;
create function pg_temp.page(p_by uuid, p_name text) returns jsonb language plpgsql as $$
begin
  return pg_temp.call(
    p_by, 'admin_get_order', jsonb_build_object('p_id', (select o.id from o where o.name = p_name))
  )::jsonb;
end
$$;

select is(
  pg_temp.do(a.two, 'refuse_payment', 'large', '{"p_reason": "Nothing arrived"}'), 'PT409 order_state_conflict',
  'without a payment that waits, nothing can be refused'
)
from admins as a;
select is(
  pg_temp.do(a.one, 'pay_order_offline', 'large', '{"p_pay_ref": "receipt 7"}'), 'unpaid',
  'a payment above the limit waits'
)
from admins as a;
select is(
  pg_temp.do(a.clerk, 'refuse_payment', 'large', '{"p_reason": "Nothing arrived"}'), 'PT403 forbidden',
  'a role without the area money cannot refuse it'
)
from admins as a;
select is(
  pg_temp.do(a.two, 'refuse_payment', 'large', jsonb_build_object('p_reason', r.reason)), 'PT422 invalid_argument',
  format('a refusal needs a reason: %s', r.name)
)
from admins as a, (values
  (null, 'null'), ('', 'nothing'), (E'\u200b ', 'nothing to see'), (repeat('x', 501), 'too long'),
    (E'a\u202eb', 'with a mark of direction')) as r (reason, name);
select is(
  pg_temp.do(a.two, 'refuse_payment', 'large', '{"p_reason": "Nothing arrived"}'), 'unpaid',
  'a second administrator refuses it, and the order stays unpaid'
)
from admins as a;
select is(
  pg_temp.page(a.one, 'large') #>> '{refused_payment, reason}', 'Nothing arrived', 'the page of the order says why'
)
from admins as a;
select is(pg_temp.page(a.one, 'large') -> 'waiting_payment', 'null', 'nothing waits') from admins as a;
select is(
  concat_ws(
    '; ', pg_temp.call(a.one, 'admin_get_orders', '{"p_waiting": "payment"}')::jsonb ->> 'count', pg_temp.waits(a.one)
  ),
  '0; nothing',
  'it waits for nobody any more'
) from admins as a;
select is(
  pg_temp.do(a.one, 'refuse_payment', 'large', '{"p_reason": "Again"}'), 'unpaid', 'a repeated refusal changes nothing'
)
from admins as a;
select results_eq(
  'select w.reason, w.refused_by = a.two from app.waiting_payments as w, admins as a',
  $$ values ('Nothing arrived', true) $$, 'the first refusal counts'
);
select results_eq(
  $$ select x.from_value, x.to_value from app.admin_actions as x where x.function = 'refuse_payment' order by x.id $$,
  $$ values (
    '{"waits": true, "amount": null}'::jsonb, '{"waits": false, "amount": "50400.00", "reason": "changed"}'::jsonb
  ),
  ('{}', '{}') $$,
  'the log has the refusal with its amount, but no text'
);
select is(
  pg_temp.do(a.two, 'pay_order_offline', 'large', '{"p_pay_ref": "receipt 8"}'), 'unpaid',
  'a refused payment is not half of a new one: whoever marks the order anew waits'
)
from admins as a;
select results_eq(
  'select w.pay_ref, w.marked_by = a.two, w.reason from app.waiting_payments as w, admins as a',
  $$ values ('receipt 8', true, null) $$, 'the new payment waits with its own reference'
);
select is(pg_temp.do(a.one, 'pay_order_offline', 'large'), 'paid', 'and the other administrator confirms it')
from admins as a;
select is(
  pg_temp.do(a.two, 'refuse_payment', 'large', '{"p_reason": "Too late"}'), 'PT409 order_state_conflict',
  'what is paid cannot be refused'
)
from admins as a;
select is(
  pg_temp.do(a.one, 'pay_order_offline', 'own')
  || pg_temp.do(a.one, 'refuse_payment', 'own', jsonb_build_object('p_reason', repeat('x', 500))),
  'unpaidunpaid',
  'whoever marked it takes it back by the same way'
) from admins as a;

select * from finish();
rollback;
