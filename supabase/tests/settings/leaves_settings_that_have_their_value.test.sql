begin;
\ir ../support/fixture.psql
select plan(10);

grant store_api to postgres;
create temporary table a as select pg_temp.administrator() as id;
create function pg_temp.set(p_changes jsonb) returns text language sql as $$ select pg_temp.set_settings(a.id,
  p_changes)
  from a $$;
create function pg_temp.recorded() returns bigint language sql as $$ select count(*) from app.admin_actions
  where function = 'set_settings' $$;

-- Every setting has a column, and every column but four is a setting.
select set_eq(
  $$ select a.attname::text from pg_attribute as a
  where a.attrelid = 'app.settings'::regclass and a.attnum > 0 and not a.attisdropped $$,
  $$ select name from app.declared_settings()
  union all values ('id'), ('lifecycle_from'), ('first_steps_dismissed_at'), ('updated_at') $$,
  'each column is declared'
);
select set_eq(
  $$ select s.name from app.declared_settings() as s
  where not exists (
    select from pg_constraint as c where c.conrelid = 'app.settings'::regclass and c.conname = s.name || '_is_valid'
  ) $$,
  $$ values ('time_zone'), ('offline_payment'), ('tax_from'), ('assistants') $$,
  'each has a constraint, except those whose type suffices'
);
update app.settings set updated_at = '2026-01-01';
select is(
  pg_temp.set(
    pg_temp.call(id, 'get_settings')::jsonb - '{updated_at}'::text[] - 'return_address'
  )::jsonb ->> 'updated_at',
  '2026-01-01T00:00:00.000Z', 'values that are in force change nothing'
)
from a;
select is(pg_temp.recorded(), 0::bigint, 'and are not recorded');
select ok(
  (pg_temp.set('{"time_zone": "Asia/Shanghai", "receipt_days": 9}')::jsonb ->> 'updated_at') > '2026-02',
  'a change among them is made'
);
select is(
  (select to_value from app.admin_actions where function = 'set_settings'), '{"receipt_days": 9}', 'and recorded alone'
);
select is(
  pg_temp.set('{"colour": "#ABCDEF"}')::jsonb ->> 'colour', '#abcdef', 'a value is stored in its canonical form'
);
select is(left(pg_temp.set('{"shade": 1}'), 22), 'PT422 invalid_argument', 'an unknown setting is refused');
-- In the database, nothing stands before the check.
create function pg_temp.fields(p_changes jsonb) returns text language plpgsql as $$
declare
  v_fields text;
begin
  perform app.set_settings(p_changes, now());
  return 'taken';
exception when sqlstate 'PT422' then
  get stacked diagnostics v_fields = column_name;
  return replace(v_fields, E'\n', ' ');
end
$$;
select is(
  pg_temp.fields(
    '{"shade": 1, "assistants": "yes", "withdrawal_minimum": "abc", "withdrawal_maximum": "0.001", "return_address": {"name": null}, "payment_query_minutes": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}'
  ),
  '/assistants /payment_query_minutes /return_address /shade /withdrawal_maximum /withdrawal_minimum',
  'each that is wrong is named once'
);
select is(pg_temp.fields('{"return_address": "{}"}'), '/return_address', 'a text is no empty address');

select * from finish();
rollback;
