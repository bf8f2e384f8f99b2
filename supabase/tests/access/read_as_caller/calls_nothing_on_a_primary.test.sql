begin;
\ir ../../support/fixture.psql
select plan(2);

grant store_api to postgres;
select is(
  pg_temp.attempt(
    'store_api', $$ select app.read_as_caller('{"role": "anon"}', 'get_products', '{}', 'r', null, interval '1 day') $$
  ),
  null, 'it may be called'
);
select is(
  app.read_as_caller('{"role": "supabase_admin"}', 'no_such_function', '{}', 'r', null, interval '1 day'), null,
  'nothing is called, so nothing fails'
);

select * from finish();
rollback;
