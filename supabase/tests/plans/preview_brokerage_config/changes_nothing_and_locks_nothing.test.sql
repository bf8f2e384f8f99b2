begin;
\ir ../../support/fixture.psql
select plan(4);

insert into auth.users (email_confirmed_at, id, email) values (
  now(), '00000000-0000-4000-8000-0000000000f1', 'planner@example.com'
);
select app.add_administrator('planner@example.com');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-0000000000f1", "role": "store_admin"}', true);
-- Ignores tables of the test.
create view pg_temp.held as
select l.locktype, l.relation, l.objid, l.mode from pg_locks as l left join pg_class as c on c.oid = l.relation
where l.pid = pg_backend_pid() and l.mode <> 'AccessShareLock' and c.relpersistence is distinct from 't';
create view pg_temp.settings as
select app.active_plan_version(), app.levels_json(), s.last_value from pg_sequences as s
where s.schemaname = 'app' and s.sequencename = 'commission_plans_version_seq';
create temporary table settings_before as select * from pg_temp.settings;
create temporary table held_before as select * from pg_temp.held;

select is((api.preview_brokerage_config('{"payout_cap": 0.9}', app.levels_json()) ->> 'commission')::numeric,
  (select app.round_down(max(price) * 0.5, 2) from app.products where is_queue_goods and not is_del),
  'a valid draft returns a preview');
select is_empty('select * from pg_temp.held except select * from held_before', 'only read locks are acquired');
select results_eq(
  'select * from settings_before', 'select * from pg_temp.settings', 'no version, level or sequence number is created'
);
select is(
  (select provolatile from pg_proc where oid = 'api.preview_brokerage_config'::regproc), 's',
  'it is stable, so the database prevents writes'
);

select * from finish();
rollback;
