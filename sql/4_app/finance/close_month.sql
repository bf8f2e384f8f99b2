-- First takes locks that block writers but not readers, and adds up the sums under them, so that no row is missed. Readers wait only
-- while the constraints are added, which reads no row. An attempt waits for each lock at most 0.1 seconds. Then the writers that queue
-- behind it go on, and the next attempt begins after a random pause.
-- Locks: the closed months, the partitions of the month.
-- Raises: invalid_argument (the month is not over), lock_not_available (after some 8 seconds).
-- Idempotent: a closed month is returned as it is.
create or replace function app.close_month(p_month text, p_closed_by uuid)
returns app.closed_months
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_first date := app.month_start(p_month);
  v_from timestamptz;
  v_to timestamptz;
  v_closed app.closed_months;
  v_partition regclass;
begin
  if (app.month_bounds(v_first)).ends_at > clock_timestamp() then
    perform app.fail('invalid_argument', format('The month %s is not over.', p_month));
  end if;
  for v_try in 1..40 loop
    begin
      lock table app.closed_months in share row exclusive mode;
      select c.* into v_closed from app.closed_months as c where c.month = v_first;
      if found then
        return v_closed;
      end if;
      select m.begins_at, m.ends_at into v_from, v_to from app.month_bounds(v_first) as m;
      for v_partition in select p from app.partitions_of(v_from, v_to) as p loop
        execute format('lock table %s in share row exclusive mode', v_partition);
      end loop;
      insert into app.closed_months (month, begins_at, ends_at, sums, closed_at, closed_by)
      values (v_first, v_from, v_to, app.bill_sums(v_from, v_to), clock_timestamp(), p_closed_by)
      returning * into v_closed;
      for v_partition in select p from app.partitions_of(v_from, v_to) as p loop
        perform app.forbid_late_rows(v_partition, v_first, v_from, v_to);
      end loop;
      return v_closed;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
end
$$;

comment on function app.close_month is
  'Closes a business month that is over: stores the sums of its bill rows, and makes the partitions of the bill reject rows that are dated '
  'into it. It begins where the closed month before it ends, and ends where the closed month after it begins, so that each row is in one '
  'month. p_month is YYYY-MM.';
