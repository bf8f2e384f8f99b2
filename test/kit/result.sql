-- What the vectors compare, by the ids of the database, at the time of the last event.
select jsonb_build_object(
  'bill', (
    select coalesce(jsonb_object_agg(b.uid, b.rows), '{}')
    from (
      select r.uid, jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'type', r.type, 'order', r.order_id, 'source', case when r.source in ('cycle', 'direct', 'umbrella') and r.brokerage_delta = 0 then r.source end,
        'money', nullif(r.brokerage_delta, 0)::text, 'frozen', trim_scale(nullif(r.frozen_delta, 0))::text,
        'available', trim_scale(nullif(r.available_delta, 0))::text
      )) order by r.id) as rows
      from app.user_bill as r group by r.uid
    ) as b
  ),
  'settlements', (
    select coalesce(jsonb_object_agg(s.order_id, jsonb_build_object(
      'earner', s.earner_uid, 'reason', s.reason, 'cycle', s.cycle_no, 'place', s.place, 'rate', trim_scale(s.rate)::text
    )), '{}')
    from app.settlements as s
  ),
  'refunds', (
    select coalesce(jsonb_object_agg(f.order_id, f.rows), '{}')
    from (
      select r.order_id, jsonb_agg(jsonb_build_object(
        'state', r.state, 'paid_back', case when r.state in ('refunded', 'partly_refunded') then r.amount else 0.00 end::text
      ) order by r.id) as rows
      from app.refunds as r group by r.order_id
    ) as f
  ),
  'members', (
    select jsonb_object_agg(u.uid, jsonb_strip_nulls(jsonb_build_object(
      'held_by_refunds', nullif((app.commission_parts(u.uid, $1::timestamptz)).held_by_refunds, 0)::text,
      'level', u.agent_level, 'money', b.brokerage_price::text, 'withdrawable', app.withdrawable(u.uid, $1::timestamptz)::text,
      'frozen', trim_scale(b.frozen_points)::text, 'available', trim_scale(b.available_points)::text,
      'total_points_earned', trim_scale(b.total_points_earned)::text
    )))
    from app.users as u join app.user_balances as b using (uid)
  ),
  'owed', app.liabilities_json(null, $1::timestamptz) -> 'owed'
) as result
