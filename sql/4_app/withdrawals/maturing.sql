-- Two queries, so that each reads a range of the index: most commission of a member has matured and is not read.
-- Has no set clause, so that the planner can inline it.
create or replace function app.maturing(p_uid bigint, p_now timestamptz)
returns setof app.commission_maturities
language sql
stable
rows 20
as $$
  select m.* from app.commission_maturities as m where m.uid = p_uid and m.matures_at > p_now
  union all
  select m.* from app.commission_maturities as m where m.uid = p_uid and m.matures_at is null
$$;

comment on function app.maturing is 'Returns the commission of a member that has not matured at p_now, by order.';

grant execute on function app.maturing(bigint, timestamptz) to store_admin;
