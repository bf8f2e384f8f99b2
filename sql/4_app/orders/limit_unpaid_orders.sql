-- Refuses another order to a member who has as many unpaid ones as the settings allow.
-- Callers: api.create_order, before anything else. Locks: an advisory lock of the buyer, taken before any other lock, so that of
-- orders at the same time no more go through than may. Raises: too_many_unpaid_orders. Safe twice.
create or replace function app.limit_unpaid_orders(p_uid bigint)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := (select s.max_unpaid_orders from app.settings as s);
begin
  perform pg_advisory_xact_lock(hashtextextended(p_uid::text, 74010005));
  -- A statement of its own: it sees what was committed while this one waited.
  if (select count(*) from app.orders as o where o.uid = p_uid and o.state = 'unpaid') >= v_most then
    perform app.fail('too_many_unpaid_orders', format('A member has at most %s unpaid orders; pay or cancel one first.', v_most));
  end if;
end
$$;
