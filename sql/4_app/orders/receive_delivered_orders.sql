-- One transaction for each order, because a settlement locks the members above it.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: invalid_argument. Any other error is a warning, and the order is left for the next run.
-- Idempotent, also when it runs concurrently: see app.receive_if_due.
create or replace procedure app.receive_delivered_orders(p_now timestamptz default null)
language plpgsql
as $$
declare
  v_run record := app.begin_run('receive_delivered_orders', 1);
  v_order_id bigint;
begin
  commit;
  foreach v_order_id in array app.orders_to_receive(app.effect_time(p_now)) loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      perform app.receive_if_due(v_order_id, p_now);
    exception when others then
      raise warning 'order % was not received: %', v_order_id, sqlerrm;
    end;
    perform app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.receive_delivered_orders is
  'Confirms the receipt of all orders that were shipped at least receipt_days ago, each in a transaction of its own. An order '
  'that is locked by others, or that fails, is left for the next run.';
