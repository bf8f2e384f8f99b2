-- Raises: forbidden.
create or replace function api.get_months()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return jsonb_build_object(
    'closed', (select coalesce(jsonb_agg(app.closed_month_json(c) order by c.month desc), '[]') from app.closed_months as c),
    'open', (
      select coalesce(jsonb_agg(to_char(m.month, 'YYYY-MM') order by m.month desc), '[]')
      from (
        select app.month_of(b.add_time)::timestamp as first_month
        from app.user_bill as b order by b.add_time, b.id limit 1
      ) as f
      cross join lateral generate_series(f.first_month, app.month_of(now())::timestamp - interval '1 month', interval '1 month') as m (month)
      where not exists (select from app.closed_months as c where c.month = m.month::date)
    )
  );
end
$$;

comment on function api.get_months is
  'Returns two lists, newest first: the closed months with their sums, and the months that are over but not closed, from the first bill '
  'row on. Serves GET /adminapi/month.';

grant execute on function api.get_months() to store_admin;
