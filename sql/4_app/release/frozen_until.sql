-- The frozen points that a member had at a moment: those after their last bill row before it.
-- Callers: release_members. Reads one row by index.
-- In plpgsql because its plan is kept: see get_upline; a general one, because choosing the partitions anew takes longer.
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
  ), 0);
end
$$;
