begin;
\ir ../../support/fixture.psql
select plan(7);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n, pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id
  from generate_series(1, 3) as n;
create function pg_temp.poison() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$;
create trigger poison before insert on app.settlements for each row
  when (new.units = 7) execute function pg_temp.poison();
create temporary table bad as select pg_temp.buy(pg_temp.sign_up((select a::text from m)), 7) as id;
select app.run_settlement_jobs(1000, now() + interval '1 second');
select is(
  (select count(*) from app.settlements as s, o where s.order_id = o.id), 3::bigint, 'the other orders are settled'
);
select results_eq(
  $$ select state, attempts::integer, last_error from app.settlement_jobs as j, bad
  where j.order_id = bad.id $$, $$ values ('waiting', 1, 'P0001: poisoned') $$, 'the failing job waits, with the error'
);
select is(
  (select run_after from app.settlement_jobs as j, bad where j.order_id = bad.id), now() + interval '31 seconds',
  'the first wait is half a minute'
);
select app.run_settlement_jobs(1000, now() + interval '10 seconds');
select is(
  (select attempts from app.settlement_jobs as j, bad where j.order_id = bad.id), 1::smallint,
  'the job does not run before it is due'
);
select app.run_settlement_jobs(1000, now() + n * interval '2 hours') from generate_series(1, 7) as n;
select is(
  (select state from app.settlement_jobs as j, bad where j.order_id = bad.id), 'dead',
  'the job is dead after the eighth failure'
);
drop trigger poison on app.settlements;
update app.settlement_jobs set state = 'waiting', attempts = 0, last_error = null, run_after = now()
where order_id = (select id from bad);
select app.run_settlement_jobs(1000, now() + interval '1 day');
select is((pg_temp.settlement(id)).units, 7, 'a retry settles it after the cause is fixed') from bad;
select throws_ok('select app.run_settlement_jobs(0)', 'PT422', 'invalid_argument', 'an invalid batch size is rejected');

select * from finish();
rollback;
