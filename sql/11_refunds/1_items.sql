-- What a refund names of an order: units, amounts and freight, checked against what is left, and what that is worth;
-- and the types of what it decides with.

create type app.remaining_grant as (
  bill_id bigint,
  uid bigint,
  type text,
  source text,
  rate numeric,
  agent_level smallint,
  remaining numeric,
  frozen_points numeric,
  forfeited_available numeric,
  forfeited_brokerage numeric,
  forfeited_frozen numeric
);
comment on type app.remaining_grant is
  'What an order granted a member in one bill row, and what reversals have left of it.';
comment on column app.remaining_grant.remaining is 'What is left of the grant.';
comment on column app.remaining_grant.frozen_points is
  'Frozen points of the member, forfeited ones included. A reversal takes points from them first.';
comment on column app.remaining_grant.forfeited_brokerage is
  'Commission that the member forfeited by leaving and that refunds have not taken back (app.forfeit_left). So are the '
  'other two, of points.';

create type app.request_answer as (
  request_id bigint,
  is_answer boolean,
  state text
);
comment on type app.request_answer is 'What a refund makes of the open request of its order. All null: there is none.';
comment on column app.request_answer.is_answer is 'Whether the refund answers the request and takes its row.';
comment on column app.request_answer.state is 'The state of the request after the refund.';

create type app.refund_facts as (
  before app.orders,
  after app.orders,
  settlement app.settlements,
  grants app.remaining_grant[],
  state app.engine_state
);
comment on type app.refund_facts is
  'What a refund, a request or its end is decided from: the order before and after it, its grants and the members '
  'concerned.';
comment on column app.refund_facts.settlement is 'Null if the order is not settled.';

create or replace function app.lines_with_refund(p_order_id bigint, p_items app.refund_item[])
returns table (
  line_id bigint, is_queue_goods boolean, units integer, units_left integer, amount numeric, amount_left numeric,
  points numeric, points_left numeric
)
language sql
stable
rows 10
set search_path = pg_catalog, pg_temp
as $$
  with granted as materialized (
    -- Row order: they are added up.
    select c.line_id, array_agg((c.amount, c.units)::app.concession) as concessions
    from app.concessions_between(p_order_id, p_order_id) as c group by c.line_id
  )
  select
    l.id, l.is_queue_goods, l.quantity - l.refunded_quantity, l.quantity - l.refunded_quantity - n.quantity,
    app.line_left(l.paid, l.quantity, l.refunded_quantity, g.concessions),
    app.line_left(l.paid, l.quantity, l.refunded_quantity + n.quantity, g.concessions) - n.amount,
    app.points_left(l.points, l.quantity, l.refunded_quantity),
    app.points_left(l.points, l.quantity, l.refunded_quantity + n.quantity)
  from app.order_lines as l
  left join unnest(p_items) as i on i.line_id = l.id
  left join granted as g on g.line_id = l.id
  cross join lateral (select coalesce(i.quantity, 0) as quantity, coalesce(i.amount, 0) as amount) as n
  where l.order_id = p_order_id
  order by l.id
$$;

comment on function app.lines_with_refund is
  'Returns what is left of each line of an order before and after a refund of these items, by line. Money, 2 decimals; '
  'points that paid for it, 4.';

