-- Guarantee rules/5-rise-at-once: R5: a member who meets the tasks because a count has risen rises at once, at the
-- position of the cause, whatever the cause
-- By: callers say that a change raises, app.decide_levels, app.raise_members
begin;
\ir ../../support/fixture.psql
select plan(19);

-- Three direct orders make grade 1, and bring 500 points per unit from then on. A has two that count and a third one
-- whose refund is requested.
create temporary table m as select pg_temp.reporter() as a;
create temporary table b as select n, pg_temp.sign_up((select a::text from m)) as uid from generate_series(1, 4) as n;
create temporary table o as select b.n, pg_temp.buy(b.uid) as id from b where n <= 3;
create function pg_temp.level() returns text language sql as $$
  select concat_ws(' ', u.agent_level, case when u.is_held then 'held' end) from app.users as u, m where u.uid = m.a
$$;
-- The last change of the level: what raised the member, and the kind of row at whose position.
create function pg_temp.last() returns text language sql as $$
  select concat_ws(
    ' ', c.from_level, c.to_level, c.reason, c.cause,
    case when c.order_id = (select id from o where n = 1) then 'order 1' end
  )
  from app.level_changes as c, m where c.uid = m.a order by c.id desc limit 1
$$;
create function pg_temp.last_position() returns bigint language sql as $$
  select c.position from app.level_changes as c, m where c.uid = m.a order by c.id desc limit 1
$$;

select app.settle_order(id, now()) from o where n = 1;
select app.request_refund(id, null, 'changed my mind', now()) from o where n = 1;
select app.settle_order(id, now()) from o where n > 1 order by n;
select is(pg_temp.level(), '0', 'the order with the open request does not count, so two of three tasks are met');
select app.refuse_refund(id, now()) from o where n = 1;
select is(pg_temp.level(), '1', 'the refusal raises, not only the next order');
select is(pg_temp.last(), '0 1 tasks refund order 1', 'its cause is the refund of the order');
select is(
  pg_temp.last_position(), (select r.decided_position from app.refunds as r join o on o.id = r.order_id),
  'at the position of the refusal'
);
select is(
  (
    select concat_ws(
      ' ', e.cause, e.cause_id = (select r.id from app.refunds as r join o on o.id = r.order_id), e.payload
    )
    from app.events as e where e.type = 'level.reached'
  ),
  'refund t {"to_level": 1, "from_level": 0}', 'the event names the refund'
);
select pg_temp.report((select uid from b where n = 4));
select is(
  (select sum(l.frozen_delta) from app.user_bill as l, m where l.uid = m.a and l.source = 'direct'), 500.0000,
  'the order after it pays by the level'
);

-- Level 1 without a hold: the act itself raises nobody, and neither does a request, which lowers a count.
select app.set_agent_level(a, 0::smallint, null, now(), false) from m;
select is(pg_temp.level(), '0', 'a level that is lowered without a hold stays, although all tasks are met');
select app.request_refund(id, null, 'changed my mind', now()) from o where n = 1;
select is(pg_temp.level(), '0', 'a request raises nobody');
select app.refund_order(id, null, null, now()) from o where n = 1;
select is(pg_temp.level(), '0', 'nor does a refund of everything');

-- No assessment of one buyer, taken away again.
select app.set_no_assess(uid, true, null, now()) from b where n = 2;
select is(pg_temp.level(), '0', 'a flag that is set lowers the count');
select app.set_no_assess(uid, false, null, now()) from b where n = 2;
select is(
  pg_temp.last() || ' ' || (pg_temp.last_position() = (select max(n.position) from app.no_assess_changes as n)),
  '0 1 tasks assess true', 'the flag that is taken away raises'
);

-- A hold that ends; a hold that ends while the level is lowered.
select app.set_agent_level(a, 0::smallint, null, now()) from m;
select app.set_agent_level(a, 0::smallint, null, now(), false) from m;
select is(pg_temp.level() || ', ' || pg_temp.last(), '1, 0 1 tasks hold', 'the end of a hold raises');
select is(
  pg_temp.last_position(),
  (select c.position from app.level_changes as c, m where c.uid = m.a and c.from_held and not c.to_held),
  'at its position'
);
select app.set_agent_level(a, 1::smallint, null, now(), true) from m;
select app.set_agent_level(a, 0::smallint, null, now(), false) from m;
select is(pg_temp.level(), '0', 'who lowers the level with it does not raise it');

-- A member with two orders and one below them, who joins.
create temporary table j as select pg_temp.reporter() as uid;
select pg_temp.report(uid) from j;
select pg_temp.report(pg_temp.sign_up((select uid::text from j)));
select app.bind_spread(j.uid, m.a, now() + interval '1 second') from j, m;
select is(
  pg_temp.last() || ' '
  || (pg_temp.last_position() = (select u.spread_position from app.users as u, j where u.uid = j.uid)),
  '0 1 tasks refer true', 'who joins with orders raises'
);

-- The settings raise nobody, and the next settlement does.
select app.set_agent_levels(
  (
    select jsonb_agg(case when l ->> 'grade' = '2' then jsonb_set(l, '{tasks}', '{"direct_orders": 3}') else l end)
    from jsonb_array_elements(app.levels_json()) as l
  ),
  null, now()
);
select is(pg_temp.level(), '1', 'settings raise nobody');
select pg_temp.report((select uid from b where n = 4));
select is(pg_temp.level() || ', ' || pg_temp.last(), '2, 1 2 tasks order', 'the next settlement does');
select pg_temp.sum_teams();
select is_empty(
  'select * from app.reconcile() union all select * from app.reconcile_decisions(null)', 'reconcile() finds nothing'
);
select is(r.report #> '{totals,simulated}', r.report #> '{totals,paid}', 'a simulation pays the same')
from (select app.simulate(null, null, now() - interval '1 day', now() + interval '1 day') as report) as r;

select * from finish();
rollback;
