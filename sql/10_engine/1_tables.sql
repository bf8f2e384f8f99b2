-- Settlements, the places of cycles, and changes of levels; the facts and the state that the engine decides with.

create table app.settlements (
  order_id bigint primary key references app.orders (id),
  position bigint not null,
  batch bigint,
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
    reason in (
      'refunded', 'below_minimum', 'zero_base', 'no_referrer', 'referrer_not_eligible', 'nobody_eligible', 'imported',
      'referrer_left'
    )
  ),
  constraint an_imported_order_settles_as_imported check ((state = 'imported') = coalesce(reason = 'imported', false)),
  constraint a_refunded_order_settles_for_nothing check (state = 'settled' or earner_uid is null),
  constraint only_an_earner_is_paid check (earner_uid is not null or (commission = 0 and commission_points = 0)),
  constraint only_a_place_is_freed check (earner_uid is not null or place_freed_at is null),
  constraint a_freed_place_has_a_position check ((place_freed_at is null) = (place_freed_position is null))
);
comment on column app.settlements.position is 'Position of the decision in app.positions.';
comment on column app.settlements.batch is
  'Id of the first order that the same call of app.settle_orders settled. Null for imported orders, and for those '
  'settled before batches were stored.';
comment on column app.settlements.state is
  'settled; refunded, if all queue goods were refunded before, so that it paid nobody; imported. Later refunds do not '
  'change it.';
comment on column app.settlements.uid is 'The buyer.';
comment on column app.settlements.base is
  'The base that was left when the order was settled. Later refunds change app.orders.queue_base, not this.';
comment on column app.settlements.eligible_since is
  'Payment of the own reported order that made the earner eligible (R4).';
comment on column app.settlements.rate is
  'The share of the base that was paid: the ratio, limited by payout caps (app.decide_cycles).';
comment on table app.settlements is
  'Settlements of orders (R10), and the places that they took: earner, cycle, place, ratio and commission, or the '
  'reason why nobody earned.';

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

create table app.level_changes (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  from_level smallint not null,
  to_level smallint not null,
  from_held boolean not null default false,
  to_held boolean not null default false,
  reason text not null,
  order_id bigint references app.orders (id),
  changed_by uuid,
  position bigint not null default nextval('app.positions'),
  add_time timestamptz not null,
  cause text,
  constraint reason_is_known check (reason in ('tasks', 'manual', 'imported')),
  constraint the_level_or_the_hold_changes check (from_level <> to_level or from_held <> to_held),
  constraint nobody_on_hold_rises check (reason <> 'tasks' or not (from_held or to_held)),
  constraint cause_is_known check (cause in ('order', 'refund', 'assess', 'refer', 'import', 'hold')),
  constraint only_a_rise_by_tasks_has_a_cause check (reason = 'tasks' or cause is null),
  constraint settlements_and_refunds_name_the_order check (
    (reason = 'tasks' and coalesce(cause, 'order') in ('order', 'refund')) = (order_id is not null)
  )
);
comment on table app.level_changes is
  'Changes of members'' grades and holds (R5): by tasks (with the cause), by hand (with the administrator), '
  'or by the import that brought the member.';
comment on column app.level_changes.position is 'Position in app.positions. A rise by tasks has that of its cause.';
comment on column app.level_changes.cause is
  'What let a member rise by tasks. order: its settlement. refund: a refund request of the order ended. assess: a '
  'member below is assessed again. refer: a member with orders joined below. import: an import ended. hold: the hold '
  'ended. Null: the settlement of the order, until 1.0.0.';
comment on column app.level_changes.changed_by is 'The Auth account of the administrator.';

create index level_changes_uid_idx on app.level_changes (uid, id);
create index level_changes_position_idx on app.level_changes (uid, position, id);
create index level_changes_order_id_idx on app.level_changes (order_id) where order_id is not null;

alter table app.level_changes enable row level security;
grant select on app.level_changes to authenticated, store_admin, service_role;

