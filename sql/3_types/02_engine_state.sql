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
  'All data that decisions are made from: the members concerned, their cycles at the same indexes, plans by version, and the '
  'level settings.';
comment on column app.engine_state.plans is 'Index = version; null if not needed.';
comment on column app.engine_state.plan_in_force is 'Version of the plan in force.';
comment on column app.engine_state.locked is 'Members whose balances are locked.';
