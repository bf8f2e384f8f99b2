create or replace function app.check_import_values(p_now timestamptz)
returns table (severity text, file text, line integer, name text, finding text, value text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_column record;
  v_zone text := (select t.time_zone from app.settings as t);
begin
  for v_column in select c.*, k.pattern, k.max_length, k.finding from app.import_columns() as c join app.import_kinds() as k on k.kind = c.kind loop
    if v_column.is_required then
      return query execute format(
        'select ''error'', %s, s.line, %L, ''is missing'', null from app.staged_%I as s where s.%I is null',
        case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name, v_column.file, v_column.name
      );
    end if;
    continue when v_column.pattern is null;
    return query execute format(
      'select ''error'', %s, s.line, %L, %L, left(s.%I, 60) from app.staged_%I as s where s.%I !~ %L or char_length(s.%I) > %L',
      case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name, v_column.finding, v_column.name,
      v_column.file, v_column.name, v_column.pattern, v_column.name, v_column.max_length
    );
    continue when v_column.kind <> 'time';
    -- `offset 0`: the time is computed once, and only of values that match the pattern.
    return query execute format(
      'select ''error'', %s, s.line, %L, case when t.at is null then ''is a day that the month does not have'' else ''is in the future'' end, s.%I
       from app.staged_%I as s
       cross join lateral (select app.import_time(s.%I, $2) as at offset 0) as t
       where s.%I ~ %L and (t.at is null or t.at > $1)',
      case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name, v_column.name, v_column.file,
      v_column.name, v_column.name, v_column.pattern
    ) using p_now, v_zone;
  end loop;
end
$$;

comment on function app.check_import_values is
  'Finds staged values that are missing, that do not match the kind of their column, or that are times in the future.';
