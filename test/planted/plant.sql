-- Errors as the owner of a database can plant them: one changed value of one row, with triggers off and closed months
-- open.
create schema planted;

-- The values that a column of states may have, as its constraints list them.
create table planted.states as
  select c.conrelid::regclass::text as table_name, a.attname::text as column_name, v.value[1] as value
  from pg_constraint as c
  join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
  cross join lateral regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''::text', 'g') as v (value)
  where c.contype = 'c' and cardinality(c.conkey) = 1 and c.connamespace = 'app'::regnamespace;

-- The expression of another value than that of the column: the smallest difference that the type has.
create function planted.other_value(p_table regclass, p_column name)
returns text
language sql
stable
as $$
  select case
    when exists (select from planted.states as s where s.table_name = p_table::text and s.column_name = p_column)
      then format(
        '(select s.value from planted.states as s where s.table_name = %L and s.column_name = %L and s.value <> %I '
        'order by md5(s.value || t.ctid::text) limit 1)', p_table::text, p_column, p_column
      )
    else format(
      case
        when a.atttypid = 'numeric'::regtype then '%I + 10.0 ^ -' || ((a.atttypmod - 4) & 65535)
        when a.atttypid = any ('{integer,smallint,bigint,date}'::regtype[]) then '%I + 1::smallint'
        when a.atttypid = 'timestamptz'::regtype then '%I + interval ''1 second'''
        when t.typcategory = 'A'
          then 'array_append(%1$I[2:], (%1$I[1] + 1)::' || format_type(t.typelem, null) || ')'
      end, p_column
    )
  end
  from pg_attribute as a join pg_type as t on t.oid = a.atttypid
  where a.attrelid = p_table and a.attname = p_column
$$;

-- The rows whose figures nobody keeps: the task counts of members who cannot rise any more (decision 0011), and the
-- amounts of open requests, which the answer computes anew.
create function planted.is_kept(p_table text, p_column text, p_row jsonb)
returns boolean
language sql
stable
as $$
  select case
    when p_table = 'refunds' then p_row ->> 'state' <> 'requested'
    when p_table = 'user_balances' and p_column ~ '^(direct|umbrella)_' then (
      select u.agent_level < app.top_grade() from app.users as u where u.uid = (p_row ->> 'uid')::bigint
    )
    else true
  end
$$;

-- Plants an error into a row, runs the checks, and takes it back. p_pick, from 0 to 1, chooses the row. Returns the
-- names of the findings; null if no row has a value.
create function planted.plant(
  p_table text, p_column text, p_checks text[], p_pick double precision, out planted text, out findings text[]
)
language plpgsql
as $$
declare
  v_table constant regclass := format('app.%I', p_table)::regclass;
  v_rows bigint;
  v_row record;
  v_check text;
  v_found text[];
begin
  execute format(
    'select count(*) from app.%I as t where %I is not null and planted.is_kept(%L, %L, to_jsonb(t))', p_table, p_column,
    p_table, p_column
  ) into v_rows;
  if v_rows = 0 then
    return;
  end if;
  execute format(
    'select t.tableoid, t.ctid, to_jsonb(t) as old, (%s)::text as value from app.%I as t '
    'where %I is not null and planted.is_kept(%L, %L, to_jsonb(t)) order by t::text offset %s limit 1',
    planted.other_value(v_table, p_column), p_table, p_column, p_table, p_column, floor(p_pick * v_rows)
  ) into v_row;
  planted := format('%s.%s: %s instead of %s in %s', p_table, p_column, v_row.value, v_row.old ->> p_column, v_row.old);
  findings := '{}';
  begin
    execute format('update %s as t set %I = %L where t.ctid = $1', v_row.tableoid::regclass, p_column, v_row.value)
    using v_row.ctid;
    foreach v_check in array p_checks loop
      execute format(
        'select coalesce(array_agg(distinct f.check_name), ''{}'') from app.%I(%s) as f', v_check,
        -- Histories are long past.
        case v_check when 'reconcile_events' then quote_literal('-infinity') end
      ) into v_found;
      findings := findings || v_found;
    end loop;
    raise exception using errcode = 'PV000', message = 'undo';
  exception
    when sqlstate 'PV000' then
      return;
    when data_corrupted then
      -- Compacted rows that contradict each other are not read at all.
      findings := array[sqlerrm];
    when unique_violation or check_violation then
      get stacked diagnostics v_check = constraint_name;
      findings := array['constraint ' || v_check];
  end;
end
$$;
