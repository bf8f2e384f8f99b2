-- The settlement of an order before any place is taken: what it is based on, and who earns or why nobody does.
-- Callers: book_settlement. Reads only.
create or replace function app.open_settlement(p_order app.orders, p_plan app.commission_plans, p_upline_depth integer, p_now timestamptz)
returns app.settlements
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_settlement app.settlements;
begin
  v_settlement.order_id := p_order.id;
  v_settlement.state := case when p_order.queue_units = 0 then 'refunded' else 'settled' end;
  v_settlement.uid := p_order.uid;
  v_settlement.referrer_uid := p_order.referrer_uid;
  v_settlement.order_plan_version := p_plan.version;
  select l.version, coalesce((select c.id from app.level_changes as c order by c.id desc limit 1), 0)
  into v_settlement.level_version, v_settlement.level_change_mark
  from app.level_versions as l order by l.version desc limit 1;
  v_settlement.upline_depth := p_upline_depth;
  v_settlement.brokerage_scope := p_plan.brokerage_scope;
  v_settlement.base := p_order.queue_base;
  v_settlement.units := p_order.queue_units;
  v_settlement.commission := 0;
  v_settlement.commission_points := 0;
  v_settlement.settled_at := p_now;
  v_settlement.reason := case
    when p_order.queue_units = 0 then 'refunded'
    when p_order.queue_base = 0 then 'zero_base'
    when p_order.referrer_uid is null then 'no_referrer'
  end;
  if v_settlement.reason is null then
    v_settlement.earner_uid := app.find_earner(p_order, p_plan.brokerage_scope, p_plan.max_depth);
    if v_settlement.earner_uid is null then
      v_settlement.reason := case p_plan.brokerage_scope when 'direct' then 'referrer_not_eligible' else 'nobody_eligible' end;
    end if;
  end if;
  return v_settlement;
end
$$;
