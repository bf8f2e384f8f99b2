begin;
\ir ../support/fixture.psql
select plan(20);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
create function pg_temp.set(p_args jsonb) returns text language sql as $$ select pg_temp.set_settings(admins.id, p_args)
  from admins $$;

select is(
  left(pg_temp.set(jsonb_build_object(name, value)), 22), 'PT422 invalid_argument', format('%s %s', name, value)
)
from (values ('payment_minutes', 4), ('payment_minutes', 1441), ('order_expiry_minutes', 4),
  ('order_expiry_minutes', 10081),
  ('offline_payment_days', 0), ('offline_payment_days', 91), ('receipt_days', 0), ('receipt_days', 91),
  ('refund_window_days', -1), ('refund_window_days', 3651)) as t (name, value);
select is(
  left(pg_temp.set(jsonb_build_object('payment_query_minutes', value)), 22), 'PT422 invalid_argument',
  format('payment_query_minutes %s', value)
)
from (
  values (jsonb '[0]'), ('[1441]'), ('[1.5]'), ('["1"]'), ('[[1]]'), ('[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]'), ('{}')
) as t (value);
select matches(
  pg_temp.set(
    '{"payment_minutes": 5, "order_expiry_minutes": 10080, "offline_payment": false, "offline_payment_days": 90, "receipt_days": 1, "refund_window_days": 3650, "payment_query_minutes": [1440, 2, 1, 2]}'
  ),
  '"receipt_days": 1', 'the limits are accepted'
);
select results_eq(
  'select payment_minutes, payment_query_minutes, order_expiry_minutes, offline_payment, offline_payment_days, receipt_days, refund_window_days from app.settings',
  $$ values (5, '{1, 2, 1440}'::integer[], 10080, false, 90, 1, 3650) $$, 'the values are stored'
);
select is(
  (select to_value ->> 'receipt_days' from app.admin_actions where function = 'set_settings' order by id desc limit 1),
  '1', 'the change is recorded'
);

select * from finish();
rollback;
