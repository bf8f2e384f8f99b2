-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_adjustment_action(p_function text, p_before app.adjustments, p_after app.adjustments)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left_out constant text[] := array['id', 'created_by', 'add_time', 'decided_by', 'decided_at'];
begin
  perform app.record_action(
    p_function, 'adjustment', p_after.id::text, case when p_before.id is not null then to_jsonb(p_before) - v_left_out end, to_jsonb(p_after) - v_left_out,
    array['uid', 'state', 'brokerage_delta', 'frozen_delta', 'available_delta']
  );
end
$$;

comment on function app.record_adjustment_action is
  'Records an action on an adjustment with its member, state and amounts. Of the reason, it records only that it changed.';
