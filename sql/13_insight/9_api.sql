-- What clients may call about explained orders, simulations, signals and the overview.

-- Security definer: client roles may not execute the functions that walk the downline.
create or replace function api.get_count_audit(p_uid bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.audit_counts(p_uid);
end
$$;

comment on function api.get_count_audit is
  'Returns a member''s task counts order by order, as app.audit_counts lists them. Serves GET '
  '/adminapi/hjf/member/{uid}/count_audit.';

grant execute on function api.get_count_audit(bigint) to store_admin;

-- Security definer: client roles may not execute the functions that walk the downline.
create or replace function api.get_level_review(p_limit integer default 20, p_cursor bigint default 0, p_kind text default 'fall')
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.check_page(1, p_limit);
  if p_kind is null or p_kind not in ('fall', 'rise') then
    perform app.fail('invalid_argument', 'The review lists who would fall or who would rise.');
  end if;
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(jsonb_build_object(
        'uid', u.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'level_is_held', u.is_held, 'reached_level', r.reached_level,
        'missing', case when r.reached_level is not null then (
          select coalesce(jsonb_agg(jsonb_build_object('agent_level', t.grade, 'type', t.type, 'target', t.target, 'current', c.current) order by t.grade, t.type), '[]')
          from app.agent_levels as l
          join app.agent_level_tasks as t on t.grade = l.grade
          cross join lateral (select (to_jsonb(r.counts) ->> t.type)::integer as current) as c
          where l.is_active and l.grade > r.reached_level and l.grade <= u.agent_level and c.current < t.target
        ) end
      ) order by u.uid) filter (where r.uid is not null), '[]'),
      'next_cursor', max(r.next_after)
    )
    from (
      select l.* from app.level_review(coalesce(p_cursor, 0), p_limit) as l where p_kind = 'fall'
      union all
      select l.* from app.rise_review(coalesce(p_cursor, 0), p_limit) as l where p_kind = 'rise'
    ) as r
    left join app.users as u on u.uid = r.uid
  );
end
$$;

comment on function api.get_level_review is
  'Returns members who would not reach their level today, after refunds, with what is missing; or, with p_kind rise, those who meet the tasks of a higher level and have not '
  'risen. Levels do not fall by themselves, and level settings raise nobody. A '
  'page reads a bounded number of members and can have fewer than p_limit. Serves GET /adminapi/agent/level/review.';

grant execute on function api.get_level_review(integer, bigint, text) to store_admin;

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
    'pay_type', v_order.pay_type, 'pay_ref', v_order.pay_ref, 'plan_version', v_order.plan_version, 'refunds', app.refunds_json(p_id), 'freight_left', app.freight_left(v_order)::text,
    'refunded', (v_order.pay_price - v_left)::text, 'amount_left', v_left::text,
    'payment_attempts', (
      select coalesce(jsonb_agg(app.attempt_record(a) order by a.id desc), '[]') from app.payment_attempts as a where a.order_id = p_id
    ),
    'provider_refunds', (
      select coalesce(jsonb_agg(app.provider_refund_json(r) order by r.id desc), '[]') from app.provider_refunds as r where r.order_id = p_id
    ),
    'unclaimed_payments', app.unclaimed_payments_json(p_id),
    'waiting_payment', (
      select jsonb_build_object('marked_by', app.actor_json(w.marked_by), 'pay_ref', w.pay_ref, 'add_time', app.utc(w.add_time))
      from app.waiting_payments as w where w.order_id = p_id and w.refused_at is null and v_order.state = 'unpaid'
    ),
    'refused_payment', (
      select jsonb_build_object(
        'marked_by', app.actor_json(w.marked_by), 'pay_ref', w.pay_ref, 'refused_by', app.actor_json(w.refused_by), 'refused_at', app.utc(w.refused_at), 'reason', w.reason
      )
      from app.waiting_payments as w where w.order_id = p_id and w.refused_at is not null and v_order.state = 'unpaid'
    ),
    'parcels', (
      select coalesce(jsonb_agg(app.parcel_json(l) || jsonb_build_object('shipped_by', app.actor_json(l.shipped_by)) order by l.id), '[]')
      from app.parcels as l where l.order_id = p_id
    )
  );
