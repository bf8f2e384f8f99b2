-- One transaction for each order: an order is locked before products, so two orders in one transaction could deadlock.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: invalid_argument. Any other error is a warning, and the order is left for the next run.
-- Idempotent, also when it runs concurrently: see app.expire_order.
create or replace procedure app.expire_orders(p_now timestamptz default null)
language plpgsql
as $$
declare
  v_run record := app.begin_run('expire_orders', 1);
  v_order_id bigint;
begin
  commit;
  foreach v_order_id in array app.expired_orders(app.effect_time(p_now)) loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      perform app.expire_order(v_order_id, p_now);
    exception when others then
      raise warning 'order % did not expire: %', v_order_id, sqlerrm;
    end;
    perform app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.expire_orders is
  'Cancels all unpaid orders that are past their expiry time, each in a transaction of its own. An order that is locked by '
  'others, or that fails, is left for the next run.';
