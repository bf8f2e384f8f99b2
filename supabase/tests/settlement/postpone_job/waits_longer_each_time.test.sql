begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table o as select pg_temp.buy(pg_temp.sign_up()) as id;
create function pg_temp.postpone() returns interval language plpgsql as $$
begin
  perform app.postpone_job(id, 'P0001', repeat('x', 600), '2026-01-02 03:04:05+00') from o;
  return (select j.run_after - '2026-01-02 03:04:05+00' from app.settlement_jobs as j, o where j.order_id = o.id);
end $$;
select results_eq(
  'select pg_temp.postpone() from generate_series(1, 7)', $$ select interval '30 seconds' * 2 ^ n
    from generate_series(0, 6) as n $$, 'each wait is twice as long as the previous one'
);
select results_eq(
  'select state, attempts::integer, length(last_error) from app.settlement_jobs as j, o where j.order_id = o.id',
  $$ values ('waiting', 7, 500) $$, 'the error is stored, shortened'
);
select pg_temp.postpone();
select is(
  (select state from app.settlement_jobs as j, o where j.order_id = o.id), 'dead',
  'the job is dead after the eighth failure'
);

select * from finish();
rollback;
