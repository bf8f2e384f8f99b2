begin;
\ir ../../support/fixture.psql
\ir ../../support/webhooks.psql
select plan(8);

-- Events are read up to the oldest open transaction, which this one is. So the events of this test are written as if by
-- an earlier one.
delete from app.webhook_position;
create temporary table here as select c.era, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as until
  from app.current_era() as c;
insert into app.webhook_position (era, xid, event_id) select era, (until - 1)::text::xid8, 9000000000000000000
from here;
create temporary sequence numbers;
create function pg_temp.happens(p_type text, p_subject_id bigint) returns void language sql as $$
  insert into app.events (
    era, xid, id, type, version, subject, subject_id, uid, payload, cause, add_time
  ) overriding system value
  select h.era, (h.until - 1)::text::xid8, 9000000000000000000 + nextval('numbers'), t.type, 1, t.subject, p_subject_id,
    null, '{}', 'job', now()
  from here as h, app.event_types as t where t.type = p_type
$$;
create function pg_temp.written() returns text language sql as $$
  select coalesce(
    string_agg(w.description || ' ' || d.type || ' ' || d.subject_id, ', ' order by d.event_id, w.id), 'nothing'
  )
  from app.webhook_deliveries as d join app.webhooks as w on w.id = d.webhook_id
$$;

select pg_temp.webhook('erp', '{order.paid, order.shipped}'), pg_temp.webhook('warehouse', '{order.shipped}'),
  pg_temp.webhook('closed', '{order.shipped}');
update app.webhooks set state = 'off' where description = 'closed';
select pg_temp.happens('order.paid', 1), pg_temp.happens('order.shipped', 1), pg_temp.happens('order.received', 1),
  pg_temp.happens('order.shipped', 2);

select is(app.follow_events(now(), 3), 3, 'it reads so many events');
select is(
  pg_temp.written(), 'erp order.paid 1, erp order.shipped 1, warehouse order.shipped 1',
  'an event goes to each webhook that is on and has chosen its type'
);
select is(app.follow_events(now(), 3), 1, 'the next call reads on');
select is(app.follow_events(now(), 3), 0, 'and the next one nothing');
select is(
  pg_temp.written(),
  'erp order.paid 1, erp order.shipped 1, warehouse order.shipped 1, erp order.shipped 2, warehouse order.shipped 2',
  'each is written once'
);
select is(
  (select d.body::jsonb from app.webhook_deliveries as d where d.type = 'order.paid'),
  (
    select jsonb_build_object('type', e.type, 'timestamp', app.utc(e.add_time), 'data', app.event_json(e))
    from app.events as e join app.webhook_deliveries as d on d.event_id = e.id and d.type = 'order.paid'
  ),
  'the body has the event as the API shows it'
);
select results_eq(
  $$ select d.message_id from app.webhook_deliveries as d where d.type = 'order.paid' $$,
  $$ select app.event_cursor(e) from app.events as e
  join app.webhook_deliveries as d on d.event_id = e.id and d.type = 'order.paid' $$,
  'its id is the cursor of the event'
);
-- Nobody gets these later.
update app.webhooks set state = 'off';
select pg_temp.happens('order.shipped', 3), app.follow_events(now(), 3);
select ok(
  (select p.xid >= pg_snapshot_xmin(pg_current_snapshot()) from app.webhook_position as p),
  'without a webhook that is on, nothing is kept to be written later'
);

select * from finish();
rollback;
