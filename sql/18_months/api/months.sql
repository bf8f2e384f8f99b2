-- What administrators may call about months.

-- Security definer: writes app.closed_months and adds constraints.
-- Idempotent: a closed month is returned as it is.
create or replace function api.close_month(p_month text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_closed app.closed_months;
begin
  perform app.require_admin('money');
  perform app.require_reconciled(p_month, clock_timestamp());
  v_closed := app.close_month(p_month, auth.uid());
  perform app.record_action(
    'close_month', 'month', p_month, null, jsonb_build_object('closed_at', app.utc(v_closed.closed_at))
  );
  perform app.add_to_outbox(
    'seal_month', p_month, jsonb_build_object('month', p_month), clock_timestamp(), clock_timestamp()
  );
  return app.closed_month_json(v_closed);
end
$$;

comment on function api.close_month is
  'Closes a month that a reconciliation has proved (app.require_reconciled, app.close_month), lets the worker seal '
  'it, and returns its sums. Serves POST /adminapi/month/{month}/close.';

grant execute on function api.close_month(text) to store_admin;

create or replace function api.get_months()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return jsonb_build_object(
    'closed',
    (select coalesce(jsonb_agg(app.closed_month_json(c) order by c.month desc), '[]') from app.closed_months as c),
    'open',
    (
      select coalesce(jsonb_agg(to_char(m.month, 'YYYY-MM') order by m.month desc), '[]')
      from app.months_to_close(now()) as m
    )
  );
end
$$;

comment on function api.get_months is
  'Returns the closed months with their sums, and those that are over but not closed, newest first. Serves GET '
  '/adminapi/month.';

grant execute on function api.get_months() to store_admin;
