-- Locks: the leased rows, without waiting.
-- Not idempotent: each call leases other rows. Concurrent calls never lease the same row, and a row whose worker stopped is due
-- again after the lease. A call is therefore made at least once; its number at the provider makes it take effect once.
create or replace function app.lease_outbox(p_limit integer, p_now timestamptz)
returns setof app.outbox
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.outbox as o
  set attempts = least(o.attempts + 1, 1000), run_after = p_now + app.lease_duration()
  from (
    select d.id from app.outbox as d
    where d.state = 'waiting' and d.run_after <= p_now
    order by d.run_after, d.id
    limit p_limit
    for update skip locked
  ) as due
  where o.id = due.id
  returning o.*
$$;

comment on function app.lease_outbox is 'Takes up to p_limit due rows of the outbox for one worker, counts the attempt and returns them.';
