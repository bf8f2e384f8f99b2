-- The rules of plans and levels: commission of a place, points by level, when a member rises. Only the last two, about
-- stored tasks, read tables.

create or replace function app.barring_reason(
  p_units integer, p_base numeric, p_below_minimum boolean, p_referrer_uid bigint, p_is_imported boolean
)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when p_is_imported then 'imported'
    when p_units = 0 then 'refunded'
    when p_below_minimum then 'below_minimum'
    when p_base = 0 then 'zero_base'
    when p_referrer_uid is null then 'no_referrer'
  end
$$;

comment on function app.barring_reason is
  'Returns why an order pays nobody, whoever is above its buyer, or null if it may pay (R1).';

create or replace function app.commission_points(p_commission numeric, p_points_per_brokerage numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_commission * p_points_per_brokerage, app.points_decimals())
$$;

comment on function app.commission_points is
  'Returns the frozen points that come with a commission (R3). Points, 4 decimals.';

create or replace function app.cycle_commission(p_base numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_base * p_rate, app.money_decimals())
$$;

comment on function app.cycle_commission is 'Returns the commission of one order (R1). Money, 2 decimals.';

create or replace function app.is_below_minimum(p_base numeric, p_minimum_base numeric)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_base < p_minimum_base
$$;

comment on function app.is_below_minimum is
  'Returns whether the base of an order at payment is below the minimum of its plan. Such an order pays nobody and '
  'counts for nothing.';

create or replace function app.level_points(p_points_per_unit numeric, p_units integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_points_per_unit * p_units, app.points_decimals())
$$;

comment on function app.level_points is 'Returns the frozen points for units of queue goods (R6). Points, 4 decimals.';

create or replace function app.meets_next_level(p_member app.tree_member, p_rule app.level_rule)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_rule.next_grade is not null and not p_member.is_held and p_member.has_left is not true
    and (p_rule.direct_orders is null or p_member.direct_orders >= p_rule.direct_orders)
    and (p_rule.umbrella_orders is null or p_member.umbrella_orders >= p_rule.umbrella_orders)
    and (p_rule.direct_members is null or p_member.direct_members >= p_rule.direct_members)
    and (p_rule.umbrella_members is null or p_member.umbrella_members >= p_rule.umbrella_members)
$$;

comment on function app.meets_next_level is
  'Returns whether a member has met all tasks of the next grade (R5, R8), is not held and has not left.';

create or replace function app.umbrella_share(p_umbrella_points numeric, p_passed_on numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select greatest(p_umbrella_points - p_passed_on, 0)
$$;

comment on function app.umbrella_share is
  'Returns the points per unit that an ancestor gets (R7): their umbrella points minus the highest of the members '
  'between them and the buyer, at least 0.';

create or replace function app.tasks_are_met(p_grade smallint, p_row app.user_balances)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(t.target <= (to_jsonb(p_row) ->> t.type)::integer), false)
  from app.agent_level_tasks as t
  where t.grade = p_grade
$$;

comment on function app.tasks_are_met is
  'Returns whether a member''s task counts meet all tasks of a grade. A grade without tasks is never met.';

create or replace function app.level_by_tasks(p_row app.user_balances, p_from smallint default 0)
returns smallint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max(l.grade), p_from)
  from app.agent_levels as l
  where l.is_active and l.grade > p_from and not exists (
    select from app.agent_levels as step
    where step.is_active and step.grade between p_from + 1 and l.grade and not app.tasks_are_met(step.grade, p_row)
  )
$$;

comment on function app.level_by_tasks is
  'Returns the grade that a member with these task counts reaches from p_from, one grade at a time.';
