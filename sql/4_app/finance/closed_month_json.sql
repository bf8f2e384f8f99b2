create or replace function app.closed_month_json(p_row app.closed_months)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'month', to_char(p_row.month, 'YYYY-MM'), 'from', app.utc(p_row.begins_at), 'to', app.utc(p_row.ends_at), 'sums', p_row.sums,
    'total', (
      select jsonb_build_object(
        'rows', coalesce(sum(s.rows), 0), 'brokerage', coalesce(sum(s.brokerage), 0.00)::text, 'frozen_points', trim_scale(coalesce(sum(s.frozen_points), 0)),
        'available_points', trim_scale(coalesce(sum(s.available_points), 0))
      )
      from jsonb_to_recordset(p_row.sums) as s (rows bigint, brokerage numeric(14,2), frozen_points numeric, available_points numeric)
    ),
    'closed_at', app.utc(p_row.closed_at), 'closed_by', app.actor_json(p_row.closed_by)
  )
$$;

comment on function app.closed_month_json is 'Returns a closed month in the format of the API, with its sums and their totals.';

grant execute on function app.closed_month_json(app.closed_months) to store_admin;
