-- Makes the whole store older by $days days, which has the effect of a clock that was moved forward: every time and
-- date of schema app. Two steps, so that no date takes the place of another that has not moved yet. Triggers and
-- foreign keys are off: no row is edited, only the calendar.
do $$
declare
  v_days integer;
  v_table record;
begin
  set local session_replication_role = replica;
  foreach v_days in array array[-10000, 10000 - $days] loop
    for v_table in
      select c.oid::regclass as name, string_agg(format('%1$I = %1$I + %2$s', a.attname, case a.atttypid
        when 'date'::regtype then v_days::text else format('interval ''%s days''', v_days) end), ', ') as changes
      from pg_class as c join pg_attribute as a on a.attrelid = c.oid
      where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
        and not a.attisdropped
        and a.attgenerated = '' and a.atttypid in ('timestamptz'::regtype, 'date'::regtype)
      group by c.oid
    loop
      execute format('update %s set %s', v_table.name, v_table.changes);
    end loop;
  end loop;
end
$$;
