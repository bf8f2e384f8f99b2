begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table b as select pg_temp.sign_up((select a::text from m)) as buyer;
select app.set_no_assess(buyer, true, null, now()) from b;
delete from app.agent_level_tasks;
update app.agent_levels set is_active = grade in (0, 1, 3);
insert into app.agent_level_tasks (grade, type, target) values (1, 'direct_orders', 1), (1, 'umbrella_members', 2),
  (2, 'direct_orders', 1), (3, 'direct_members', 2), (3, 'umbrella_orders', 4);
insert into app.level_versions (levels) select app.levels_json();
-- The grade after an order below a member with these counters is settled, which does not count itself.
create function pg_temp.raised(
  p_direct_orders integer, p_umbrella_orders integer, p_direct_members integer, p_umbrella_members integer
) returns integer language plpgsql as $$
begin
  update app.users set agent_level = 0 where uid = (select a from m);
  update app.user_balances set direct_orders = p_direct_orders, umbrella_orders = p_umbrella_orders,
    direct_members = p_direct_members, umbrella_members = p_umbrella_members
  where uid = (select a from m);
  perform pg_temp.report(buyer) from b;
  return (select u.agent_level from app.users as u, m where u.uid = m.a);
end $$;
select is(pg_temp.raised(1, 1, 1, 1), 0, 'one task of two is not enough');
select is(pg_temp.raised(1, 1, 1, 2), 1, 'a target is met when it is reached');
select is(pg_temp.raised(9, 9, 1, 9), 1, 'members do not count as orders');
select is(pg_temp.raised(9, 3, 9, 9), 1, 'orders do not count as members');
select is(pg_temp.raised(1, 4, 2, 2), 3, 'an inactive grade is skipped');
delete from app.agent_level_tasks where grade = 3;
insert into app.level_versions (levels) select app.levels_json();
select is(pg_temp.raised(9, 9, 9, 9), 1, 'a grade without tasks is never reached by tasks');

select * from finish();
rollback;
