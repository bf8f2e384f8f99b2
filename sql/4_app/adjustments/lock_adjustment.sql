-- Raises: adjustment_not_found.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_adjustment(p_id bigint)
returns app.adjustments
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
begin
  select a.* into v_adjustment from app.adjustments as a where a.id = p_id for update;
  if not found then
    perform app.fail('adjustment_not_found');
  end if;
  return v_adjustment;
end
$$;

comment on function app.lock_adjustment is 'Locks an adjustment, which comes before balances in the lock order, and returns it.';
