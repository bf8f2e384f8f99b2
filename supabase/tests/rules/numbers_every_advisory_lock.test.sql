begin;
\ir ../support/fixture.psql
select plan(4);

create temporary table functions as
select p.proname::text as name, p.prosrc as source from pg_proc as p
where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace);

create temporary table locks as
select f.name, l.call[1] as lock from functions as f
cross join regexp_matches(f.source, 'app\.lock_number\(''(\w+)''\)', 'g') as l (call);

select set_eq(
  $$ select f.name from functions as f where f.source ~ 'advisory_' $$, $$ select l.name from locks as l $$,
  'every function that takes an advisory lock gets its number from lock_number'
);
select is_empty(
  $$ select f.name from functions as f
  where f.source ~ '7401' and f.name <> 'lock_number' $$, 'no function has a number of its own'
);
select is_empty(
  $$ select l.name, l.lock from locks as l where app.lock_number(l.lock) is null $$, 'every lock has a number'
);
select is(count(distinct l.lock), count(distinct app.lock_number(l.lock)), 'no two locks share a number')
from locks as l;

select * from finish();
rollback;
