-- Guarantee operation/manifest
begin;
\ir ../../support/fixture.psql
select plan(6);

delete from app.manifest_checks;
delete from app.settlement_jobs;
select from app.begin_run('settle_waiting_orders', 50);
create function pg_temp.health() returns text language sql as $$ select concat_ws(
  ' ', h ->> 'status', h ->> 'guarantees'
)
  from app.health_json(clock_timestamp()) as h $$;

select is(pg_temp.health(), 'ok unchecked', 'before the first comparison nothing is known');
select app.check_manifest();
select is(pg_temp.health(), 'ok ok', 'the database is as installed');
alter table app.orders disable row level security;
select is(pg_temp.health(), 'ok ok', 'the health itself compares nothing');
select app.check_manifest();
select is(pg_temp.health(), 'degraded broken', 'a guarantee that is switched off degrades the status');
drop index app.orders_uid_idx;
alter table app.orders enable row level security;
select app.check_manifest();
select is(pg_temp.health(), 'ok ok', 'a missing index does not');
drop index app.orders_payment_is_used_once;
select app.check_manifest();
select is(pg_temp.health(), 'degraded broken', 'unless it makes something unique');

select * from finish();
rollback;
