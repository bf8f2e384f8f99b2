begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(3);

select pg_temp.stage();
select is(app.forget_staged_rows(), true, 'staged rows are removed if no import is running');
select is_empty(
  $$ select line from app.staged_members union all select line from app.staged_orders union all select line
  from app.staged_bill $$, 'no staged row is left'
);
select is(app.forget_staged_rows(), false, 'empty staging tables are left alone');

select * from finish();
rollback;
