-- Settlement as a whole: one order, a batch, and the orders that wait for it.

-- Precondition: the caller has locked the structure and the orders.
-- Locks: balances by uid (see load_state).
-- Idempotent: an order has one settlement. A second call skips it.
create or replace function app.settle_orders(p_orders app.orders[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
-- A query plan that was cached while a table was empty would scan the whole table in every batch, for the rest of the
-- session.
set enable_seqscan = off
set jit = off
as $$
declare
  v_orders app.orders[] := array(
    select o from unnest(p_orders) as o
    -- With `offset 0`, it is no join but one lookup for each order. A join that was planned while few orders were
    -- settled would read all settlements.
    where not exists (select from app.settlements as s where s.order_id = o.id offset 0)
    order by o.paid_at, o.id
  );
  v_order app.orders;
  v_state app.engine_state;
  v_facts app.order_facts[];
  v_money record;
  v_points record;
  v_now timestamptz;
begin
  foreach v_order in array v_orders loop
    if v_order.paid_at is null or not v_order.has_queue_goods then
      perform app.fail('order_state_conflict', 'Only a paid order with queue goods can be settled.');
    end if;
  end loop;
  if exists (select from unnest(v_orders) as o where o.queue_units > 0) and app.is_importing() then
    perform app.fail('import_unfinished');
  end if;
  if cardinality(v_orders) > 0 then
    v_state := app.load_state(p_orders => v_orders);
    v_now := app.effect_time(p_now);

    v_facts := app.order_facts(v_orders, v_state.members, v_state.plan_in_force);
    v_money := app.decide_cycles(v_facts, v_state.members, v_state.cycles, v_state.plans);
    v_points := app.decide_levels(app.settlement_changes(v_facts, v_state.plans), v_state.members, v_state.levels);
    -- A refund between app.umbrella_earners and the locks has made another member the earner (R4; docs/decisions/0027).
    -- A repetition locks that one, so the error is of a class that callers repeat and that is not counted as an attempt
    -- of the job.
    if exists (select from unnest(v_money.cycles) as c where c.placed <> 0 and c.uid <> all (v_state.locked)) then
      raise serialization_failure using message = 'the earner of an order is not among the locked members';
    end if;

    perform app.book_settlements(v_money.settlements, v_state.level_version, v_now);
    perform app.book_maturities(v_orders, v_money.settlements, v_state.plans, v_now);
    perform app.book_entries(
      app.settlement_entries(v_money.settlements, v_points.grants, v_state.plans), v_points.members, v_money.cycles,
      v_now
    );
    if cardinality(v_points.rises) > 0 then
      perform app.book_rises(v_points.rises, v_now);
    end if;
    perform app.write_settlement_events(v_money.settlements, v_points.rises, v_now);
  end if;
  delete from app.settlement_jobs as j where j.order_id = any (array(select o.id from unnest(p_orders) as o));
end
$$;

comment on function app.settle_orders is
  'Settles paid orders with queue goods, in the sequence of payment and id, and deletes the jobs of all given orders. '
  'Skips settled orders. Raises import_unfinished while an import is unfinished, unless their queue goods are all '
  'refunded.';

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: an order has one settlement. A second call returns it.
create or replace function app.settle_order(p_order_id bigint, p_now timestamptz)
returns app.settlements
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_settlement app.settlements;
begin
  perform app.lock_structure_shared();
  perform app.settle_orders(array[app.lock_order(p_order_id)], p_now);
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  return v_settlement;
end
$$;

comment on function app.settle_order is
  'Settles one paid order with queue goods, unless it is settled already, and returns its settlement.';

-- Precondition: the caller has locked the order.
-- Not idempotent: each call can count as one more attempt.
create or replace function app.postpone_job(p_order_id bigint, p_sqlstate text, p_message text, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.settlement_jobs as j
  set attempts = j.attempts + f.counted,
      state = case when j.attempts + f.counted >= 8 then 'dead' else 'waiting' end,
      run_after = p_now + case f.counted
        when 0 then interval '10 seconds'
        else interval '30 seconds' * power(2, j.attempts)
      end,
      last_error = left(format('%s: %s', p_sqlstate, p_message), 500)
  from (
    select case
      when left(p_sqlstate, 2) in ('53', '57', '40') or p_sqlstate = '55P03' or p_message = 'month_closed' then 0
      else 1
    end as counted
  ) as f
  where j.order_id = p_order_id
$$;

comment on function app.postpone_job is
  'Records that a settlement failed, and when its job is due again. Errors that do not depend on the order are no '
  'attempt, and the job waits ten seconds: classes 40, 53 and 57, lock timeout (55P03), and month_closed. After others '
  'it waits 30 seconds, doubled with each attempt. After the eighth, it is dead.';

create or replace function app.settlement_batch_size()
returns integer
language sql
immutable
parallel safe
as $$
  select 50
$$;

comment on function app.settlement_batch_size is
  'Returns how many orders are settled in one transaction in the background.';

-- All rows of a batch are locked, in the lock order, before anything is settled. The batch waits for locked members as
-- long as lock_timeout allows.
-- Locks: structure (shared), the orders, the balances of all participants by uid. Idempotent, also when it runs
-- concurrently: for an order that is settled meanwhile, only the job is deleted.
create or replace function app.run_settlement_jobs(
  p_limit integer default app.settlement_batch_size(), p_now timestamptz default null
)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_orders app.orders[];
  v_order app.orders;
  v_uids bigint[];
  v_locked_elsewhere bigint[];
  v_now timestamptz := app.effect_time(p_now);
begin
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'A batch has between 1 and 1000 jobs.');
  end if;
  perform app.lock_structure_shared();
  if app.is_importing() then
    return 0;
  end if;
  -- The jobs that have been due for longest. The sequence in which they are settled is another one: that of the
  -- payments.
  v_orders := array(
    select o
    from app.settlement_jobs as j
    join app.orders as o on o.id = j.order_id
    where j.state = 'waiting' and j.run_after <= v_now
    order by j.run_after, j.order_id
    limit p_limit
    for update of o skip locked
  );
  -- One subtransaction locks and writes all rows. With one per order, each row version of a busy member would name two
  -- transactions, its locker and its writer, and reading the row would take longer with each order of the batch.
  begin
    perform app.settle_orders(v_orders, p_now);
    return cardinality(v_orders);
  exception when others then
    -- An order failed or a row stayed locked: settle each order on its own, except those whose members' rows are locked
    -- now.
    v_uids := (app.load_state(p_orders => v_orders, p_locks => false)).locked;
    v_locked_elsewhere := array(
      select u.uid from unnest(v_uids) as u (uid) except select f.uid from app.try_lock_balances(v_uids) as f (uid)
      order by uid
    );
  end;
  for v_order in select o.* from unnest(v_orders) as o order by o.paid_at, o.id loop
    begin
      if (app.load_state(p_orders => array[v_order], p_locks => false)).locked && v_locked_elsewhere then
        raise lock_not_available using message = 'another transaction holds the row of a member';
      end if;
      perform app.settle_orders(array[v_order], p_now);
    exception when others then
      perform app.postpone_job(v_order.id, sqlstate, sqlerrm, app.effect_time(p_now));
    end;
  end loop;
  return cardinality(v_orders);
end
$$;

comment on function app.run_settlement_jobs is
  'Settles up to p_limit waiting orders in one transaction, in the sequence of payment, and returns how many jobs it '
  'handled, settled or failed. Skips locked orders, and postpones jobs that fail (app.postpone_job). Takes no job '
  'while an import is unfinished.';

-- If all slots are taken, null is safe: the caller has committed its order, and each leader looks for due jobs again
-- after its commit. A leader must call again until it gets null, even after 0: another caller may have found its slot
-- taken meanwhile.
-- Locks: an advisory lock of a slot, before all others, which only the scheduled job waits for; then see
-- run_settlement_jobs. The lock ends with the transaction, so it needs no session of its own.
-- Idempotent, also when it runs concurrently: see run_settlement_jobs.
create or replace function app.lead_settlement(
  p_slots integer default null, p_limit integer default app.settlement_batch_size(), p_now timestamptz default null
)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := app.effect_time(p_now);
begin
  if app.is_importing()
    or not exists (select from app.settlement_jobs as j where j.state = 'waiting' and j.run_after <= v_now) then
    return null;
  end if;
  if p_slots is null then
    perform pg_advisory_xact_lock(app.lock_number('settlement'), 1);
    return app.run_settlement_jobs(p_limit, p_now);
  end if;
  for v_slot in 1..p_slots loop
    if pg_try_advisory_xact_lock(app.lock_number('settlement'), v_slot) then
      return app.run_settlement_jobs(p_limit, p_now);
    end if;
  end loop;
  return null;
end
$$;

comment on function app.lead_settlement is
  'Settles one batch (app.run_settlement_jobs) if it gets one of p_slots slots without waiting; with p_slots null, '
  'waits for the first slot. Returns how many jobs it handled: 0 if others have locked or just settled the due orders. '
  'Null if no job is due, all slots are held, or an import is unfinished. The caller commits and calls again until it '
  'gets null.';

-- The lock timeout is short, because a batch holds a slot, the shared structure lock and its orders while it waits. It
-- waits for the first slot, so that it ends only when nothing is due, and not when another leader takes over who may
-- leave soon. Idempotent, also when it runs concurrently: see run_settlement_jobs.
create or replace procedure app.drain_settlement_jobs()
language plpgsql
as $$
declare
  v_run record := app.begin_run('settle_waiting_orders', app.settlement_batch_size());
  v_handled integer;
  v_looks integer := 0;
begin
  commit;
  loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      v_handled := app.lead_settlement(p_limit => v_run.batch);
    exception when lock_not_available then
      -- Another transaction holds the slot or the structure lock.
      v_handled := null;
    end;
    if v_handled > 0 then
      v_run.batch := app.end_batch(v_run.id);
      v_looks := 0;
    end if;
    commit;
    exit when v_handled is null or v_looks = 10;
    if v_handled = 0 then
      v_looks := v_looks + 1;
      perform pg_catalog.pg_sleep(0.1);
    end if;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.drain_settlement_jobs is
  'Settles all orders that are due, in batches with a commit each. What others still lock after a second is left for '
  'the next run.';

-- The age counts, not when the job is due next: a job that never gets its lock is due again ten seconds later, forever.
create or replace function app.settlement_job_state(p_now timestamptz)
returns table (waiting bigint, dead bigint, waiting_since timestamptz, is_late boolean, import_since timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select j.waiting, j.dead, j.waiting_since, coalesce(j.waiting_since < p_now - interval '5 minutes', false),
    (select i.started_at from app.imports as i where i.finished_at is null)
  from (
    select count(*) filter (where q.state = 'waiting') as waiting, count(*) filter (where q.state = 'dead') as dead,
      min(q.created_at) filter (where q.state = 'waiting') as waiting_since
    from app.settlement_jobs as q
  ) as j
$$;

comment on function app.settlement_job_state is
  'Returns how many settlement jobs wait or are dead, and when the oldest waiting one was created (waiting_since). '
  'is_late: that is over five minutes ago. import_since: the start of the unfinished import that they wait for.';

grant execute on function app.settlement_job_state(timestamptz) to store_admin;
