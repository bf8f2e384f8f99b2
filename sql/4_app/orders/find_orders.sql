-- Security invoker: reads with the rights of the caller.
-- Texts are compared as a range, from the search text to the same text followed by the last character of Unicode, because LIKE
-- cannot use an index when the pattern is unknown at planning time.
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

comment on function app.find_orders is
  'Returns the orders that match a search text: by id, by the last four or more characters of the order number, or by the '
  'beginning of the buyer''s nickname, ignoring case.';

grant execute on function app.find_orders(text) to store_admin;
