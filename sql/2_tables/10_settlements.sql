create table app.settlements (
  order_id bigint primary key references app.orders (id),
  position bigint not null,
  state text not null,
  uid bigint not null references app.users (uid),
  referrer_uid bigint references app.users (uid),
  order_plan_version integer not null references app.commission_plans (version),
  level_version integer not null references app.level_versions (version),
  plan_in_force integer not null references app.commission_plans (version),
  brokerage_scope text not null,
  base numeric(14,2) not null,
  units integer not null,
  earner_uid bigint references app.users (uid),
  eligible_since timestamptz,
  cycle_no integer,
  place smallint,
  cycle_plan_version integer references app.commission_plans (version),
  ratio numeric(6,5),
  rate numeric(6,5),
  commission numeric(14,2) not null default 0,
  commission_points numeric(18,4) not null default 0,
  reason text,
  place_freed_at timestamptz,
  place_freed_position bigint,
  settled_at timestamptz not null,
  constraint state_is_known check (state in ('settled', 'refunded', 'imported')),
  constraint scope_is_known check (brokerage_scope in ('direct', 'umbrella')),
  constraint an_earner_has_a_place check (
    num_nonnulls(earner_uid, eligible_since, cycle_no, place, cycle_plan_version, ratio, rate) in (0, 7)
  ),
  constraint the_rate_is_at_most_the_ratio check (rate <= ratio),
  constraint a_reason_iff_nobody_earned check ((reason is null) = (earner_uid is not null)),
  constraint reason_is_known check (
    reason in ('refunded', 'below_minimum', 'zero_base', 'no_referrer', 'referrer_not_eligible', 'nobody_eligible', 'imported')
  ),
  constraint an_imported_order_settles_as_imported check ((state = 'imported') = coalesce(reason = 'imported', false)),
  constraint a_refunded_order_settles_for_nothing check (state = 'settled' or earner_uid is null),
  constraint only_an_earner_is_paid check (earner_uid is not null or (commission = 0 and commission_points = 0)),
  constraint only_a_place_is_freed check (earner_uid is not null or place_freed_at is null),
  constraint a_freed_place_has_a_position check ((place_freed_at is null) = (place_freed_position is null))
);
comment on column app.settlements.position is
  'Position of the decision in app.positions: with it, the state that it was made from can be restored.';
comment on column app.settlements.eligible_since is 'Payment of the own reported order that made the earner eligible (R4).';
comment on column app.settlements.rate is
  'The share of the base that was paid: the least of the ratio of the place, the payout cap of the cycle''s plan and the payout '
  'cap of plan_in_force.';
comment on table app.settlements is
  'The settlement of an order (R10): earner, cycle, place, ratio and commission, or the reason why nobody earned. It is also '
  'the record of the place that the order took.';

-- A place has at most one order, unless refunds have freed it.
create unique index settlements_one_live_order_per_place on app.settlements (earner_uid, cycle_no, place)
  where earner_uid is not null and place_freed_at is null;
-- For app.retaken_places.
create index settlements_freed_places_idx on app.settlements (place_freed_position) where place_freed_at is not null;
create index settlements_uid_idx on app.settlements (uid);
-- For the foreign keys: claims delete members.
create index settlements_referrer_uid_idx on app.settlements (referrer_uid) where referrer_uid is not null;
create index settlements_earner_uid_idx on app.settlements (earner_uid) where earner_uid is not null;
-- For app.orders_since.
create index settlements_times_idx on app.settlements using brin (settled_at);

alter table app.settlements enable row level security;
grant select on app.settlements to authenticated, store_admin, service_role;
