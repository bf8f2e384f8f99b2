-- Imported orders, lines and refunds are written.

-- Shares of a discount are differences of rounded running sums: they add up to the discount, and none exceeds its line.
-- Custom query plan: the planner must know how many orders a batch has, or it looks through all refunds of the batch
-- for each line. Few titles differ, so that each of them is cleaned once.
create or replace function app.import_lines(p_order_nos text[])
returns table (
  order_no text, line_no bigint, product_id bigint, title text, price numeric, quantity integer, discount numeric,
  is_queue_goods boolean,
  refunded integer
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  return query
    with staged as materialized (
      select
        s.order_no, s.line_no::bigint as line_no, s.product_id, s.title, s.price::numeric as price,
        s.quantity::integer as quantity,
        s.discount::numeric as discount, s.is_queue_goods::boolean as is_queue_goods
      from app.staged_order_lines as s
      where s.order_no = any (p_order_nos)
    ),
    titles as materialized (
      select d.title, left(app.visible_text(d.title), 200) as visible
      from (select distinct s.title from staged as s where s.title is not null) as d
    ),
    lines as (
      select
        s.order_no, s.line_no, p.id as product_id, coalesce(t.visible, p.title) as title, s.price, s.quantity,
        s.discount,
        coalesce(s.is_queue_goods, p.is_queue_goods) as is_queue_goods,
        coalesce(
          o.discount::numeric, sum(s.price * s.quantity) over w + coalesce(o.freight::numeric, 0) - o.pay_price::numeric
        ) as order_discount,
        sum(s.price * s.quantity) over w as order_total,
        sum(s.price * s.quantity) over (w order by s.line_no) as running,
        bool_or(s.discount is not null) over w as has_own
      from staged as s
      join app.staged_orders as o on o.order_no = s.order_no
      join app.imported_products as i on i.old_id = s.product_id
      join app.products as p on p.id = i.product_id
      left join titles as t on t.title = s.title
      where o.order_no = any (p_order_nos)
      window w as (partition by s.order_no)
    ),
    refunds as (
      select r.order_no, r.line_no::bigint as line_no, sum(r.quantity::integer)::integer as quantity
      from app.staged_refunds as r
      where r.order_no = any (p_order_nos) and coalesce(r.state, 'refunded') = 'refunded'
      group by r.order_no, r.line_no::bigint
    )
    select
      l.order_no, l.line_no, l.product_id, l.title, l.price, l.quantity,
      case
        when l.has_own then coalesce(l.discount, 0)
        when l.order_total = 0 then 0
        else app.round_down(l.order_discount * l.running / l.order_total, 2)
          - app.round_down(l.order_discount * (l.running - l.price * l.quantity) / l.order_total, 2)
      end,
      l.is_queue_goods,
      case when a.order_no is not null then l.quantity else coalesce(r.quantity, 0) end
    from lines as l
    left join refunds as r on r.order_no = l.order_no and r.line_no = l.line_no
    -- A refund of all that is left.
    left join refunds as a on a.order_no = l.order_no and a.line_no is null;
end
$$;

comment on function app.import_lines is
  'Returns the lines of staged orders with their discounts and the units that refunds of the previous system took '
  'back. An order''s discount is spread over its lines by price, unless lines state their own.';

-- Precondition: the text matches the pattern of a time in app.import_kinds.
create or replace function app.import_time(p_text text, p_zone text)
returns timestamptz
language sql
stable
parallel safe
as $$
  select case
    when p_text is null then null
    when pg_catalog.substr(p_text, 9, 2)::pg_catalog.int4 > 28
      and pg_catalog.substr(p_text, 9, 2)::pg_catalog.int4 > extract(day from
      pg_catalog.make_date(
        pg_catalog.substr(p_text, 1, 4)::pg_catalog.int4, pg_catalog.substr(p_text, 6, 2)::pg_catalog.int4, 1
      ) + interval '1 month -1 day'
    ) then null
    when p_text ~ '(Z|[+-][0-9]{2}:[0-9]{2})$' then p_text::pg_catalog.timestamptz
    else p_text::pg_catalog.timestamp at time zone p_zone
  end
$$;

comment on function app.import_time is
  'Returns a time of an import, or null if the month has no such day. A time without an offset is in p_zone.';

create or replace function app.import_pay_type(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select coalesce(pg_catalog.substring(pg_catalog.lower(p_text), '^[a-z][a-z0-9_]{0,31}$'), 'imported')
$$;

comment on function app.import_pay_type is
  'Returns the payment type of an imported order: the text in lower case if it is a name, otherwise imported.';

-- An order that was not paid is cancelled, because a later payment in the previous system could not be matched here.
-- Nested loops over arrays would take quadratic time, and the planner does not know how long the arrays are. Custom
-- plans are no way out here: the setting applies to the foreign keys, too, whose queries would be planned again for
-- each row.
-- Precondition: the caller owns the structure lock. None of the orders is in the store.
create or replace function app.import_order_rows(p_order_nos text[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_plan app.commission_plans := (select p from app.commission_plans as p order by p.version desc limit 1);
begin
  with lines as materialized (select * from app.import_lines(p_order_nos)),
  sums as (
    select
      i.order_no, sum(i.price * i.quantity) as total, sum(i.discount) as discount,
      bool_or(i.is_queue_goods) as has_queue_goods,
      sum(i.quantity - i.refunded) as units_left, sum(i.refunded) as refunded,
      coalesce(sum(i.quantity - i.refunded) filter (where i.is_queue_goods), 0) as units,
      coalesce(sum(i.price * i.quantity - i.discount) filter (where i.is_queue_goods), 0) as base_paid,
      coalesce(
        sum(app.amount_left(i.price * i.quantity - i.discount, i.quantity, i.refunded)) filter (where i.is_queue_goods),
        0
      ) as base
    from lines as i
    group by i.order_no
  ),
  -- Materialized, so that no value is computed again for each use.
  paid as materialized (
    select
      s.*, app.import_address(s) as address, f.is_paid,
      case when f.is_paid then app.import_time(s.paid_at, v_zone) end as payment_time,
      coalesce(s.freight::numeric, 0) as freight_price
    from app.staged_orders as s
    cross join lateral (select s.state in ('paid', 'delivered', 'received') as is_paid) as f
    where s.order_no = any (p_order_nos)
  ),
  staged as materialized (
    select
      p.*,
      case
        when p.state in ('delivered', 'received') then coalesce(app.import_time(p.delivered_at, v_zone), p.payment_time)
      end as delivery_time
    from paid as p
  ),
  requests as (
    select distinct r.order_no from app.staged_refunds as r
    where r.order_no = any (p_order_nos) and r.state = 'requested'
  ),
  added as (
    insert into app.orders (
      order_no, uid, referrer_uid, state, total_price, discount, freight, pay_price, has_queue_goods, queue_base,
      queue_units, below_minimum,
      refund_status, plan_version, pay_type, pay_ref, paid_at, delivered_at, received_at, cancelled_at, address, remark,
      add_time, is_imported
    )
    select
      s.order_no, m.uid, r.uid, case when s.is_paid then s.state else 'cancelled' end, l.total, l.discount,
      s.freight_price,
      l.total - l.discount + s.freight_price, l.has_queue_goods, l.base, l.units,
      s.is_paid and l.has_queue_goods and app.is_below_minimum(l.base_paid, v_plan.minimum_base),
      case when l.units_left = 0 then 2 when q.order_no is not null then 1 when l.refunded > 0 then 3 else 0 end,
      case when s.is_paid then v_plan.version end,
      case when s.is_paid then app.import_pay_type(s.pay_type) end,
      case when s.is_paid then coalesce(s.pay_ref, s.order_no) end,
      s.payment_time, s.delivery_time,
      case
        when s.is_paid
          and s.state = 'received' then greatest(
            app.import_time(s.received_at, v_zone), s.delivery_time, s.payment_time
          )
      end,
      case when not s.is_paid then coalesce(app.import_time(s.cancelled_at, v_zone), p_now) end,
      case when app.is_address(s.address) then s.address end, left(coalesce(app.clean_text(s.remark), ''), 500),
      app.import_time(s.placed_at, v_zone), true
    from staged as s
    join sums as l on l.order_no = s.order_no
    join app.imported_members as m on m.old_uid = s.uid::bigint
    left join app.imported_members as r on r.old_uid = s.referrer::bigint
    left join requests as q on q.order_no = s.order_no
    order by s.line
    returning id, order_no
  )
  insert into app.order_lines (
    order_id, product_id, title, price, quantity, discount, paid, is_queue_goods, refunded_quantity
  )
  select a.id, i.product_id, i.title, i.price, i.quantity, i.discount, i.price * i.quantity - i.discount,
    i.is_queue_goods, i.refunded
  from lines as i
  join added as a on a.order_no = i.order_no
  order by a.id, i.line_no;
end
$$;

comment on function app.import_order_rows is
  'Writes staged orders and their lines, as refunds of the previous system left them.';

-- Precondition: the transaction has written the orders.
create or replace function app.import_parcels(p_order_nos text[])
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.parcels (order_id, carrier, carrier_code, tracking_no, shipped_at)
  select o.id, t.carrier, (app.find_carrier(t.carrier)).code, t.tracking_no, o.delivered_at
  from app.staged_orders as s
  join app.orders as o on o.order_no = s.order_no
  cross join lateral (
    select app.visible_text(left(app.visible_text(s.carrier), 64)) as carrier,
      app.tracking_number(s.tracking_no) as tracking_no
  ) as t
  where s.order_no = any (p_order_nos) and o.delivered_at is not null and num_nonnulls(t.carrier, t.tracking_no) > 0
  order by o.id
$$;

comment on function app.import_parcels is
  'Writes the parcels of staged orders that were shipped with a carrier or a tracking number (app.tracking_number).';

-- Custom query plan: see app.import_lines.
create or replace function app.import_refund_items(p_order_nos text[])
returns table (
  order_id bigint, refund_no text, state text, reason text, is_named boolean, refunded_at timestamptz, line_id bigint,
  paid numeric,
  units integer, quantity integer, refunded_before integer
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  return query
    with refunds as materialized (
      select r.order_no, r.refund_no, r.line_no::bigint as line_no, r.quantity::integer as quantity,
        coalesce(r.state, 'refunded') as state,
        r.reason, app.import_time(r.refunded_at, t.time_zone) as refunded_at
      from app.staged_refunds as r cross join app.settings as t
      where r.order_no = any (p_order_nos)
    ),
    named as (
      select f.order_no, f.line_no, sum(f.quantity)::integer as quantity
      from refunds as f where f.line_no is not null and f.state = 'refunded' group by f.order_no, f.line_no
    ),
    staged as (
      select s.order_no, s.line_no::bigint as line_no,
        row_number() over (partition by s.order_no order by s.line_no::bigint) as number
      from app.staged_order_lines as s
      where s.order_no in (select r.order_no from refunds as r)
    ),
    -- The lines were written in the order of their numbers.
    written as (
      select l.id, l.order_id, o.order_no, l.paid, l.quantity, l.refunded_quantity,
        row_number() over (partition by l.order_id order by l.id) as number
      from app.orders as o join app.order_lines as l on l.order_id = o.id
      where o.order_no in (select r.order_no from refunds as r)
    ),
    lines as (
      select w.*, s.line_no, coalesce(n.quantity, 0) as named
      from written as w
      join staged as s on s.order_no = w.order_no and s.number = w.number
      left join named as n on n.order_no = s.order_no and n.line_no = s.line_no
    ),
    items as (
      select
        l.order_id, r.refund_no, r.state, r.reason, r.line_no is not null as is_named, r.refunded_at, l.id as line_id,
        l.paid, l.quantity as units,
        case
          when r.line_no is not null then r.quantity
          when r.state = 'requested' then l.quantity - l.refunded_quantity
          else l.quantity - l.named
        end as quantity,
        l.refunded_quantity
      from refunds as r
      join lines as l on l.order_no = r.order_no and (r.line_no is null or l.line_no = r.line_no)
    )
    select
      i.order_id, i.refund_no, i.state, i.reason, i.is_named, i.refunded_at, i.line_id, i.paid, i.units, i.quantity,
      case i.state when 'requested' then i.refunded_quantity
        else coalesce(sum(i.quantity) filter (where i.state = 'refunded') over (
        partition by i.line_id
        order by not i.is_named, i.refunded_at, i.refund_no rows between unbounded preceding and 1 preceding
      ), 0)::integer end
    from items as i
    where i.quantity > 0;
end
$$;

comment on function app.import_refund_items is
  'Returns the units that each staged refund or request takes from each line, and those refunded before.';

-- A refund that names no line takes whatever the named ones leave. One that is left without units is dropped.
-- Precondition: the orders and their lines are written, and their settlements are not, so that the positions of refunds
-- come first.
create or replace function app.import_refunds(p_order_nos text[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
  with items as materialized (select * from app.import_refund_items(p_order_nos)),
  refunds as (
    select
      i.order_id, i.refund_no, min(i.state) as state, max(i.reason) as reason, bool_or(i.is_named) as is_named,
      least(coalesce(max(i.refunded_at), max(greatest(o.received_at, o.delivered_at, o.paid_at))), p_now) as at,
      sum(
        app.amount_left(i.paid, i.units, i.refunded_before) - app.amount_left(
          i.paid, i.units, i.refunded_before + i.quantity
        )
      ) as amount
    from items as i
    join app.orders as o on o.id = i.order_id
    group by i.order_id, i.refund_no
  ),
  -- Row order: that of the subquery.
  numbered as (
    select r.*, nextval('app.positions') as position
    from (select * from refunds as f order by f.order_id, f.at, f.refund_no) as r
  ),
  added as (
    insert into app.refunds (
      order_id, state, refund_ref, reason, amount, names_units, created_at, decided_at, position, decided_position
    )
    select
      r.order_id, r.state, r.refund_no, left(coalesce(r.reason, ''), 500), r.amount, r.is_named, r.at,
      case when r.state = 'refunded' then r.at end,
      r.position, case when r.state = 'refunded' then r.position end
    from numbered as r
    order by r.position
    returning id, order_id, refund_ref
  )
  insert into app.refund_lines (refund_id, line_id, quantity, asked)
  select a.id, i.line_id, i.quantity, case when i.state = 'requested' then i.quantity end from items as i
  join added as a on a.order_id = i.order_id and a.refund_ref = i.refund_no;
end
$$;

comment on function app.import_refunds is 'Writes the refunds and refund requests of staged orders.';

-- A batch is complete in itself: orders, lines, refunds, settlements and counts are written in one transaction, so that
-- app.reconcile() finds nothing after each of them.
-- Locks: structure (exclusive), balances by uid.
-- Idempotent: an order that is imported already is left as it is.
create or replace function app.import_orders(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_nos text[];
  v_last integer;
begin
  perform app.lock_structure();
  select max(b.line),
    array_agg(b.order_no order by b.line) filter (
      where not exists (select from app.orders as o where o.order_no = b.order_no)
    )
  into v_last, v_nos
  from (
    select s.line, s.order_no from app.staged_orders as s where s.line > p_after order by s.line limit p_limit
  ) as b;
  if v_nos is null then
    return v_last;
  end if;
  perform app.import_order_rows(v_nos, p_now);
  perform app.import_parcels(v_nos);
  perform app.import_refunds(v_nos, p_now);
  insert into app.settlements (
    order_id, position, state, uid, referrer_uid, order_plan_version, level_version, plan_in_force, brokerage_scope,
    base, units, reason, settled_at
  )
  select
    o.id, nextval('app.positions'), 'imported', o.uid, o.referrer_uid, o.plan_version,
    (select max(l.version) from app.level_versions as l),
    o.plan_version, p.brokerage_scope, o.queue_base, o.queue_units, 'imported', p_now
  from app.orders as o
  join app.commission_plans as p on p.version = o.plan_version
  where o.order_no = any (v_nos) and o.paid_at is not null
  order by o.id;
  perform app.count_imported_orders(v_nos);
  update app.imports set orders = orders + cardinality(v_nos) where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_orders is
  'Imports the next p_limit staged orders after a line, with lines, parcels and refunds. Settles the paid ones as '
  'imported and adds them to the task counts (R8, R9). Returns the last line, or null if none was left.';
