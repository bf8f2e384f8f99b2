-- Makes the monthly partitions of the bill and the release log for every month from one date to another. A month whose
-- rows already went to the default partition is left there: they are complete and in order, only not apart.
-- Callers: pg_cron every day, migrations, demo data. Locks: briefly the parent tables, only when a month is missing.
-- Raises: invalid_argument. Safe twice: existing partitions are left alone.
create or replace function app.ensure_month_partitions(p_from date, p_to date)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_month date;
  v_table text;
begin
  if p_from is null or p_to is null or p_from not between '2000-01-01' and '2999-12-31' or p_to not between '2000-01-01' and '2999-12-31' then
    perform app.fail('invalid_argument', 'Partitions are made for months between the years 2000 and 3000.');
  elsif p_to - p_from > 3660 then
    perform app.fail('invalid_argument', 'Partitions are made for at most ten years at a time.');
  end if;
  for v_month in
    select m::date from generate_series(date_trunc('month', p_from::timestamp), p_to::timestamp, interval '1 month') as m
  loop
    foreach v_table in array array['user_bill', 'points_release_log'] loop
      if to_regclass(format('app.%I', v_table || to_char(v_month, '_YYYYMM'))) is null then
        perform app.create_month_partition(v_table, v_month);
      end if;
    end loop;
  end loop;
end
$$;
