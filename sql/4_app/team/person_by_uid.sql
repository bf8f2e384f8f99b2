create or replace function app.person_by_uid(p_uid bigint, p_depth text, p_keyword text)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select u.uid
  from app.users as u
  where u.uid = case when p_keyword ~ '^[1-9][0-9]{0,17}$' then p_keyword::bigint end
    and case p_depth when 'direct' then u.spread_uid = p_uid else p_uid in (select a.uid from app.get_upline(u.uid) as a) end
$$;

comment on function app.person_by_uid is
  'Returns the uid that a keyword spells, if it is the uid of a direct member or, with depth umbrella, of any member below '
  'p_uid; otherwise null.';
