create or replace function app.violating_setting(p_plan jsonb, p_merged app.commission_plans, p_constraint text)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select a.attname || case when a.attname = 'tier_ratios' then coalesce((
    select '/' || min(r.place) - 1
    from unnest(p_merged.tier_ratios) with ordinality as r (ratio, place)
    where r.ratio is null or r.ratio not between 0 and p_merged.payout_cap
  ), '') else '' end
  from pg_catalog.pg_constraint as c
  join pg_catalog.pg_attribute as a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
  where c.conrelid = 'app.commission_plans'::regclass and c.conname = p_constraint and p_plan ? a.attname
  order by a.attnum
  limit 1
$$;

comment on function app.violating_setting is
  'Returns the JSON Pointer, without the leading slash, of the setting of a draft plan that violates a constraint. If the '
  'constraint has several settings, it is the first that the draft names. If they are ratios, it is the first that is missing or '
  'not between 0 and the cap. p_merged is the plan in force with the draft in it. Null if the draft names none of them.';
