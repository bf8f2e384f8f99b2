-- What happened to an order, and who did it.

create or replace function app.order_timeline(p_order app.orders)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with actions as (
    select a.function, a.actor, a.to_value ->> 'state' as state, a.add_time
    from app.admin_actions as a
    where a.target_type = 'order' and a.target_id = p_order.id::text and a.add_time >= p_order.add_time
  ),
  refunds as (
    select r.*, lead(r.decided_at) over (order by r.decided_at, r.id) as next_decided_at
    from app.refunds as r where r.order_id = p_order.id
  ),
  steps as (
    select 'placed' as step, p_order.add_time as at, 'buyer' as by, null::uuid as actor, p_order.pay_price as amount
    union all
    select 'paid', p_order.paid_at, case when a.actor is null then 'buyer' else 'administrator' end, a.actor,
      p_order.pay_price
    from (values (1)) as one
    left join lateral (
      select b.actor from actions as b where b.function = 'pay_order_offline' and b.state <> 'unpaid'
      order by b.add_time limit 1
    ) as a on true
    union all
    select 'settled', s.settled_at, 'store', null, null from app.settlements as s where s.order_id = p_order.id
    union all
    select 'shipped', p_order.delivered_at, case when a.actor is not null then 'administrator' end, a.actor, null
    from (values (1)) as one
    left join lateral (
      select b.actor from actions as b where b.function in ('deliver_order', 'deliver_orders', 'ship_orders')
      order by b.add_time limit 1
    ) as a on true
    union all
    select 'received', p_order.received_at, null, null, null
    union all
    select case when p_order.is_expired then 'expired' else 'cancelled' end, p_order.cancelled_at,
      case when p_order.is_expired then 'store' else 'buyer' end, null, null
    union all
    -- A refund without a request is decided when it is created.
    select 'asked', r.created_at, 'buyer', null, null from refunds as r where r.decided_at is distinct from r.created_at
    union all
    select r.state, r.decided_at,
      case when r.state = 'taken_back' then 'buyer' when a.actor is null then 'store' else 'administrator' end, a.actor,
      case when app.is_paid_back(r.state) then r.amount end
    from refunds as r
    left join lateral (
      -- The action follows in the transaction of the decision.
      select b.actor from actions as b
      where b.function in ('refund_order', 'refuse_refund') and b.add_time >= r.decided_at
        and (r.next_decided_at is null or b.add_time < r.next_decided_at)
      order by b.add_time limit 1
    ) as a on true
  )
  select jsonb_agg(
    jsonb_build_object(
      'step', s.step, 'at', app.utc(s.at), 'by', s.by, 'actor', app.actor_json(s.actor), 'amount', s.amount::text
    )
    -- What happens at one time happens in this sequence. Decisions on refunds come last.
    order by s.at, array_position(array['placed', 'paid', 'settled', 'shipped', 'received', 'asked'], s.step)
  )
  from steps as s where s.at is not null
$$;

comment on function app.order_timeline is
  'Returns what happened to an order, oldest first, as [{step, at, by, actor, amount}]: placed, paid, settled, shipped, '
  'received, expired or cancelled, asked for a refund, and each decision on one. by is buyer, store or administrator, '
  'and null if it is not recorded.';

grant execute on function app.order_timeline(app.orders) to store_admin;
