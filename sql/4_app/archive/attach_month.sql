-- The month is verified, and its bounds are proved by a constraint, before anything is locked.
-- Locks: app.archived_months; the tables that the rows reference, the table, the default partition.
-- Raises: invalid_argument, data_corrupted, lock_not_available (after some 8 seconds).
create or replace function app.attach_month(p_table text, p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_archived app.archived_months;
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_name text := p_table || to_char(p_month, '_YYYYMM');
  v_bounds record := app.part_bounds(p_table, p_month);
  v_digest record;
begin
  -- Only archiving takes this lock, so nobody else queues behind it.
  perform set_config('lock_timeout', '10s', true);
  lock table app.archived_months in share row exclusive mode;
  perform set_config('lock_timeout', '100ms', true);
  select a.* into v_archived from app.archived_months as a where a.table_name = p_table order by a.month desc limit 1;
  if v_archived.month is distinct from p_month then
    perform app.fail('invalid_argument', format('%s is not the last archived month of app.%s.', to_char(p_month, 'YYYY-MM'), p_table));
  elsif v_part is null then
    perform app.fail('invalid_argument', format('There is no table archive.%s. Restore its dump first.', v_name));
  end if;
  v_digest := app.digest_of_part(v_part);
  if (v_digest.row_count, v_digest.digest) <> (v_archived.row_count, v_archived.digest) then
    raise exception using errcode = 'data_corrupted', message = format(
      'archive.%I is not what was archived: %s rows with digest %s then, %s with %s now',
      v_name, v_archived.row_count, v_archived.digest, v_digest.row_count, v_digest.digest
    );
  end if;
  execute format('alter table %s add constraint it_is_in_its_month check (%I >= %L and %I < %L)', v_part, v_bounds.key, v_bounds.lower, v_bounds.key, v_bounds.upper);
  delete from app.archived_months as a where a.table_name = p_table and a.month = p_month;
  if p_table = 'user_bill' then
    perform app.add_archived_sums(v_part, -1);
  end if;
  execute format('drop trigger if exists archived_rows_are_never_changed on %s', v_part);
  execute format('alter table archive.%I set schema app', v_name);
  for v_try in 1..40 loop
    begin
      perform app.lock_for_partition(format('app.%I', p_table)::regclass, true);
      -- The table itself, because a read must see the month either archived or attached (app.hold_months).
      execute format('lock table only app.%I, only app.%I in access exclusive mode', p_table, p_table || '_default');
      execute format('alter table app.%I attach partition app.%I for values from (%L) to (%L)', p_table, v_name, v_bounds.lower, v_bounds.upper);
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  execute format('alter table app.%I drop constraint it_is_in_its_month', v_name);
  perform app.record_action('attach_month', 'month', to_char(p_month, 'YYYY-MM'), jsonb_build_object('table', p_table, 'rows', v_digest.row_count), null);
end
$$;

comment on function app.attach_month is
  'Attaches the last archived month of the bill, the release log or the action log again, if its rows are those that were archived.';