create table app.opening_cycles (
  uid bigint primary key references app.users (uid),
  places smallint not null,
  plan_version integer not null references app.commission_plans (version),
  constraint places_are_positive check (places > 0)
);
comment on table app.opening_cycles is
  'Places 1 to `places` of cycle 1, which imported members had taken in the previous system. No order holds them, so '
  'no refund frees them.';

alter table app.opening_cycles enable row level security;
create policy admins_read_opening_cycles on app.opening_cycles for select to store_admin, service_role using (true);
grant select on app.opening_cycles to store_admin, service_role;

-- Security invoker: the policies of the two tables apply to the caller.
create view app.taken_places with (security_invoker = true) as
select
  s.earner_uid, s.cycle_no, s.place, s.cycle_plan_version, s.order_id, s.eligible_since, s.position, s.place_freed_at,
  s.place_freed_position, s.settled_at
from app.settlements as s
where s.earner_uid is not null
union all
select c.uid, 1, p.place::smallint, c.plan_version, null, null, 0, null, null, '-infinity'
from app.opening_cycles as c
cross join generate_series(1, c.places) as p (place);
comment on view app.taken_places is
  'All places that were ever taken in cycles: by orders or, with order_id null, by imported members in the previous '
  'system.';
grant select on app.taken_places to store_admin, service_role;

create type app.order_facts as (
  kind text,
  order_id bigint,
  member integer,
  uid bigint,
  referrer_uid bigint,
  plan_version integer,
  plan_in_force integer,
  paid_at timestamptz,
  base numeric(14,2),
  units integer,
  reason text,
  is_counted boolean
);
comment on type app.order_facts is 'What the rules know of an order, or of a change (see kind).';
comment on column app.order_facts.kind is
  'settle: the order is settled. free: a refund frees its place. report: not an order; the earliest reported order '
  'left to the member was paid at paid_at, null if none is left (R4).';
comment on column app.order_facts.member is 'Index of the buyer.';
comment on column app.order_facts.plan_in_force is
  'Version of the plan in force when the order is settled. Its cap applies.';
comment on column app.order_facts.reason is 'Why nobody can earn, or null (app.barring_reason).';
comment on column app.order_facts.is_counted is 'Whether the order counts for tasks (app.is_counted).';

create type app.engine_state as (
  members app.tree_member[],
  cycles app.cycle_state[],
  plans app.commission_plans[],
  plan_in_force integer,
  levels app.level_rule[],
  level_version integer,
  locked bigint[]
);
comment on type app.engine_state is
  'What decisions are made from: the members concerned, their cycles at the same indexes, the plans, and the level '
  'settings.';
comment on column app.engine_state.plans is 'Index = version; null if not needed.';
comment on column app.engine_state.plan_in_force is 'Version of the plan in force.';
comment on column app.engine_state.locked is 'Members whose balances are locked, or that a load with locks would lock.';

alter table app.commission_maturities add constraint commission_maturities_order_id_fkey foreign key (order_id)
  references app.settlements (order_id);

-- Rows of these tables are never changed (see app.reject_change).
create trigger level_history_is_never_changed before update or delete on app.level_changes
  for each row execute function app.reject_change();
create trigger level_history_is_never_emptied before truncate on app.level_changes
  for each statement execute function app.reject_change();
create trigger opening_cycles_are_never_changed before update or delete on app.opening_cycles
  for each row execute function app.reject_change();
create trigger opening_cycles_are_never_emptied before truncate on app.opening_cycles
  for each statement execute function app.reject_change();

-- Row-level security: members read their own rows, administrators read all rows.
create policy earners_read_their_settlements on app.settlements for select to authenticated
  using (earner_uid = (select app.current_uid()));
create policy admins_read_all_settlements on app.settlements for select to store_admin, service_role using (true);

create policy members_read_their_level_changes on app.level_changes for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_level_changes on app.level_changes for select to store_admin, service_role using (true);
