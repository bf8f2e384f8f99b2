-- Precondition: the caller holds the structure lock exclusively.
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

comment on function app.level_settings is
  'Returns the level settings in force as {version, levels, names}, in the form that app.record_action compares and keeps. '
  'Names are apart from the rest because their text is not recorded.';
