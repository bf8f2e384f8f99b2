begin;
\ir ../../support/fixture.psql
select plan(3);

-- Events are read up to the oldest open transaction, which this one is. So the events of this test are written as if by
-- earlier ones.
delete from app.webhooks;
delete from app.webhook_position;
create temporary table here as select c.era, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as until
  from app.current_era() as c;
insert into app.webhook_position (era, xid, event_id) select era - 1, '0', 0 from here;
-- The n-th transaction before this one ships order n; in an earlier era, order 90.
create function pg_temp.ships(p_order bigint, p_era integer, p_xid bigint) returns void language sql as $$
  insert into app.events (
    era, xid, id, type, version, subject, subject_id, uid, payload, cause, add_time
  ) overriding system value
  values (
    p_era, p_xid::text::xid8, 9000000000000000000 + p_order, 'order.shipped', 1, 'order', p_order, null, '{}', 'job',
    now()
  )
$$;
select pg_temp.ships(n, era, until - n) from here, generate_series(1, 4) as n;
select pg_temp.ships(90, era - 1, until + 90) from here;
create function pg_temp.webhook(p_name text, p_since pg_snapshot) returns bigint language sql as $$
  insert into app.webhooks (url, description, types, salt, salted_at, created_by, created_at, since_era, since)
  select 'https://' || p_name || '.example.com', p_name, '{order.shipped}', repeat('0', 32), now(), gen_random_uuid(),
    now(), case when p_since is not null then h.era end, p_since
  from here as h returning id
$$;
create function pg_temp.written(p_name text) returns text language sql as $$
  select string_agg(d.subject_id::text, ', ' order by d.subject_id)
  from app.webhook_deliveries as d join app.webhooks as w on w.id = d.webhook_id and w.description = p_name
  where d.subject_id in (1, 2, 3, 4, 90)
$$;

-- When it was made, the transactions 4 and 2 had ended, 3 was open and 1 had not begun.
select pg_temp.webhook('made', format('%s:%s:%1$s', until - 3, until - 1)::pg_snapshot),
  pg_temp.webhook('unknown', null)
from here;
select app.follow_events(now(), 1000);
select is(pg_temp.written('made'), '1, 3', 'it gets what was open when it was made and what began later, in this era');
select is(pg_temp.written('unknown'), '1, 2, 3, 4, 90', 'one from before snapshots were stored gets all');
select app.add_deliveries(
  array(select e from app.events as e where e.subject_id in (2, 3) and e.type = 'order.shipped' order by e.id),
  array[w.id], true, now()
)
from app.webhooks as w where w.description = 'made';
select is(pg_temp.written('made'), '1, 2, 3', 'what is sent again on demand may be from before');

select * from finish();
rollback;
