-- Levels with their tasks, versions of levels, and versions of the commission plan.

create table app.agent_levels (
  grade smallint primary key,
  name text not null,
  name_zh text not null,
  direct_points numeric(18,4) not null default 0,
  umbrella_points numeric(18,4) not null default 0,
  is_active boolean not null default true,
  updated_at timestamptz not null default now(),
  constraint grade_is_between_0_and_100 check (grade between 0 and 100),
  constraint name_is_a_short_text check (
    char_length(name) <= 50 and app.is_line(name) and char_length(name_zh) <= 50 and app.is_line(name_zh)
  ),
  -- A million points for each unit of the largest order still fit into a column of points, so no grant can overflow.
  constraint direct_points_are_between_0_and_a_million check (direct_points between 0 and 1000000),
  constraint umbrella_points_are_between_0_and_a_million check (umbrella_points between 0 and 1000000),
  -- R7 passes the highest amount on unchanged at a member of grade 0, so grade 0 must not grant points.
  constraint grade_0_is_active_and_brings_no_points check (
    grade > 0 or (is_active and direct_points = 0 and umbrella_points = 0)
  )
);
comment on table app.agent_levels is
  'Levels that members rise through (R5), and their points for each unit of queue goods (R6, R7).';
comment on column app.agent_levels.grade is '0 is no level. A higher grade is a higher level.';
comment on column app.agent_levels.is_active is
  'Whether members can reach the grade. Members who hold an inactive grade keep it.';

alter table app.agent_levels enable row level security;
create policy everyone_reads_levels on app.agent_levels for select to authenticated, store_admin, service_role
  using (true);
grant select on app.agent_levels to authenticated, store_admin, service_role;

create table app.agent_level_tasks (
  grade smallint not null references app.agent_levels (grade),
  type text not null,
  target integer not null,
  primary key (grade, type),
  constraint type_is_known check (type in ('direct_orders', 'umbrella_orders', 'direct_members', 'umbrella_members')),
  constraint target_is_positive check (target > 0),
  constraint grade_0_has_no_tasks check (grade > 0)
);
comment on table app.agent_level_tasks is
  'Tasks of a grade. A member meets one if the counter of its name in app.user_balances reaches the target, and rises '
  'when all are met.';

alter table app.agent_level_tasks enable row level security;
create policy everyone_reads_tasks on app.agent_level_tasks for select to authenticated, store_admin, service_role
  using (true);
grant select on app.agent_level_tasks to authenticated, store_admin, service_role;

create table app.level_versions (
  version integer generated always as identity primary key,
  levels jsonb not null,
  rules app.level_rule[] not null generated always as (app.level_rules(levels)) stored,
  created_by uuid,
  created_at timestamptz not null default now(),
  position bigint not null default nextval('app.positions')
);
comment on table app.level_versions is
  'Append-only versions of the complete level settings. The newest equals app.agent_levels and app.agent_level_tasks.';

comment on column app.level_versions.rules is 'The same settings in the form that the engine reads.';
comment on column app.level_versions.position is
  'Position in app.positions from which the version is in force; for versions from before 2.0.0, that of the update.';

alter table app.level_versions enable row level security;
create policy admins_read_level_versions on app.level_versions for select to store_admin, service_role using (true);
grant select on app.level_versions to store_admin, service_role;

create table app.commission_plans (
  version integer generated always as identity primary key,
  people_per_cycle smallint not null,
  tier_ratios numeric(6,5)[] not null,
  brokerage_scope text not null,
  brokerage_timing text not null,
  points_per_brokerage numeric(10,4) not null default 1,
  max_depth integer,
  payout_cap numeric(6,5) not null default 1,
  minimum_base numeric(14,2) not null default 0.01,
  holding_days smallint not null default 7,
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint people_per_cycle_is_between_1_and_100 check (people_per_cycle between 1 and 100),
  constraint there_is_one_ratio_per_person check (
    array_ndims(tier_ratios) = 1 and array_lower(tier_ratios, 1) = 1 and cardinality(tier_ratios) = people_per_cycle
  ),
  constraint no_ratio_is_missing check (array_position(tier_ratios, null) is null),
  constraint every_ratio_is_between_0_and_the_payout_cap check (
    0 <= all (tier_ratios) and payout_cap >= all (tier_ratios)
  ),
  constraint payout_cap_is_between_0_and_1 check (payout_cap between 0 and 1),
  constraint minimum_base_is_between_a_cent_and_a_million check (minimum_base between 0.01 and 1000000),
  constraint holding_days_is_between_0_and_365 check (holding_days between 0 and 365),
  constraint scope_is_known check (brokerage_scope in ('direct', 'umbrella')),
  constraint timing_is_known check (brokerage_timing in ('on_pay', 'confirm')),
  constraint points_per_brokerage_is_between_0_and_100 check (points_per_brokerage between 0 and 100),
  constraint max_depth_is_positive check (max_depth > 0)
);
comment on table app.commission_plans is 'Append-only versions of the commission plan. The newest is in force.';
comment on column app.commission_plans.people_per_cycle is 'Number of places in a cycle.';
comment on column app.commission_plans.tier_ratios is 'Share of the base that each place pays.';
comment on column app.commission_plans.brokerage_timing is
  'When an order is settled: on_pay (at payment) or confirm (at receipt) (R2).';
comment on column app.commission_plans.points_per_brokerage is 'Points for each 1.00 of commission.';
comment on column app.commission_plans.max_depth is
  'The highest depth of the upline at which members get points by level or earn commission; null: no limit.';
comment on column app.commission_plans.payout_cap is 'Highest rate that the plan pays.';
comment on column app.commission_plans.holding_days is
  'Days until commission matures, from the later of receipt and settlement of the order.';

alter table app.commission_plans enable row level security;
create policy everyone_reads_plans on app.commission_plans for select to authenticated, store_admin, service_role
  using (true);
grant select on app.commission_plans to authenticated, store_admin, service_role;

alter table app.users add constraint users_agent_level_fkey foreign key (agent_level)
  references app.agent_levels (grade);

-- Rows of these tables are never changed (see app.reject_change).
create trigger plan_versions_are_never_changed before update or delete on app.commission_plans
  for each row execute function app.reject_change();
create trigger plan_versions_are_never_emptied before truncate on app.commission_plans
  for each statement execute function app.reject_change();
create trigger level_versions_are_never_changed before update or delete on app.level_versions
  for each row execute function app.reject_change();
create trigger level_versions_are_never_emptied before truncate on app.level_versions
  for each statement execute function app.reject_change();
