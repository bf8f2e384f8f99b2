begin;
\ir ../support/fixture.psql
select plan(165);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
-- Sets values and undoes it: the numbers that are stored then, with all others that changed, or the error.
create function pg_temp.stored(p_args jsonb) returns text language plpgsql as $$
declare
  v_before jsonb := (select to_jsonb(s) from app.settings as s);
  v_answer text;
begin
  v_answer := pg_temp.set_settings((select a.id from admins as a), p_args);
  if v_answer not like '{%' then
    return v_answer;
  end if;
  raise exception using errcode = 'UN000', message = (
    select jsonb_object_agg(
      v.key,
      case jsonb_typeof(v.value) when 'number' then to_jsonb(trim_scale((v.value #>> '{}')::numeric)) else v.value end
    )
    from app.settings as s cross join lateral jsonb_each(to_jsonb(s)) as v
    where p_args ? v.key or (v.value is distinct from v_before -> v.key and v.key <> 'updated_at')
  );
exception when sqlstate 'UN000' then
  return sqlerrm;
end
$$;

-- Also what could be lost: the settings that a new store does not have.
update app.settings set withdrawal_maximum = 2000000, transfer_maximum = 3000000, logo = 'https://example.com/logo.png',
  return_address = '{"name": "Lin", "phone": "13800000000", "region": ["Guangdong"], "street": "Nanhai Road 1"}';
-- The maximum of a withdrawal or transfer is tried with a minimum, which it must reach; 0 would remove it.
create temporary table bounds (name text, least numeric, greatest numeric, step numeric, other jsonb default '{}');
insert into bounds (name, least, greatest, step) values
  ('max_unpaid_orders', 1, 1000, 1), ('max_unpaid_units', 1, 1000000, 1), ('max_unpaid_share', 0, 1, 0.00001),
    ('first_order_minutes', 5, 129600, 1), ('orders_per_hour', 1, 100000, 1), ('cancellations_per_hour', 1, 100000, 1),
    ('keys_per_hour', 1, 100000, 1),
  ('profile_changes_per_hour', 1, 100000, 1), ('posters_per_hour', 1, 100000, 1), ('payment_minutes', 5, 1440, 1),
  ('order_expiry_minutes', 5, 10080, 1),
  ('offline_payment_days', 1, 90, 1), ('receipt_days', 1, 90, 1), ('refund_window_days', 0, 3650, 1),
  ('settlement_slots', 0, 16, 1), ('night_sessions', 1, 8, 1), ('network_people', 1, 1000000, 1),
  ('network_depth', 1, 1000, 1), ('person_request_days', 1, 90, 1), ('analyst_minutes', 1, 120, 1),
  ('points_rate', 0.01, 999999.99, 0.01), ('points_max_share', 0, 0.99999, 0.00001),
  ('adjustment_limit_money', 0, 100000000, 0.01),
  ('adjustment_limit_points', 0, 100000000, 0.0001), ('offline_payment_limit', 0, 100000000, 0.01),
  ('withdrawal_limit', 0, 100000000, 0.01),
  ('withdrawal_minimum', 0.01, 1000000, 0.01), ('withdrawal_fee_rate', 0, 0.99999, 0.00001),
  ('transfer_minimum', 0.01, 1000000, 0.01), ('transfer_name_from', 0.3, 2000, 0.01),
  ('real_name_from', 0.01, 1000000, 0.01);
insert into bounds values
  ('withdrawal_maximum', 20, 999999999999.99, 0.01, '{"withdrawal_minimum": 20}'),
    ('transfer_maximum', 20, 999999999999.99, 0.01, '{"transfer_minimum": 20}');

select set_eq(
  $$ select a.attname from pg_attribute as a
  where a.attrelid = 'app.settings'::regclass and a.atttypid in ('integer'::regtype, 'numeric'::regtype)
    and a.attnum > 0 $$,
  'select name from bounds', 'every setting that is a number is tried'
);
create function pg_temp.with(p_bound bounds, p_value numeric) returns jsonb language sql as $$
  select p_bound.other || jsonb_build_object(p_bound.name, p_value)
$$;
select is(
  pg_temp.stored(pg_temp.with(b, v.value)), pg_temp.with(b, v.value)::text,
  format('%s of %s is stored, and nothing else', b.name, v.value)
)
from bounds as b cross join lateral (values (b.least), (b.greatest)) as v (value);
select is(
  left(pg_temp.stored(pg_temp.with(b, v.value)), 22), 'PT422 invalid_argument',
  format('%s of %s is refused', b.name, v.value)
)
from bounds as b
cross join lateral (values (b.least - b.step), (b.greatest + b.step), (b.least + b.step / 10)) as v (value)
-- This one switches real names off.
where (b.name, v.value) <> ('real_name_from', 0);

select * from finish();
rollback;
