begin;
\ir ../../support/fixture.psql
select plan(15);

delete from app.settlement_jobs;
select is(app.lead_settlement(1), null, 'nothing is due');
create temporary table o as select n, pg_temp.buy(pg_temp.sign_up(), 1, now() - n * interval '1 minute') as id
  from generate_series(1, 3) as n;
create function pg_temp.left_over() returns bigint language sql as 'select count(*) from app.settlement_jobs';

select is(app.lead_settlement(1, 2, now() - interval '1 hour'), null, 'nothing was due an hour ago');
select is(app.lead_settlement(0), null, 'without slots, a payment settles nothing');
update app.settings set settlement_slots = 0;
select is(api.lead_settlement(), '{"handled": null}', 'slots are a setting');
select is(pg_temp.left_over(), 3::bigint, 'the jobs are left');

update app.settings set settlement_slots = 1;
update app.settlement_jobs set run_after = now() + interval '1 day' where order_id = (select id from o where n = 3);
create function pg_temp.slots() returns integer[] language sql as $$
  select array_agg(l.objid::integer order by l.objid) from pg_locks as l
  where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.classid = app.lock_number('settlement')::oid
    and l.objsubid = 2
$$;
select is(api.lead_settlement(), '{"handled": 2}', 'with a slot, it settles a batch');
select is(pg_temp.slots(), '{1}', 'in the first one that is free');
select is(api.lead_settlement(), '{"handled": null}', 'until nothing is due');
select is(app.lead_settlement(1, 2, now() + interval '1 day'), 1, 'the time is a parameter');

update app.settlement_jobs set run_after = now();
select is(pg_temp.left_over(), 0::bigint, 'nothing is left');
select pg_temp.buy(pg_temp.sign_up(), 1, now());
insert into app.imports (form, source_hash, started_at) values ('neutral', repeat('a', 64), now());
select is(app.lead_settlement(1), null, 'while an import is unfinished, nobody leads');
select is(pg_temp.left_over(), 1::bigint, 'and the job is left');
update app.imports set finished_at = now();
select is(app.lead_settlement(), 1, 'the scheduled job needs no slots of the settings');
select is(pg_temp.slots(), '{1}', 'but waits for the first one');
select throws_ok(
  $$ select app.lead_settlement(1, 50, '1999-01-01Z') $$, 'PT422', 'invalid_argument',
  'the time has to be one of the store'
);

select * from finish();
rollback;
