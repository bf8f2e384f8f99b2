-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table a as
select (app.create_adjustment(m.uid, 10, 5, -2, 'Test', null, now())).id as booked, pg_temp.administrator() as admin
from m;
create temporary table w as select (
  app.create_adjustment(m.uid, 5000, null, null, 'Test', gen_random_uuid(), now())
).id as waiting
  from m;
create temporary table known as select check_name, subject from app.reconcile();
select is_empty(
  $$ select k.* from known as k, m
  where k.subject = format('uid %s', m.uid) or k.subject like 'adjustment %' $$,
  'reconcile() finds nothing in correct books'
);

select matches(pg_temp.found(d.damage), '\m' || d.check_name || '\M', format('reconcile() finds %s', d.sentence))
from (values
  (
    'update app.adjustments set brokerage_delta = 11 where id = (select booked from a)',
    'adjustment_equals_its_bill_row', 'an adjustment of another amount than was booked'
  ),
  (
    'update app.adjustments set available_delta = 2 where id = (select booked from a)',
    'adjustment_equals_its_bill_row', 'an adjustment of other points than were booked'
  ),
  (
    'update app.adjustments set state = ''booked'', decided_at = now() where id = (select waiting from w)',
    'adjustment_equals_its_bill_row', 'a booked adjustment without a bill row'
  ),
  (
    'update app.adjustments set state = ''refused'' where id = (select booked from a)',
    'adjustment_equals_its_bill_row', 'a refused adjustment with a bill row'
  ),
  ('insert into app.user_bill (uid, type, source, brokerage_delta, brokerage_after, frozen_after, available_after, adjustment_id, add_time)
    select uid, type, source, 10, 20, 5, -2, adjustment_id, add_time from app.user_bill where adjustment_id = (select booked from a)', 'adjustment_equals_its_bill_row', 'an adjustment that was booked twice')
) as d (damage, check_name, sentence);

select * from finish();
rollback;
