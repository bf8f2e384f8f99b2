-- Precondition: the transaction holds no other lock.
-- Locks: an advisory lock for the buyer, so that concurrent orders cannot exceed the limit.
-- Raises: too_many_unpaid_orders.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.limit_unpaid_orders(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := (select s.max_unpaid_orders from app.settings as s);
begin
  perform pg_advisory_xact_lock(hashtextextended(p_uid::text, app.lock_number('unpaid_orders')));
  -- A separate statement, so that it sees the orders that were committed while the lock was awaited.
  if (select count(*) from app.orders as o where o.uid = p_uid and o.state = 'unpaid') >= v_most then
    perform app.fail('too_many_unpaid_orders', format('A member has at most %s unpaid orders; pay or cancel one first.', v_most));
  end if;
end
$$;

comment on function app.limit_unpaid_orders is
  'Raises too_many_unpaid_orders if a member has as many unpaid orders as app.settings allows.';
