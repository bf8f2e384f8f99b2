-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
select plan(28);

-- Two places of a cycle of three are taken, of which a refund frees one; before it, a cycle of one other member is
-- full.
create temporary table m as select pg_temp.grade(pg_temp.reporter(), 2) as a, pg_temp.reporter() as full_cycle;
create temporary table o as
select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id,
  pg_temp.report(pg_temp.sign_up((select a::text from m))) as freed,
  pg_temp.report(pg_temp.sign_up((select full_cycle::text from m))) as place_1,
  pg_temp.report(pg_temp.sign_up((select full_cycle::text from m))) as place_2,
  pg_temp.report(pg_temp.sign_up((select full_cycle::text from m))) as place_3;
select app.refund_order(o.freed, null, null, now()) from o;
select app.set_no_assess(a, true, null, now()) from m;
select app.set_agent_level(a, 1::smallint, null, now()) from m;
-- Both are released of the same day; a third member has something frozen, and no release of it.
insert into app.release_runs (release_date, started_at, finished_at, users, points)
select app.business_day(now()), now(), now(), r.users, r.points
from m, app.release_members(app.business_day(now()), array[a, full_cycle], now()) as r;
\ir ../support/forgery.psql
create temporary table known as select check_name, subject from app.reconcile();
select is_empty(
  $$ select k.* from known as k
  where k.subject in (
    select format('uid %s', x) from m, unnest(array[a, full_cycle]) as x union select format('order %s', x)
    from o, unnest(array[id, freed, place_1]) as x
  ) $$,
  'before the damage, there are no findings'
);
select is(
  (select (cycle_no, cycle_is_open, total_places)::text from app.user_balances, m where uid = m.a), '(1,t,1)',
  'one cycle is open, with one place taken'
);
select is(
  (select (cycle_no, cycle_is_open, total_places)::text from app.user_balances, m where uid = m.full_cycle), '(1,f,3)',
  'the other cycle is full'
);

-- What the log says was released of one member was booked for the other.
create function pg_temp.exchange_releases() returns void language sql as $$
  update app.user_bill as l set uid = case l.uid when m.a then m.full_cycle else m.a end
  from m where l.type = 'frozen_points_release' and l.uid in (m.a, m.full_cycle);
  update app.user_balances as b
  set frozen_points = t.frozen, available_points = t.available, total_points_earned = t.frozen + t.available
  from (
    select l.uid, sum(l.frozen_delta) as frozen, sum(l.available_delta) as available from app.user_bill as l
    group by l.uid
  ) as t
  where b.uid = t.uid and b.uid in (select unnest(array[m.a, m.full_cycle]) from m);
$$;

select matches(pg_temp.found(d.forgery), d.check_name, format('reconcile() finds %s', d.sentence)) from (values
  (
    'update app.user_balances set cycle_no = 2 where uid = (select a from m)', 'cycle_equals_settlements',
    'another number of the cycle'
  ),
  (
    'update app.user_balances set cycle_is_open = false where uid = (select a from m)', 'cycle_equals_settlements',
    'a cycle closed before its last place is taken'
  ),
  (
    'update app.user_balances set cycle_is_open = true where uid = (select full_cycle from m)',
    'cycle_equals_settlements', 'a full cycle opened again'
  ),
  (
    'update app.user_balances set cycle_plan_version = 99 where uid = (select a from m)', 'cycle_equals_settlements',
    'a cycle with another plan'
  ),
  (
    'update app.user_balances set cycle_no = 1, cycle_plan_version = 1, cycle_is_open = true where uid = (select uid from app.orders where id = (select id from o))',
    'cycle_equals_settlements', 'a cycle of a member who never earned'
  ),
  (
    'update app.settlements set cycle_no = 3 where order_id = (select place_3 from o)', 'cycle_has_its_places',
    'a cycle begun before the one before it was full'
  ),
  (
    'update app.settlements set place = 4 where order_id = (select place_3 from o)', 'cycle_has_its_places',
    'a place that the plan does not have'
  ),
  (
    'update app.settlements set place_freed_at = now(), place_freed_position = 1 where order_id = (select id from o)',
    'freed_place_equals_refunds', 'a place freed without a refund'
  ),
  (
    'update app.settlements set place_freed_at = null, place_freed_position = null where order_id = (select freed from o)',
    'freed_place_equals_refunds', 'a place kept by an order of which nothing is left'
  ),
  (
    'update app.users set agent_level = 2 where uid = (select a from m)', 'level_equals_last_change',
    'a level that nobody set'
  ),
  (
    'update app.users set is_held = false where uid = (select a from m)', 'level_equals_last_change',
    'a hold that nobody ended'
  ),
  (
    'update app.level_changes set to_level = 3 where to_level = 2 and uid = (select a from m)',
    'level_change_follows_the_one_before', 'a step of the history that does not follow from the one before'
  ),
  (
    'insert into app.level_changes (uid, from_level, to_level, reason, order_id, add_time) select full_cycle, 0, 1, ''tasks'', o.id, now() from m, o',
    'level_change_has_its_settlement', 'a rise at another position than its order'
  ),
  (
    'insert into app.level_changes (uid, from_level, to_level, reason, cause, order_id, add_time) select full_cycle, 0, 1, ''tasks'', ''refund'', o.id, now() from m, o',
    'level_change_has_its_cause', 'a rise by an answer to a request that nobody gave'
  ),
  (
    'insert into app.level_changes (uid, from_level, to_level, reason, cause, order_id, add_time) select full_cycle, 0, 1, ''tasks'', ''assess'', null, now() from m, o',
    'level_change_has_its_cause', 'a rise by a flag that nobody took away'
  ),
  (
    'insert into app.level_changes (uid, from_level, to_level, reason, cause, order_id, add_time) select full_cycle, 0, 1, ''tasks'', ''hold'', null, now() from m, o',
    'level_change_has_its_cause', 'a rise by a hold that nobody ended'
  ),
  (
    'insert into app.level_changes (uid, from_level, to_level, reason, cause, order_id, add_time) select full_cycle, 0, 1, ''tasks'', ''import'', null, now() from m, o',
    'level_change_has_its_cause', 'a rise by an import that has not ended'
  ),
  (
    'insert into app.level_changes (uid, from_level, to_level, reason, cause, order_id, add_time) select full_cycle, 0, 1, ''tasks'', ''refer'', null, now() from m, o',
    'level_change_has_its_cause', 'a rise by a member who did not join'
  ),
  (
    'update app.users set no_assess = false where uid = (select a from m)', 'no_assess_equals_last_change',
    'a flag that nobody set'
  ),
  (
    'update app.agent_levels set direct_points = direct_points + 1 where grade = 2', 'levels_equal_last_version',
    'levels that were never put in force'
  ),
  (
    'update app.orders set refund_status = 3 where id = (select id from o)', 'refund_status_equals_refunds',
    'an order partly refunded without a refund'
  ),
  (
    'update app.orders set refund_status = 1 where id = (select id from o)', 'refund_status_equals_refunds',
    'a request that nobody made'
  ),
  ('select pg_temp.exchange_releases()', 'release_equals_bill', 'a release booked for another member'),
  (
    'update app.user_bill set basis = basis * 2, rate = rate / 2 where type = ''frozen_points_release'' and uid = (select a from m)',
    'release_equals_bill', 'a release at another rate'
  ),
  (
    'update app.user_bill set basis = basis + 0.0001 where type = ''frozen_points_release'' and uid = (select a from m)',
    'release_equals_bill', 'a release of another balance, although its amount is the same'
  )
) as d (forgery, check_name, sentence);

select * from finish();
rollback;
