-- Generic query plan: see app.get_upline.
create or replace function app.paid_orders(p_uids bigint[], p_paid_at timestamptz, p_id bigint, p_count integer)
returns app.orders[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  return array(
    select row(o.*)::app.orders from (
      (
        select s.* from app.orders as s
        where p_uids is null and s.paid_at <= p_paid_at and (s.paid_at, s.id) < (p_paid_at, p_id)
        order by s.paid_at desc, s.id desc
        limit p_count
      )
      union all
      (
        select m.* from unnest(p_uids) as t (uid) join app.orders as m on m.uid = t.uid
        where m.has_queue_goods and (m.paid_at, m.id) < (p_paid_at, p_id)
        order by m.paid_at desc, m.id desc
        limit p_count
      )
    ) as o
    order by o.paid_at desc, o.id desc
  );
end
$$;

comment on function app.paid_orders is
  'Returns the next p_count paid orders before a position in the order of payment, latest first: the orders of queue goods of these '
  'members, or, with p_uids null, all orders of the store.';
