-- Old records that are deleted nightly. Members who leave: app.forget_person in personal_data.sql. Real names:
-- app.forget_real_names in 12_payouts/real_names.sql.

-- Such an order moved neither money nor points: nothing of the bill, no refund and no settlement names it. What names
-- it and proves something, such as a payment that arrived too late, keeps it.
-- Locks: the orders, skipping those that another transaction holds.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_expired_orders(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_orders bigint[] := array(
    select o.id from app.orders as o
    where o.is_expired and o.points_spent = 0 and o.cancelled_at < p_now - interval '180 days'
      and not exists (select from app.payment_attempts as a where a.order_id = o.id and a.state in ('open', 'paid'))
      and not exists (
        select from app.payment_notifications as n
        where n.order_id = o.id and n.outcome not in ('ignored', 'repeated', 'unverified')
      )
      and not exists (select from app.provider_refunds as r where r.order_id = o.id)
      and not exists (select from app.waiting_payments as w where w.order_id = o.id)
    order by o.cancelled_at, o.id limit p_limit for update skip locked
  );
begin
  delete from app.payment_notifications as n where n.order_id = any (v_orders);
  delete from app.payment_payers as p using app.payment_attempts as a
  where a.id = p.attempt_id and a.order_id = any (v_orders);
  delete from app.payment_attempts as a where a.order_id = any (v_orders);
  delete from app.order_lines as l where l.order_id = any (v_orders);
  delete from app.orders as o where o.id = any (v_orders);
  return cardinality(v_orders);
end
$$;

comment on function app.forget_expired_orders is
  'Deletes up to p_limit orders that expired unpaid 180 days ago, unless points, a payment, a refused notification or '
  'a refund belong to them, and returns how many.';

-- What a message that failed was about is deleted with its event, so it cannot be sent any more.
-- Locks: the rows, skipping those that another transaction holds.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_old_notices(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_marks integer;
  v_messages integer;
begin
  delete from app.read_notices as n
  where (n.uid, n.era, n.xid, n.id) in (
    select o.uid, o.era, o.xid, o.id from app.read_notices as o
    where o.add_time < p_now - interval '90 days' order by o.add_time limit p_limit for update skip locked
  );
  get diagnostics v_marks = row_count;
  delete from app.outbox as m
  where m.id = any (array(
    select o.id from app.outbox as o
    where o.state = 'failed' and o.lane = 'messages' and o.created_at < p_now - interval '90 days' order by o.id
    limit p_limit for update skip locked
  ));
  get diagnostics v_messages = row_count;
  return greatest(v_marks, v_messages);
end
$$;

comment on function app.forget_old_notices is
  'Deletes up to p_limit marks of notices that were read 90 days ago, and as many messages that failed and are as '
  'old. Returns the larger number.';

-- Locks: the rows, skipping those that another transaction holds.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_old_deliveries(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
  v_waiting integer;
begin
  delete from app.webhook_deliveries as d
  where d.id = any (array(
    select o.id from app.webhook_deliveries as o
    where o.state <> 'waiting' and o.ended_at < p_now - interval '30 days' order by o.ended_at limit p_limit
    for update skip locked
  ));
  get diagnostics v_ended = row_count;
  delete from app.webhook_deliveries as d
  where d.id = any (array(
    select o.id from app.webhook_deliveries as o join app.webhooks as w on w.id = o.webhook_id
    where o.state = 'waiting' and w.state <> 'on' and o.created_at < p_now - interval '90 days' order by o.id
    limit p_limit for update of o skip locked
  ));
  get diagnostics v_waiting = row_count;
  return greatest(v_ended, v_waiting);
end
$$;

comment on function app.forget_old_deliveries is
  'Deletes up to p_limit deliveries that ended 30 days ago, and as many that have waited 90 days for a webhook that '
  'is off. Returns the larger number.';

-- docs/operations.md, "What is kept", says what stays and why.
-- Locks: see forget_expired_orders, forget_old_events, forget_old_notices, forget_real_names and forget_old_deliveries;
-- then the rows, skipping those that another transaction holds.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_old_records(p_now timestamptz, p_limit integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := greatest(
    app.forget_expired_orders(p_now, p_limit), app.forget_old_events(p_now, p_limit),
    app.forget_old_notices(p_now, p_limit),
    app.forget_real_names(p_now, p_limit), app.forget_old_deliveries(p_now, p_limit)
  );
  v_count integer;
  v_ids bigint[];
begin
  -- An order that is unpaid keeps them: the next attempt counts them for its number.
  v_ids := array(
    select a.id from app.payment_attempts as a
    where a.state in ('refused', 'closed') and a.ended_at < p_now - interval '180 days'
      and exists (select from app.orders as o where o.id = a.order_id and o.state <> 'unpaid')
    order by a.ended_at limit p_limit for update skip locked
  );
  delete from app.payment_payers as p where p.attempt_id = any (v_ids);
  delete from app.payment_attempts as a where a.id = any (v_ids);
  v_most := greatest(v_most, cardinality(v_ids));

  delete from app.payment_notifications as n
  where n.id = any (array(
    select o.id from app.payment_notifications as o
    where o.outcome in ('ignored', 'repeated', 'unverified') and o.add_time < p_now - interval '90 days'
    order by o.add_time, o.id limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_most := greatest(v_most, v_count);

  -- The sums of closed months rest on those that carry them.
  delete from app.reconcile_runs as r
  where r.id = any (array(
    select o.id from app.reconcile_runs as o
    where o.finished_at < p_now - interval '90 days' and o.findings = 0 and o.carried_until is null
    order by o.id limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_most := greatest(v_most, v_count);

  update app.posters as p set image = null
  where p.token = any (array(
    select o.token from app.posters as o
    where o.image is not null and o.made_at < p_now - interval '30 days'
    order by o.made_at limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return greatest(v_most, v_count) = p_limit;
end
$$;

comment on function app.forget_old_records is
  'Deletes up to p_limit of each kind of record that is old and proves nothing (docs/operations.md, "What is kept"). '
  'Returns whether more may be left.';

-- Idempotent, also when it runs concurrently: what is deleted is gone.
create or replace procedure app.purge_old_records()
language plpgsql
as $$
declare
  v_run record := app.begin_run('purge_old_records', 1000);
begin
  commit;
  while app.forget_old_records(app.trusted_time(null), v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.purge_old_records is
  'Deletes old records (app.forget_old_records), in batches with a commit each.';
