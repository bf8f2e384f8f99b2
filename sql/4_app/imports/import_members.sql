-- The opening balance is the first row of a member's bill, and the imported level the first change of the level: every balance and
-- level follows from its records from the beginning.
-- Staged members are read by rank, so that a batch does not depend on the size of the file. No nested loops: see app.import_order_rows.
-- Locks: structure (exclusive).
-- Idempotent: a member who is imported already is left as they are.
create or replace function app.import_members(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_plan integer;
  v_uids bigint[];
begin
  perform app.lock_structure();
  v_plan := app.active_plan_version();
  with added as (
    insert into app.users (uid, nickname, phone, avatar, spread_uid, spread_time, agent_level, is_held, no_assess, add_time)
    overriding system value
    select
      s.new_uid, coalesce(app.visible_text(left(app.visible_text(s.nickname), 64)), 'Member'), app.import_phone(s.phone),
      case when app.is_web_address(s.avatar) and char_length(s.avatar) <= 512 then s.avatar end, r.uid,
      case when r.uid is not null then coalesce(app.import_time(s.referred_at, v_zone), app.import_time(s.joined_at, v_zone), p_now) end,
      coalesce(s.level::smallint, 0), coalesce(s.level_held::boolean, false), coalesce(s.no_assess::boolean, false),
      coalesce(app.import_time(s.joined_at, v_zone), p_now)
    from app.staged_members as s
    cross join lateral (
      select coalesce(
        (select m.new_uid from app.staged_members as m where m.uid = s.referrer),
        (select i.uid from app.imported_members as i where i.old_uid = s.referrer::bigint)
      ) as uid
    ) as r
    where s.rank > p_after and s.rank <= p_after + p_limit
      and not exists (select from app.imported_members as i where i.old_uid = s.uid::bigint)
    order by s.rank
    returning uid
  )
  select array_agg(a.uid) into v_uids from added as a;
  perform app.import_openings(v_uids, p_after, p_limit, v_plan, p_now);

  insert into app.imported_members (old_uid, uid, phone, unionid, imported_at)
  select s.uid::bigint, s.new_uid, s.claim_phone, s.claim_unionid, p_now
  from unnest(v_uids) as m (uid) join app.staged_members as s on s.new_uid = m.uid
  where s.rank > p_after and s.rank <= p_after + p_limit;
  insert into app.imported_openids (openid, appid, uid)
  select o.openid, o.appid, s.new_uid
  from unnest(v_uids) as m (uid) join app.staged_members as s on s.new_uid = m.uid join app.staged_openids as o on o.uid = s.uid
  where s.rank > p_after and s.rank <= p_after + p_limit and o.is_claim
  on conflict do nothing;
  update app.imports set members = members + coalesce(cardinality(v_uids), 0) where finished_at is null;
  return (select max(s.rank) from app.staged_members as s where s.rank > p_after and s.rank <= p_after + p_limit);
end
$$;

comment on function app.import_members is
  'Imports the next p_limit staged members after a rank, with referrer, level, balances and places, and returns the last rank, or null '
  'if none was left.';
