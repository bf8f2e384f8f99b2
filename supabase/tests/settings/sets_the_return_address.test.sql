begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(12);

create function pg_temp.address() returns jsonb language sql as 'select s.return_address from app.settings as s';
create temporary table a as select pg_temp.administrator() as id,
  '{"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省"], "street": "Gate 4"}'::jsonb as address;

select is(pg_temp.address(), null, 'a new store has none');
select throws_ok(
  format('select app.set_settings(%L, now())', jsonb_build_object('return_address', c.value)), 'PT422',
  'invalid_argument', format('%s is rejected', c.sentence)
)
from a, lateral (values
  (a.address - 'phone', 'one without a phone number'), (a.address || '{"region": []}', 'one without a region'),
    (a.address || '{"zip": "1"}', 'one with more'),
  (a.address || jsonb_build_object('street', repeat('x', 201)), 'a street that is too long'), ('[]', 'an array'),
  ('"Gate 4"', 'a text')
) as c (value, sentence);
select is(
  pg_temp.set_settings(id, jsonb_build_object('return_address', address))::jsonb -> 'return_address', address,
  'a complete one is stored'
)
from a;
select is(
  (select to_value from app.admin_actions where function = 'set_settings'), '{"return_address": "changed"}',
  'the action log does not keep who takes the returns'
);
select from app.set_settings('{"return_address": null}', now());
select is(pg_temp.address(), address, 'null leaves it as it is') from a;
select is(
  pg_temp.set_settings(id, '{"return_address": {}}')::jsonb -> 'return_address', 'null', 'an empty object removes it'
)
from a;
select throws_ok(
  $$ update app.settings set return_address = '{}' $$, '23514', null, 'the table takes nothing else, either'
);

select * from finish();
rollback;
