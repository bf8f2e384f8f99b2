-- Walks up from all members at once, so that a shared ancestor is read once, and stops at p_uid. The second recursion comes back
-- down along what was read.
-- Generic plan: see app.get_upline.
create or replace function app.members_below(p_uid bigint, p_uids bigint[], out uids bigint[], out looked_at integer)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  with recursive upward as (
    select u.uid, u.spread_uid from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select r.uid, r.spread_uid from upward as b join app.users as r on r.uid = b.spread_uid where b.spread_uid <> p_uid
  ),
  below as (
    select w.uid from upward as w where w.spread_uid = p_uid
    union all
    select w.uid from below as b join upward as w on w.spread_uid = b.uid
  )
  select array_agg(b.uid), (select count(*) from upward) into uids, looked_at
  from below as b where b.uid = any (p_uids);
  uids := coalesce(uids, '{}');
end
$$;

comment on function app.members_below is
  'Returns which of these members are below a member, at any depth (uids, in no order), and how many members it read to find out '
  '(looked_at).';
