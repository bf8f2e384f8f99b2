-- Who earns the cycle commission of an order (R4): with scope direct the buyer's referrer if eligible, with scope
-- umbrella the nearest eligible member up the chain; null where nobody does.
-- Callers: book_settlement, order_participants. Reads only.
create or replace function app.find_earner(p_order app.orders, p_scope text, p_max_depth integer)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  if p_order.referrer_uid is null then
    return null;
  elsif p_scope = 'direct' then
    return case when app.has_reported_order(p_order.referrer_uid, p_order.paid_at) then p_order.referrer_uid end;
  end if;
  for v_uid in
    select a.uid from app.get_upline(p_order.uid) as a where a.depth <= coalesce(p_max_depth, a.depth) order by a.depth
  loop
    if app.has_reported_order(v_uid, p_order.paid_at) then
      return v_uid;
    end if;
  end loop;
  return null;
end
$$;
