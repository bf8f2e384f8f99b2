-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(4);

alter table app.closed_months disable trigger closed_months_are_never_changed;
create temporary table m as select pg_temp.reporter() as uid;
create temporary table o as select pg_temp.buy(m.uid) as id from m;
select from pg_temp.create_partition('user_bill', '2025-10-01');
select pg_temp.book(m.uid, 'points_returned', 'checkout', 0, 0, 5, o.id, p_at => '2025-10-05T00:00:00Z') from m, o;
select from app.close_month('2025-10', null);
create temporary table known as select check_name, subject from app.reconcile();
select is_empty($$ select * from app.reconcile_closed_months() $$, 'nothing to find');

select matches(pg_temp.found(d.damage), '\m' || d.check_name || '\M', format('reconcile() finds %s', d.sentence))
from (values
  (
    'delete from app.user_bill where type = ''points_returned'' and uid = (select uid from m)',
    'closed_month_equals_its_rows', 'a deleted row of a closed month'
  ),
  ('update app.closed_months set sums = ''[]''', 'closed_month_equals_its_rows', 'changed sums'),
  (
    'alter table app.user_bill_202510 drop constraint month_2025_10_is_closed', 'closed_month_rejects_rows',
    'a partition that accepts rows of a closed month'
  )
) as d (damage, check_name, sentence);

select * from finish();
rollback;
