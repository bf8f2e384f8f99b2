-- Has no search path of its own, so that the planner can inline it.
create or replace function app.bill_line(p_row app.user_bill, p_time_zone text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'time', pg_catalog.to_char(p_row.add_time at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS'),
    'id', p_row.id::pg_catalog.text, 'uid', p_row.uid::pg_catalog.text, 'type', p_row.type, 'source', p_row.source,
    'order', p_row.order_id::pg_catalog.text,
    'basis', pg_catalog.trim_scale(p_row.basis)::pg_catalog.text, 'rate', pg_catalog.trim_scale(p_row.rate)::pg_catalog.text,
    'level', p_row.agent_level::pg_catalog.text, 'passed_on', pg_catalog.trim_scale(p_row.passed_on)::pg_catalog.text,
    'brokerage', p_row.brokerage_delta::pg_catalog.text, 'frozen', pg_catalog.trim_scale(p_row.frozen_delta)::pg_catalog.text,
    'available', pg_catalog.trim_scale(p_row.available_delta)::pg_catalog.text,
    'brokerage_after', p_row.brokerage_after::pg_catalog.text, 'frozen_after', pg_catalog.trim_scale(p_row.frozen_after)::pg_catalog.text,
    'available_after', pg_catalog.trim_scale(p_row.available_after)::pg_catalog.text,
    'reverses', p_row.reverses_id::pg_catalog.text, 'withdrawal', p_row.withdrawal_id::pg_catalog.text,
    'adjustment', p_row.adjustment_id::pg_catalog.text
  )
$$;

comment on function app.bill_line is
  'Returns a bill row as a line of a CSV file: all values as text, so that no digit is lost, and the time in p_time_zone.';

grant execute on function app.bill_line(app.user_bill, text) to authenticated, store_admin;
