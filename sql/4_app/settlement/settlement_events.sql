-- Has no set clause, which would cost time in every call.
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

comment on function app.settlement_events is 'Returns the tree events of settling orders, one for each (see settlement_event).';
