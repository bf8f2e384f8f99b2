-- The pure rules of orders: what counts, what points pay, what is left of an amount. They read no table.

-- Rounds once, from the whole amount, so that every sequence of partial refunds ends at the same sum.
create or replace function app.amount_left(p_paid numeric, p_quantity integer, p_refunded_quantity integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_paid * (p_quantity - p_refunded_quantity) / p_quantity, app.money_decimals())
$$;

comment on function app.amount_left is
  'Returns what refunds of p_refunded_quantity units leave of an amount paid for p_quantity units. Money, 2 decimals, '
  'rounded down.';

grant execute on function app.amount_left(numeric, integer, integer) to store_admin;

-- Exact: what was paid for a unit, less what was conceded of it, is a fraction of whole numbers, of which nothing is
-- rounded before the end.
create or replace function app.amount_left_after_concessions(
  p_paid numeric, p_quantity integer, p_units integer, p_concessions app.concession[]
)
returns numeric
language plpgsql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_cents numeric := trunc(p_paid * 100);
  v_units numeric := p_quantity::numeric;
  v_divisor numeric;
  v_concession app.concession;
begin
  foreach v_concession in array p_concessions loop
    v_cents := v_cents * v_concession.units - trunc(v_concession.amount * 100) * v_units;
    v_units := v_units * v_concession.units;
    v_divisor := gcd(v_cents, v_units);
    v_cents := div(v_cents, v_divisor);
    v_units := div(v_units, v_divisor);
  end loop;
  return div(p_units * v_cents, v_units) * 0.01;
end
$$;

comment on function app.amount_left_after_concessions is
  'Returns what p_units units are worth of p_quantity that cost p_paid: the price of a unit, less its share of each '
  'concession, times the units. A concession is shared by the units that were left then, in any sequence. Money, 2 '
  'decimals, rounded down once.';

grant execute on function app.amount_left_after_concessions(numeric, integer, integer, app.concession[]) to store_admin;

create or replace function app.line_left(
  p_paid numeric, p_quantity integer, p_refunded_quantity integer, p_concessions app.concession[]
)
returns numeric
language sql
immutable
parallel safe
as $$
  select case
    when p_concessions is null then app.amount_left(p_paid, p_quantity, p_refunded_quantity)
    else app.amount_left_after_concessions(p_paid, p_quantity, p_quantity - p_refunded_quantity, p_concessions)
  end
$$;

comment on function app.line_left is
  'Returns what refunds of units and concessions (null: none) leave of what was paid for a line. Money, 2 decimals.';

grant execute on function app.line_left(numeric, integer, integer, app.concession[]) to store_admin;

create or replace function app.is_counted(p_units integer, p_refund_status smallint, p_below_minimum boolean)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_units > 0 and p_refund_status in (0, 3) and not p_below_minimum
$$;

comment on function app.is_counted is
  'Returns whether a settled order counts for the tasks of its buyer''s upline (R8): queue goods are left, no refund '
  'is requested or complete, and its base was not below the minimum.';

create or replace function app.is_reported(
  p_paid_at timestamptz, p_units integer, p_refund_status smallint, p_below_minimum boolean
)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_paid_at is not null and p_units > 0 and p_refund_status <> 2 and not p_below_minimum
$$;

comment on function app.is_reported is
  'Returns whether an order is a reported order (R4): paid, not refunded, not below the minimum base, and with queue '
  'goods left.';

create or replace function app.shown_state(p_state text, p_refund_status smallint)
returns text
language sql
immutable
parallel safe
as $$
  select case when p_refund_status = 2 then 'refunded' else p_state end
$$;

comment on function app.shown_state is
  'Returns the state that people see and filter lists by: refunded once nothing of the order is left, otherwise its '
  'state.';

grant execute on function app.shown_state(text, smallint) to authenticated, store_admin;

create or replace function app.is_to_ship(p_state text, p_refund_status smallint)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_state = 'paid' and p_refund_status <> 2
$$;

comment on function app.is_to_ship is
  'Returns whether an order waits for its shipment: paid, not shipped, and not refunded completely.';

grant execute on function app.is_to_ship(text, smallint) to authenticated, store_admin;

create or replace function app.return_state(p_asked_at timestamptz, p_sent_at timestamptz, p_received_at timestamptz)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when p_received_at is not null then 'received'
    when p_sent_at is not null then 'sent'
    when p_asked_at is not null then 'asked'
  end
$$;

comment on function app.return_state is
  'Returns how far the goods of a refund request have returned: asked, sent or received; null if they were not asked '
  'for.';

grant execute on function app.return_state(timestamptz, timestamptz, timestamptz) to authenticated, store_admin;

create or replace function app.is_paid_back(p_state text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_state in ('refunded', 'partly_refunded')
$$;

comment on function app.is_paid_back is
  'Returns whether a refund in this state was carried out: granted, granted in part, or made without a request.';

grant execute on function app.is_paid_back(text) to authenticated, store_admin;

create or replace function app.refund_waits(p_state text, p_asked_at timestamptz, p_received_at timestamptz)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_state = 'requested' and (p_asked_at is null or p_received_at is not null)
$$;

comment on function app.refund_waits is
  'Returns whether a refund waits for the store: it is requested, and no goods that were asked for are still to '
  'arrive.';

-- Exact: a rounded quotient of two large numbers could be one cent too high.
create or replace function app.money_of_points(p_points numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.div(p_points * 100, p_rate) * 0.01
$$;

comment on function app.money_of_points is
  'Returns the money that points pay at p_rate points for 1.00. Money, 2 decimals, rounded down. The points taken are '
  'exactly that money times the rate.';

-- Exact, like app.money_of_points.
create or replace function app.money_share(p_money numeric, p_part numeric, p_whole numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.div(p_money * p_part * 100, p_whole) * 0.01
$$;

comment on function app.money_share is
  'Returns the share of an amount that p_part has in p_whole, rounded down. Money, 2 decimals.';

-- Rounds once, from the whole amount, like app.amount_left. The factor gives the quotient 12 decimals or more: with 4,
-- as Postgres gives quotients of 10^12 and more, it would be rounded up before it is rounded down.
create or replace function app.points_left(p_points numeric, p_quantity integer, p_refunded_quantity integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_points * (p_quantity - p_refunded_quantity) * 1.00000000 / p_quantity, app.points_decimals())
$$;

comment on function app.points_left is
  'Returns what refunds of p_refunded_quantity units leave of the points that paid for p_quantity units. Points, 4 '
  'decimals, rounded down.';
