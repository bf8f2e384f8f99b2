-- A member as the level rules see them. referrer is the index of the referrer in the same array, null at the root or where
-- the referrer is not loaded. is_changed: a counter or the level is no longer what was loaded.
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
  is_changed boolean
);
