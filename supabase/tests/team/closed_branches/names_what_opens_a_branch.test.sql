-- Guarantee rules/closed-branch
begin;
\ir ../../support/fixture.psql
select plan(35);

-- root > head > child: closed below the head. The head and the root have bought.
create temporary table r as select pg_temp.grade(pg_temp.reporter(), 4) as root, pg_temp.sign_up() as stranger;
create temporary table m as select pg_temp.grade(pg_temp.sign_up(root::text), 4) as head from r;
create temporary table n as select pg_temp.sign_up(head::text) as child from m;
create temporary table o as select pg_temp.report(head) as own from m;
select pg_temp.sum_teams();

create function pg_temp.closed() returns text language sql as $$
  select coalesce((select c.opened_by::text from app.closed_branches() as c, m where c.uid = m.head), 'open')
$$;
-- What the list says after a change, which is rolled back.
create function pg_temp.after(p_change text) returns text language plpgsql as $$
declare
  v_closed text;
begin
  execute p_change;
  v_closed := pg_temp.closed();
  raise exception using errcode = 'PV000', message = v_closed;
exception when sqlstate 'PV000' then
  return sqlerrm;
end
$$;
-- The bill rows that an order of the child gives to the root, and whether it counts for the root.
create function pg_temp.reaches_root(p_change text) returns text language plpgsql as $$
declare
  v_order bigint;
begin
  execute p_change;
  v_order := pg_temp.report((select child from n));
  raise exception using errcode = 'PV000',
    message
    = concat_ws(' ', (select count(*) from app.user_bill as b, r where b.order_id = v_order and b.uid = r.root), (
    select b.umbrella_orders from app.user_balances as b join app.users as u using (uid), r
    where u.uid = r.root and u.agent_level < app.top_grade()
  ));
exception when sqlstate 'PV000' then
  return sqlerrm;
end
$$;

create temporary table change as select
  'select app.bind_spread(root, stranger, now()) from r' as referrer_of_root,
  'select from app.set_agent_levels(app.levels_json() || ''[{"grade": 5, "name": "Five", "name_zh": "五", "direct_points": 2000, "umbrella_points": 900, "is_active": true, "tasks": {"umbrella_orders": 5000, "direct_members": 3}}]'', null, now())' as new_top_grade,
  'select pg_temp.grade(root, 3) from r' as lowered_above,
  'select pg_temp.grade(head, 3) from m' as lowered,
  'select from app.create_plan(''{"brokerage_scope": "umbrella"}'', null, now())' as scope_umbrella,
  'select app.refund_order(own, null, null, now()) from o' as own_refund,
  'select app.mark_as_left(head, now()) from m' as leaving;

select is(
  pg_temp.closed(), '{referrer_of_root,new_top_grade,lowered_above,lowered,leaving}',
  'the head has an own reported order, so neither a wider scope nor a refund opens the branch alone'
);
select is(pg_temp.reaches_root('select'), '0', 'an order below the head neither pays nor counts for the root');
select is(pg_temp.after(referrer_of_root), 'open', 'a referrer of the root opens it: orders count for the referrer')
from change;
select is(pg_temp.after(new_top_grade), 'open', 'a new top grade opens it') from change;
select is(pg_temp.reaches_root(new_top_grade), '0 2', 'because orders then count for the root') from change;
select is(pg_temp.after(lowered_above), 'open', 'lowering an ancestor opens it') from change;
select is(pg_temp.reaches_root(lowered_above), '0 2', 'because orders then count for the ancestor') from change;
select is(pg_temp.after(lowered), 'open', 'lowering the head opens it') from change;
select is(pg_temp.reaches_root(lowered), '1', 'because the root gets the difference in points') from change;
select is(pg_temp.after(leaving), 'open', 'the head opens it by leaving') from change;
select is(pg_temp.reaches_root(leaving), '1', 'because who has left counts as a level without points') from change;
select is(
  pg_temp.reaches_root(scope_umbrella || '; ' || leaving), '3',
  'and earns nothing, so that the root earns: commission, its points, and the difference'
)
from change;
select is(
  pg_temp.after(scope_umbrella), '{referrer_of_root,new_top_grade,lowered_above,lowered,own_refund,leaving}',
  'with scope umbrella, the head earns, as long as it is eligible'
)
from change;
select is(pg_temp.reaches_root(scope_umbrella), '0', 'so the root earns nothing') from change;
select is(
  pg_temp.after(scope_umbrella || '; ' || own_refund), 'open', 'a refund of the own order of the head then opens it'
)
from change;
select is(
  pg_temp.reaches_root(scope_umbrella || '; ' || own_refund), '2', 'because the root earns: commission and its points'
)
from change;
select is(
  pg_temp.after(own_refund), '{referrer_of_root,new_top_grade,lowered_above,lowered,scope_umbrella,leaving}',
  'with scope direct it does not'
)
from change;
select is(pg_temp.reaches_root(own_refund), '0', 'because nobody looks above the referrer') from change;

