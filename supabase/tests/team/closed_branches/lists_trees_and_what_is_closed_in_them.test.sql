begin;
\ir ../../support/fixture.psql
select plan(10);

-- root > head > child > leaf, and root > low > below; another tree. The root and the head are at the top grade, low is
-- not.
create temporary table r as select pg_temp.grade(pg_temp.reporter(), 4) as root, pg_temp.sign_up() as other;
create temporary table m as select pg_temp.grade(pg_temp.sign_up(root::text), 4) as head,
  pg_temp.grade(pg_temp.sign_up(root::text), 3) as low
  from r;
create temporary table n as select pg_temp.sign_up(head::text) as child, pg_temp.sign_up(low::text) as below from m;
create temporary table l as select pg_temp.reporter(child) as leaf, pg_temp.sign_up((select other::text from r)) as only
  from n;
select pg_temp.sum_teams();

create function pg_temp.closed(p_uid bigint, p_members integer default 1) returns text language sql as $$
  select coalesce((
    select concat_ws(' ', c.agent_level, c.above, c.members, c.orders, c.opened_by::text)
    from app.closed_branches(p_members) as c where c.uid = p_uid
  ), 'open')
$$;

select is(pg_temp.closed(root), '4 0 5 1 {referrer_of_root}', 'a tree is closed as long as its root has no referrer')
from r;
select is(pg_temp.closed(other), '0 0 1 0 {referrer_of_root}', 'whatever the grade of its root') from r;
select is(
  pg_temp.closed(head), '4 1 2 1 {referrer_of_root,new_top_grade,lowered_above,lowered,scope_umbrella,leaving}',
  'a branch below a member at the top grade, whose ancestors are there, too'
)
from m;
select is(pg_temp.closed(low), 'open', 'a branch below a member with fewer points than an ancestor is open') from m;
select is(pg_temp.closed(child), 'open', 'so is one below such a member, at any grade') from n;
select is(pg_temp.closed(below), 'open', 'and one with task counts above it') from n;
select is(pg_temp.closed(leaf), 'open', 'a member with nobody below is no branch') from l;
select is(pg_temp.closed(head, 3), 'open', 'p_members is the least size that is listed') from m;
select set_eq(
  'select c.uid from app.closed_branches(0) as c, l where c.uid = l.leaf', 'select 0::bigint where false',
  'the size 0 lists members with nobody below, but no open branches'
);
select is(
  (
    select c.uid from app.closed_branches() as c
    join (select root as uid from r union all select other from r union all select head from m) as k using (uid) limit 1
  ),
  root, 'the largest is first'
)
from r;

select * from finish();
rollback;
