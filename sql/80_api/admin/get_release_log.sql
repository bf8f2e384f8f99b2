-- GET /adminapi/hjf/points/release_log: who was released what, newest first, by page or by cursor, with sums over
-- everything that matches. Raises: invalid_argument.
create or replace function api.get_release_log(
  p_uid bigint default null, p_date_from date default null, p_date_to date default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_after record := app.parse_cursor(p_cursor);
  v_list jsonb;
  v_next text;
  v_sums record;
begin
  select
    coalesce(jsonb_agg(app.release_json(l) order by l.add_time desc, l.id desc), '[]'),
    case when count(*) = p_limit then (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1] end
  into v_list, v_next
  from (
    select g.* from app.points_release_log as g
    where (p_uid is null or g.uid = p_uid)
      and (p_date_from is null or g.release_date >= p_date_from) and (p_date_to is null or g.release_date <= p_date_to)
      and (p_cursor is null or (g.add_time, g.id) < (v_after.add_time, v_after.id))
    order by g.add_time desc, g.id desc
    offset case when p_cursor is null then v_skip else 0 end
    limit p_limit
  ) as l;

  select count(*) as releases, count(distinct g.uid) as users, coalesce(sum(g.release_points), 0) as points into v_sums
  from app.points_release_log as g
  where (p_uid is null or g.uid = p_uid)
    and (p_date_from is null or g.release_date >= p_date_from) and (p_date_to is null or g.release_date <= p_date_to);

  return jsonb_build_object(
    'list', v_list, 'count', v_sums.releases, 'next_cursor', v_next,
    'statistics', jsonb_build_object(
      'total_released', trim_scale(v_sums.points), 'users', v_sums.users,
      'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
    )
  );
end
$$;

grant execute on function api.get_release_log(bigint, date, date, integer, integer, text) to store_admin;
