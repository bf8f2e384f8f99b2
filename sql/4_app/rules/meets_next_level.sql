-- Has no set clause, so that the planner can inline it.
create or replace function app.meets_next_level(p_member app.tree_member, p_rule app.level_rule)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_rule.next_grade is not null and not p_member.is_held
    and (p_rule.direct_orders is null or p_member.direct_orders >= p_rule.direct_orders)
    and (p_rule.umbrella_orders is null or p_member.umbrella_orders >= p_rule.umbrella_orders)
    and (p_rule.direct_members is null or p_member.direct_members >= p_rule.direct_members)
    and (p_rule.umbrella_members is null or p_member.umbrella_members >= p_rule.umbrella_members)
$$;

comment on function app.meets_next_level is
  'Returns whether a member has met all tasks of the next grade (R5, R8) and may rise; a held level does not rise.';
