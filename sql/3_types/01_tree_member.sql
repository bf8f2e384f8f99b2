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
comment on type app.tree_member is 'A member as the level rules see them.';
comment on column app.tree_member.referrer is
  'Index of the referrer in the same array; null at the root or if the referrer is not loaded.';
comment on column app.tree_member.is_changed is 'Whether a counter or the level differs from what was loaded.';
