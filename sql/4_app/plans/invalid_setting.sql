create or replace function app.invalid_setting(p_plan jsonb)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting record;
begin
  for v_setting in
    select a.attname as name, a.attnotnull as is_needed from pg_catalog.pg_attribute as a
    where a.attrelid = 'app.commission_plans'::regclass and p_plan ? a.attname
    order by a.attnum
  loop
    begin
      if v_setting.is_needed and p_plan -> v_setting.name = 'null' then
        return v_setting.name;
      end if;
      perform jsonb_populate_record(null::app.commission_plans, jsonb_build_object(v_setting.name, p_plan -> v_setting.name));
    exception when data_exception or array_subscript_error then
      return v_setting.name;
    end;
  end loop;
  return null;
end
$$;

comment on function app.invalid_setting is
  'Returns the first setting of a draft plan whose value is null but required, or does not fit its column. Null if every value '
  'fits.';
