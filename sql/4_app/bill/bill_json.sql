-- Has no search path of its own, so that the planner can inline it.
create or replace function app.bill_json(p_row app.user_bill)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_row.id, 'uid', p_row.uid, 'type', p_row.type, 'source', p_row.source,
    'brokerage', p_row.brokerage_delta::pg_catalog.text, 'frozen_points', pg_catalog.trim_scale(p_row.frozen_delta),
    'available_points', pg_catalog.trim_scale(p_row.available_delta), 'brokerage_after', p_row.brokerage_after::pg_catalog.text,
    'frozen_points_after', pg_catalog.trim_scale(p_row.frozen_after), 'available_points_after', pg_catalog.trim_scale(p_row.available_after),
    'order_id', p_row.order_id, 'basis', pg_catalog.trim_scale(p_row.basis), 'rate', pg_catalog.trim_scale(p_row.rate),
    'agent_level', p_row.agent_level, 'passed_on', pg_catalog.trim_scale(p_row.passed_on), 'reverses_id', p_row.reverses_id,
    'withdrawal_id', p_row.withdrawal_id, 'adjustment_id', p_row.adjustment_id,
    'add_time', app.utc(p_row.add_time)
  )
$$;

comment on function app.bill_json is 'Returns a bill row in the format of the API.';

grant execute on function app.bill_json(app.user_bill) to authenticated, store_admin;
