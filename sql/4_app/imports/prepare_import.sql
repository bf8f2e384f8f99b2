-- Precondition: app.check_import finds no error.
-- Locks: app.users against sign-ups, which never take the uid of a member who is still to come.
create or replace function app.prepare_import()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_highest bigint := (select max(s.uid::bigint) from app.staged_members as s);
begin
  lock table app.users in share row exclusive mode;
  if v_highest >= (select q.last_value from app.users_uid_seq as q) then
    perform setval('app.users_uid_seq', v_highest);
  end if;
  with recursive claims as materialized (select c.* from app.import_claims() as c where c.members = 1 and c.owner is null),
  openids as (update app.staged_openids as o set is_claim = true from claims as c where c.name = 'openid' and c.line = o.line),
  claimed as (
    select i.uid, max(i.id) filter (where i.name = 'phone') as phone, max(i.id) filter (where i.name = 'unionid') as unionid
    from claims as i group by i.uid
  ),
  tree as (
    select s.uid, 1 as depth from app.staged_members as s
    where s.referrer is null or not exists (select from app.staged_members as r where r.uid = s.referrer)
    union all
    select s.uid, t.depth + 1 from tree as t join app.staged_members as s on s.referrer = t.uid
  ),
  ranks as (select t.uid, row_number() over (order by t.depth, t.uid::bigint) as rank from tree as t)
  update app.staged_members as s
  set rank = r.rank, claim_phone = c.phone, claim_unionid = c.unionid,
      new_uid = coalesce(
        (select i.uid from app.imported_members as i where i.old_uid = s.uid::bigint),
        case when exists (select from app.users as u where u.uid = s.uid::bigint) then nextval('app.users_uid_seq') else s.uid::bigint end
      )
  from ranks as r
  left join claimed as c on c.uid = r.uid
  where r.uid = s.uid;
  analyze app.staged_members;
end
$$;

comment on function app.prepare_import is
  'Gives each staged member a uid of this store, the old one unless another member has it, a rank that puts referrers first, '
  'and the ids by which the member can be claimed.';
