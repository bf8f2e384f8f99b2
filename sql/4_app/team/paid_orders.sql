-- A page of the whole store follows the index of payments, however many orders were paid at the same moment.
-- Generic query plan: see app.get_upline. It does not know p_count, so only plans that follow an index are left: a page has few orders.
create or replace function app.paid_orders(p_uids bigint[], p_paid_at timestamptz, p_id bigint, p_count integer)
returns app.orders[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
  if p_uids is null then
    return array(
      select o from app.orders as o
      where o.paid_at is not null and (o.paid_at, o.id) < (p_paid_at, p_id)
      order by o.paid_at desc, o.id desc
      limit p_count
    );
  end if;
  return array(
    select m.o from (
      -- Keeps the planner from following the index of payments, which has the orders of everyone.
      select o, o.paid_at, o.id from unnest(p_uids) as t (uid) join app.orders as o on o.uid = t.uid
      where o.has_queue_goods and (o.paid_at, o.id) < (p_paid_at, p_id)
      offset 0
    ) as m
    order by m.paid_at desc, m.id desc
    limit p_count
  );
end
$$;

comment on function app.paid_orders is
  'Returns the next p_count paid orders before a position in the order of payment, latest first: the orders of queue goods of these '
  'members, or, with p_uids null, all orders of the store.';
