-- Guarantee webhooks/later: A receiver that asks for a later repetition (`Retry-After`) gets it, within 6 hours
-- By: app.postpone_subject
begin;
\ir ../../support/fixture.psql
\ir ../../support/webhooks.psql
select plan(18);

create temporary table hook as select pg_temp.webhook('erp') as id;
insert into app.webhook_deliveries (
  webhook_id, kind, era, xid, event_id, type, subject, subject_id, message_id, body, run_after, created_at
)
select h.id, 'event', 1, '1', e.id, 'order.paid', 'order', e.order_id, 'event' || e.id, '{}', '2026-01-01Z',
  '2026-01-01Z'
from hook as h cross join (values (1, 1), (2, 1), (3, 2)) as e (id, order_id);
-- An attempt of a delivery, and its end at the same time. Returns when it is due again.
create function pg_temp.tried(
  p_message text, p_at timestamptz, p_problem text default 'broken', p_status integer default 500
) returns text language plpgsql as $$
declare
  v_delivery app.webhook_deliveries;
begin
  update app.webhook_deliveries set run_after = p_at where message_id = p_message and state = 'waiting';
  select d.* into v_delivery from hook as h cross join lateral app.lease_deliveries(h.id, 10, p_at) as d
  where d.message_id = p_message;
  perform app.record_attempt(v_delivery.id, v_delivery.attempts, p_status, 'text', p_problem, p_at);
  return (select d.state || ' ' || (d.run_after - p_at) from app.webhook_deliveries as d where d.id = v_delivery.id);
end
$$;
create function pg_temp.webhook() returns text language sql as $$ select concat_ws(
  ' ', w.state, w.failing_since at time zone 'UTC'
)
  from app.webhooks as w $$;

select is(
  pg_temp.tried('event1', '2026-01-01 00:00Z'), 'waiting 00:00:10', 'the first repetition comes after 10 seconds'
);
select is(
  pg_temp.tried('event1', '2026-01-01 00:01Z'), 'waiting 00:01:00',
  'a later one after as long as the attempts have taken'
);
select is(pg_temp.tried('event1', '2026-01-01 01:00Z'), 'waiting 01:00:00', 'so the wait doubles');
select is(pg_temp.tried('event1', '2026-01-02 00:00Z'), 'waiting 06:00:00', 'up to 6 hours');
select is(
  (select run_after from app.webhook_deliveries where message_id = 'event2'), '2026-01-02 06:00Z'::timestamptz,
  'what comes after it waits as long'
);
select is(pg_temp.webhook(), 'on 2026-01-01 00:00:00', 'the webhook fails since the first attempt');
select is(pg_temp.tried('event3', '2026-01-02 01:00Z', null, 200), 'delivered 00:01:30', 'another order goes on');
select is(pg_temp.webhook(), 'on', 'which is a success of the webhook');
create function pg_temp.asked(p_message text, p_at timestamptz, p_seconds integer) returns text language plpgsql as $$
declare
  v_delivery app.webhook_deliveries;
begin
  update app.webhook_deliveries set run_after = p_at, began_at = '2026-01-01Z'
  where message_id = p_message and state = 'waiting';
  select d.* into v_delivery from hook as h cross join lateral app.lease_deliveries(h.id, 10, p_at) as d
  where d.message_id = p_message;
  perform app.record_attempt(v_delivery.id, v_delivery.attempts, 429, 'text', 'slow down', p_at, p_seconds);
  return (select d.run_after - p_at from app.webhook_deliveries as d where d.id = v_delivery.id);
end
$$;
select is(
  pg_temp.asked('event1', '2026-01-01 00:01Z', 120), '00:02:00', 'a receiver that asks for a longer wait gets it'
);
select is(pg_temp.asked('event1', '2026-01-01 01:00Z', 120), '01:00:00', 'not for a shorter one');
select is(pg_temp.asked('event1', '2026-01-01 01:00Z', 2147483647), '06:00:00', 'nor for more than 6 hours');
select is(pg_temp.asked('event1', '2026-01-01 01:00Z', -1), '01:00:00', 'nor for less than nothing');
select app.record_attempt(d.id, 1, 200, 'late', null, '2026-01-02 02:00Z') from app.webhook_deliveries as d
where d.message_id = 'event1';
select is(
  (select state from app.webhook_deliveries where message_id = 'event1'), 'waiting',
  'a late call for an earlier lease changes nothing'
);
select is(
  split_part(pg_temp.tried('event1', '2026-01-04 00:00Z'), ' ', 1), 'given_up', 'after three days it is given up'
);
select is(
  (
    select string_agg(d.message_id, ', ' order by d.message_id) from hook as h
    cross join lateral app.lease_deliveries(h.id, 10, '2026-01-04 00:00Z') as d
  ),
  'gap_event1',
  'and a gap marker is due, before what comes after it'
);
update app.webhooks set failing_since = '2026-01-01Z';
select pg_temp.tried('gap_event1', '2026-01-05 00:00Z');
select is(
  pg_temp.webhook(), 'failing 2026-01-01 00:00:00', 'a webhook of which nothing succeeds for three days is switched off'
);
update app.webhooks set state = 'on', failing_since = null;
select pg_temp.tried('gap_event1', '2026-01-05 01:00Z', 'gone', 410);
select is(
  pg_temp.webhook() || ' ' || (select count(*) from app.webhook_deliveries where state = 'waiting'),
  'gone 2026-01-05 01:00:00 2', 'as one that says that it is gone, and what waits is kept'
);
update app.webhooks set state = 'on', failing_since = null;
insert into app.webhook_deliveries (webhook_id, kind, type, message_id, body, run_after, created_at)
select h.id, 'test', 'webhook.test', 'test', '{}', '2026-01-06Z', '2026-01-06Z' from hook as h;
select pg_temp.tried('test', '2026-01-06Z'), pg_temp.tried('gap_event1', '2026-01-10Z');
select is(pg_temp.webhook(), 'on 2026-01-10 00:00:00', 'a test that fails is not the first of the failures');

select * from finish();
rollback;
