-- Reads at most app.burst_size() entries of users_spread_uid_idx. uids are given in the order of sign-up.
create or replace function app.completes_burst(p_spread_uid bigint, p_uid bigint, p_add_time timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from (
      select u.add_time from app.users as u
      where u.spread_uid = p_spread_uid and u.uid <= p_uid
      order by u.uid desc offset app.burst_size() - 1 limit 1
    ) as b
    where app.is_burst(b.add_time, p_add_time)
  )
$$;

comment on function app.completes_burst is
  'Returns whether a member completes a burst: is the last of app.burst_size() members who signed up under one referrer in less than an '
  'hour.';
