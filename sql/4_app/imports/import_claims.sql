create or replace function app.import_claims()
returns table (file text, line integer, uid text, name text, value text, id text, members bigint, owner bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with ids as (
    select 'members' as file, s.line, s.uid, t.name, t.value, t.id
    from app.staged_members as s
    cross join lateral (values ('phone', s.phone, app.import_phone(s.phone)), ('unionid', s.unionid, s.unionid)) as t (name, value, id)
    where t.id is not null
    union all
    select 'openids', o.line, o.uid, 'openid', o.openid, o.openid from app.staged_openids as o
  ),
  counted as (
    select i.*, n.members
    from ids as i
    join (select d.name, d.id, count(distinct d.uid) as members from ids as d group by d.name, d.id) as n on n.name = i.name and n.id = i.id
  ),
  taken as (
    select m.old_uid, 'phone' as name, m.phone as id from app.imported_members as m where m.phone is not null
    union all
    select m.old_uid, 'unionid', m.unionid from app.imported_members as m where m.unionid is not null
    union all
    select m.old_uid, 'openid', w.openid from app.imported_openids as w join app.imported_members as m on m.uid = w.uid
  )
  select c.file, c.line, c.uid, c.name, c.value, c.id, c.members, t.old_uid
  from counted as c
  left join taken as t on t.name = c.name and t.id = c.id
$$;

comment on function app.import_claims is
  'Returns the ids by which staged members are to be claimed, phone numbers, unionids and openids: how many members of the files have '
  'each, and the old uid of the member who was imported with it before. An id that one member of the files has, and nobody before, is '
  'stored.';
