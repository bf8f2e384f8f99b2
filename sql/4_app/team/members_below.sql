-- Walks up from all members at once, so that a shared ancestor is read once, and stops at p_uid.
-- Generic query plan: see app.get_upline. Each member is read by key, however few there are.
create or replace function app.members_below(p_uid bigint, p_uids bigint[], out uids bigint[], out rows_read integer)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set jit = off
as $$
declare
  v_tree record;
begin
  with recursive upward as (
    select u.uid, u.spread_uid from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select r.uid, r.spread_uid from upward as b join app.users as r on r.uid = b.spread_uid where b.spread_uid <> p_uid
  )
  select array_agg(w.uid) as uids, array_agg(w.spread_uid) as referrers, count(*) as members into v_tree from upward as w;
  rows_read := v_tree.members;
  uids := array(select unnest(app.below_in_tree(p_uid, v_tree.uids, v_tree.referrers)) intersect select unnest(p_uids));
end
$$;

comment on function app.members_below is
  'Returns which of these members are below a member, at any depth (uids, in no order), and how many members it read to find out '
  '(rows_read).';
