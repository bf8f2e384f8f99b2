-- All rows of a batch are locked in one order before the first order is settled. It waits for locked members as long as lock_timeout
-- allows.
-- Locks: structure (shared), the orders, the balances of all participants by uid.
-- Raises: invalid_argument.
-- Idempotent, also when it runs concurrently: for an order that is settled meanwhile, only the job is deleted.
create or replace function app.run_settlement_jobs(p_limit integer default app.settlement_batch(), p_now timestamptz default null)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_orders app.orders[];
  v_order app.orders;
  v_uids bigint[];
  v_held bigint[];
  v_now timestamptz := app.effect_time(p_now);
begin
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'A batch has between 1 and 1000 jobs.');
  end if;
  perform app.lock_structure_shared();
  if app.is_importing() then
    return 0;
  end if;
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
    -- An order failed or a row stayed locked: settle each order on its own, except those whose members' rows are locked now.
    v_uids := (app.load_state(p_orders => v_orders, p_locks => false)).locked;
    v_held := array(select u.uid from unnest(v_uids) as u (uid) except select f.uid from app.lock_free_balances(v_uids) as f (uid));
  end;
  foreach v_order in array v_orders loop
    begin
      if (app.load_state(p_orders => array[v_order], p_locks => false)).locked && v_held then
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
  'Settles up to p_limit waiting orders in one transaction and returns how many jobs it handled, settled or failed. Orders that another '
  'session has locked are skipped. If the batch fails, each order is settled on its own. An order that fails is postponed and is dead after '
  'its last attempt; an order whose members'' rows are still locked is postponed. While an import is unfinished, it takes no job.';
