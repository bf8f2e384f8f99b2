begin;
\ir ../../support/fixture.psql
select plan(9);

grant store_api to postgres;
select is(
  pg_temp.attempt('store_api', $$ select app.as_caller('{"role": "service_role"}', 'get_health') $$), 'PT403 forbidden',
  'service_role is never taken from a token'
);
select is(
  pg_temp.attempt('store_api', $$ select app.as_caller('{"role": "postgres"}', 'get_health') $$), 'PT403 forbidden',
  'no other role is taken from a token'
);
select matches(
  pg_temp.attempt('store_api', $$ select app.as_caller('{}', 'no_such_function') $$), '^42883 ',
  'an unknown function is rejected'
);
select matches(
  pg_temp.attempt('store_api', $$ select app.as_caller('{}', 'get_me') $$), '^42501 ',
  'a visitor can call only functions for visitors'
);
select matches(
  pg_temp.attempt(
    'store_api', $$ select app.as_caller('{}', 'get_product', '{"p_id": "1''; drop table app.users; --"}') $$
  ),
  '^PT422 invalid_argument', 'arguments are not executed as SQL'
);
select is(
  pg_temp.attempt('store_api', $$ select app.as_caller('{}', 'get_health') ->> 'status' is not null $$), 'true',
  'a function for visitors succeeds'
);
select matches(
  pg_temp.attempt('store_api', $$ select app.as_service('get_me') $$), '^42501 ',
  'the service can call only its own functions'
);
select matches(
  pg_temp.attempt('store_api', 'select uid from app.users'), '^42501 ', 'the login role cannot read tables'
);
select matches(
  pg_temp.attempt('store_api', 'select api.get_health()'), '^42501 ',
  'the login role cannot execute functions of schema api'
);

select * from finish();
rollback;
