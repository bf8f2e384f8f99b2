-- All that decisions are made from: the members concerned, their cycles at the same indexes, the plans by version (index =
-- version, null where not needed), the version in force, and the level settings. locked: whose balances are locked.
create type app.engine_state as (
  members app.tree_member[],
  cycles app.cycle_state[],
  plans app.commission_plans[],
  plan_in_force integer,
  levels app.level_rule[],
  level_version integer,
  locked bigint[]
);
