-- What administrators read of orders, one, a page, and those that wait to be shipped.

create or replace function api.admin_get_order(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_left numeric;
begin
  perform app.require_admin();
  select o.* into v_order from app.orders as o where o.id = p_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  v_left := app.price_left(v_order);
  return app.admin_order_json(v_order) || jsonb_build_object(
    'pay_type', v_order.pay_type, 'pay_ref', v_order.pay_ref, 'plan_version', v_order.plan_version, 'refunds',
    app.refunds_json(p_id), 'freight_left', app.freight_left(v_order)::text,
    'refunded', (v_order.pay_price - v_left)::text, 'amount_left', v_left::text,
    'payment_attempts', (
      select coalesce(jsonb_agg(app.attempt_record(a) order by a.id desc), '[]') from app.payment_attempts as a
      where a.order_id = p_id
    ),
    'provider_refunds', (
      select coalesce(jsonb_agg(app.provider_refund_json(r) order by r.id desc), '[]') from app.provider_refunds as r
      where r.order_id = p_id
    ),
    'unclaimed_payments', app.unclaimed_payments_json(p_id),
    'waiting_payment', (
      select jsonb_build_object(
        'marked_by', app.actor_json(w.marked_by), 'pay_ref', w.pay_ref, 'add_time', app.utc(w.add_time)
      )
      from app.waiting_payments as w where w.order_id = p_id and w.refused_at is null and v_order.state = 'unpaid'
    ),
    'refused_payment', (
      select jsonb_build_object(
        'marked_by', app.actor_json(w.marked_by), 'pay_ref', w.pay_ref, 'refused_by', app.actor_json(w.refused_by),
        'refused_at', app.utc(w.refused_at), 'reason', w.reason
      )
      from app.waiting_payments as w where w.order_id = p_id and w.refused_at is not null and v_order.state = 'unpaid'
    ),
    'parcels', (
      select coalesce(
        jsonb_agg(app.parcel_json(l) || jsonb_build_object('shipped_by', app.actor_json(l.shipped_by)) order by l.id),
        '[]'
      )
      from app.parcels as l where l.order_id = p_id
    ),
    'timeline', app.order_timeline(v_order)
  );
end
$$;

comment on function api.admin_get_order is
  'Returns one order with its refunds, payment attempts, unclaimed payments, parcels, offline payment and timeline. '
  'Serves GET /adminapi/order/{id}.';

grant execute on function api.admin_get_order(bigint) to store_admin;

-- Security definer: client roles may not call auth.uid, which says for whom something waits.
create or replace function api.admin_get_orders(
  p_uid bigint default null, p_state text default null, p_refund_status smallint default null,
  p_order_no text default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null, p_search text default null,
  p_waiting text default null, p_paid_from timestamptz default null, p_paid_to timestamptz default null,
  p_refunded_from timestamptz default null, p_refunded_to timestamptz default null, p_sort text default '-id',
  p_product_id bigint default null, p_is_queue_goods boolean default null
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sort record;
  v_position record;
  v_result jsonb;
begin
  perform app.require_admin();
  v_sort := app.check_sort(p_sort, '{id, paid_at}');
  v_position := app.list_position(p_page, p_limit, p_cursor, v_sort.direction);
  -- A plan for the filters and the sort of the call. An array, so that a search starts from the few orders that it
  -- finds.
  execute format($sql$
    with given as not materialized (
      select $3 as uid, $4 as state, $5 as refund_status, $6 as order_no, $7 as added_from, $8 as added_to,
        $9 as search, $10 as waiting, $11 as paid_from, $12 as paid_to, $13 as refunded_from, $14 as refunded_to,
        $15 as product_id, $16 as is_queue_goods, $17 as caller, $18 as caller_uid, $19 as id, $20 as paid_at
    ), matching as not materialized (
      select o.* from app.orders as o cross join given as g
      where (g.uid is null or o.uid = g.uid) and (g.refund_status is null or o.refund_status = g.refund_status)
        -- The state itself is named as well, for the indexes by it.
        and (g.state is null or (
          app.shown_state(o.state, o.refund_status) = g.state and (g.state = 'refunded' or o.state = g.state)
        ))
        and (g.order_no is null or o.order_no = g.order_no)
        and (g.added_from is null or o.add_time >= g.added_from) and (g.added_to is null or o.add_time < g.added_to)
        and (g.search is null or o.id = any (array(select f.order_id from app.find_orders(g.search) as f)))
        and (g.waiting is null or o.uid is distinct from g.caller_uid and case g.waiting
          when 'refund' then o.id = any (array(
            select r.order_id from app.refunds as r
            where app.refund_waits(r.state, r.return_asked_at, r.return_received_at)
          ))
          when 'payment' then o.state = 'unpaid' and o.id = any (array(
            select w.order_id from app.waiting_payments as w where w.refused_at is null and w.marked_by <> g.caller
          ))
        end)
        and (g.paid_from is null or o.paid_at >= g.paid_from) and (g.paid_to is null or o.paid_at < g.paid_to)
        and (
          num_nulls(g.refunded_from, g.refunded_to) = 2
          or o.id = any (array(select f.order_id from app.refunded_amounts(null, g.refunded_from, g.refunded_to) as f))
        )
        and (num_nulls(g.product_id, g.is_queue_goods) = 2 or exists (
          select from app.order_lines as n
          where n.order_id = o.id and (g.product_id is null or n.product_id = g.product_id)
            and (g.is_queue_goods is null or n.is_queue_goods = g.is_queue_goods)
        ))
        and o.%1$I is not null
    )
    select app.log_json(
      jsonb_agg(app.admin_order_json(l)
      || jsonb_build_object('refunded', coalesce(r.amount, 0.00)::text, 'amount_left', app.price_left(l)::text,
      'return_state', (
        select app.return_state(q.return_asked_at, q.return_sent_at, q.return_received_at) from app.refunds as q
        where q.order_id = l.id and q.state = 'requested'
      )) order by l.%1$I %2$s, l.id %2$s), (select count(*) from matching),
      array_agg(app.make_cursor(l.%4$I, l.id) order by l.%1$I %2$s, l.id %2$s), $2
    )
    from (
      select m.* from matching as m cross join given as g where (m.%1$I, m.id) %3$s (g.%1$I, g.id)
      order by m.%1$I %2$s, m.id %2$s offset $1 limit $2
    ) as l
    cross join given as g
    left join lateral app.refunded_amounts(l.id, g.refunded_from, g.refunded_to) as r on true
  $sql$, v_sort.key, v_sort.direction, v_sort.beyond, case v_sort.key when 'id' then 'add_time' else v_sort.key end)
  into v_result
  using v_position.skip, p_limit, p_uid, p_state, p_refund_status, p_order_no, p_from, p_to, p_search, p_waiting,
    p_paid_from, p_paid_to, p_refunded_from, p_refunded_to, p_product_id, p_is_queue_goods, auth.uid(),
    app.current_uid(), v_position.id, v_position.add_time;
  return v_result;
end
$$;

comment on function api.admin_get_orders is
  'Returns one page of all orders, sorted by id, or by time of payment, which leaves out unpaid ones. p_search is that '
  'of app.find_orders, p_state the shown state, p_waiting refund or payment (app.waiting_kinds). refunded is what was '
  'refunded, in the given time if there is one; amount_left is what is left after all refunds. Serves GET '
  '/adminapi/order.';

grant execute on function api.admin_get_orders(
  bigint, text, smallint, text, timestamptz, timestamptz, integer, integer, text, text, text, timestamptz, timestamptz,
  timestamptz, timestamptz, text,
  bigint, boolean
) to store_admin;

-- A plan for the filters of the call: see api.admin_get_orders.
create or replace function api.get_orders_to_ship(
  p_search text default null, p_uid bigint default null, p_product_id bigint default null,
  p_refund_status smallint default null,
  p_from timestamptz default null, p_to timestamptz default null, p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
  v_result jsonb;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  execute $sql$
    with given as not materialized (
      select $3 as search, $4 as uid, $5 as product_id, $6 as refund_status, $7 as paid_from, $8 as paid_to,
        $9 as caller_uid
    ), matching as not materialized (
      select o.* from app.orders as o cross join given as g
      where app.is_to_ship(o.state, o.refund_status) and o.uid is distinct from g.caller_uid
        and (g.search is null or o.id = any (array(select f.order_id from app.find_orders(g.search) as f)))
        and (g.uid is null or o.uid = g.uid)
        and (
          g.product_id is null
          or exists (
            select from app.order_lines as l
            where l.order_id = o.id and l.product_id = g.product_id and l.quantity > l.refunded_quantity
          )
        )
        and (g.refund_status is null or o.refund_status = g.refund_status)
        and (g.paid_from is null or o.paid_at >= g.paid_from) and (g.paid_to is null or o.paid_at < g.paid_to)
    )
    select app.list_json(jsonb_agg(app.admin_order_json(l) order by l.paid_at, l.id), (select count(*) from matching))
    from (select m.* from matching as m order by m.paid_at, m.id offset $1 limit $2) as l
  $sql$
  into v_result
  using v_skip, p_limit, p_search, p_uid, p_product_id, p_refund_status, p_from, p_to, app.current_uid();
  return v_result;
end
$$;

comment on function api.get_orders_to_ship is
  'Returns one page of the orders that wait for their shipment, without the caller''s own, in the sequence of payment. '
  'p_from and p_to limit the time of payment. Serves GET /adminapi/shipping.';

grant execute on function api.get_orders_to_ship(
  text, bigint, bigint, smallint, timestamptz, timestamptz, integer, integer
) to store_admin;
