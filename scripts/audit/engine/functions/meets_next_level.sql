CREATE OR REPLACE FUNCTION app.meets_next_level(p_member app.tree_member, p_rule app.level_rule)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select p_rule.next_grade is not null and not p_member.is_held and p_member.has_left is not true
    and (p_rule.direct_orders is null or p_member.direct_orders >= p_rule.direct_orders)
    and (p_rule.umbrella_orders is null or p_member.umbrella_orders >= p_rule.umbrella_orders)
    and (p_rule.direct_members is null or p_member.direct_members >= p_rule.direct_members)
    and (p_rule.umbrella_members is null or p_member.umbrella_members >= p_rule.umbrella_members)
$function$
