-- If the chain of referrers of a member does not end at a member without a referrer, the member is in a loop or below one.
create or replace function app.check_import_members()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with recursive known as (
    select s.uid from app.staged_members as s union select i.old_uid::text from app.imported_members as i
  ),
  tree as (
    select s.uid from app.staged_members as s
    where s.referrer is null or not exists (select from app.staged_members as r where r.uid = s.referrer)
    union
    select s.uid from tree as t join app.staged_members as s on s.referrer = t.uid
  ),
  claims as materialized (select c.* from app.import_claims() as c),
  plan as (select p.people_per_cycle from app.commission_plans as p order by p.version desc limit 1)
  select 'error', 'products', s.line, 'id', 'occurs more than once', s.id
  from (select *, count(*) over (partition by p.id) as times from app.staged_products as p) as s where s.times > 1
  union all
  select 'error', 'products', s.line, 'title', 'has no visible character', s.title from app.staged_products as s where not app.is_visible(s.title)
  union all
  select 'error', 'products', s.line, t.name, 'is above a million', t.value
  from app.staged_products as s cross join lateral (values ('price', s.price), ('freight', s.freight)) as t (name, value) where t.value::numeric > 1000000
  union all
  select 'error', 'members', s.line, 'uid', 'occurs more than once', s.uid
  from (select *, count(*) over (partition by m.uid) as times from app.staged_members as m) as s where s.times > 1
  union all
  select 'error', 'members', s.line, 'referrer', 'is the member', s.referrer from app.staged_members as s where s.referrer = s.uid
  union all
  select 'error', 'members', s.line, 'referrer', 'is not a known member', s.referrer
  from app.staged_members as s where s.referrer is not null and not exists (select from known as k where k.uid = s.referrer)
  union all
  select 'error', 'members', s.line, 'referrer', 'is part of a loop of referrers, or leads to one', s.referrer
  from app.staged_members as s where s.referrer <> s.uid and not exists (select from tree as t where t.uid = s.uid)
  union all
  select 'error', 'members', s.line, 'level', 'is not an active level of this store', s.level
  from app.staged_members as s where s.level::integer not in (select l.grade from app.agent_levels as l where l.is_active or l.grade = 0)
  union all
  select 'error', 'members', s.line, 'places', format('is not below the %s places of a cycle of the plan in force', p.people_per_cycle), s.places
  from app.staged_members as s cross join plan as p where s.places::integer >= p.people_per_cycle
  union all
  select 'error', f.file, f.line, 'uid', 'is not a known member', f.uid
  from (
    select 'openids' as file, o.line, o.uid from app.staged_openids as o union all select b.source, b.line, b.uid from app.staged_bill as b
  ) as f
  where not exists (select from known as k where k.uid = f.uid)
  union all
  select 'error', 'members', s.line, 'uid', 'was imported before for a member who joined at another time: give the members of a second system numbers that are not in use', s.uid
  from app.staged_members as s
  join app.imported_members as i on i.old_uid = s.uid::bigint
  join app.users as u on u.uid = i.uid
  cross join app.settings as t
  where u.add_time <> i.imported_at and app.import_time(s.joined_at, t.time_zone) not between u.add_time - interval '1 day' and u.add_time + interval '1 day'
  union all
  select 'warning', 'members', s.line, 'phone', 'is not a phone number: it is left out', s.phone
  from app.staged_members as s where s.phone is not null and app.import_phone(s.phone) is null
  union all
  select 'warning', c.file, c.line, c.name, 'belongs to several members: nobody can be claimed by it', c.value
  from claims as c where c.members > 1 and c.owner is null
  union all
  select 'warning', c.file, c.line, c.name, 'belongs to a member who was imported before: only that member can be claimed by it', c.value
  from claims as c where c.owner <> c.uid::bigint
  union all
  select 'warning', 'members', s.line, 'uid', 'is the number of another member of this store: the member gets a new one (app.imported_members) and needs a new share link', s.uid
  from app.staged_members as s
  where exists (select from app.users as u where u.uid = s.uid::bigint)
    and not exists (select from app.imported_members as i where i.old_uid = s.uid::bigint)
$$;

comment on function app.check_import_members is
  'Finds staged products and members that the store cannot take: duplicates, unknown referrers, loops of referrers, unknown levels, more '
  'places than a cycle has, and numbers of a second system; and members who cannot be claimed by an id or who get another uid.';
