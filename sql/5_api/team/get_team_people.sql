-- Security definer: members may not read other members. The function starts from the member of the verified token. No parameter
-- says whose team is read, and a cursor is a position in the order of the caller's own list.
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_team_people(
  p_depth text default 'direct', p_keyword text default null, p_sort text default '-joined', p_cursor text default null,
  p_limit integer default 20
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_named bigint := app.person_by_uid(v_uid, p_depth, p_keyword);
  v_uids bigint[];
  v_next_cursor text;
begin
  perform app.check_page(1, p_limit);
  if p_depth is null or p_depth not in ('direct', 'umbrella') then
    perform app.fail('invalid_argument', 'depth is direct or umbrella.');
  elsif p_sort is null or p_sort !~ '^-?(joined|nickname|agent_level|orders|members)$' then
    perform app.fail('invalid_argument', 'sort is joined, nickname, agent_level, orders or members, with a leading - for descending.');
  elsif p_depth = 'umbrella' and p_sort not in ('joined', '-joined') then
    perform app.fail('invalid_argument', 'With depth umbrella, sort is joined or -joined.');
  elsif char_length(p_keyword) not between 1 and 64 then
    perform app.fail('invalid_argument', 'keyword has between 1 and 64 characters.');
  end if;
  if v_named is not null then
    v_uids := array[v_named];
  elsif p_depth = 'direct' then
    select p.uids, p.next_cursor into v_uids, v_next_cursor from app.direct_people(v_uid, p_keyword, p_sort, p_cursor, p_limit) as p;
  else
    select p.uids, p.next_cursor into v_uids, v_next_cursor from app.umbrella_people(v_uid, p_keyword, p_sort, p_cursor, p_limit) as p;
  end if;
  return jsonb_build_object(
    'list', app.people_json(v_uids), 'next_cursor', v_next_cursor,
    'as_of', (select app.utc(a.as_of) from app.team_totals_as_of as a)
  );
end
$$;

comment on function api.get_team_people is
  'Returns one page of the caller''s direct members, or of all members below (p_depth umbrella), without their phones. p_keyword '
  'is a part of a nickname or a whole uid. Serves GET /api/spread/people.';

grant execute on function api.get_team_people(text, text, text, text, integer) to authenticated, store_admin;
