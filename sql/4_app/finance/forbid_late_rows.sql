-- The constraint is added as not valid: Postgres checks new rows, but does not read those that the month has.
-- Locks: the partition. The caller sets the lock timeout.
-- Idempotent: a partition that has the constraint is left as it is.
create or replace function app.forbid_late_rows(p_partition regclass, p_month date, p_begins_at timestamptz, p_ends_at timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := to_char(p_month, '"month_"YYYY_MM"_is_closed"');
begin
  if exists (select from pg_constraint as c where c.conrelid = p_partition and c.conname = v_name) then
    return;
  end if;
  execute format(
    'alter table %s add constraint %I check (add_time < %L or add_time >= %L or app.reject_late_row(%L)) not valid',
    p_partition, v_name, p_begins_at, p_ends_at, to_char(p_month, 'YYYY-MM')
  );
end
$$;

comment on function app.forbid_late_rows is 'Adds to a partition of the bill the check constraint that rejects rows of a closed month.';
