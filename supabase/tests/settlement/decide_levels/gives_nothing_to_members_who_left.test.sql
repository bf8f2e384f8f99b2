-- Guarantee privacy/left-earns-nothing
begin;
\ir ../../support/fixture.psql
select plan(10);

create function pg_temp.leave(p_uid bigint) returns void language sql as $$ delete from auth.users
  where id = (select u.auth_id from app.users as u where u.uid = p_uid) $$;
create function pg_temp.frozen(p_uid bigint) returns numeric language sql as $$ select trim_scale(b.frozen_points)
  from app.user_balances as b where b.uid = p_uid $$;

-- top (grade 1) - high (grade 2) - middle (grade 3) - low - buyer
create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 1) as top;
create temporary table h as select pg_temp.grade(pg_temp.sign_up((select top::text from m)), 2) as high;
create temporary table n as select pg_temp.grade(pg_temp.sign_up((select high::text from h)), 3) as middle;
create temporary table l as select pg_temp.sign_up((select middle::text from n)) as low;
create temporary table b as select pg_temp.sign_up((select low::text from l)) as buyer;
create temporary table p as select l.grade, l.direct_points as direct, l.umbrella_points as umbrella
  from app.agent_levels as l;

select pg_temp.report(buyer) from b;
select is(
  array[pg_temp.frozen(middle), pg_temp.frozen(high), pg_temp.frozen(top)], array[p.umbrella, 0, 0],
  'a high level below leaves nothing for those above'
)
from n, h, m, p where p.grade = 3;
select pg_temp.leave(middle) from n;
create temporary table o as select pg_temp.report(buyer) as id from b;
select is(pg_temp.frozen(middle), p.umbrella, 'who has left gets no points') from n, p where p.grade = 3;
select is(
  array[pg_temp.frozen(high), pg_temp.frozen(top)], array[p.umbrella, 0],
  'and passes nothing on: the next level above gets its share in full'
)
from h, m, p where p.grade = 2;
select is((app.explain_order(id) #>> '{levels,1,reason}'), 'member_left', 'the explanation says why there are none')
from o;
select is((app.explain_order(id) #>> '{levels,2,passed_on}')::numeric, 0::numeric, 'and that nothing was passed on')
from o;
select is(app.explain_order(id) ->> 'matches_the_books', 'true', 'decided again, it is what was booked') from o;

-- Their own orders, and those below them, count for those above.
select is((pg_temp.balances(high)).umbrella_orders, 2, 'what is below them counts for those above') from h;
-- Nobody rises who has left: the counts are far above all targets.
update app.user_balances as u set direct_orders = 1000, umbrella_orders = 1000, direct_members = 1000,
  umbrella_members = 1000
from l, m where u.uid in (l.low, m.top);
select pg_temp.leave(top) from m;
select pg_temp.report(buyer) from b;
select ok(u.agent_level > 0, 'a member rises') from app.users as u, l where u.uid = l.low;
select is(u.agent_level, 1::smallint, 'who has left does not') from app.users as u, m where u.uid = m.top;
select ok(not app.is_one_order_away(top), 'and is not shown as one order away') from m;

select * from finish();
rollback;
