-- GET /adminapi/order/{id}/settlement: who was paid what for an order, by which place, ratio, level and plan version,
-- or why nobody earned. state is none (nothing to settle yet), waiting, dead, settled or refunded.
-- Raises: order_not_found.
create or replace function api.get_settlement(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_answer jsonb;
begin
  select jsonb_build_object(
    'order_id', o.id, 'state', coalesce(s.state, j.state, 'none'), 'uid', o.uid, 'referrer_uid', o.referrer_uid,
    'base', coalesce(s.base, o.queue_base)::text, 'units', coalesce(s.units, o.queue_units),
    'order_plan_version', o.plan_version, 'brokerage_scope', s.brokerage_scope, 'earner_uid', s.earner_uid,
    'cycle_no', s.cycle_no, 'place', s.place, 'cycle_plan_version', s.cycle_plan_version, 'ratio', trim_scale(s.ratio),
    'commission', s.commission::text, 'commission_points', trim_scale(s.commission_points), 'reason', s.reason,
    'settled_at', app.utc(s.settled_at),
    'bill', coalesce((select jsonb_agg(app.bill_json(b) order by b.id) from app.user_bill as b where b.order_id = o.id), '[]'),
    'level_changes', coalesce((
      select jsonb_agg(jsonb_build_object('uid', c.uid, 'from_level', c.from_level, 'to_level', c.to_level) order by c.id)
      from app.level_changes as c where c.order_id = o.id
    ), '[]')
  )
  into v_answer
  from app.orders as o
  left join app.settlements as s on s.order_id = o.id
  left join app.settlement_jobs as j on j.order_id = o.id
  where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return v_answer;
end
$$;

grant execute on function api.get_settlement(bigint) to store_admin;
