SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION app.run_settlement_jobs (
  p_limit integer                  DEFAULT 50,
  p_now   timestamp with time zone DEFAULT NULL::timestamp WITH time zone
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_orders app.orders[];
  v_order app.orders;
  v_uids bigint[] := '{}';
  v_now timestamptz := app.moment(p_now);
begin
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'A batch has between 1 and 1000 jobs.');
  end if;
  perform app.share_structure();
  v_orders := array(
    select o
    from app.settlement_jobs as j
    join app.orders as o on o.id = j.order_id
    where j.state = 'waiting' and j.run_after <= v_now
    order by j.run_after, j.order_id
    limit p_limit
    for update of o skip locked
  );
  foreach v_order in array v_orders loop
    v_uids := v_uids || app.order_participants(v_order);
  end loop;
  -- Locked and written by one subtransaction: with one for each order, every version of a row would name two transactions, its
  -- locker and its writer, and reading the row of a busy member would take longer with each order of the batch.
  begin
    perform app.lock_balances(v_uids);
    v_now := app.moment(p_now);
    foreach v_order in array v_orders loop
      perform app.settle_locked_order(v_order, v_now);
    end loop;
    return cardinality(v_orders);
  exception when others then
    -- One of them fails: all again, each for itself.
    perform app.lock_balances(v_uids);
    v_now := app.moment(p_now);
  end;
  foreach v_order in array v_orders loop
    begin
      perform app.settle_locked_order(v_order, v_now);
    exception when others then
      perform app.postpone_job(v_order.id, format('%s: %s', sqlstate, sqlerrm), v_now);
    end;
  end loop;
  return cardinality(v_orders);
end
$function$;
