-- The pure rules of the bill: amounts of grants and releases, when commission matures. They read no table.

create or replace function app.basis_left(p_type text, p_source text, p_base numeric, p_units integer, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select case
    when p_base = 0 then 0
    when app.is_money(p_type) then p_base
    when p_source = 'cycle' then app.cycle_commission(p_base, p_rate)
    else p_units
  end
$$;

comment on function app.basis_left is
  'Returns the basis that is left of a grant when p_base and p_units are left of an order: the base, its commission at '
  'p_rate for commission points, the units for points by level. A base of zero leaves nothing.';

create or replace function app.grant_amount(p_type text, p_basis numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(
    p_basis * p_rate, case when app.is_money(p_type) then app.money_decimals() else app.points_decimals() end
  )
$$;

comment on function app.grant_amount is
  'Returns the amount of a grant: basis times rate, rounded down to 2 decimals for commission and 4 for points.';

create or replace function app.release_rate()
returns numeric
language sql
immutable
parallel safe
as $$
  select 0.0004
$$;

comment on function app.release_rate is 'Returns the daily release rate (R11).';

grant execute on function app.release_rate() to authenticated, store_admin;

create or replace function app.release_amount(p_frozen_points numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_frozen_points * app.release_rate(), app.points_decimals())
$$;

comment on function app.release_amount is
  'Returns what one day releases of a frozen balance (R11). Points, 4 decimals; 0 for balances below 0.25.';

grant execute on function app.release_amount(numeric) to authenticated, store_admin;

-- Has no set clause, so that the planner can inline it. Stable, because adding an interval to a time is stable for
-- Postgres, also one of hours: an immutable function would not be inlined.
create or replace function app.matures_at(p_received_at timestamptz, p_settled_at timestamptz, p_holding_days integer)
returns timestamptz
language sql
stable
parallel safe
as $$
  select case
    when p_received_at is not null then greatest(p_received_at, p_settled_at) + p_holding_days * interval '24 hours'
  end
$$;

comment on function app.matures_at is
  'Returns when the commission of an order matures: p_holding_days after the later of receipt and settlement, null '
  'before receipt.';
