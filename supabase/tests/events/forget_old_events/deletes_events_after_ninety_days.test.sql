begin;
\ir ../../support/fixture.psql
select plan(7);

delete from app.events where add_time < now() - interval '90 days';
create temporary table before as select count(*) as events from app.events;
select app.write_event('order.shipped', n, null, '{}', now() - make_interval(hours => 24 * 92 + 12 - 24 * n))
from generate_series(1, 4) as n;
select app.write_event('order.shipped', 5, null, '{}', now() - interval '90 days');
select throws_ok('update app.events set payload = ''{}''', '23001', null, 'an event is never changed');
select throws_ok(
  'delete from app.events where subject_id = 3 and type = ''order.shipped''', '23001', null,
  'and not deleted before its time'
);
select throws_ok('truncate app.events', '23001', null, 'nor are all');
select is((select count(*) from app.events) - events, 5::bigint, 'they are there') from before;
create function pg_temp.forget(p_limit integer) returns integer language sql as $$ select app.forget_old_events(now(),
  p_limit) $$;
select is(pg_temp.forget(1 + (select events from before)::integer), 1, 'a batch deletes what is older than 90 days');
select is(pg_temp.forget(1000), 1, 'the next one the rest');
select results_eq(
  $$ select subject_id from app.events where type = 'order.shipped'
  order by id $$, $$ values (3::bigint), (4), (5) $$, 'those of 90 days or fewer stay'
);

select * from finish();
rollback;
