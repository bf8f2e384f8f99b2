-- What settling orders means in the tree, one event for each (see settlement_event).
-- Callers: settle_orders, decide_again. Reads nothing but its arguments.
create or replace function app.settlement_events(p_orders app.order_facts[], p_plans app.commission_plans[])
returns app.tree_event[]
language plpgsql
immutable
as $$
begin
  return array(
    select app.settlement_event(f, p_plans[f.plan_version].max_depth)
    from pg_catalog.unnest(p_orders) as f
  );
end
$$;
