-- Holds rows that are not written to the very constraints of their table: not null, and every check by its own expression.
-- p_rows: complete rows as objects. Not among them: identity columns, and keys, which are a matter between rows.
-- Callers: draft_plan, check_levels. Reads only, so that a draft can be tried where nothing may be written or locked.
-- Raises: what inserting them would, not_null_violation and check_violation with the constraint's name.
create or replace function app.check_rows(p_table regclass, p_rows jsonb)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule record;
  v_is_broken boolean;
begin
  for v_rule in
    select 0 as place, a.attname as name, format('%I is not null', a.attname) as expression, 'not_null_violation' as error
    from pg_catalog.pg_attribute as a
    where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped and a.attnotnull and a.attidentity = ''
    union all
    select 1, c.conname, pg_catalog.pg_get_expr(c.conbin, c.conrelid), 'check_violation'
    from pg_catalog.pg_constraint as c
    where c.conrelid = p_table and c.contype = 'c'
    order by place, name
  loop
    -- As in a table, a check whose answer is null holds.
    execute format('select exists (select from jsonb_populate_recordset(null::%s, $1) where (%s) is false)', p_table, v_rule.expression)
    into v_is_broken using p_rows;
    if v_is_broken then
      raise exception using errcode = v_rule.error, message = 'a row breaks ' || v_rule.name, constraint = v_rule.name;
    end if;
  end loop;
end
$$;
