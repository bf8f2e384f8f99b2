-- Guarantee rules/one-order-away: A member who is shown as one order away from a level rises with the next order of a
-- new direct member
-- By: the rule of the engine, app.is_one_order_away
begin;
\ir ../../support/fixture.psql
select plan(12);

select app.set_agent_levels('[
  {"grade": 0, "name": "Member", "name_zh": "普通会员", "direct_points": 0, "umbrella_points": 0, "is_active": true, "tasks": {}},
  {"grade": 1, "name": "Maker", "name_zh": "创客", "direct_points": 500, "umbrella_points": 0, "is_active": true, "tasks": {"direct_orders": 2}},
  {"grade": 2, "name": "Shop", "name_zh": "云店", "direct_points": 800, "umbrella_points": 300, "is_active": true, "tasks": {"umbrella_orders": 4, "direct_members": 4}}
]', null, now());
create temporary table m as select pg_temp.reporter() as me;

-- What the member is said to be, and whether the next order of a new direct member raises them.
create temporary table steps (n serial, said boolean, rose boolean);
create function pg_temp.step() returns void language plpgsql as $$
declare
  v_me bigint := (select me from m);
  v_said boolean := app.is_one_order_away(v_me);
  v_before smallint := (select u.agent_level from app.users as u where u.uid = v_me);
begin
  perform pg_temp.reporter(v_me);
  insert into steps (said, rose) select v_said, u.agent_level > v_before from app.users as u where u.uid = v_me;
end
$$;
select pg_temp.step() from generate_series(1, 5);
select is(said, rose, format('before order %s, it is said iff the order raises the member', n)) from steps order by n;
select is(
  array(select s.n from steps as s where s.rose order by s.n), array[2, 4],
  'the second order and the fourth raise the member'
);
select is(app.is_one_order_away(me), false, 'nothing is above the top level') from m;

create temporary table h as select pg_temp.reporter() as uid;
select pg_temp.reporter(uid) from h;
select is(app.is_one_order_away(uid), true, 'one of two orders is missing') from h;
select app.set_agent_level(uid, 0::smallint, null, now(), true) from h;
select is(app.is_one_order_away(uid), false, 'a held level does not rise') from h;
select app.set_agent_level(uid, 0::smallint, null, now(), false) from h;
select app.set_no_assess(uid, true, null, now()) from h;
select is(app.is_one_order_away(uid), true, 'a member who counts for nobody rises by those below') from h;
-- Two buyers with three orders: the orders are there but for one, and of the four members two are missing.
create temporary table t as select pg_temp.grade(pg_temp.reporter(), 1) as uid;
create temporary table b as select pg_temp.reporter(uid) as uid from t, generate_series(1, 2);
select pg_temp.report(min(uid)) from b;
select is((pg_temp.balances(uid)).umbrella_orders, 3, 'three orders are below') from t;
select is(app.is_one_order_away(uid), false, 'every task must be met by the next order') from t;

select * from finish();
rollback;
