-- What a level and a plan are to the engine: types and the rules of all levels in one value.

create type app.level_rule as (
  grade smallint,
  direct_points numeric,
  umbrella_points numeric,
  keeps_counts boolean,
  next_grade smallint,
  direct_orders integer,
  umbrella_orders integer,
  direct_members integer,
  umbrella_members integer
);
comment on type app.level_rule is
  'What a grade means to the engine: its points per unit of queue goods (R6, R7) and the tasks of the next grade. The '
  'last four fields are its targets; null: no such task.';
comment on column app.level_rule.keeps_counts is 'Whether the task counts of members of this grade are kept.';
comment on column app.level_rule.next_grade is 'The next active grade; null if there is none or it has no tasks.';

-- PL/pgSQL, so that the session caches the query plan. Generic query plan: see app.get_upline.
create or replace function app.level_rules(p_levels jsonb, p_counts_all boolean default false)
returns app.level_rule[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    with levels as (
      select l.grade, l.direct_points, l.umbrella_points, coalesce(l.is_active, true) as is_active,
        nullif(l.tasks, '{}') as tasks
      from jsonb_to_recordset(p_levels) as l (
        grade smallint, direct_points numeric, umbrella_points numeric, is_active boolean, tasks jsonb
      )
    )
    select array_agg((
      l.grade, l.direct_points, l.umbrella_points, p_counts_all or n.grade is not null,
      case when n.tasks is not null then n.grade end,
      (n.tasks ->> 'direct_orders')::integer, (n.tasks ->> 'umbrella_orders')::integer,
      (n.tasks ->> 'direct_members')::integer, (n.tasks ->> 'umbrella_members')::integer
    )::app.level_rule order by l.grade)
    from levels as l
    left join lateral (
      select a.grade, a.tasks from levels as a where a.is_active and a.grade > l.grade order by a.grade limit 1
    ) as n on true
  );
end
$$;

comment on function app.level_rules is
  'Converts app.levels_json to an array with the rule of grade g at index g + 1. The top active grade keeps no task '
  'counts unless p_counts_all. A grade without tasks is reached by hand only.';

create type app.level_grant as (
  ordinal integer,
  order_id bigint,
  depth integer,
  uid bigint,
  agent_level smallint,
  passed_on numeric,
  per_unit numeric,
  units integer,
  points numeric
);
comment on type app.level_grant is
  'Frozen points that are granted to a member for an order by level (R5, R6, R7): per_unit x units, rounded down.';
comment on column app.level_grant.ordinal is 'Index of the change that granted the points.';
comment on column app.level_grant.depth is '1 is the buyer''s referrer.';
comment on column app.level_grant.passed_on is
  'R7: the highest umbrella points per unit of the levels between the member and the buyer.';

create type app.level_rise as (
  order_id bigint,
  uid bigint,
  from_level smallint,
  to_level smallint,
  cause text,
  ordinal integer
);
comment on type app.level_rise is 'A member reached a grade by meeting its tasks (R5).';
comment on column app.level_rise.order_id is 'The order that was settled or refunded; null for other causes.';
comment on column app.level_rise.cause is 'order, refund, assess, refer, import or hold (app.level_changes).';
comment on column app.level_rise.ordinal is 'Index of the change that raised the member.';

create type app.tree_change as (
  kind text,
  member integer,
  order_id bigint,
  units integer,
  max_depth integer,
  step integer,
  is_set boolean,
  referrer integer,
  orders_below integer,
  members_below integer,
  to_level smallint,
  raises boolean
);
comment on type app.tree_change is 'A change in the referral tree that the level rules react to.';
comment on column app.tree_change.kind is
  'settle: an order is settled; units grant points (0: none), step orders begin to count. count: an order begins (step '
  '1) or ceases (step -1) to count because of its refunds. assess: no_assess becomes is_set (R9). refer: the member '
  'gets the referrer at index referrer, with orders_below and members_below. grade: an administrator sets grade '
  'to_level and hold is_set. import: an import has ended. leave: the member leaves.';
comment on column app.tree_change.member is 'Index of the buyer or of the member who changes.';
comment on column app.tree_change.raises is
  'Whether a change that is no settlement raises members: for grade and import the member, otherwise members above of '
  'whose counts one rises.';

create or replace function app.new_tree_change(
  p_kind text, p_member integer, p_order_id bigint default null, p_units integer default 0,
  p_max_depth integer default null,
  p_step integer default null, p_is_set boolean default null, p_referrer integer default null,
  p_orders_below integer default null,
  p_members_below integer default null, p_to_level smallint default null, p_raises boolean default false
)
returns app.tree_change
language sql
immutable
parallel safe
as $$
  select (
    p_kind, p_member, p_order_id, p_units, p_max_depth, p_step, p_is_set, p_referrer, p_orders_below, p_members_below,
    p_to_level, p_raises
  )::app.tree_change
$$;

comment on function app.new_tree_change is 'Returns a change of the referral tree (app.tree_change).';

create type app.tree_member as (
  uid bigint,
  referrer integer,
  agent_level smallint,
  is_held boolean,
  no_assess boolean,
  own_orders integer,
  direct_orders integer,
  umbrella_orders integer,
  direct_members integer,
  umbrella_members integer,
  is_changed boolean,
  has_left boolean
);
comment on type app.tree_member is 'A member as the level rules see them.';
comment on column app.tree_member.referrer is
  'Index of the referrer in the same array; null at the root or if not loaded.';
comment on column app.tree_member.is_changed is 'Whether a counter or the level differs from what was loaded.';
comment on column app.tree_member.has_left is
  'Whether the member has left, and so neither earns nor rises (docs/decisions/0174).';
