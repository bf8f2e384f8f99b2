-- Orders that paid a member or count for them, the summary of a team, and what a product would earn.

-- A few index probes, however many orders have paid the member since: the difference of two balances is the sum of all
-- rows between them, and the rows that are not earned are few and have tables of their own. An opening balance is
-- always the first row of its member, and in the table, because only releases can stand elsewhere.
-- Generic query plan: see app.bill_page.
create or replace function app.commission_since(p_uid bigint, p_from timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
as $$
begin
  return (
    select b.brokerage_price - coalesce((
      select l.brokerage_after from app.bill('-infinity', p_from) as l
      where l.uid = p_uid
      order by l.add_time desc, l.id desc
      limit 1
    ), (
      select l.brokerage_after from (
        select f.type, f.brokerage_after from app.user_bill as f where f.uid = p_uid order by f.add_time, f.id limit 1
      ) as l
      where l.type = 'opening_balance'
    ), 0) + coalesce((
      select sum(
        w.amount * ((w.add_time >= p_from)::integer - (app.is_returned(w.state) and w.ended_at >= p_from)::integer)
      )
      from app.withdrawals as w where w.uid = p_uid
    ), 0) - coalesce((
      select sum(a.brokerage_delta) from app.adjustments as a
      where a.uid = p_uid and a.state = 'booked' and a.decided_at >= p_from
    ), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
end
$$;

comment on function app.commission_since is
  'Returns the commission that a member has earned since a time, less reversals, without opening balances, adjustments '
  'and withdrawals. Money, 2 decimals.';

-- Reads the whole downline. Of the bill, the table: only releases can stand elsewhere.
create or replace function app.orders_that_paid_above(p_uid bigint)
returns setof bigint
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with above as materialized (select a.uid from app.get_upline(p_uid) as a)
  select d.order_id
  from app.downline_orders(p_uid) as d
  join app.orders as o on o.id = d.order_id and o.queue_units > 0
  where exists (select from app.settlements as s join above as a on a.uid = s.earner_uid where s.order_id = d.order_id)
    or exists (select from app.user_bill as b join above as a on a.uid = b.uid where b.order_id = d.order_id)
$$;

comment on function app.orders_that_paid_above is
  'Returns the orders below a member that gave anybody above them commission, a place or points, and are not refunded '
  'completely. Their refunds and receipts reach above a closed branch (app.closed_branches).';

create or replace function app.team_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'direct', jsonb_build_object('members', coalesce(t.direct_members, 0), 'orders', coalesce(t.direct_orders, 0)),
    'umbrella',
    jsonb_build_object('members', coalesce(t.umbrella_members, 0), 'orders', coalesce(t.umbrella_orders, 0)),
    'as_of', app.utc(a.as_of)
  )
  from app.team_totals_as_of as a left join app.team_totals as t on t.uid = p_uid
$$;

comment on function app.team_json is
  'Returns the members and reported orders below a member, directly and at any depth, with the time of the totals.';

-- A page of the whole store follows the index of payments, however many orders were paid at the same moment.
-- Generic query plan: see app.get_upline. It does not know p_count, so only plans that follow an index are left: a page
-- has few orders.
create or replace function app.paid_orders(p_uids bigint[], p_paid_at timestamptz, p_id bigint, p_count integer)
returns app.orders[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
  if p_uids is null then
    return array(
      select o from app.orders as o
      where o.paid_at is not null and (o.paid_at, o.id) < (p_paid_at, p_id)
      order by o.paid_at desc, o.id desc
      limit p_count
    );
  end if;
  return array(
    select m.o from (
      -- Keeps the planner from following the index of payments, which has the orders of everyone.
      select o, o.paid_at, o.id from unnest(p_uids) as t (uid) join app.orders as o on o.uid = t.uid
      where o.has_queue_goods and (o.paid_at, o.id) < (p_paid_at, p_id)
      offset 0
    ) as m
    order by m.paid_at desc, m.id desc
    limit p_count
  );
end
$$;

comment on function app.paid_orders is
  'Returns the next p_count paid orders before the given one, latest first: those with queue goods of these members '
  'or, with p_uids null, all of the store.';

-- The partitions before the settlement are skipped: what an order paid was booked with its settlement, or later.
-- Generic query plan: see app.bill_page.
create or replace function app.team_order_json(p_uid bigint, p_can_rise boolean, p_order app.orders)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
as $$
declare
  v_settled_at timestamptz := (select s.settled_at from app.settlements as s where s.order_id = p_order.id);
begin
  return (
    select jsonb_build_object(
      'order_id', p_order.id, 'uid', u.uid, 'nickname', u.nickname, 'avatar', app.shown_avatar(u.avatar), 'is_direct',
      u.spread_uid = p_uid,
      'paid_at', app.utc(p_order.paid_at), 'settled_at', app.utc(v_settled_at), 'base', p_order.queue_base::text,
      'units', p_order.queue_units, 'refund_status', p_order.refund_status, 'counts', c.counts,
      'commission', e.commission::text, 'points', trim_scale(e.points)
    )
    from app.users as u
    cross join lateral (
      select p_can_rise and not u.no_assess
        and app.is_counted(p_order.queue_units, p_order.refund_status, p_order.below_minimum) as counts
    ) as c
    cross join lateral (
      select
        coalesce(sum(l.brokerage_delta), 0.00) as commission,
          coalesce(sum(l.frozen_delta + l.available_delta), 0) as points,
        count(*) as rows
      from app.bill(v_settled_at, 'infinity') as l
      where l.order_id = p_order.id and l.uid = p_uid
    ) as e
    where u.uid = p_order.uid and v_settled_at is not null and (c.counts or e.rows > 0)
  );
end
$$;

comment on function app.team_order_json is
  'Returns an order of a member below p_uid with what it paid p_uid, less reversals, and whether it counts for their '
  'tasks (R8, R9). Null if it does neither. p_can_rise: p_uid is below the top grade.';

-- As in app.umbrella_people: of a small team, all orders are read; for a large one, the orders of the whole store in
-- the order of payment, and those of buyers who are not in the team are left out.
create or replace function app.team_orders(
  p_uid bigint, p_paid_at timestamptz, p_id bigint, p_limit integer, out list jsonb, out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_team constant bigint[] := app.small_team(p_uid);
  v_can_rise constant boolean := (select u.agent_level < app.top_grade() from app.users as u where u.uid = p_uid);
  v_paid_at timestamptz := p_paid_at;
  v_id bigint := p_id;
  v_count integer := p_limit;
  v_rows_read integer := 0;
  v_orders app.orders[];
  v_order app.orders;
  v_below bigint[];
  v_json jsonb;
begin
  list := '[]';
  loop
    v_orders := app.paid_orders(v_team, v_paid_at, v_id, v_count);
    if v_team is null then
      select b.uids, v_rows_read + b.rows_read into v_below, v_rows_read
      from app.members_below(p_uid, array(select distinct o.uid from unnest(v_orders) as o order by o.uid)) as b;
    end if;
    foreach v_order in array v_orders loop
      exit when jsonb_array_length(list) = p_limit;
      v_paid_at := v_order.paid_at;
      v_id := v_order.id;
      v_rows_read := v_rows_read + 1;
      if v_order.has_queue_goods and (v_team is not null or v_order.uid = any (v_below)) then
        v_json := app.team_order_json(p_uid, v_can_rise, v_order);
        list := case when v_json is null then list else list || v_json end;
      end if;
    end loop;
    exit when jsonb_array_length(list) = p_limit or cardinality(v_orders) < v_count or v_rows_read >= v_limit;
    -- Not more, because each order is looked up in an array of their buyers.
    v_count := least(4 * v_count, 500, v_limit - v_rows_read);
  end loop;
  if jsonb_array_length(list) = p_limit or cardinality(v_orders) = v_count then
    next_cursor := app.make_cursor(v_paid_at, v_id);
  end if;
end
$$;

comment on function app.team_orders is
  'Returns one page of the orders below a member that paid them or count for their tasks, latest payment first, and '
  'the next cursor, or null. A page reads little more than app.page_read_limit rows, so it can be shorter than p_limit '
  'without being the last.';

-- Security definer: the caller is the member of the verified token, whose cycle and level decide. No parameter names a
-- member. The buyer exists only in the arguments of the decision, as the last member.
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
  v_members := v_read.members || (v_buyer, 1, 0, false, false, 0, 0, 0, 0, 0, false, false)::app.tree_member;
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
    v_points := app.decide_levels(app.settlement_changes(v_facts, v_plans), v_members, v_rules);
    v_result := v_result || jsonb_build_object(v_product.id, (
      select jsonb_build_object(
        'commission', coalesce(sum(e.brokerage_delta), 0.00)::text, 'points',
        trim_scale(coalesce(sum(e.frozen_delta), 0)),
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
  'Returns {commission, points, reason} by product id: what the next order of one unit by a direct member would pay '
  'the caller, by their open cycle and level and the plan in force. reason says why there is no commission. Only queue '
  'goods are included; without a member, none.';

grant execute on function app.you_would_earn(app.products[]) to anon, authenticated, store_admin;
