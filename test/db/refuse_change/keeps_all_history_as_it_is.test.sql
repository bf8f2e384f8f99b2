begin;
\ir ../support/fixture.psql
select plan(14);

create temporary table m as select pg_temp.reporter() as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select app.release_members('2026-01-02', array[(select a from m)], now());
select pg_temp.grade((select a from m), 1);
select app.set_no_assess((select a from m), true, null, now());
select app.record_unverified('test', 'signature_wrong', now());

create temporary table t (name text, column_name text);
insert into t values ('user_bill', 'add_time'), ('commission_plans', 'created_at'), ('level_versions', 'created_at'), ('points_release_log', 'add_time'),
  ('level_changes', 'add_time'), ('no_assess_changes', 'add_time'), ('payment_notifications', 'add_time');
select throws_ok(format('update app.%I set %2$I = %2$I', name, column_name), '23001', null, format('no row of %s is edited', name)) from t;
select throws_ok(format('delete from app.%I', name), '23001', null, format('no row of %s is deleted', name)) from t;

select * from finish();
rollback;
