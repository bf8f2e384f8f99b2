-- A burst is listed once, at the last member who completes it.
create or replace function app.sign_up_bursts(p_before bigint, p_limit integer, out list jsonb, out next_cursor bigint, out examined_to timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with examined as materialized (
    select u.uid, u.spread_uid, u.add_time from app.users as u
    where u.uid < p_before
    order by u.uid desc limit app.signal_read_limit()
  ), found as materialized (
    select e.uid, e.spread_uid, e.add_time
    from examined as e
    where e.spread_uid is not null and app.completes_burst(e.spread_uid, e.uid, e.add_time) and not exists (
      select from (
        select u.uid, u.add_time from app.users as u where u.spread_uid = e.spread_uid and u.uid > e.uid order by u.uid limit 1
      ) as n
      where app.completes_burst(e.spread_uid, n.uid, n.add_time)
    )
    order by e.uid desc limit p_limit
  ), last_read as (
    select app.last_read(array(select f.uid from found as f), array(select e.uid from examined as e), p_limit) as uid
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'sign_up_burst', 'uid', f.spread_uid, 'nickname', (select r.nickname from app.users as r where r.uid = f.spread_uid),
        'members', b.members, 'begins_at', app.utc(b.begins_at), 'ends_at', app.utc(f.add_time), 'last_uid', f.uid
      ) order by f.uid desc), '[]')
      from found as f cross join lateral app.burst_until(f.spread_uid, f.uid) as b
    ),
    l.uid,
    (select e.add_time from examined as e where e.uid = l.uid)
  from last_read as l
$$;

comment on function app.sign_up_bursts is
  'Returns a page of the bursts of sign-ups under one referrer: those of members with a uid below p_before, the latest first. '
  'next_cursor is where the next page begins, or null after the last. examined_to is the time back to which members were examined.';
