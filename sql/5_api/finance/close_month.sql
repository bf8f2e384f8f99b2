-- Security definer: writes app.closed_months and adds constraints.
-- Raises: forbidden, invalid_argument, lock_not_available.
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
  v_closed := app.close_month(p_month, auth.uid());
  perform app.record_action('close_month', 'month', p_month, null, jsonb_build_object('closed_at', app.utc(v_closed.closed_at)));
  return app.closed_month_json(v_closed);
end
$$;

comment on function api.close_month is
  'Closes a month that is over, so that no bill row can be dated into it, and returns its sums. Serves POST /adminapi/month/{month}/close.';

grant execute on function api.close_month(text) to store_admin;
