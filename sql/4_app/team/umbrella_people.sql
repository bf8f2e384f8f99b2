-- A small team is read as a whole. For a large one, the members of the whole store are read in the order of joining, and those who
-- are not in the team are left out; the larger the team, the fewer those are.
-- Raises: invalid_argument.
create or replace function app.umbrella_people(
  p_uid bigint, p_keyword text, p_sort text, p_cursor text, p_limit integer, out uids bigint[], out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_is_descending constant boolean := p_sort like '-%';
  v_team bigint[] := app.small_team(p_uid);
  v_last bigint := coalesce((app.people_position(p_cursor)).uid, case when v_is_descending then 9223372036854775807 else 0 end);
  v_count integer := case when p_keyword is null then p_limit else 1000 end;
  v_rows_read integer := 0;
  v_read record;
  v_below record;
begin
  if v_team is not null then
    uids := array(
      select u.uid from unnest(v_team) as m (uid) join app.users as u on u.uid = m.uid
      where case when v_is_descending then u.uid < v_last else u.uid > v_last end
        and (p_keyword is null or position(lower(p_keyword) in lower(u.nickname)) > 0)
      order by case when v_is_descending then -u.uid else u.uid end
      limit p_limit
    );
    next_cursor := app.people_cursor(uids[p_limit]);
    return;
  end if;
  uids := '{}';
  loop
    v_read := app.members_in_order(v_last, v_is_descending, v_count, p_keyword);
    v_below := app.members_below(p_uid, v_read.uids);
    uids := uids || array(
      select b.uid from unnest(v_below.uids) as b (uid)
      order by case when v_is_descending then -b.uid else b.uid end
      limit p_limit - cardinality(uids)
    );
    v_rows_read := v_rows_read + v_read.rows_read + v_below.rows_read;
    v_last := v_read.last;
    exit when cardinality(uids) = p_limit or v_read.rows_read < v_count or v_rows_read >= v_limit;
    v_count := least(4 * v_count, v_limit - v_rows_read);
  end loop;
  next_cursor := app.people_cursor(case
    when cardinality(uids) = p_limit then uids[p_limit]
    when v_read.rows_read = v_count then v_last
  end);
end
$$;

comment on function app.umbrella_people is
  'Returns one page of the members below a member at any depth (uids, in the order of joining) and the cursor of the next page, '
  'or null after the last. A page reads little more than app.page_read_limit members. It can therefore be shorter than p_limit '
  'without being the last.';
