-- Guarantee money/rows-never-change: The values of bill rows and histories are never edited or deleted
-- By: a trigger, app.reject_change
begin;
\ir ../../support/fixture.psql
select no_plan();

create temporary table m as select pg_temp.reporter() as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select app.release_members('2026-01-02', array[(select a from m)], now());
select pg_temp.grade((select a from m), 1);
select app.set_no_assess((select a from m), true, null, now());
select app.record_notification('test', 'event', null, 'number', null, 1, 'CNY', 'refused', 'amount_differs', now());
insert into app.closed_months (month, begins_at, ends_at, sums, closed_at) values (
  '2015-01-01', '2015-01-01Z', '2015-02-01Z', '[]', now()
);
insert into app.month_seals (month, row_count, root, public_key, signature, sealed_at) values (
  '2015-01-01', 0, sha256(''), sha256(''), sha256('') || sha256(''), now()
);
select app.record_action('try_it', 'order', '1', null, '{}');
insert into app.opening_cycles (uid, places, plan_version) select a, 1, 1 from m;
insert into app.imported_bill (source, old_id, uid, type, title, amount) select 'bill', '1', a, 'brokerage',
  'Commission', 1
from m;

select from m, app.allow_tax(a, '2026-01', 1, 0, 0, 'Test', null, now());
select from m, app.enter_own_copy(a, now());
with w as (
  insert into app.withdrawals (
    withdrawal_no, uid, method, account_hint, amount, fee, state, add_time, approved_at, paying_at
  )
  select 'W00000', a, 'bank', '', 10, 0, 'paying', now(), now(), now() from m returning id, uid
)
insert into app.tax_withholdings (
  withdrawal_id, uid, method, rules_from, month, months, income, expenses, basic_deduction, exempt_income,
  other_deductions, relief, taxable, rate, quick_deduction, tax, add_time
)
select id, uid, 'per_payment', '2019-01-01', '2026-01-01', 1, 10, 10, 0, 0, 0, 0, 0, 0.2, 0, 0, now() from w;
insert into app.spread_changes (uid, to_uid, reason, position, add_time) select a,
  (select max(uid) from app.users where uid <> a), 'wrong link', 1, now()
from m;
create table app.compacted_releases_201501 partition of app.compacted_releases for values
  from ('2015-01-01Z') to ('2015-02-01Z');
create trigger compacted_releases_are_never_emptied before truncate
  on app.compacted_releases_201501 for each statement execute function app.reject_change();
insert into app.compacted_releases (
  uid, first_time, last_time, bill_id, log_id, first_day, brokerage, frozen_before, available_before, frozen_after,
  steps
)
select a, '2015-01-01Z', '2015-01-01Z', 1, 1, '2015-01-01', 0, 1000, 0, 999.6, '{}' from m;

create temporary table t (name text, column_name text);
insert into t values ('user_bill', 'add_time'), ('commission_plans', 'created_at'), ('level_versions', 'created_at'),
  ('points_release_log', 'add_time'),
  ('level_changes', 'add_time'), ('no_assess_changes', 'add_time'), ('spread_changes', 'add_time'),
  ('payment_notifications', 'add_time'), ('admin_actions', 'add_time'), ('imported_bill', 'add_time'),
  ('opening_cycles', 'places'),
  ('closed_months', 'closed_at'), ('month_seals', 'sealed_at'), ('events', 'add_time'),
  ('compacted_releases', 'last_time'), ('tax_withholdings', 'add_time'), ('tax_allowances', 'add_time'),
  ('person_requests', 'due_at');
select throws_ok(
  format('update app.%I set %2$I = %2$I', name, column_name), '23001', null, format('no row of %s is edited', name)
)
from t;
select throws_ok(format('delete from app.%I', name), '23001', null, format('no row of %s is deleted', name)) from t;
select throws_ok(format('truncate app.%I cascade', name), '23001', null, format('%s is not emptied', name)) from t;
-- Compares the list above with the triggers in the catalogue: it is complete, and every table rejects all kinds of
-- changes.
select set_eq($$
  select c.relname::text as name, bool_or(g.tgtype & 16 > 0) as changes, bool_or(g.tgtype & 8 > 0) as deletions,
    bool_or(g.tgtype & 32 > 0) as truncation
  from pg_trigger as g join pg_class as c on c.oid = g.tgrelid
  where g.tgfoid = 'app.reject_change'::regproc and g.tgenabled = 'O' and not c.relispartition
  group by c.oid
$$, 'select name, true as changes, true as deletions, true as truncation from t',
'every history table rejects UPDATE, DELETE and TRUNCATE');

select set_eq($$
  select i.inhrelid::regclass::text as name, bool_or(g.tgtype & 16 > 0) as changes,
    bool_or(g.tgtype & 8 > 0) as deletions, bool_or(g.tgtype & 32 > 0) as truncation
  from pg_inherits as i
  left join pg_trigger as g on g.tgrelid = i.inhrelid and g.tgfoid = 'app.reject_change'::regproc and g.tgenabled = 'O'
  where i.inhparent in (select format('app.%I', name)::regclass from t)
  group by i.inhrelid
$$, $$
  select inhrelid::regclass::text as name, true as changes, true as deletions, true as truncation
  from pg_inherits where inhparent in (select format('app.%I', name)::regclass from t)
$$, 'every partition of a history table rejects them, too');
select throws_ok(
  format('truncate %s cascade', inhrelid::regclass), '23001', null, format('%s is not emptied', inhrelid::regclass)
)
from pg_inherits
where inhparent in ('app.user_bill'::regclass, 'app.points_release_log'::regclass, 'app.admin_actions'::regclass);

select * from finish();
rollback;
