begin;
\ir ../support/fixture.psql
select plan(3);

select is_empty(
  $$ select relname from pg_class
  where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and not relrowsecurity $$,
  'row-level security is enabled on every table'
);
select is_empty(
  $$ select policyname from pg_policies
  where schemaname = 'app' and 'public' = any (roles) $$, 'no policy applies to PUBLIC'
);
select is_empty(
  $$ select policyname from pg_policies where schemaname = 'app' and cmd <> 'SELECT' $$, 'no policy allows writes'
);

select * from finish();
rollback;