end
$$;

comment on function api.admin_get_order is
  'Returns one order with its payment attempts, its payment, its refunds (open requests included), their state at the provider, '
  'the payments that could not be applied to it, and the offline payment that waits for a second administrator. Serves GET /adminapi/order/{id}.';

grant execute on function api.admin_get_order(bigint) to store_admin;

-- Security definer: client roles may not call auth.uid, which says for whom something waits.
create or replace function api.admin_get_orders(
  p_uid bigint default null, p_state text default null, p_refund_status smallint default null, p_order_no text default null,
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
  -- A plan for the filters and the sort of the call. An array, so that a search starts from the few orders that it finds.
  execute format($sql$
    with matching as not materialized (
      select o.* from app.orders as o
      where ($1 is null or o.uid = $1) and ($3 is null or o.refund_status = $3)
        -- The state itself is named as well, for the indexes by it.
        and ($2 is null or (app.shown_state(o.state, o.refund_status) = $2 and ($2 = 'refunded' or o.state = $2)))
        and ($4 is null or o.order_no = $4) and ($5 is null or o.add_time >= $5) and ($6 is null or o.add_time < $6)
        and ($7 is null or o.id = any (array(select f.order_id from app.find_orders($7) as f)))
        and ($8 is null or o.uid is distinct from $13 and case $8
          when 'refund' then o.id = any (array(
            select r.order_id from app.refunds as r where app.refund_waits(r.state, r.return_asked_at, r.return_received_at)
          ))
          when 'payment' then o.state = 'unpaid' and o.id = any (array(
            select w.order_id from app.waiting_payments as w where w.refused_at is null and w.marked_by <> $12
          ))
        end)
        and ($14 is null or o.paid_at >= $14) and ($15 is null or o.paid_at < $15)
        and (num_nulls($16, $17) = 2 or o.id = any (array(select f.order_id from app.refunded_amounts(null, $16, $17) as f)))
        and (num_nulls($19, $20) = 2 or exists (
          select from app.order_lines as n where n.order_id = o.id and ($19 is null or n.product_id = $19) and ($20 is null or n.is_queue_goods = $20)
        ))
        and o.%1$I is not null
    )
    select app.log_json(
      jsonb_agg(app.admin_order_json(l) || jsonb_build_object('refunded', coalesce(r.amount, 0.00)::text, 'amount_left', app.price_left(l)::text, 'return_state', (
        select app.return_state(q.return_asked_at, q.return_sent_at, q.return_received_at) from app.refunds as q where q.order_id = l.id and q.state = 'requested'
      )) order by l.%1$I %2$s, l.id %2$s), (select count(*) from matching),
      array_agg(app.make_cursor(l.%4$I, l.id) order by l.%1$I %2$s, l.id %2$s), $11
    )
    from (select m.* from matching as m where (m.%1$I, m.id) %3$s (%5$s, $9) order by m.%1$I %2$s, m.id %2$s offset $10 limit $11) as l
    left join lateral app.refunded_amounts(l.id, $16, $17) as r on true
  $sql$, v_sort.key, v_sort.direction, v_sort.beyond, case v_sort.key when 'id' then 'add_time' else v_sort.key end,
    case v_sort.key when 'id' then '$9' else '$18' end)
  into v_result
  using p_uid, p_state, p_refund_status, p_order_no, p_from, p_to, p_search, p_waiting, v_position.id, v_position.skip, p_limit, auth.uid(), app.current_uid(),
    p_paid_from, p_paid_to, p_refunded_from, p_refunded_to, v_position.add_time, p_product_id, p_is_queue_goods;
  return v_result;
end
$$;

comment on function api.admin_get_orders is
  'Returns one page of all orders, sorted by id or by time of payment, which leaves out those without it, filtered by a search (app.find_orders), buyer, product and queue-goods flag of a line, shown state, refund status, order '
  'number, time, time of payment, time of a refund and what waits for the caller: refund, or payment, an offline one that another administrator has '
  'marked (app.waiting_kinds). refunded is what was '
  'refunded, between the times of refunds if they are given; amount_left is what is left of what was paid after all refunds, return_state how far the goods of the open request have returned. Pages are numbered or follow a cursor. Serves GET /adminapi/order.';

grant execute on function api.admin_get_orders(
  bigint, text, smallint, text, timestamptz, timestamptz, integer, integer, text, text, text, timestamptz, timestamptz, timestamptz, timestamptz, text,
  bigint, boolean
) to store_admin;

-- A plan for the filters of the call: see api.admin_get_orders.
create or replace function api.get_orders_to_ship(
  p_search text default null, p_uid bigint default null, p_product_id bigint default null, p_refund_status smallint default null,
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
    with matching as not materialized (
      select o.* from app.orders as o
      where app.is_to_ship(o.state, o.refund_status) and o.uid is distinct from $9
        and ($1 is null or o.id = any (array(select f.order_id from app.find_orders($1) as f))) and ($2 is null or o.uid = $2)
        and ($3 is null or exists (select from app.order_lines as l where l.order_id = o.id and l.product_id = $3 and l.quantity > l.refunded_quantity))
        and ($4 is null or o.refund_status = $4) and ($5 is null or o.paid_at >= $5) and ($6 is null or o.paid_at < $6)
    )
    select app.list_json(jsonb_agg(app.admin_order_json(l) order by l.paid_at, l.id), (select count(*) from matching))
    from (select m.* from matching as m order by m.paid_at, m.id offset $7 limit $8) as l
  $sql$
  into v_result
  using p_search, p_uid, p_product_id, p_refund_status, p_from, p_to, v_skip, p_limit, app.current_uid();
  return v_result;
end
$$;

comment on function api.get_orders_to_ship is
  'Returns one page of the orders that wait for their shipment, without those of the caller, in the sequence of payment, filtered by a search (app.find_orders), buyer, product, refund status and time of '
  'payment. Serves GET /adminapi/shipping.';

grant execute on function api.get_orders_to_ship(text, bigint, bigint, smallint, timestamptz, timestamptz, integer, integer) to store_admin;

create or replace function api.get_overview(p_days integer default 30)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_days jsonb;
  v_totals jsonb;
begin
  perform app.require_admin();
  if p_days is null or p_days not between 1 and 366 then
    perform app.fail('invalid_argument', 'days is between 1 and 366.');
  end if;
  select
    jsonb_agg(jsonb_build_object(
      'day', d.day, 'orders', d.orders, 'queue_orders', d.queue_orders, 'queue_revenue', d.queue_revenue::text,
      'commission', d.commission::text, 'payout_share', trunc(d.commission / nullif(greatest(d.queue_revenue, 0), 0), 4),
      'points_frozen', trim_scale(d.points_frozen), 'points_released', trim_scale(d.points_released)
    ) order by d.day),
    jsonb_build_object(
      'orders', sum(d.orders), 'queue_orders', sum(d.queue_orders), 'queue_revenue', sum(d.queue_revenue)::text,
      'commission', sum(d.commission)::text, 'payout_share', trunc(sum(d.commission) / nullif(greatest(sum(d.queue_revenue), 0), 0), 4),
      'points_frozen', trim_scale(sum(d.points_frozen)), 'points_released', trim_scale(sum(d.points_released))
    )
  into v_days, v_totals
  from app.overview_days(app.business_day(clock_timestamp()), p_days) as d;
  return jsonb_build_object(
    'days', v_days, 'totals', v_totals,
    'last_release', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1),
    'jobs', (
      select jsonb_build_object('waiting', j.waiting, 'dead', j.dead, 'due_since', app.utc(j.waiting_since), 'is_late', j.is_late, 'import_since', app.utc(j.import_since))
      from app.settlement_job_state(clock_timestamp()) as j
    ),
    'scheduler', app.scheduler_state(clock_timestamp()), 'clock', app.clock_state(clock_timestamp()),
    'late_jobs', (select coalesce(jsonb_agg(l.name order by l.name), '[]') from app.late_jobs(clock_timestamp()) as l),
    'last_reconcile', (
      select jsonb_build_object('started_at', app.utc(c.started_at), 'finished_at', app.utc(c.finished_at), 'findings', c.findings, 'cuts', c.cuts)
      from app.reconcile_runs as c order by c.id desc limit 1
    )
  );
end
$$;

comment on function api.get_overview is
  'Returns the daily sums of the last p_days business days, today included, their totals, and the state of releases, '
  'settlement jobs, scheduled jobs and reconciliation. payout_share is commission divided by the revenue of queue goods; it is '
  'null without revenue. Serves GET /adminapi/overview.';

grant execute on function api.get_overview(integer) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
create or replace function api.get_settlement(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result jsonb;
begin
  perform app.require_admin();
  v_result := app.explain_order(p_order_id);
  return v_result || jsonb_build_object('members', (
    select coalesce(jsonb_agg(jsonb_build_object('uid', u.uid, 'nickname', u.nickname) order by u.uid), '[]')
    from app.users as u
    where u.uid in (
      select m.uid::bigint
      from jsonb_path_query(v_result, 'strict $.** ? (@.type() == "object").keyvalue() ? (@.key like_regex "^(.*_)?uid$").value') as m (uid)
      where jsonb_typeof(m.uid) = 'number'
    )
  ));
end
$$;

comment on function api.get_settlement is
  'Explains who was paid what for an order and why (app.explain_order), with the nicknames of all members in the explanation. '
  'Serves GET /adminapi/order/{id}/settlement.';

grant execute on function api.get_settlement(bigint) to store_admin;

-- Security definer: client roles may read neither the payers of payment attempts, address books, accounts nor real names. The result only says which of
-- them are equal.
create or replace function api.get_signals(p_kind text, p_limit integer default 20, p_cursor bigint default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before bigint := coalesce(p_cursor, 9223372036854775807);
  v_page record;
begin
  perform app.require_admin();
  perform app.check_page(1, p_limit);
  if p_kind = 'retaken_place' then
    select p.* into v_page from app.retaken_places(v_before, p_limit) as p;
  elsif p_kind = 'shared_order' then
    select p.* into v_page from app.shared_orders(v_before, p_limit) as p;
  elsif p_kind = 'sign_up_burst' then
    select p.* into v_page from app.sign_up_bursts(v_before, p_limit) as p;
  elsif p_kind = 'shared_person' then
    select p.* into v_page from app.shared_people(v_before, p_limit) as p;
  elsif p_kind = 'shared_account' then
    select p.* into v_page from app.shared_accounts(v_before, p_limit) as p;
  elsif p_kind = 'reserved_stock' then
    select p.* into v_page from app.reserved_stock(v_before, p_limit) as p;
  else
    perform app.fail('invalid_argument', 'kind is retaken_place, shared_order, sign_up_burst, shared_person, shared_account or reserved_stock.');
  end if;
  return jsonb_build_object('list', v_page.list, 'next_cursor', v_page.next_cursor, 'examined_to', app.utc(v_page.examined_to));
end
$$;

comment on function api.get_signals is
  'Returns one page of the signals of a kind, the latest first. Signals never block anything. A page examines a bounded number of rows '
  'and can have fewer than p_limit. Serves GET /adminapi/signal.';

grant execute on function api.get_signals(text, integer, bigint) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
-- A simulation writes nothing, so one that is cut leaves nothing to continue; `npm run simulate` has no time limit.
create or replace function api.simulate(p_from timestamptz, p_to timestamptz, p_plan jsonb default null, p_levels jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.simulate(p_plan, p_levels, p_from, p_to, 5000);
exception when query_canceled then
  perform app.fail('simulation_too_large', 'Replaying these orders takes longer than a request may take. Choose a shorter period.');
end
$$;

comment on function api.simulate is
  'Simulates a draft plan or draft levels over the orders of a past period, without writing (app.simulate). Serves POST '
  '/adminapi/hjf/simulate.';

grant execute on function api.simulate(timestamptz, timestamptz, jsonb, jsonb) to store_admin;
