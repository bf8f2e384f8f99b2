-- Raises: order_not_found, order_archived, serialization_failure (see app.hold_months).
create or replace function app.explain_order(p_order_id bigint, p_limit integer default 200)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_settlement app.settlements;
  v_job app.settlement_jobs;
  v_again record;
  v_result jsonb;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  select j.* into v_job from app.settlement_jobs as j where j.order_id = p_order_id;
  v_result := jsonb_build_object(
    'order_id', p_order_id, 'state', coalesce(v_settlement.state, v_job.state, 'none'), 'uid', v_order.uid,
    'referrer_uid', v_order.referrer_uid, 'order_plan_version', v_order.plan_version, 'paid_at', app.utc(v_order.paid_at)
  );
  if v_settlement.order_id is null then
    return v_result;
  end if;
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  perform app.reject_archived_order(p_order_id);
  v_again := app.decide_again(v_settlement);
  return v_result || jsonb_build_object(
    'base', v_settlement.base::text, 'units', v_settlement.units, 'settled_at', app.utc(v_settlement.settled_at),
    'level_version', v_settlement.level_version, 'upline_depth', cardinality(v_again.grants),
    'cycle', app.explain_cycle(v_settlement, v_again.settlement, v_again.grants, p_limit),
    'levels', app.explain_levels(v_settlement, v_again.grants, p_limit),
    'matches_the_books', not exists (select from app.settlement_differences(v_settlement)),
    'bill', coalesce((
      select jsonb_agg(app.bill_json(b) order by b.id) from app.user_bill as b where b.order_id = p_order_id
    ), '[]'),
    'level_changes', coalesce((
      select jsonb_agg(jsonb_build_object('uid', c.uid, 'from_level', c.from_level, 'to_level', c.to_level) order by c.id)
      from app.level_changes as c where c.order_id = p_order_id
    ), '[]')
  );
end
$$;

comment on function app.explain_order is
  'Explains who got what for an order, by which rule, place, ratio, level and plan version, and why others got nothing, in '
  'enough detail to recompute it by hand. state is none (nothing to settle yet), waiting, dead, settled, refunded or imported. Lists at '
  'most p_limit members.';
