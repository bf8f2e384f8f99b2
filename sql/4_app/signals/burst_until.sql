-- Reads at most 1,000 members: p_uid and those before.
create or replace function app.burst_until(p_spread_uid bigint, p_uid bigint, out members integer, out begins_at timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with latest as materialized (
    select row_number() over w as n, u.add_time, lead(u.add_time, app.burst_size() - 1) over w as earlier
    from (
      select s.uid, s.add_time from app.users as s
      where s.spread_uid = p_spread_uid and s.uid <= p_uid
      order by s.uid desc limit 1000
    ) as u
    window w as (order by u.uid desc)
  ), burst as (
    -- Each member completes a burst, except the first app.burst_size() - 1 of it.
    select min(l.n) - 1 + app.burst_size() - 1 as members
    from latest as l
    where app.is_burst(l.earlier, l.add_time) is not true
  )
  select b.members::integer, l.add_time from burst as b join latest as l on l.n = b.members
$$;

comment on function app.burst_until is
  'Returns how many members signed up in the burst under a referrer that ends with p_uid, at most 1,000, and when it began.';
