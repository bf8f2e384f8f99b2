-- The partition is created as a separate table and then attached, so that the parent is never locked against readers or
-- writers; the tables that its foreign keys reference are locked against writers for a moment. Attaching adds the foreign keys.
-- If the new table already had them, attaching would lock the referenced tables against readers, too.
-- The lock timeout is shorter than deadlock_timeout, so a conflict ends with a retry and not with a deadlock error.
-- Locks: the referenced tables, the default partition, the parent.
-- Idempotent: an existing or archived partition is left as it is.
create or replace function app.create_month_partition(p_table text, p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_parent regclass := format('app.%I', p_table)::regclass;
  v_name text := p_table || to_char(p_month, '_YYYYMM');
  v_bounds record := app.part_bounds(p_table, p_month);
begin
  if to_regclass(format('app.%I', v_name)) is not null or exists (select from app.archived_months as a where a.table_name = p_table and a.month = p_month) then
    return true;
  end if;
  perform app.lock_for_partition(v_parent, false);
  execute format('lock table app.%I in access exclusive mode', p_table || '_default');
  execute format('create table app.%I (like %s including all)', v_name, v_parent);
  execute format('alter table app.%I enable row level security', v_name);
  execute format('create trigger it_is_never_emptied before truncate on app.%I for each statement execute function app.reject_change()', v_name);
  if p_table = 'user_bill' then
    perform app.forbid_late_rows(format('app.%I', v_name)::regclass, c.month, c.begins_at, c.ends_at)
    from app.closed_months as c where c.begins_at < (p_month + interval '1 month') at time zone 'UTC' and c.ends_at > p_month::timestamp at time zone 'UTC';
  end if;
  execute format('alter table %s attach partition app.%I for values from (%L) to (%L)', v_parent, v_name, v_bounds.lower, v_bounds.upper);
  return true;
exception
  when lock_not_available then
    return false;
  when check_violation then
    raise notice 'app.% stays in the default partition', v_name;
    return true;
end
$$;

comment on function app.create_month_partition is
  'Creates one monthly partition of a table (months in UTC) with its own row-level security, and returns whether that is done. '
  'Returns false if a lock was not available within 0.1 seconds; nothing is left behind then. A month with rows in the default '
  'partition stays there, with a notice. A partition of a closed month rejects late rows, too.';
