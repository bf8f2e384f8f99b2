create or replace function app.month_ends(p_month date)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.day_begins((p_month + interval '1 month')::date);
end
$$;

comment on function app.month_ends is 'Returns when a business month ends, which is when the next one begins. p_month is its first day.';
