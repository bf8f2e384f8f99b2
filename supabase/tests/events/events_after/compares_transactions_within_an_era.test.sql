-- Guarantee operation/events-cursor
begin;
\ir ../../support/fixture.psql
select plan(11);

create function pg_temp.read(p_cursor text default null) returns text language sql as $$
  select coalesce(string_agg(e.subject_id::text, ' ' order by e.era, e.xid, e.id), 'nothing')
  from app.event_position(p_cursor) as p cross join lateral app.events_after(p.era, p.xid, p.id, 100) as e
  where e.type = 'order.shipped'
$$;
create temporary table now_is as select c.era, c.system, e.until from app.current_era() as c
  cross join lateral (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as until) as e;
select app.write_event('order.shipped', 1, null, '{}', now());
select is(pg_temp.read(), 'nothing', 'what the transaction itself has written is not read: it is open');
select results_eq('select max(era) from app.event_eras', 'select era from now_is', 'the era of the server is recorded');

insert into app.events (era, xid, type, version, subject, subject_id, payload, cause, add_time)
select era + d, x::text::xid8, 'order.shipped', 1, 'order', s, '{}', 'job', now()
from now_is
cross join lateral (values (0, until - 1, 3), (0, until + 1000000, 4), (-1, 9000000000000000, 2)) as v (d, x, s);
select is(
  pg_temp.read(), '2 3', 'an ended transaction is read, a later one is not; earlier eras have ended, and come first'
);
select is(pg_temp.read(format('%s_%s_0', era, until - 1)), '3', 'reading continues after a cursor') from now_is;
select is(pg_temp.read(format('%s_9000000000000000_0', era - 1)), '2 3', 'also from an earlier era') from now_is;

insert into app.event_eras (era, xid, system) select era, '3', system + 1 from now_is;
select ok((app.current_era()).era > era, 'in another cluster, a restored store begins a later era') from now_is;
select ok(not (app.current_era()).is_known, 'which nobody has recorded yet');
select is(pg_temp.read(), '2 3 1 4', 'and everything restored is read, in its order');
select throws_like(
  format('select pg_temp.read(''%s_1_1'')', (app.current_era()).era + 1), '%invalid_argument%',
  'a cursor of an era that has not begun is refused'
);

-- The first event of a session records its era, and a rollback forgets it.
delete from app.event_eras;
select set_config('store.era', '', false);
savepoint first_event;
select app.write_event('order.shipped', 1, null, '{}', now());
select is((app.current_era()).is_known, true, 'the first event of a session records its era');
rollback to first_event;
select app.write_event('order.shipped', 1, null, '{}', now());
select is((app.current_era()).is_known, true, 'also if the transaction before it was rolled back');

select * from finish();
rollback;
