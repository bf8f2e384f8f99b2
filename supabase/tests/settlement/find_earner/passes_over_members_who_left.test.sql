-- Guarantee privacy/left-earns-nothing: Who left earns nothing, rises no more and gets no release, and nobody joins
-- below them
-- By: the position of the leaving, under the exclusive structure lock, app.mark_as_left; app.find_earner and
-- app.decide_levels
begin;
\ir ../../support/fixture.psql
select plan(9);

-- Removes an account as the Auth server does.
create function pg_temp.leave(p_uid bigint) returns void language sql as $$ delete from auth.users
  where id = (select u.auth_id from app.users as u where u.uid = p_uid) $$;

create temporary table m as select pg_temp.reporter() as top;
create temporary table n as select pg_temp.reporter((select top from m)) as middle;
create temporary table l as select pg_temp.sign_up((select middle::text from n)) as low;
select is((pg_temp.settlement(pg_temp.report(low))).earner_uid, middle, 'a referrer with an order of their own earns')
from l, n;
create temporary table before as select to_jsonb(b) - 'direct_orders' - 'umbrella_orders' as row
  from n, app.user_balances as b where b.uid = n.middle;
select pg_temp.leave(middle) from n;
create temporary table o as select pg_temp.report(low) as id from l;
select is((pg_temp.settlement(id)).reason, 'referrer_left', 'once they have left, nobody earns with scope direct')
from o;
select is(to_jsonb(b) - 'direct_orders' - 'umbrella_orders', before.row, 'and nothing of theirs changes but the counts')
from n, before, app.user_balances as b where b.uid = n.middle;
select is(app.explain_order(id) #>> '{cycle,reason}', 'referrer_left', 'the explanation says so') from o;
select is(
  app.explain_order(id) #> '{cycle,asked}',
  jsonb_build_array(jsonb_build_object('depth', 1, 'uid', middle, 'eligible', false, 'has_left', true)),
  'and who was asked'
)
from o, n;

select app.create_plan('{"brokerage_scope": "umbrella", "max_depth": 2}', null, now());
select is(
  (pg_temp.settlement(pg_temp.report(low))).earner_uid, top, 'with scope umbrella, the next eligible member above earns'
)
from l, m;
-- The step of the member who left counts.
select app.create_plan('{"max_depth": 1}', null, now());
select is((pg_temp.settlement(pg_temp.report(low))).reason, 'nobody_eligible', 'whose step counts in max_depth') from l;
-- A batch in which a member above pays, and one below.
select is(
  (select count(*) from o, app.settlement_differences(pg_temp.settlement(o.id))), 0::bigint,
  'decided again, nothing differs'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
