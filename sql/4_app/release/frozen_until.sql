-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007). A generic query plan, because choosing the
-- partitions for every call takes longer.
create or replace function app.frozen_until(p_uid bigint, p_until timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return coalesce((
    select b.frozen_after from app.user_bill as b
    where b.uid = p_uid and b.add_time < p_until
    order by b.add_time desc, b.id desc
    limit 1
  ), (select a.frozen from app.archived_balances as a where a.uid = p_uid), 0);
end
$$;

comment on function app.frozen_until is
  'Returns the frozen points that a member had at p_until: those of their last bill row before it, else those of their archived rows.';
