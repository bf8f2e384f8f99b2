-- Makes one monthly partition (months in UTC) with row-level security of its own, unless its rows stand in the default one.
-- Callers: ensure_month_partitions. Raises: nothing; a month left in the default partition is a notice.
create or replace function app.create_month_partition(p_table text, p_month date)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := p_table || to_char(p_month, '_YYYYMM');
begin
  execute format(
    'create table app.%I partition of app.%I for values from (%L) to (%L)',
    v_name, p_table,
    case p_table when 'user_bill' then (p_month::timestamp at time zone 'UTC')::text else p_month::text end,
    case p_table when 'user_bill' then ((p_month + interval '1 month') at time zone 'UTC')::text
      else (p_month + interval '1 month')::date::text end
  );
  execute format('alter table app.%I enable row level security', v_name);
exception when check_violation then
  raise notice 'app.% stays in the default partition', v_name;
end
$$;
