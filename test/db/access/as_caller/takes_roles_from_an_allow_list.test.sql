begin;
\ir ../../support/fixture.psql
select plan(9);

grant store_api to postgres;
select is(pg_temp.attempt('store_api', $$ select app.as_caller('{"role": "service_role"}', 'get_health') $$), 'PT403 forbidden', 'service_role is never taken from a token');
select is(pg_temp.attempt('store_api', $$ select app.as_caller('{"role": "postgres"}', 'get_health') $$), 'PT403 forbidden', 'nor is any other role');
select matches(pg_temp.attempt('store_api', $$ select app.as_caller('{}', 'no_such_function') $$), '^42883 ', 'an unknown function');
select matches(pg_temp.attempt('store_api', $$ select app.as_caller('{}', 'get_me') $$), '^42501 ', 'a visitor calls what is for visitors only');
select matches(pg_temp.attempt('store_api', $$ select app.as_caller('{}', 'get_product', '{"p_id": "1''; drop table app.users; --"}') $$), '^PT422 invalid_argument', 'arguments are values, never code');
select is(pg_temp.attempt('store_api', $$ select app.as_caller('{}', 'get_health') ->> 'status' $$), 'ok', 'that works');
select matches(pg_temp.attempt('store_api', $$ select app.as_service('get_me') $$), '^42501 ', 'the service has a list of its own');
select matches(pg_temp.attempt('store_api', 'select uid from app.users'), '^42501 ', 'the login role itself reads nothing');
select matches(pg_temp.attempt('store_api', 'select api.get_health()'), '^42501 ', 'and executes nothing');

select * from finish();
rollback;
