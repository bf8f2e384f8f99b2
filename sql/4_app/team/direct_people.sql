-- Sorted by joining, orders or members, a page follows an index, however many direct members there are. No index has the levels
-- or nicknames of direct members: sorted by these, a page reads as many members as it may, the latest to join first, and sorts
-- them. The cursor then continues with the members who joined before them.
-- Dynamic SQL, so that each sort key gets a query plan that follows its index.
-- Raises: invalid_argument.
create or replace function app.direct_people(
  p_uid bigint, p_keyword text, p_sort text, p_cursor text, p_limit integer, out uids bigint[], out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_position record := app.people_position(p_cursor);
  v_before bigint := coalesce(v_position.before, 9223372036854775807);
  v_column text := ltrim(p_sort, '-');
  v_source text := case
    when v_column = 'joined' then 'app.users as m'
    when v_column in ('orders', 'members') then
      '(select t.*, u.nickname from app.team_totals as t join app.users as u on u.uid = t.uid) as m'
    else '(select u.* from app.users as u where u.spread_uid = $1 and u.uid < $2 order by u.uid desc limit $3) as m'
  end;
  v_value text := case v_column
    when 'joined' then 'm.uid' when 'orders' then 'm.own_orders' when 'members' then 'm.umbrella_members'
    when 'agent_level' then 'm.agent_level' else 'lower(m.nickname)'
  end;
  v_rows_read integer := 0;
  v_uid bigint;
  v_nickname text;
  v_last text;
begin
  uids := '{}';
  if v_column <> 'nickname' and v_position.value !~ '^[0-9]{0,18}$' then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end if;
  for v_uid, v_nickname, v_last in execute format(
    'select m.uid, m.nickname, (%2$s)::text as value from %1$s where m.spread_uid = $1'
    || case when v_position.value <> '' then ' and (%2$s, m.uid) %4$s ($4::%5$s, $5)' else '' end
    || ' order by %2$s %3$s, m.uid %3$s limit $6',
    v_source, v_value, case when p_sort like '-%' then 'desc' else 'asc' end, case when p_sort like '-%' then '<' else '>' end,
    case v_column when 'nickname' then 'text' else 'bigint' end
  )
  using p_uid, v_before, v_limit, v_position.value, v_position.uid, case when p_keyword is null then p_limit else v_limit end
  loop
    v_rows_read := v_rows_read + 1;
    if p_keyword is null or position(lower(p_keyword) in lower(v_nickname)) > 0 then
      uids := uids || v_uid;
    end if;
    exit when cardinality(uids) = p_limit or v_rows_read = v_limit;
  end loop;
  if cardinality(uids) = p_limit or v_rows_read = v_limit then
    next_cursor := app.people_cursor(v_uid, v_position.before, v_last);
  elsif v_column in ('agent_level', 'nickname') then
    next_cursor := (
      select app.people_cursor(u.uid, u.uid) from app.users as u
      where u.spread_uid = p_uid and u.uid < v_before order by u.uid desc offset v_limit - 1 limit 1
    );
  end if;
end
$$;

comment on function app.direct_people is
  'Returns one page of the direct members of a member (uids, sorted) and the cursor of the next page, or null after the last. A '
  'page reads at most app.page_read_limit members. With a keyword, it can therefore be shorter than p_limit without being the '
  'last.';
