-- Security definer: the caller is the member of the verified token, whose cycle and level decide. No parameter names a member.
-- The buyer exists only in the arguments of the decision, as the last member.
create or replace function app.you_would_earn(p_products app.products[])
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.current_uid();
  v_buyer constant bigint := 9223372036854775807;
  v_plan integer;
  v_read record;
  v_plans app.commission_plans[];
  v_members app.tree_member[];
  v_cycles app.cycle_state[];
  v_rules app.level_rule[];
  v_product app.products;
  v_order app.orders;
  v_facts app.order_facts[];
  v_money record;
  v_points record;
  v_result jsonb := jsonb_build_object();
begin
  if v_uid is null or not exists (select from unnest(p_products) as p where p.is_queue_goods) then
    return v_result;
  end if;
  v_plan := app.active_plan_version();
  v_read := app.read_members(array[v_uid], array[v_uid]);
  v_plans := app.load_plans(v_plan || v_read.plans);
  v_members := v_read.members || (v_buyer, 1, 0, false, false, 0, 0, 0, 0, 0, false)::app.tree_member;
  v_cycles := v_read.cycles || null::app.cycle_state;
  v_rules := (select l.rules from app.level_versions as l order by l.version desc limit 1);
  v_order.uid := v_buyer;
  v_order.referrer_uid := v_uid;
  v_order.plan_version := v_plan;
  v_order.paid_at := clock_timestamp();
  v_order.queue_units := 1;
  v_order.refund_status := 0;
  foreach v_product in array p_products loop
    continue when not v_product.is_queue_goods;
    v_order.queue_base := v_product.price;
    v_order.below_minimum := app.is_below_minimum(v_product.price, v_plans[v_plan].minimum_base);
    v_facts := app.order_facts(array[v_order], v_members, v_plan);
    v_money := app.decide_cycles(v_facts, v_members, v_cycles, v_plans);
    v_points := app.decide_levels(app.settlement_events(v_facts, v_plans), v_members, v_rules);
    v_result := v_result || jsonb_build_object(v_product.id, (
      select jsonb_build_object(
        'commission', coalesce(sum(e.brokerage_delta), 0.00)::text, 'points', trim_scale(coalesce(sum(e.frozen_delta), 0)),
        'reason', v_money.settlements[1].reason
      )
      from unnest(app.settlement_entries(v_money.settlements, v_points.grants, v_plans)) as e
      where e.uid = v_uid
    ));
  end loop;
  return v_result;
end
$$;

comment on function app.you_would_earn is
  'Returns, by product id, what the next order of one unit by a direct member would pay the caller, as the engine decides it from '
  'the caller''s open cycle and level and the plan in force: {commission, points, reason}. The reason says why there is no '
  'commission. Products that are no queue goods are left out; without a member, all are.';

grant execute on function app.you_would_earn(app.products[]) to anon, authenticated, store_admin;
