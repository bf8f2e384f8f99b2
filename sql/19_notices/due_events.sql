-- Events that time causes: commission that has matured, and orders that are about to expire.

-- The mark instead of the event says what is done, because events are deleted after 90 days.
-- Locks: the rows, skipping those that another transaction holds.
-- Idempotent: a row is marked once.
create or replace function app.announce_maturities(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_due bigint[] := array(
    select m.order_id from app.commission_maturities as m
    where m.matures_at <= p_now and not m.is_announced and not exists (
      -- Told when it can be withdrawn, once the request is answered.
      select from app.refunds as r
      where r.order_id = m.order_id and r.state = 'requested' and app.names_queue_goods(r.id)
    )
    order by m.matures_at, m.order_id limit p_limit for update skip locked
  );
  v_events app.event[];
begin
  with announced as (
    update app.commission_maturities as m set is_announced = true where m.order_id = any (v_due) and not m.is_announced
    returning m.*
  )
  select array_agg((
    'commission.matured', a.order_id, a.uid, jsonb_build_object('amount', a.amount_left::text), 'job', null
  )::app.event order by a.matures_at, a.order_id) into v_events
  from announced as a
  where a.amount_left > 0 and not exists (select from app.users as u where u.uid = a.uid and u.left_at is not null);
  perform app.write_events(v_events, p_now);
  return cardinality(v_due);
end
$$;

comment on function app.announce_maturities is
  'Writes events for up to p_limit orders whose commission has matured at p_now and is not held by a refund request, '
  'unless none is left or the earner has left. Returns how many orders it has marked.';

create or replace function app.expiry_notice()
returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select interval '10 minutes'
$$;

comment on function app.expiry_notice is 'Returns how long before an order expires its buyer is told.';

-- What was read before the locks may be old, so the events are decided by a statement of their own.
-- Locks: the orders, skipping those that another transaction holds.
-- Idempotent: an order has one such event.
create or replace function app.announce_expiries(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_orders app.orders[] := array(
    select o from app.orders as o
    where o.id = any (app.expired_orders(p_now + app.expiry_notice())) and o.state = 'unpaid'
      and app.order_expires_at(o) > p_now
      and not exists (select from app.events as e where e.type = 'order.expiring' and e.subject_id = o.id)
    order by o.id limit p_limit for update skip locked
  );
begin
  perform app.write_events(array(
    select (
      'order.expiring', o.id, o.uid, jsonb_build_object('expires_at', app.utc(app.order_expires_at(o))), 'job', null
    )::app.event
    from unnest(v_orders) as o
    where app.order_expires_at(o) between p_now and p_now + app.expiry_notice()
      and not exists (select from app.events as e where e.type = 'order.expiring' and e.subject_id = o.id)
    order by o.id
  ), p_now);
  return cardinality(v_orders);
end
$$;

comment on function app.announce_expiries is
  'Writes events for up to p_limit unpaid orders that expire within app.expiry_notice() after p_now and have none. '
  'Returns how many it has read.';

-- Idempotent, also when it runs concurrently: see the two functions.
create or replace procedure app.write_due_events(p_now timestamptz default null)
language plpgsql
as $$
declare
  v_run record := app.begin_run('write_due_events', 1000);
  v_now pg_catalog.timestamptz := app.trusted_time(p_now);
begin
  commit;
  while greatest(
    app.announce_maturities(v_now, v_run.batch), app.announce_expiries(v_now, v_run.batch)
  ) = v_run.batch loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.write_due_events is
  'Writes the events that time causes and that are not written yet, in batches with a commit each.';
