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
  constraint every_ratio_is_between_0_and_the_payout_cap check (0 <= all (tier_ratios) and payout_cap >= all (tier_ratios)),
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
  'The highest depth at which members of the upline get points by level or can earn the commission; null: no limit.';
comment on column app.commission_plans.payout_cap is 'Highest rate that the plan pays.';
comment on column app.commission_plans.holding_days is
  'Days until commission matures, from the later of receipt and settlement of the order.';

alter table app.commission_plans enable row level security;
create policy everyone_reads_plans on app.commission_plans for select to authenticated, store_admin, service_role using (true);
grant select on app.commission_plans to authenticated, store_admin, service_role;
