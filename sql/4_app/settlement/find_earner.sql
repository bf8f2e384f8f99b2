create or replace function app.find_earner(
  p_order app.order_facts, p_plan app.commission_plans, p_members app.tree_member[], p_cycles app.cycle_state[]
)
returns integer
language plpgsql
immutable
as $$
declare
  v_index integer := p_members[p_order.member].referrer;
  v_left integer := case p_plan.brokerage_scope when 'direct' then 1 else p_plan.max_depth end;
begin
  while v_index is not null and coalesce(v_left, 1) > 0 loop
    if p_cycles[v_index].reported_since <= p_order.paid_at then
      return v_index;
    end if;
    v_index := p_members[v_index].referrer;
    v_left := v_left - 1;
  end loop;
  return null;
end
$$;

comment on function app.find_earner is
  'Returns the index of the member who earns the commission of an order (R4), or null: with scope direct the referrer if '
  'eligible, with scope umbrella the nearest eligible member of the upline, within the plan''s max_depth.';
