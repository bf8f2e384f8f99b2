begin;
\ir ../../support/fixture.psql
select plan(7);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n, pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id from generate_series(1, 3) as n;
create function pg_temp.poison() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$;
create trigger poison before insert on app.settlements for each row when (new.units = 7) execute function pg_temp.poison();
create temporary table bad as select pg_temp.buy(pg_temp.sign_up((select a::text from m)), 7) as id;
select app.run_settlement_jobs(1000, now() + interval '1 second');
select is((select count(*) from app.settlements as s, o where s.order_id = o.id), 3::bigint, 'the others are settled');
select results_eq($$ select state, attempts::integer, last_error from app.settlement_jobs as j, bad where j.order_id = bad.id $$, $$ values ('waiting', 1, 'P0001: poisoned') $$, 'the failing one waits, with the reason');
select is((select run_after from app.settlement_jobs as j, bad where j.order_id = bad.id), now() + interval '31 seconds', 'half a minute at first');
select app.run_settlement_jobs(1000, now() + interval '10 seconds');
select is((select attempts from app.settlement_jobs as j, bad where j.order_id = bad.id), 1::smallint, 'not before its time');
select app.run_settlement_jobs(1000, now() + n * interval '2 hours') from generate_series(1, 7) as n;
select is((select state from app.settlement_jobs as j, bad where j.order_id = bad.id), 'dead', 'after the eighth try it is dead');
drop trigger poison on app.settlements;
update app.settlement_jobs set state = 'waiting', attempts = 0, last_error = null, run_after = now() where order_id = (select id from bad);
select app.run_settlement_jobs(1000, now() + interval '1 day');
select is((pg_temp.settlement(id)).units, 7, 'once mended it is settled') from bad;
select throws_ok('select app.run_settlement_jobs(0)', 'PT422', 'invalid_argument', 'a batch has a size');

select * from finish();
rollback;
