-- Checks of the staged orders, lines and refunds of an import.

create or replace function app.check_import_lines()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select 'error', 'order_lines', l.line, 'order_no', 'is not a known order', l.order_no
  from app.staged_order_lines as l where not exists (select from app.staged_orders as o where o.order_no = l.order_no)
  union all
  select 'error', 'order_lines', l.line, 'line_no', 'occurs more than once in the order', l.line_no
  from (
    select *, count(*) over (partition by x.order_no, x.line_no::bigint) as times from app.staged_order_lines as x
  ) as l
  where l.times > 1
  union all
  select 'error', 'order_lines', l.line, 'product_id', 'is not a known product', l.product_id
  from app.staged_order_lines as l
  where not exists (select from app.staged_products as p where p.id = l.product_id)
    and not exists (select from app.imported_products as i where i.old_id = l.product_id)
$$;

comment on function app.check_import_lines is
  'Finds staged order lines of unknown orders or products, and numbers that occur twice in an order.';

create or replace function app.check_import_orders(p_now timestamptz)
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with known as (
    select s.uid from app.staged_members as s union select i.old_uid::text from app.imported_members as i
  ),
  orders as materialized (
    select
      s.*, s.state in ('paid', 'delivered', 'received') as is_paid, count(*) over (partition by s.order_no) as times,
      app.import_pay_type(s.pay_type) as payment_type, coalesce(s.pay_ref, s.order_no) as payment
    from app.staged_orders as s
  ),
  sums as materialized (
    select
      l.order_no, sum(l.price::numeric * l.quantity::integer) as total, sum(l.discount::numeric) as discount,
      bool_or(l.discount::numeric > l.price::numeric * l.quantity::integer) as exceeds
    from app.staged_order_lines as l group by l.order_no
  )
  select 'error', 'orders', o.line, 'order_no', 'occurs more than once', o.order_no from orders as o where o.times > 1
  union all
  select 'error', 'orders', o.line, 'order_no', 'is the number of an order of this store', o.order_no
  from orders as o join app.orders as x on x.order_no = o.order_no and not x.is_imported
  union all
  select 'error', 'orders', o.line, 'uid', 'is not a known member', o.uid from orders as o
  where not exists (select from known as k where k.uid = o.uid)
  union all
  select 'error', 'orders', o.line, 'referrer', 'is not a known member', o.referrer
  from orders as o where o.referrer is not null and not exists (select from known as k where k.uid = o.referrer)
  union all
  select 'error', 'orders', o.line, 'referrer', 'is the buyer', o.referrer from orders as o where o.referrer = o.uid
  union all
  select 'error', 'orders', o.line, 'paid_at', format('is missing although the order is %s', o.state), null
  from orders as o where o.is_paid and o.paid_at is null
  union all
  select 'error', 'orders', o.line, 'pay_ref', 'paid another order, too', o.payment
  from (
    select *, count(*) over (partition by p.payment_type, p.payment) as payments from orders as p where p.is_paid
  ) as o
  where o.payments > 1 and o.times = 1
  union all
  select 'error', 'orders', o.line, 'pay_ref', 'paid an order of this store', o.payment
  from orders as o
  join app.orders as x on x.pay_type = o.payment_type and x.pay_ref = o.payment and x.order_no <> o.order_no
  where o.is_paid and not exists (select from app.orders as i where i.order_no = o.order_no)
  union all
  select 'error', 'orders', o.line, 'order_no', 'has no lines', o.order_no from orders as o
  where not exists (select from sums as s where s.order_no = o.order_no)
  union all
  select 'error', 'orders', o.line, 'total_price', 'is too large: the lines add up to a trillion or more', s.total::text
  from orders as o join sums as s on s.order_no = o.order_no where s.total >= 1000000000000
  union all
  select 'error', 'orders', o.line, 'total_price', format('is not the sum of the lines, %s', s.total), o.total_price
  from orders as o join sums as s on s.order_no = o.order_no where o.total_price::numeric <> s.total
  union all
  select 'error', 'orders', o.line, 'discount', format('is not the sum of the discounts of the lines, %s', s.discount),
    o.discount
  from orders as o join sums as s on s.order_no = o.order_no where o.discount::numeric <> s.discount
  union all
  select 'error', 'orders', o.line, 'pay_price',
    format(
      'is not %s: the lines (%s), less the discount (%s), plus freight (%s)', s.total - d.discount + d.freight, s.total,
      d.discount, d.freight
    ),
    o.pay_price
  from orders as o
  join sums as s on s.order_no = o.order_no
  cross join lateral (
    select
      coalesce(o.freight::numeric, 0) as freight,
      coalesce(
        o.discount::numeric, s.discount,
        least(greatest(s.total + coalesce(o.freight::numeric, 0) - o.pay_price::numeric, 0), s.total)
      ) as discount
  ) as d
  where o.pay_price::numeric <> s.total - d.discount + d.freight or d.discount > s.total or s.exceeds
  union all
  select 'warning', 'orders', o.line, 'state', 'is unpaid: the order is imported as cancelled', o.order_no
  from orders as o where o.state = 'unpaid'
  union all
  select 'warning', 'orders', o.line, 'tracking_no',
    'is no tracking number (docs/operations.md, "Shipping"): it is left out', left(o.tracking_no, 60)
  from orders as o
  where o.state in ('delivered', 'received') and app.is_visible(o.tracking_no)
    and app.tracking_number(o.tracking_no) is null
