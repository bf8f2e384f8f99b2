-- Generic query plan: see app.get_upline.
create or replace function app.members_in_order(
  p_last bigint, p_is_descending boolean, p_count integer, p_keyword text, out uids bigint[], out rows_read integer, out last bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  select
    array_agg(m.uid) filter (where p_keyword is null or position(lower(p_keyword) in lower(m.nickname)) > 0), count(*),
    case when p_is_descending then min(m.uid) else max(m.uid) end
  into uids, rows_read, last
  from (
    (select u.uid, u.nickname from app.users as u where p_is_descending and u.uid < p_last order by u.uid desc limit p_count)
    union all
    (select u.uid, u.nickname from app.users as u where not p_is_descending and u.uid > p_last order by u.uid limit p_count)
  ) as m;
  uids := coalesce(uids, '{}');
end
$$;

comment on function app.members_in_order is
  'Reads the next p_count members of the store after p_last in the order of joining, and returns those whose nickname contains the '
  'keyword (uids, in no order), how many it read (rows_read) and the last of them (last).';
