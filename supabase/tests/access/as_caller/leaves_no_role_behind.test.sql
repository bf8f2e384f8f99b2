begin;
\ir ../../support/fixture.psql
select plan(3);

-- A role set for the transaction only ends with a function that states its own; one set for the session would stay.
create function pg_temp.call() returns text language plpgsql set role = 'postgres' as $$
begin
  return app.as_caller('{"role": "authenticated"}', 'get_health') ->> 'status';
end
$$;
select isnt(pg_temp.call(), null, 'the call works');
select is(current_user, 'postgres'::name, 'the role is set only for the transaction');
grant store_api to postgres;
select
  is(pg_temp.attempt('store_api', $$ select app.as_caller('{"role": "authenticated"}', 'no_such_function') $$) || ' '
  || current_user,
  '42883 function api.no_such_function() does not exist postgres', 'a call that fails leaves the role as it was');

select * from finish();
rollback;
