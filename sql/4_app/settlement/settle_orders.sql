-- Precondition: the caller has locked the structure and the orders.
-- Locks: balances by uid (see load_state).
-- Raises: invalid_argument, order_state_conflict, import_unfinished, serialization_failure (the decided earner is not among the locked members).
-- Idempotent: an order has one settlement.
create or replace function app.settle_orders(p_orders app.orders[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
-- A query plan that was cached while a table was empty would scan the whole table in every batch, for the rest of the session.
set enable_seqscan = off
set jit = off
as $$
declare
  v_orders app.orders[] := array(
    select o from unnest(p_orders) as o where not exists (select from app.settlements as s where s.order_id = o.id)
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
    v_points := app.decide_levels(app.settlement_events(v_facts, v_state.plans), v_state.members, v_state.levels);
    if exists (select from unnest(v_money.cycles) as c where c.placed <> 0 and c.uid <> all (v_state.locked)) then
      raise serialization_failure using message = 'the earner of an order is not among the locked members';
    end if;

    perform app.book_settlements(v_money.settlements, v_state.level_version, v_now);
    perform app.book_maturities(v_orders, v_money.settlements, v_state.plans, v_now);
    perform app.book_entries(
      app.settlement_entries(v_money.settlements, v_points.grants, v_state.plans), v_points.members, v_money.cycles, v_now
    );
    if cardinality(v_points.rises) > 0 then
      perform app.book_rises(v_points.rises, v_now);
    end if;
  end if;
  delete from app.settlement_jobs as j where j.order_id = any (array(select o.id from unnest(p_orders) as o));
end
$$;

comment on function app.settle_orders is
  'Settles paid orders with queue goods, in the given sequence, by the three steps of the engine: load, decide, book. Orders '
  'that are settled already are skipped. The jobs of all given orders are deleted. While an '
  'import is unfinished, only orders that are refunded completely are settled. With p_now null, the settlements are dated '
  'when the locks are held (see app.effect_time).';