-- An order that was paid under scope umbrella, and that waits, looks for an earner who was eligible when it was paid.
create temporary table w as select 'select from app.create_plan(''{"brokerage_scope": "umbrella"}'', null, now()); select pg_temp.buy(child, 1, %s) from n; select from app.create_plan(''{"brokerage_scope": "direct"}'', null, now())' as waits;
select is(
  pg_temp.after(format(waits, 'now()')), '{referrer_of_root,new_top_grade,lowered_above,lowered,own_refund,leaving}',
  'a waiting order of an earlier plan needs the head to stay eligible'
)
from w;
select is(
  pg_temp.after(format(waits, $t$now() - interval '1 day'$t$)), 'open', 'and to have been eligible when it was paid'
)
from w;
select is(pg_temp.after(format(waits, 'now()') || '; ' || own_refund), 'open', 'which a refund of the own order ends')
from w, change;

-- An order of another tree that waits, and was paid before the head was eligible. Its tree joins the branch.
create temporary table j as select pg_temp.sign_up(stranger::text) as far from r;
create temporary table k as select $t$select
  from app.create_plan(
    '{"brokerage_scope": "umbrella"}', null, now()
  ); select pg_temp.buy(far, 1, now() - interval '1 day')
  from j; select from app.create_plan('{"brokerage_scope": "direct"}', null, now())$t$ as far_waits;
select is(
  pg_temp.after(far_waits), '{referrer_of_root,new_top_grade,lowered_above,lowered,joining_orders,leaving}',
  'a waiting order elsewhere leaves it closed'
)
from k;
select is(
  pg_temp.after(far_waits || '; select app.bind_spread(stranger, child, now()) from r, n'), 'open',
  'until its tree joins the branch'
)
from k;

-- Referrers are corrected until an order below is settled. root > middle > lone > twig: at the top grade, without a
-- settled order.
create temporary table c as select pg_temp.grade(pg_temp.sign_up((select root::text from r)), 4) as middle;
create temporary table d as select pg_temp.grade(pg_temp.sign_up((select middle::text from c)), 4) as lone;
create temporary table t as select pg_temp.sign_up((select lone::text from d)) as twig;
select pg_temp.sum_teams();
create function pg_temp.of_lone(p_change text) returns text language plpgsql as $$
declare
  v_closed text;
begin
  execute p_change;
  v_closed := coalesce(
    (select (b.opened_by @> '{corrected_referrer}')::text from app.closed_branches() as b, d where b.uid = d.lone),
    'open'
  );
  raise exception using errcode = 'PV000', message = v_closed;
exception when sqlstate 'PV000' then
  return sqlerrm;
end
$$;
select is(pg_temp.of_lone('select'), 'true', 'another referrer of the head could open a branch without settled orders');
select is(
  pg_temp.of_lone($$ select app.set_spread(lone, stranger, 'Test', null, now()) from d, r $$), 'open',
  'and does, if it is below the top grade'
);
select is(
  pg_temp.of_lone($$ select app.set_spread(middle, stranger, 'Test', null, now()) from c, r $$), 'open',
  'so does another referrer of somebody above the head'
);
select is(pg_temp.of_lone('select pg_temp.report(middle) from c'), 'true', 'an order of that one keeps theirs');
select is(pg_temp.of_lone('select pg_temp.report(lone) from d'), 'false', 'an order of the head keeps both');
select is(pg_temp.of_lone('select pg_temp.report(twig) from t'), 'false', 'an order of somebody below does, too');
select is(pg_temp.of_lone('select pg_temp.buy(twig) from t'), 'true', 'but not one that waits for its settlement');
select is(
  pg_temp.of_lone('select app.mark_as_left(middle, now()) from c'), 'true',
  'somebody above who has left keeps theirs, but not the head'
);

-- A grade above the top that is switched off, with more points. Who holds it keeps it.
update app.users as u set agent_level = 3 from m where u.uid = m.head;
select from app.set_agent_levels((
  select jsonb_agg(
    case l.value ->> 'grade' when '4' then l.value || '{"is_active": false, "umbrella_points": 500}' else l.value end
  )
  from jsonb_array_elements(app.levels_json()) as l
), null, now());
select is(app.top_grade(), 3::smallint, 'the root holds a grade that is switched off, above the top grade');
select is(
  pg_temp.closed(), '{referrer_of_root,new_top_grade,lowered_above,lowered,points_of_grades,leaving}',
  'the branch is closed while that grade has no more points'
);
select from app.set_agent_levels((
  select jsonb_agg(case l.value ->> 'grade' when '4' then l.value || '{"umbrella_points": 501}' else l.value end)
  from jsonb_array_elements(app.levels_json()) as l
), null, now());
select is(pg_temp.closed(), 'open', 'more points of that grade open it');
select is(pg_temp.reaches_root('select'), '1', 'because the root gets the difference');

select * from finish();
rollback;
