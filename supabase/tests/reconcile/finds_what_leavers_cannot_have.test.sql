begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(5);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 3) as top;
create temporary table n as select pg_temp.reporter((select top from m)) as middle;
create temporary table b as select pg_temp.sign_up((select middle::text from n)) as below;
select pg_temp.report(below) from b;
create temporary table known as select check_name, subject from app.reconcile();
select is_empty('select * from app.reconcile_leavers()', 'before the damage, there are no findings');
select matches(pg_temp.found(d.damage), d.check_name, format('reconcile() finds %s', d.sentence)) from (values
  (
    'update app.users set left_at = now(), left_position = 1 where uid = (select middle from n)',
    'nobody_earns_after_leaving', 'an earner who had left'
  ),
  (
    'update app.users set left_at = now(), left_position = 1 where uid = (select top from m)',
    'nobody_gets_points_after_leaving', 'points of a member who had left'
  ),
  (
    'update app.users set left_at = now(), left_position = 1 where uid = (select middle from n)',
    'nobody_joins_below_who_left', 'a direct member who came later'
  ),
  ('with l as (update app.users set left_at = now(), left_position = nextval(''app.positions'') where uid = (select middle from n) returning uid, auth_id)
    insert into app.account_deletions (uid, auth_id, asked_at, due_at, done_at, brokerage, frozen_points, available_points) select l.uid, l.auth_id, now(), now() + interval ''7 days'', now(), 0, 0, 0 from l',
   'what_was_given_up_is_not_owed', 'a balance that was given up')
) as d (damage, check_name, sentence);

select * from finish();
rollback;
