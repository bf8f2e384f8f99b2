-- Takes no lock and writes nothing, so that drafts can be checked in a read-only transaction.
-- Raises: not_null_violation, check_violation, with the constraint's name, as an insert would.
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
    -- As in a table, a check that yields null passes.
    execute format('select exists (select from jsonb_populate_recordset(null::%s, $1) where (%s) is false)', p_table, v_rule.expression)
    into v_is_broken using p_rows;
    if v_is_broken then
      raise exception using errcode = v_rule.error, message = 'a row breaks ' || v_rule.name, constraint = v_rule.name;
    end if;
  end loop;
end
$$;

comment on function app.check_rows is
  'Checks rows against the not-null and check constraints of a table without writing them. p_rows is an array of complete rows '
  'as objects. Identity columns and unique, primary and foreign keys are not checked.';
