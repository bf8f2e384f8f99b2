-- The level settings in force, their names apart from the rest, for the record of what administrators do.
-- Callers: api.set_agent_levels. Locks: the caller holds the structure.
create or replace function app.level_settings()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'version', (select max(v.version) from app.level_versions as v),
    'levels', jsonb_agg(l.value - '{name, name_zh}'::text[] order by l.ordinality),
    'names', jsonb_agg(jsonb_build_array(l.value -> 'name', l.value -> 'name_zh') order by l.ordinality)
  )
  from jsonb_array_elements(app.levels_json()) with ordinality as l
$$;
