create or replace function app.month_of(p_at timestamptz)
returns date
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_month date := date_trunc('month', app.business_day(p_at)::timestamp)::date;
  v_bounds record := app.month_bounds(v_month);
begin
  return case
    when p_at < v_bounds.begins_at then (v_month - interval '1 month')::date
    when p_at >= v_bounds.ends_at then (v_month + interval '1 month')::date
    else v_month
  end;
end
$$;

comment on function app.month_of is 'Returns the first day of the business month that includes a point in time (app.month_bounds).';

grant execute on function app.month_of(timestamptz) to authenticated, store_admin;
