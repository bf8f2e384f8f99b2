-- Guarantee money/refund-one-answer: A refund request has one answer: one row, one event, one notice. Another refund of
-- the order does not refuse it
-- By: the open request becomes the refund, app.complete_refund (decision 0175)
-- Guarantee money/refund-status: An order has refund status 1 exactly while a request is open, also as of a past
-- instant
-- By: computed with the request that a refund leaves, app.order_with_refund, and app.order_at
begin;
\ir ../../support/fixture.psql
select plan(33);

-- Orders of three flagships and two boxes of tea. Each asks for two flagships and one box: 7299.90.
create temporary table m as select pg_temp.reporter() as referrer;
create temporary table o as
select n.name,
  (
    app.create_order(
      pg_temp.sign_up((select m.referrer::text from m)),
      (
        select jsonb_build_array(
          jsonb_build_object('product_id', g.flagship, 'quantity', 3),
          jsonb_build_object('product_id', g.tea, 'quantity', 2)
        )
        from goods as g
      ),
      now()
    )
  ).id
from (values ('all'), ('more'), ('some'), ('other line'), ('fewer'), ('beside'), ('gone'), ('whole order')) as n (name);
select app.pay_order(id, 'test', name, now()) from o;
select app.settle_order(id, now()) from o;
create function pg_temp.lines(p_name text, p_flagships integer, p_boxes integer) returns jsonb language sql as $$
  select jsonb_agg(
    jsonb_build_object('line_id', l.id, 'quantity', case when l.is_queue_goods then p_flagships else p_boxes end)
    order by l.id
  )
  from o join app.order_lines as l on l.order_id = o.id
  where o.name = p_name and case when l.is_queue_goods then p_flagships else p_boxes end > 0
$$;
create function pg_temp.refund(
  p_name text, p_flagships integer, p_boxes integer, p_answers_request boolean default null
) returns app.refunds language sql as $$
  select app.refund_order(
    o.id, pg_temp.lines(p_name, p_flagships, p_boxes), null, now(), p_answers_request => p_answers_request
  )
  from o where o.name = p_name
$$;
-- Each refund with what it pays back of each line, and what was asked for.
create function pg_temp.refunds(p_name text) returns text language sql as $$
  select string_agg(concat_ws(' ', r.state, r.amount, (
    select string_agg(concat_ws(' of ', x.quantity, x.asked), ' + ' order by x.line_id) from app.refund_lines as x
    where x.refund_id = r.id
  )), ', ' order by r.id)
  from app.refunds as r join o on o.id = r.order_id where o.name = p_name
$$;
create function pg_temp.status(p_name text) returns text language sql as $$
  select concat_ws(' ', s.refund_status, s.queue_units, s.queue_base) from app.orders as s join o using (id)
  where o.name = p_name
$$;
create function pg_temp.told(p_name text) returns text language sql as $$
  select string_agg(e.type, ' ' order by e.id) from app.events as e join o on o.id = e.subject_id
  where o.name = p_name and e.type like 'refund.%'
$$;
select app.request_refund(o.id, pg_temp.lines(o.name, 2, 1), 'too many', now()) from o;
select is(pg_temp.refunds('all'), 'requested 7299.90 2 of 2 + 1 of 1', 'a request keeps what it asks for');
select is((select direct_orders from app.user_balances join m on uid = m.referrer), 0, 'and its order does not count');

select is(
  (app.preview_refund(id, pg_temp.lines(name, 2, 1), now())) ->> 'request_state', 'refunded',
  'the preview says that it will be granted'
)
from o where name = 'all';
select pg_temp.refund('all', 2, 1);
select is(
  pg_temp.refunds('all'), 'refunded 7299.90 2 of 2 + 1 of 1',
  'a refund of all units that were asked for grants the request'
);
select is(pg_temp.status('all'), '3 1 3600.00', 'the order is partly refunded');
select is(pg_temp.told('all'), 'refund.requested refund.refunded', 'the buyer gets one answer');
select is((select direct_orders from app.user_balances join m on uid = m.referrer), 1, 'the order counts again');

select pg_temp.refund('more', 3, 1);
select is(pg_temp.refunds('more'), 'refunded 10899.90 3 of 2 + 1 of 1', 'a refund of more units grants it, too');
select is(pg_temp.told('more'), 'refund.requested refund.refunded', 'with one answer');

