-- Raises: order_not_found, order_state_conflict, order_archived, refund_exceeds_order, invalid_argument,
-- serialization_failure (see app.hold_months).
create or replace function app.preview_refund(p_order_id bigint, p_lines jsonb, p_now timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_items app.refund_item[];
  v_facts app.refund_facts;
  v_decision record;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  perform app.require_paid(v_order);
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  perform app.reject_archived_order(p_order_id);
  v_items := app.refund_items(p_order_id, p_lines, true);
  v_facts := app.load_refund(v_order, v_items, false, p_locks => false);
  v_decision := app.decide_refund(v_facts);
  return jsonb_build_object(
    'amount', app.refund_amount(p_order_id, v_items)::text, 'points', trim_scale(v_order.points_left - (v_facts.after).points_left),
    'refund_status', (v_facts.after).refund_status, 'is_imported', v_order.is_imported,
    'reversals', app.foreseen_bill(v_decision.entries, app.effect_time(p_now)),
    'reopened_place', case when cardinality(v_decision.cycles) > 0 then jsonb_build_object(
      'uid', (v_facts.settlement).earner_uid, 'cycle_no', (v_facts.settlement).cycle_no, 'place', (v_facts.settlement).place
    ) end,
    'counts', coalesce((
      select jsonb_agg(jsonb_build_object('uid', a.uid, 'before', app.counters_json(b), 'after', app.counters_json(a)) order by a.uid)
      from unnest(v_decision.members) as a
      join unnest((v_facts.state).members) as b on b.uid = a.uid
      where app.counters_json(a) <> app.counters_json(b)
    ), '[]')
  );
end
$$;

comment on function app.preview_refund is
  'Returns what refunding these units now would pay back, reverse and for whom, which place it would free, and whose task counts it would '
  'change: the decision of refund_order, without booking it. Bill rows in the preview have no id.';
