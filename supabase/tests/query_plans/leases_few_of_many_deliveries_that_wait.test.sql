begin;
\ir ../support/fixture.psql
\ir ../support/webhooks.psql
select plan(3);

-- Without statistics, as where almost all rows were delivered.
create temporary table hook as select pg_temp.webhook('erp') as id;
insert into app.webhook_deliveries (
  webhook_id, kind, era, xid, event_id, type, subject, subject_id, message_id, body, run_after, created_at
)
select h.id, 'event', 1, '1', e, 'order.paid', 'order', e % 500, 'event' || e, '{}', now(), now() from hook as h
cross join generate_series(1, 5000) as e;
create function pg_temp.reads() returns bigint language sql as $$
  select pg_stat_get_xact_tuples_returned('app.webhook_deliveries'::regclass) + sum(
    pg_stat_get_xact_tuples_returned(i.indexrelid)
  )::bigint
  from pg_index as i where i.indrelid = 'app.webhook_deliveries'::regclass
$$;
create temporary table before as select pg_temp.reads() as reads;

create temporary table leased as select d.* from hook as h
  cross join lateral app.lease_deliveries(h.id, 20, now()) as d;
select ok(pg_temp.reads() - reads < 500, format('%s rows are read for 20 that are leased', pg_temp.reads() - reads))
from before;
update before set reads = pg_temp.reads();
select app.subject_due(h.id, 'order', 501, now()) from hook as h;
select ok(pg_temp.reads() - reads < 100, format('%s rows to find when an event is due', pg_temp.reads() - reads))
from before;
update before set reads = pg_temp.reads();
select app.record_attempt(l.id, 1, 500, null, 'broken', now()) from leased as l;
select ok(pg_temp.reads() - reads < 1000, format('%s rows for the outcome of 20 attempts', pg_temp.reads() - reads))
from before;

select * from finish();
rollback;