select is(
  (app.preview_refund(id, pg_temp.lines(name, 1, 0), now())) ->> 'request_state', 'partly_refunded',
  'the preview says that a part will be granted'
)
from o where name = 'some';
select pg_temp.refund('some', 1, 2);
select is(
  pg_temp.refunds('some'), 'partly_refunded 3799.80 1 of 2 + 2 of 1',
  'fewer units of a line grant a part, also with more of another'
);
select is(pg_temp.status('some'), '3 2 7200.00', 'the order is partly refunded, and no request is open');
select is(pg_temp.told('some'), 'refund.requested refund.partly_refunded', 'the buyer gets one answer');
select throws_ok(
  $$ select app.refuse_refund(id, now()) from o
  where name = 'some' $$, 'PT404', 'refund_not_found', 'nothing is left to answer'
);

select pg_temp.refund('fewer', 2, 0);
select is(
  pg_temp.refunds('fewer'), 'partly_refunded 7200.00 2 of 2 + 0 of 1',
  'a line that is left out stays with what was asked'
);

-- A request for flagships only, and a refund of tea.
select app.refuse_refund(id, now()) from o where name = 'other line';
select app.request_refund(id, pg_temp.lines(name, 1, 0), '', now()) from o where name = 'other line';
select pg_temp.refund('other line', 0, 1, true);
select is(
  pg_temp.refunds('other line'), 'refused 7299.90 2 of 2 + 1 of 1, requested 3600.00 1 of 1, refunded 99.90 1',
  'a refund without anything that was asked for has a row of its own'
);
select is(pg_temp.status('other line'), '1 3 10800.00', 'and the request stays open');
select is(
  pg_temp.told('other line'), 'refund.requested refund.refused refund.requested refund.refunded', 'nothing is refused'
);

select is(
  app.preview_refund(id, pg_temp.lines(name, 2, 0), now(), p_answers_request => false) -> 'request_state',
  '"requested"', 'the preview says that it stays open'
)
from o where name = 'beside';
select pg_temp.refund('beside', 2, 0, false);
select is(
  pg_temp.refunds('beside'), 'requested 3699.90 1 of 2 + 1 of 1, refunded 7200.00 2',
  'a refund beside the request leaves it open, with what is left'
);
select is(pg_temp.status('beside'), '1 1 3600.00', 'the order says so');
select app.refund_order(id, null, null, now()) from o where name = 'beside';
select is(
  pg_temp.refunds('beside'), 'partly_refunded 3699.90 1 of 2 + 1 of 1, refunded 7200.00 2',
  'what is left is refunded as asked, and that is a part'
);
select is(pg_temp.status('beside'), '3 0 0.00', 'a box of tea is left');

select pg_temp.refund('gone', 2, 0, false);
select pg_temp.refund('gone', 0, 2, false);
select is(pg_temp.status('gone'), '1 1 3600.00', 'a unit that was asked for is left');
select app.refund_order(id, null, 'the rest', now(), p_answers_request => false) from o where name = 'gone';
select is(
  pg_temp.refunds('gone'),
  'partly_refunded 0.00 0 of 2 + 0 of 1, refunded 7200.00 2, refunded 199.80 2, refunded 3616.00 1',
  'a request of which other refunds leave nothing ends as granted in part'
);
select is(pg_temp.status('gone'), '2 0 0.00', 'no request is open');
select is(
  pg_temp.told('gone'), 'refund.requested refund.refunded refund.refunded refund.partly_refunded refund.refunded',
  'its buyer is told'
);
select is(
  (
    select count(distinct r.decided_position)::integer from app.refunds as r join o on o.id = r.order_id
    where o.name = 'gone' and (r.refund_ref = 'the rest' or r.state = 'partly_refunded')
  ),
  1, 'at the position of the refund'
);

select app.refund_order(id, null, null, now(), p_answers_request => false) from o where name = 'whole order';
select is(
  pg_temp.refunds('whole order'), 'partly_refunded 0.00 0 of 2 + 0 of 1, refunded 11015.80 3 + 2',
  'beside the request, everything is all that is left'
);
select throws_ok(
  $$ select app.refund_order(id, null, null, now(), p_answers_request => true) from o
  where name = 'all' $$, 'PT404', 'refund_not_found', 'without a request, nothing is answered'
);
select is(
  (select sum(r.amount) from app.refunded_lines('-infinity') as r),
  (select sum(r.amount) from app.refunds as r join o on o.id = r.order_id where app.is_paid_back(r.state)),
  'what was paid back is what the lines say'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');
select results_eq(
  'select c.direct_orders, c.direct_members from m cross join lateral app.computed_task_counts((select last_value + 1 from app.positions)) as c where c.uid = m.referrer',
  'select b.direct_orders, b.direct_members from m join app.user_balances as b on b.uid = m.referrer',
  'the counts are those of the orders as the refunds left them'
);

select * from finish();
rollback;
