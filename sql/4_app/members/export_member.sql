-- Dynamic SQL: the statements consist of the constants of app.member_sections. Values are parameters.
-- Each part sees the state at its time, so rows that are written during an export may be missing.
-- Raises: invalid_argument, user_not_found, serialization_failure (see app.hold_months).
create or replace function app.export_member(p_uid bigint, p_cursor text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 1000;
  v_place integer := 0;
  v_after bigint := 0;
  v_section record;
  v_some text[];
  v_last bigint;
  v_lines text[] := array[]::text[];
begin
  perform app.require_user(p_uid);
  perform app.hold_months(m.name, app.archived_until(m.name)) from unnest('{points_release_log, user_bill}'::text[]) as m (name);
  if p_cursor is null then
    v_lines := array[jsonb_build_object('table', 'auth.users', 'record', app.account_json(p_uid))::text];
  else
    begin
      v_place := split_part(p_cursor, '_', 1)::integer;
      v_after := split_part(p_cursor, '_', 2)::bigint;
    exception when others then
      perform app.fail('invalid_argument', 'cursor was not returned by this export.');
    end;
  end if;
  for v_section in select * from app.member_sections() as m where m.place >= v_place order by m.place loop
    execute format(
      'select array_agg(jsonb_build_object(''table'', %L, ''record'', r.record)::text order by r.key), max(r.key) from ('
      'select k.key, k.record from (select %s as key, to_jsonb(t) - %L::text[] as record from %s as t where %s) as k '
      'where k.key > $2 order by k.key limit $3) as r',
      v_section.source, v_section.key, v_section.hidden, v_section.source, v_section.condition
    )
    into v_some, v_last
    using p_uid, case when v_section.place = v_place then v_after else 0 end, v_most - cardinality(v_lines);
    v_lines := v_lines || coalesce(v_some, '{}');
    if cardinality(v_lines) = v_most then
      return jsonb_build_object('lines', v_lines, 'next_cursor', v_section.place || '_' || v_last);
    end if;
  end loop;
  return jsonb_build_object('lines', v_lines, 'next_cursor', null);
end
$$;

comment on function app.export_member is
  'Returns the next part of everything that the store knows about a member: lines, each the text of a JSON object with the name of a table '
  'and a row of it, and the cursor of the next part (app.member_sections). The first line is the Auth account.';
