-- Locks: rows of app.archived_balances, which only archiving writes.
-- Not idempotent: the caller holds the lock of app.archived_months and inserts or deletes the row of the month.
create or replace function app.add_archived_sums(p_part regclass, p_sign integer)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format($sql$
    insert into app.archived_balances as c (uid, brokerage, frozen, available, commission, points, opening_balances, negative_openings)
    select
      l.uid, $1 * sum(l.brokerage_delta), $1 * sum(l.frozen_delta), $1 * sum(l.available_delta),
      $1 * coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0),
      $1 * coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0),
      $1 * count(*) filter (where l.type = 'opening_balance'), $1 * count(*) filter (where l.type = 'opening_balance' and l.brokerage_delta < 0)
    from %s as l
    group by l.uid
    order by l.uid
    on conflict (uid) do update
    set brokerage = c.brokerage + excluded.brokerage, frozen = c.frozen + excluded.frozen, available = c.available + excluded.available,
        commission = c.commission + excluded.commission, points = c.points + excluded.points,
        opening_balances = c.opening_balances + excluded.opening_balances, negative_openings = c.negative_openings + excluded.negative_openings
  $sql$, p_part) using p_sign;
  if p_sign < 0 then
    delete from app.archived_balances as c
    where (c.brokerage, c.frozen, c.available, c.commission, c.points, c.opening_balances) = (0, 0, 0, 0, 0, 0);
  end if;
end
$$;

comment on function app.add_archived_sums is
  'Adds the sums of a month of the bill to those of the archived rows of each member, or with p_sign -1 takes them away.';
