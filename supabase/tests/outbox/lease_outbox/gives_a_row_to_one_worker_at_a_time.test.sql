begin;
\ir ../../support/fixture.psql
select plan(7);

delete from app.outbox;
select app.add_to_outbox(
  'test', k, '{}', timestamptz '2026-11-20 12:00+00' + n * interval '1 minute', '2026-11-20 12:00+00'
)
from unnest(array['a', 'b', 'c']) with ordinality as t (k, n);
create function pg_temp.lease(p_at text, p_limit integer default 10) returns text language sql as $$
  select string_agg(key || attempts, ' ' order by key)
  from app.lease_outbox(p_limit, ('2026-11-20 ' || p_at || '+00')::timestamptz)
$$;

select is(pg_temp.lease('12:00'), null, 'a row that is not due is not leased');
select is(pg_temp.lease('12:05', 2), 'a1 b1', 'the rows that have been due longest are leased first');
select is(pg_temp.lease('12:05'), 'c1', 'a row that another worker has leased is not leased');
select is(pg_temp.lease('12:06'), null, 'no row is leased again before its lease ends');
select is(
  pg_temp.lease('12:06:30'), 'a2 b2 c2',
  'rows are leased again after their leases have ended, because the worker may have stopped'
);
select app.finish_outbox('test', 'a');
update app.outbox set state = 'failed' where key = 'b';
select is(pg_temp.lease('12:20'), 'c3', 'neither finished nor failed rows are leased');
select app.add_to_outbox('test', 'b', '{}', '2026-11-20 12:00+00', '2026-11-20 12:20+00');
select is(pg_temp.lease('12:20'), 'b3', 'a failed row that is added again is due again');

select * from finish();
rollback;