$$;

comment on function app.check_import_orders is
  'Finds staged orders that the store cannot take, such as duplicates and sums that do not fit, and unpaid orders, '
  'which are cancelled.';

create or replace function app.check_import_refunds()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with refunds as materialized (
    select
      r.*, coalesce(r.state, 'refunded') as kind,
      count(*) over (partition by r.order_no, r.refund_no, r.line_no::bigint) as times,
      count(*) filter (
        where r.line_no is null and coalesce(r.state, 'refunded') = 'refunded'
      ) over (partition by r.order_no) as whole,
      min(coalesce(r.state, 'refunded')) over w <> max(coalesce(r.state, 'refunded')) over w
        or (bool_or(r.line_no is null) over w and bool_or(r.line_no is not null) over w) as is_mixed,
      min(r.refund_no) filter (where r.state = 'requested') over (partition by r.order_no)
        <> max(r.refund_no) filter (where r.state = 'requested') over (partition by r.order_no) as has_requests
    from app.staged_refunds as r
    window w as (partition by r.order_no, r.refund_no)
  )
  select 'error', 'refunds', r.line, 'order_no', 'is not a known paid order', r.order_no
  from refunds as r
  where not exists (
    select from app.staged_orders as o where o.order_no = r.order_no and o.state in ('paid', 'delivered', 'received')
  )
  union all
  select 'error', 'refunds', r.line, 'line_no', 'is not a line of the order', r.line_no
  from refunds as r
  where r.line_no is not null
    and not exists (
      select from app.staged_order_lines as l where l.order_no = r.order_no and l.line_no::bigint = r.line_no::bigint
    )
  union all
  select 'error', 'refunds', r.line, 'quantity', 'is missing although the refund names a line', null
  from refunds as r where r.line_no is not null and r.quantity is null
  union all
  select 'error', 'refunds', r.line, 'refund_no', 'names the same line twice', r.refund_no from refunds as r
  where r.times > 1
  union all
  select 'error', 'refunds', r.line, 'refund_no', 'has rows with and without a line, or of two states', r.refund_no
  from refunds as r where r.is_mixed
  union all
  select 'error', 'refunds', r.line, 'line_no', 'is missing in several refunds of the order', r.refund_no
  from refunds as r where r.whole > 1 and r.line_no is null and r.kind = 'refunded'
  union all
  select 'error', 'refunds', r.line, 'state', 'is requested in several refunds of the order', r.state
  from refunds as r where r.has_requests and r.kind = 'requested'
  union all
  select 'error', 'refunds', q.line, 'quantity',
    format('is more than the %s units of the line, together with other refunds', l.quantity), q.quantity::text
  from (
    select r.order_no, r.line_no::bigint as line_no, max(r.line) as line, sum(r.quantity::integer) as quantity
    from refunds as r where r.line_no is not null and r.quantity is not null group by r.order_no, r.line_no::bigint
  ) as q
  join app.staged_order_lines as l on l.order_no = q.order_no and l.line_no::bigint = q.line_no
  where q.quantity > l.quantity::integer
$$;

comment on function app.check_import_refunds is
  'Finds staged refunds that the store cannot take, such as those of unknown lines or of more units than were sold.';

