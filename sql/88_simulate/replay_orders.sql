-- Settles the orders of a period in a copy of the engine, in the order in which the copy's plan has them settled: by
-- payment, or by receipt. Says how far it is with a notice every hundred orders.
-- Callers: simulate. Returns how many orders were settled. Raises: simulation_too_large.
create or replace function app.replay_orders(p_schema text, p_from timestamptz, p_to timestamptz, p_max_orders integer)
returns integer
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order_ids bigint[];
  v_order record;
  v_timing text;
  v_done integer := 0;
  v_compact_every integer;
begin
  execute format('select brokerage_timing from %I.commission_plans order by version desc limit 1', p_schema) into v_timing;
  execute format($sql$
    select array_agg(o.id order by case $3 when 'on_pay' then o.paid_at else o.received_at end, o.id)
    from %1$I.orders as o
    where case $3 when 'on_pay' then o.paid_at else o.received_at end >= $1
      and case $3 when 'on_pay' then o.paid_at else o.received_at end < $2
  $sql$, p_schema) into v_order_ids using p_from, p_to, v_timing;
  if cardinality(v_order_ids) > p_max_orders then
    perform app.fail('simulation_too_large', format('%s orders; at most %s are replayed. Choose a shorter period.',
      cardinality(v_order_ids), p_max_orders));
  end if;
  execute format('update %1$I.orders set plan_version = (select max(version) from %1$I.commission_plans) where id = any ($1)', p_schema)
  using v_order_ids;
  -- Often enough to keep the rows short, rarely enough not to copy all members for every few orders.
  execute format('select greatest(50, count(*) / 100)::integer from %I.user_balances', p_schema) into v_compact_every;
  for v_order in select u.id from unnest(v_order_ids) as u (id) loop
    execute format('select from %1$I.settle_order($1, (select coalesce(paid_at, $2) from %1$I.orders where id = $1))', p_schema)
    using v_order.id, p_from;
    v_done := v_done + 1;
    if v_done % v_compact_every = 0 then
      perform app.compact_balances(p_schema);
    end if;
    if v_done % 100 = 0 then
      raise notice 'replayed % of %', v_done, cardinality(v_order_ids);
    end if;
  end loop;
  return v_done;
end
$$;
