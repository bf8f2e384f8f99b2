-- Sums and digest are computed before anything is locked that others need: a closed month does not change. Only the detaching takes
-- such locks, for the bill first the structure lock, which every refund holds. A lock that is not free within 0.1 seconds ends the
-- attempt; writers that queued go on, and the next attempt begins after a random pause. While a long transaction reads the month, no
-- attempt is made, because others would wait in vain. Postgres cannot detach concurrently beside a default partition.
-- Locks: app.archived_months; the structure, the tables that the rows reference, the table and its partitions.
-- Raises: invalid_argument, lock_not_available (after some 8 seconds).
-- Idempotent: an archived month is left as it is.
create or replace function app.archive_month(p_table text, p_month date, p_now timestamptz default clock_timestamp())
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_part regclass;
  v_name text := p_table || to_char(p_month, '_YYYYMM');
  v_obstacle text;
  v_digest record;
begin
  -- Only archiving takes this lock, so nobody else queues behind it.
  perform set_config('lock_timeout', '10s', true);
  lock table app.archived_months in share row exclusive mode;
  if exists (select from app.archived_months as a where a.table_name = p_table and a.month = p_month) then
    return false;
  end if;
  v_obstacle := app.archive_obstacle(p_table, p_month, p_now);
  if v_obstacle is not null then
    perform app.fail('invalid_argument', format('The month %s of app.%s cannot be archived: %s.', to_char(p_month, 'YYYY-MM'), p_table, v_obstacle));
  end if;
  v_part := app.month_part(p_table, p_month);
  if p_table = 'admin_actions' then
    -- Nothing closes a month of actions: a transaction that began in it may still add a row.
    execute format('lock table %s in share mode', v_part);
  end if;
  perform set_config('lock_timeout', '100ms', true);
  v_digest := app.digest_of_part(v_part);
  if p_table = 'user_bill' then
    perform app.add_archived_sums(v_part, 1);
  end if;
  for v_try in 1..40 loop
    begin
      if app.has_long_reader(v_part) then
        raise lock_not_available using message = format('another transaction is reading the month %s of app.%I', to_char(p_month, 'YYYY-MM'), p_table);
      end if;
      perform app.lock_structure() where p_table = 'user_bill';
      perform app.lock_for_partition(format('app.%I', p_table)::regclass, false);
      -- A refund may have been requested since.
      if p_table = 'user_bill' and app.has_refund_request(v_part) then
        perform app.fail('invalid_argument', format('The month %s cannot be archived: a refund was requested meanwhile.', to_char(p_month, 'YYYY-MM')));
      end if;
      execute format('alter table app.%I detach partition %s', p_table, v_part);
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  -- A late release may have begun since. It holds the months until its record is committed (app.reject_archived_release).
  if p_table <> 'admin_actions' and exists (select from app.unreleased_days((p_month + interval '1 month')::date - 1)) then
    perform app.fail('invalid_argument', format('The month %s cannot be archived: a release has begun meanwhile.', to_char(p_month, 'YYYY-MM')));
  end if;
  execute format('alter table app.%I set schema archive', v_name);
  execute format('create trigger archived_rows_are_never_changed before update or delete on archive.%I for each row execute function app.reject_change()', v_name);
  insert into app.archived_months (table_name, month, ends_at, row_count, digest, archived_at)
  values (p_table, p_month, greatest((p_month + interval '1 month') at time zone 'UTC', v_digest.last_time + interval '1 microsecond'), v_digest.row_count, v_digest.digest, p_now);
  perform app.record_action('archive_month', 'month', to_char(p_month, 'YYYY-MM'), null, jsonb_build_object('table', p_table, 'rows', v_digest.row_count));
  return true;
end
$$;

comment on function app.archive_month is
  'Detaches the oldest month of the bill, the release log or the action log and moves it to schema archive, if nothing of it is open '
  '(app.archive_obstacle). '
  'p_month is its first day; months are in UTC. Returns false if it was archived before.';
