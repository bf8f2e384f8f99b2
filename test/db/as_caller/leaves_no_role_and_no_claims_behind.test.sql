begin;
\ir ../support/fixture.psql
select plan(4);

-- A setting made for the transaction only ends with a function that states its own; one made for the session would stay.
create function pg_temp.call() returns text language plpgsql set role = 'postgres' set request.jwt.claims = '' as $$
begin
  return app.as_caller('{"role": "authenticated", "sub": "00000000-0000-4000-8000-0000000000d1"}', 'get_health') ->> 'status';
end
$$;
grant execute on function app.as_caller(jsonb, text, jsonb) to postgres;
select is(pg_temp.call(), 'ok', 'the call works');
select is(current_user, 'postgres'::name, 'the role was set for the transaction only');
select is(coalesce(current_setting('request.jwt.claims', true), ''), '', 'and so were the claims');
grant store_api to postgres;
select is(pg_temp.attempt('store_api', $$ select app.as_caller('{"role": "authenticated"}', 'no_such_function') $$) || ' ' || current_user,
  '42883 function api.no_such_function() does not exist postgres', 'a call that fails leaves the role as it was');

select * from finish();
rollback;
