-- The log row is inserted first: its primary key makes a second release of the day a no-op.
-- Locks: balances by uid, skipping those that are locked.
-- Idempotent: members with a log row of the day are left out.
create or replace function app.release_members(
  p_release_date date, p_uids bigint[], p_now timestamptz, p_until timestamptz default null,
  out users integer, out points numeric, out skipped bigint[]
)
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with locked as (
    select b.uid, b.frozen_points
    from app.user_balances as b
    where b.uid = any (p_uids)
    order by b.uid
    for update skip locked
  ),
  -- Materialized, so that the time after the lock and the balance at p_until are read once for each member.
  due as materialized (
    select
      t.uid, t.frozen_points, t.at,
      case when p_until is null or t.at < p_until then t.frozen_points else least(t.frozen_points, app.frozen_until(t.uid, p_until)) end as basis
    from (select l.uid, l.frozen_points, coalesce(p_now, clock_timestamp()) as at from locked as l) as t
  ),
  released as (
    insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
    select d.uid, p_release_date, d.frozen_points, a.amount, d.frozen_points - a.amount, d.at
    from due as d
    cross join lateral (select app.release_amount(d.basis) as amount) as a
    where a.amount > 0
    order by d.uid
    on conflict do nothing
    returning uid, release_points, add_time
  ),
  moved as (
    update app.user_balances as b
    set frozen_points = b.frozen_points - r.release_points, available_points = b.available_points + r.release_points
    from released as r
    join due as d on d.uid = r.uid
    where b.uid = r.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points, r.release_points, d.basis, r.add_time
  ),
  billed as (
    insert into app.user_bill (
      uid, type, source, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, basis, rate, add_time
    )
    select
      m.uid, 'frozen_points_release', 'release', -m.release_points, m.release_points,
      m.brokerage_price, m.frozen_points, m.available_points, m.basis, app.release_rate(), m.add_time
    from moved as m
    order by m.uid
  )
  select
    (select count(*)::integer from released),
    (select coalesce(sum(r.release_points), 0) from released as r),
    array(select c.uid from unnest(p_uids) as c (uid) where not exists (select from locked as l where l.uid = c.uid))
$$;

comment on function app.release_members is
  'Releases the frozen points of the given members for one business day (R11). Returns the number of members, the sum of the '
  'points, and the members who were skipped because another transaction holds their rows. After p_until, the end of the day, '
  'the base is the smaller of the balances then and now, so that points granted later do not count. With p_now null, each '
  'release is dated at the time when its row is locked.';