-- An order may have advanced in this store since then, so a state differs only if that of the file is later.
create or replace function app.check_imported_orders()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with ranks (state, rank) as (values ('unpaid', 0), ('cancelled', 0), ('paid', 1), ('delivered', 2), ('received', 3)),
  orders as materialized (
    select s.line, s.order_no, s.state, s.pay_price, o.id, o.state as known_state, o.pay_price as known_price,
      o.paid_at is not null as was_paid
    from app.staged_orders as s join app.orders as o on o.order_no = s.order_no and o.is_imported
  ),
  units as materialized (
    select o.id, sum(l.quantity) as sold, sum(l.refunded_quantity) as refunded
    from orders as o join app.order_lines as l on l.order_id = o.id
    where o.was_paid group by o.id
  ),
  refunds as (
    select
      r.order_no, min(r.line) as line,
      bool_or(r.line_no is null and coalesce(r.state, 'refunded') = 'refunded') as is_whole,
      sum(r.quantity::integer) filter (
        where r.line_no is not null and coalesce(r.state, 'refunded') = 'refunded'
      ) as quantity,
      max(r.refund_no) filter (where r.state = 'requested') as request
    from app.staged_refunds as r group by r.order_no
  )
  select 'warning', 'orders', o.line, 'state', 'is ahead of the order that was imported before, which does not change',
    format('%s: %s (in this store: %s)', o.order_no, o.state, o.known_state)
  from orders as o
  join ranks as n on n.state = o.state
  join ranks as k on k.state = o.known_state
  where n.rank > k.rank or (n.rank = 0 and k.rank > 0)
  union all
  select 'warning', 'orders', o.line, 'pay_price',
    'differs from the order that was imported before, which does not change',
    format('%s: %s (imported: %s)', o.order_no, o.pay_price, o.known_price)
  from orders as o where o.pay_price::numeric <> o.known_price
  union all
  select
    'warning', 'refunds', r.line, 'quantity',
      'is refunded further than the order that was imported before, which does not change',
    format('%s: %s (in this store: %s)', r.order_no, case when r.is_whole then u.sold else r.quantity end, u.refunded)
  from refunds as r
  join orders as o on o.order_no = r.order_no
  join units as u on u.id = o.id
  where case when r.is_whole then u.sold else r.quantity end > u.refunded
  union all
  select 'warning', 'refunds', r.line, 'state',
    'is requested for an order that was imported before, which does not change', r.order_no
  from refunds as r
  join orders as o on o.order_no = r.order_no
  join units as u on u.id = o.id
  where r.request is not null and not r.is_whole and u.refunded < u.sold
    and not exists (select from app.refunds as f where f.order_id = o.id and f.refund_ref = r.request)
$$;

comment on function app.check_imported_orders is
  'Finds staged orders that were imported before and are now ahead in state or refunds, or differ in price. A later '
  'import does not change them.';

-- The row of each balance is written once.
-- Precondition: the caller owns the structure lock, and the orders are settled.
-- Locks: balances by uid.
-- Not idempotent: each call adds the orders.
create or replace function app.count_imported_orders(p_order_nos text[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_buyers bigint[];
  v_orders integer[];
  v_changes app.team_change[];
  v_tree record;
  v_top constant smallint := app.top_grade();
begin
  select array_agg(c.uid order by c.uid), array_agg(c.orders order by c.uid) into v_buyers, v_orders
  from (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    where o.order_no = any (p_order_nos) and o.paid_at is not null
      and app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
    group by o.uid
  ) as c;
  with recursive tree as (
    select u.uid, u.spread_uid from unnest(v_buyers) as b (uid) join app.users as u on u.uid = b.uid
    union
    select r.uid, r.spread_uid from tree as t join app.users as r on r.uid = t.spread_uid
  )
  -- Row order: pairs: two aggregates of one query read its rows in one sequence.
  select array_agg(t.uid) as uids, array_agg(t.spread_uid) as referrers into v_tree from tree as t;
  perform app.lock_balances(v_tree.uids);

  -- A buyer counts as a member from the first order that counts (R8); orders of members who are not assessed do not
  -- count (R9).
  select array_agg((c.uid, u.spread_uid, (b.own_orders = 0)::integer, c.orders, 0, 0)::app.team_change order by c.uid)
  into v_changes
  from unnest(v_buyers, v_orders) as c (uid, orders)
  join app.users as u on u.uid = c.uid and not u.no_assess
  join app.user_balances as b on b.uid = c.uid;
  with added as materialized (select s.* from app.add_up_team(v_tree.uids, v_tree.referrers, v_changes) as s),
  counts as materialized (
    select
      coalesce(c.uid, t.uid) as uid, coalesce(c.orders, 0) as own_orders, coalesce(t.direct_orders, 0) as direct_orders,
      coalesce(t.direct_members, 0) as direct_members, coalesce(t.umbrella_orders, 0) as umbrella_orders,
      coalesce(t.umbrella_members, 0) as umbrella_members
    from unnest(v_buyers, v_orders) as c (uid, orders)
    full join (
      select s.* from added as s join app.users as u on u.uid = s.uid and u.agent_level < v_top
    ) as t on t.uid = c.uid
  )
  update app.user_balances as b
  set own_orders = b.own_orders + c.own_orders,
      direct_orders = b.direct_orders + c.direct_orders, direct_members = b.direct_members + c.direct_members,
      umbrella_orders = b.umbrella_orders + c.umbrella_orders,
      umbrella_members = b.umbrella_members + c.umbrella_members
  from counts as c
  where b.uid = c.uid;
end
$$;

comment on function app.count_imported_orders is
  'Adds orders that were just imported to their buyers'' own orders and to the task counts of every ancestor below the '
  'top grade (R8, R9). Nobody rises before app.end_import.';
