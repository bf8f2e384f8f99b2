-- The referral chain above a member: depth 1 is the direct referrer. Linear in its length, 10,000 is fine.
-- Callers: settlements, binding, counters. Locks: none; hold the structure lock if the answer is to stay true.
create or replace function app.get_upline(p_uid bigint)
returns table (depth integer, uid bigint)
language sql
stable
rows 20
set search_path = ''
as $$
  with recursive upline as (
    select 1 as depth, u.spread_uid as uid from app.users as u where u.uid = p_uid and u.spread_uid is not null
    union all
    select p.depth + 1, u.spread_uid from upline as p join app.users as u on u.uid = p.uid where u.spread_uid is not null
  )
  select upline.depth, upline.uid from upline
$$;
