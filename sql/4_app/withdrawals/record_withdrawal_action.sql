-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_withdrawal_action(p_function text, p_before app.withdrawals, p_after app.withdrawals)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_recorded constant text[] := array['state', 'method', 'amount', 'fee', 'batch_id', 'reason', 'payment_ref'];
begin
  perform app.record_action(
    p_function, 'withdrawal', p_after.id::text,
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(p_before)) as e where e.key = any (v_recorded)),
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(p_after)) as e where e.key = any (v_recorded)),
    array['state', 'method', 'amount', 'fee', 'batch_id']
  );
end
$$;

comment on function app.record_withdrawal_action is
  'Records an action on a withdrawal with its state and amounts. Of the reason and the payment reference, it records only that they '
  'changed.';
