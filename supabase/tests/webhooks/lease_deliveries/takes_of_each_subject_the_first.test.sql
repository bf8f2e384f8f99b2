begin;
\ir ../../support/fixture.psql
\ir ../../support/webhooks.psql
select plan(8);

create temporary table hook as select pg_temp.webhook('erp') as id;
create function pg_temp.waits(
  p_event bigint, p_order bigint, p_kind text default 'event'
) returns void language sql as $$
  insert into app.webhook_deliveries (
    webhook_id, kind, era, xid, event_id, type, subject, subject_id, message_id, body, run_after, created_at
  )
  select h.id, p_kind, case when p_kind <> 'test' then 1 end, case when p_kind <> 'test' then '1'::xid8 end,
    case when p_kind <> 'test' then p_event end, 'order.paid',
    case when p_kind <> 'test' then 'order' end, case when p_kind <> 'test' then p_order end, p_kind || p_event, '{}',
    '2026-01-01Z', '2026-01-01Z'
  from hook as h
$$;
create function pg_temp.leased(p_now timestamptz, p_limit integer default 10) returns text language sql as $$
  select coalesce(string_agg(d.message_id, ', ' order by d.message_id), 'nothing') from hook as h
  cross join lateral app.lease_deliveries(h.id, p_limit, p_now) as d
$$;

select pg_temp.waits(1, 1), pg_temp.waits(2, 1), pg_temp.waits(2, 1, 'gap'), pg_temp.waits(3, 2);
select is(pg_temp.leased('2025-12-31Z'), 'nothing', 'what is not due is not taken');
select is(pg_temp.leased('2026-01-02Z'), 'event1, event3', 'of each order the first is taken');
select is(pg_temp.leased('2026-01-02Z'), 'nothing', 'what is leased is not taken again, nor what comes after it');
select is(
  pg_temp.leased('2026-01-02Z'::timestamptz + app.lease_duration()), 'event1, event3', 'after the lease, it is'
);
select app.record_attempt(d.id, d.attempts, 200, '', null, '2026-01-03Z') from app.webhook_deliveries as d
where d.message_id = 'event1';
select is(pg_temp.leased('2026-01-03Z', 1), 'event2', 'once it is delivered, the next one of the order is');
select app.record_attempt(d.id, d.attempts, 200, '', null, '2026-01-03Z') from app.webhook_deliveries as d
where d.message_id = 'event2';
select is(pg_temp.leased('2026-01-03Z'), 'event3, gap2', 'a gap marker comes at the place of its event');
update app.webhooks set state = 'off';
select pg_temp.waits(9, null, 'test');
select is(
  (select string_agg(w::text, ',') from app.due_webhooks('2026-02-01Z') as w), (select id::text from hook),
  'a webhook that is off is due for a test'
);
select is(pg_temp.leased('2026-02-01Z'), 'test9', 'and for nothing else');

select * from finish();
rollback;
