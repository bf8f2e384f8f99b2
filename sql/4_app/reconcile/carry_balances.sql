-- Precondition: the rows from p_since until before p_until belong to closed months and have been proved.
-- Locks: nothing that other transactions write.
-- Idempotent: a member whose sums include these rows is left as they are.
create or replace function app.carry_balances(p_from bigint, p_to bigint, p_since timestamptz, p_until timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  insert into app.carried_balances as c (uid, carried_until, brokerage, frozen, available, commission, points)
  select
    l.uid, p_until, sum(l.brokerage_delta), sum(l.frozen_delta), sum(l.available_delta),
    coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0),
    coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0)
  from app.user_bill as l
  where l.uid between p_from and p_to and l.add_time >= p_since and l.add_time < p_until
  group by l.uid
  order by l.uid
  on conflict (uid) do update
  set carried_until = excluded.carried_until, brokerage = c.brokerage + excluded.brokerage, frozen = c.frozen + excluded.frozen,
      available = c.available + excluded.available, commission = c.commission + excluded.commission, points = c.points + excluded.points
  where c.carried_until < excluded.carried_until;
end
$$;

comment on function app.carry_balances is
  'Adds the bill rows from p_since until before p_until to the carried sums of the members from p_from to p_to.';