create or replace function app.refund_value(
  p_order_id bigint, p_items app.refund_item[], out amount numeric, out points numeric
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select sum(l.amount - l.amount_left), sum(l.points - l.points_left)
  from app.lines_with_refund(p_order_id, p_items) as l
$$;

comment on function app.refund_value is
  'Returns what these items pay back, without freight and points, and the points that they return; an amount returns '
  'none. Money, 2 decimals; points, 4.';

create or replace function app.is_refund_line(p_line jsonb, p_with_amounts boolean)
returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_typeof(p_line) = 'object' and coalesce(p_line ->> 'line_id', '') ~ '^[0-9]{1,18}$' and case
    when p_with_amounts and p_line ->> 'amount' is not null then p_line ->> 'quantity' is null
      and p_line ->> 'amount' ~ '^[0-9]{1,12}(\.[0-9]{1,2})?$'
      and p_line ->> 'amount' ~ '[1-9]'
    else p_line ->> 'amount' is null and coalesce(p_line ->> 'quantity', '') ~ '^[1-9][0-9]{0,3}$'
  end
$$;

comment on function app.is_refund_line is
  'Returns whether a line of a refund has a line_id, and either a quantity between 1 and 9999 or, with p_with_amounts, '
  'an amount of at least 0.01.';

-- Precondition: the caller has locked the order, unless it is a preview.
create or replace function app.check_refund_items(p_order_id bigint, p_items app.refund_item[])
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_found record;
begin
  select
    count(*) filter (where i.quantity <= l.units) as items, bool_or(l.amount_left < 0) as has_too_much,
    bool_or(i.amount > 0 and l.is_queue_goods and l.amount_left < 0.01) as leaves_nothing
  into v_found
  from app.lines_with_refund(p_order_id, p_items) as l left join unnest(p_items) as i on i.line_id = l.line_id;
  if v_found.items < cardinality(p_items) then
    perform app.fail(
      'refund_exceeds_order', 'The refund contains units that the order does not have or that were already refunded.'
    );
  elsif v_found.has_too_much then
    perform app.fail(
      'refund_exceeds_order', 'The refund pays back more of a line than is left of what was paid for it.'
    );
  elsif v_found.leaves_nothing then
    perform app.fail(
      'refund_exceeds_order',
      'An amount leaves at least 0.01 of a line with queue goods. To pay all of it back, name its units.'
    );
  end if;
end
$$;

comment on function app.check_refund_items is
  'Raises refund_exceeds_order for items that have more than is left of a line, or an amount that leaves nothing of a '
  'line with queue goods.';

-- Precondition: the caller has locked the order, unless it is a preview.
create or replace function app.named_refund_items(
  p_order_id bigint, p_lines jsonb, p_with_amounts boolean default false
)
returns app.refund_item[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_items app.refund_item[];
begin
  if jsonb_typeof(p_lines) <> 'array'
    or jsonb_array_length(p_lines) not between (not p_with_amounts)::integer and 50 then
    perform app.fail('invalid_argument', 'A refund has between 1 and 50 lines.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i where not app.is_refund_line(i.value, p_with_amounts)
  ) then
    if p_with_amounts then
      perform app.fail(
        'invalid_argument',
        'Every line of a refund needs a line_id, and either a quantity between 1 and 9999 or an amount of at least 0.01.'
      );
    end if;
    perform app.fail('invalid_argument', 'Every line of a refund needs a line_id and a quantity between 1 and 9999.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i group by (i.value ->> 'line_id')::bigint having count(*) > 1
  ) then
    perform app.fail('invalid_argument', 'A refund may contain each line only once.');
  end if;
  v_items := array(
    select (
      (i.value ->> 'line_id')::bigint, coalesce((i.value ->> 'quantity')::integer, 0),
      coalesce((i.value ->> 'amount')::numeric(14,2), 0)
    )::app.refund_item
    from jsonb_array_elements(p_lines) as i
    order by (i.value ->> 'line_id')::bigint
  );
  perform app.check_refund_items(p_order_id, v_items);
  return v_items;
end
$$;

comment on function app.named_refund_items is
  'Returns the items of p_lines, [{"line_id", "quantity"}] or, with p_with_amounts, also [{"line_id", "amount"}] or '
  'none, checked against what is left of each line.';

create or replace function app.all_refund_items(p_order_id bigint)
returns app.refund_item[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select (l.id, l.quantity - l.refunded_quantity, 0)::app.refund_item from app.order_lines as l
    where l.order_id = p_order_id and l.quantity > l.refunded_quantity
    order by l.id
  )
$$;

comment on function app.all_refund_items is 'Returns all units that are left of an order, as items of a refund.';

create type app.spread_line as (
  line_id bigint,
  amount numeric,
  kept numeric
);
comment on type app.spread_line is
  'A line over which an amount is spread: what is left of it, and how much of that must stay.';

create or replace function app.spread_over(p_lines app.spread_line[], p_amount numeric)
returns app.refund_item[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg((s.line_id, 0, s.share)::app.refund_item order by s.line_id), '{}')
  from (
    select l.line_id,
      app.money_share(p_amount, sum(l.amount) over up_to, w.whole) - app.money_share(
        p_amount, sum(l.amount) over up_to - l.amount, w.whole
      ) as share
    from unnest(p_lines) as l cross join (select sum(n.amount) as whole from unnest(p_lines) as n) as w
    window up_to as (order by l.line_id)
  ) as s
  where s.share > 0
$$;

comment on function app.spread_over is
  'Returns an amount as amounts of lines, in proportion to what is left of them, each rounded down so that they add '
  'up. No line gets more than its amount.';

-- Precondition: the caller has locked the order, unless it is a preview.
create or replace function app.spread_refund(p_order_id bigint, p_amount numeric)
returns app.refund_item[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_lines app.spread_line[] := array(
    select (l.line_id, l.amount, case when l.is_queue_goods and l.amount > 0 then 0.01 else 0 end)::app.spread_line
    from app.lines_with_refund(p_order_id, '{}') as l order by l.line_id
  );
  v_whole numeric := (select sum(l.amount) from unnest(v_lines) as l);
  v_items app.refund_item[];
begin
  perform app.require_cents(p_amount);
  if p_amount < 0 then
    perform app.fail('invalid_argument', 'The amount of a refund is at least 0.00.');
  elsif p_amount > v_whole then
    perform app.fail('refund_exceeds_order', 'The refund pays back more than is left of what was paid for the goods.');
  elsif p_amount = 0 then
    return array[]::app.refund_item[];
  elsif p_amount = v_whole then
    return app.all_refund_items(p_order_id);
  elsif p_amount > v_whole - (select sum(l.kept) from unnest(v_lines) as l) then
    perform app.fail(
      'refund_exceeds_order',
      'An amount leaves at least 0.01 of a line with queue goods. To pay all of it back, name its units.'
    );
  end if;
  v_items := app.spread_over(v_lines, p_amount);
  if exists (
    select from unnest(v_items) as i join unnest(v_lines) as l on l.line_id = i.line_id
    where i.amount > l.amount - l.kept
  ) then
    -- In proportion, a line with queue goods would keep less than 0.01: that cent is left out.
    v_items := app.spread_over(
      array(select (l.line_id, l.amount - l.kept, 0)::app.spread_line from unnest(v_lines) as l order by l.line_id),
      p_amount
    );
  end if;
  return v_items;
end
$$;

comment on function app.spread_refund is
  'Returns an amount for an order as a whole as amounts of its lines (app.spread_over). A line with queue goods keeps '
  '0.01; everything that is left means all units. Money, 2 decimals.';

create or replace function app.freight_left(p_order app.orders)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_order.freight - coalesce((
    select sum(r.freight) from app.refunds as r where r.order_id = p_order.id and app.is_paid_back(r.state)
  ), 0)
$$;

comment on function app.freight_left is
  'Returns what is left of the freight of an order after refunds. Money, 2 decimals.';

grant execute on function app.freight_left(app.orders) to authenticated, store_admin;

create or replace function app.default_freight(p_order app.orders, p_items app.refund_item[])
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_order.state = 'paid' and not exists (
      select from app.order_lines as l left join unnest(p_items) as i on i.line_id = l.id
      where l.order_id = p_order.id and l.quantity - l.refunded_quantity > coalesce(i.quantity, 0)
    ) then app.freight_left(p_order)
    else 0
  end
$$;

comment on function app.default_freight is
  'Returns the freight that a refund of these items pays back by default: all that is left if no unit of an order that '
  'was not shipped remains, else 0. Money, 2 decimals.';

grant execute on function app.default_freight(app.orders, app.refund_item[]) to authenticated, store_admin;

-- Precondition: the caller has locked the order, unless it is a preview.
create or replace function app.refund_freight(p_order app.orders, p_items app.refund_item[], p_freight numeric)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_cents(p_freight);
  if cardinality(p_items) = 0 and coalesce(p_freight, 0) = 0 then
    perform app.fail('invalid_argument', 'A refund names units, an amount or freight.');
  elsif p_freight is null then
    return app.default_freight(p_order, p_items);
  elsif p_freight < 0 then
    perform app.fail('invalid_argument', 'The freight of a refund is at least 0.00.');
  elsif p_freight > app.freight_left(p_order) then
    perform app.fail('refund_exceeds_order', 'The refund pays back more freight than is left of it.');
  end if;
  return p_freight;
end
$$;

comment on function app.refund_freight is
  'Returns the freight that a refund of these items pays back: p_freight, checked against what is left; null: '
  'app.default_freight. Money, 2 decimals.';

create or replace function app.requested_items(p_order_id bigint)
returns app.refund_item[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select (i.line_id, i.quantity, 0)::app.refund_item
    from app.refunds as r join app.refund_lines as i on i.refund_id = r.id
    where r.order_id = p_order_id and r.state = 'requested' and i.quantity > 0
    order by i.line_id
  )
$$;

comment on function app.requested_items is
  'Returns the units that the open request of an order asks for, by line; empty without a request.';

grant execute on function app.requested_items(bigint) to authenticated, store_admin;

create or replace function app.current_freight(p_refund app.refunds)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_refund.state = 'requested' then (
      select app.default_freight(o, app.requested_items(o.id)) from app.orders as o where o.id = p_refund.order_id
    )
    else p_refund.freight
  end
$$;

comment on function app.current_freight is
  'Returns the freight of a refund; of an open request, what granting it would pay back now. Money, 2 decimals.';

grant execute on function app.current_freight(app.refunds) to authenticated, store_admin;

-- Precondition: the caller has locked the order, unless it is a preview.
create or replace function app.refund_items(
  p_order_id bigint, p_lines jsonb, p_takes_request boolean, p_with_amounts boolean default false,
  p_amount numeric default null, p_freight numeric default null
)
returns app.refund_item[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_items app.refund_item[];
begin
  if num_nonnulls(p_lines, p_amount) = 2 then
    perform app.fail('invalid_argument', 'A refund names lines, or an amount for the order as a whole, not both.');
  elsif p_lines is not null then
    return app.named_refund_items(p_order_id, p_lines, p_with_amounts);
  elsif p_amount is not null then
    return app.spread_refund(p_order_id, p_amount);
  end if;
  if p_takes_request then
    v_items := app.requested_items(p_order_id);
  end if;
  if coalesce(cardinality(v_items), 0) = 0 then
    v_items := app.all_refund_items(p_order_id);
  end if;
  if cardinality(v_items) = 0 and coalesce(p_freight, 0) = 0 then
    perform app.fail('refund_exceeds_order', 'Nothing of this order is left to refund.');
  end if;
  return v_items;
end
$$;

comment on function app.refund_items is
  'Returns the items of a refund, checked against what is left of the order. They are p_lines '
  '(app.named_refund_items); else p_amount, spread over the lines; else, with p_takes_request, the units of the open '
  'request; else all that is left. There may be none if freight is named. Only administrators name amounts '
  '(p_with_amounts).';
