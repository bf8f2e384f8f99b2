-- What is archived: until when, where the rows of a month are, and how a reader holds the months.

create or replace function app.name_of_part(p_table text, p_month date, p_what text default null)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select concat_ws('_', p_table, to_char(p_month, 'YYYYMM'), p_what)
$$;

comment on function app.name_of_part is
  'Returns the name of the table with a month: without p_what, of the partition; with it, of what stands in schema archive: moved (the foreign table of a month on the other server), and '
  'while a month is compacted or expanded original, rest (without the releases that are compacted), runs, whole.';

grant execute on function app.name_of_part(text, date, text) to authenticated, store_admin;

create or replace function app.month_part(p_table text, p_month date, p_schema text default 'app')
returns regclass
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select to_regclass(format('%I.%I', p_schema, app.name_of_part(p_table, p_month)))
$$;

comment on function app.month_part is 'Returns the table with the rows of a month, attached (schema app) or archived (schema archive); null if there is none.';

grant execute on function app.month_part(text, date, text) to authenticated, store_admin;

-- PL/pgSQL, so that the session caches the query plan (decision 0007).
create or replace function app.archived_until(p_table text)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce((select max(a.ends_at) from app.archived_months as a where a.table_name = p_table), '-infinity');
end
$$;

comment on function app.archived_until is
  'Returns the time from which on all rows of the bill, the release log or the action log are attached; -infinity if no month is archived.';

grant execute on function app.archived_until(text) to authenticated, store_admin;

create or replace function app.moved_months(p_table text)
returns date[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(a.month order by a.month), '{}') from app.archived_months as a where a.table_name = p_table and a.moved_at is not null
$$;

comment on function app.moved_months is 'Returns the months of the bill or the release log that are on the other server (app.move_months).';

grant execute on function app.moved_months(text) to authenticated, store_admin;

-- Not app.log_json and `||`, which would copy the page.
create or replace function app.archived_log_json(p_list jsonb, p_count bigint, p_cursors text[], p_limit integer, p_table text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'list', coalesce(p_list, '[]'), 'count', p_count, 'next_cursor', p_cursors[p_limit],
    'archived_until', app.utc(nullif(app.archived_until(p_table), '-infinity'))
  )
$$;

comment on function app.archived_log_json is
  'Returns a page of a log whose months are archived: what app.log_json returns, and archived_until, before which the rows of p_table are archived; '
  'null if no month is.';

grant execute on function app.archived_log_json(jsonb, bigint, text[], integer, text) to authenticated, store_admin;

-- What is read from its end is sorted, and releases in runs are computed before. So the steps of a list begin after the last compacted month, and each goes
-- back over one more until the page is full.
create or replace function app.steps_back(p_from timestamptz, p_until timestamptz)
returns setof timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select s.at
  from (select (c.month + interval '1 month') at time zone 'UTC' as at from app.compacted_months as c union select p_from) as s
  where s.at = p_from or (s.at > p_from and s.at < p_until)
  order by s.at desc
$$;

comment on function app.steps_back is
  'Returns from when on to read rows from p_from until p_until that are listed from their end: the end of each compacted month, the last one first, then p_from. Whoever has '
  'enough rows reads no earlier month.';

grant execute on function app.steps_back(timestamptz, timestamptz) to store_admin;

-- A statement that waits until a month is detached still reads with its earlier snapshot: it would find no rows of the month, and
-- not see that the month is archived. This function is volatile, so that its own statements see what was committed meanwhile.
-- Locks: the table, and with p_moved the archive, as every read of them does. No month is detached, attached or moved before the end of the transaction.
create or replace function app.hold_months(p_table text, p_until timestamptz, p_moved date[] default null)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format('lock table only app.%I in access share mode', p_table);
  if p_moved is not null then
    execute format('lock table only archive.%I in access share mode', p_table);
  end if;
  if app.archived_until(p_table) <> p_until or app.moved_months(p_table) <> p_moved then
    raise serialization_failure using message = format('months of app.%I were archived, attached or moved meanwhile', p_table);
  end if;
end
$$;

comment on function app.hold_months is
  'Makes sure that the caller, a function that is stable, sees each month of a table either attached or archived, and with p_moved, each archived '
  'month either here or on the other server. p_until is app.archived_until as the caller sees it, and p_moved, app.moved_months.';

grant execute on function app.hold_months(text, timestamptz, date[]) to authenticated, store_admin;

create or replace function app.archive_part(p_table text, p_month date)
returns regclass
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select i.inhrelid::regclass
  from pg_inherits as i
  where i.inhparent = to_regclass(format('archive.%I', p_table))
    and i.inhrelid in (app.month_part(p_table, p_month, 'archive'), to_regclass(format('archive.%I', app.name_of_part(p_table, p_month, 'moved'))))
$$;

comment on function app.archive_part is
  'Returns the table of an archived month from which its rows are read: a table of this database, or a foreign one. Null if the month cannot be read, because its '
  'table was dropped or is not shown (app.show_month), or is of the action log.';

grant execute on function app.archive_part(text, date) to authenticated, store_admin;

-- Locks: the table, until the end of the transaction, and its archive, if archived months are asked for (app.hold_months).
create or replace function app.unreachable_until(p_table text, p_from timestamptz, p_to timestamptz)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz := app.archived_until(p_table);
begin
  perform app.hold_months(p_table, v_until, case when p_from < v_until and p_table <> 'admin_actions' then app.moved_months(p_table) end);
  return (
    select max((a.month + interval '1 month') at time zone 'UTC')
    from app.archived_months as a
    where a.table_name = p_table and (a.month + interval '1 month') at time zone 'UTC' > p_from
      and a.month::timestamp at time zone 'UTC' < coalesce(p_to, 'infinity') and app.archive_part(p_table, a.month) is null
  );
end
$$;

comment on function app.unreachable_until is
  'Returns until when rows of the bill, the release log or the action log from p_from until before p_to are archived and cannot be read; null if all can be. '
  'With p_from null, nothing that is archived is asked for. A business day of the release log is given as that day in UTC.';

grant execute on function app.unreachable_until(text, timestamptz, timestamptz) to authenticated, store_admin;

create or replace function app.reach_months(p_table text, p_from timestamptz, p_to timestamptz)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz := app.unreachable_until(p_table, p_from, p_to);
begin
  if v_until is not null then
    perform app.fail('month_archived', format('Rows before %s are archived.', app.utc(v_until)));
  end if;
end
$$;

comment on function app.reach_months is
  'Raises month_archived if rows of a period are archived and cannot be read (app.unreachable_until), so that nobody mistakes a part for the whole.';

grant execute on function app.reach_months(text, timestamptz, timestamptz) to authenticated, store_admin;
