create or replace function app.part_bounds(p_table text, p_month date, out key text, out lower text, out upper text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    case when d.by_day then 'release_date' else 'add_time' end,
    case when d.by_day then p_month::text else (p_month::timestamp at time zone 'UTC')::text end,
    case when d.by_day then (p_month + interval '1 month')::date::text else ((p_month + interval '1 month') at time zone 'UTC')::text end
  from (select p_table = 'points_release_log' as by_day) as d
$$;

comment on function app.part_bounds is
  'Returns the column by which a table is partitioned by month, and the bounds of a month: rows are at least lower and below upper. '
  'Months are in UTC; the release log has business days.';
