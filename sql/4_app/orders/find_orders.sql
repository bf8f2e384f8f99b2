-- The orders that a search names: by id, by the last four or more characters of the order number, or by how the nickname of
-- the buyer begins, in upper or lower case.
-- Callers: admin_get_orders. Reads only, with the rights of whoever calls. Each part is read by an index: that is why texts
-- are compared as a range, from what was searched for to the same followed by the last character of Unicode. An index is of no
-- use to LIKE with a pattern that is not known when the query is planned.
create or replace function app.find_orders(p_search text)
returns table (order_id bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select o.id from app.orders as o
  where o.id = case when p_search ~ '^[1-9][0-9]{0,17}$' then p_search::bigint end
  union
  select o.id from app.orders as o
  where char_length(p_search) >= 4 and reverse(o.order_no) ~>=~ reverse(p_search) and reverse(o.order_no) ~<=~ (reverse(p_search) || U&'\+10FFFF')
  union
  select o.id from app.users as u join app.orders as o on o.uid = u.uid
  where lower(u.nickname) ~>=~ lower(p_search) and lower(u.nickname) ~<=~ (lower(p_search) || U&'\+10FFFF')
$$;

grant execute on function app.find_orders(text) to store_admin;
