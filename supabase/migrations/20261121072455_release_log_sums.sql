SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION api.get_release_log (
  p_uid       bigint  DEFAULT NULL::bigint,
  p_date_from date    DEFAULT NULL::date,
  p_date_to   date    DEFAULT NULL::date,
  p_page      integer DEFAULT 1,
  p_limit     integer DEFAULT 20,
  p_cursor    text    DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_page_skip bigint := app.check_page(p_page, p_limit);
  v_skip bigint := case when p_cursor is null then v_page_skip else 0 end;
  v_after record := app.parse_cursor(p_cursor);
  -- Where no cursor is given, everything comes after it.
  v_after_time timestamptz := coalesce(v_after.add_time, 'infinity');
  v_after_id bigint := coalesce(v_after.id, 0);
  v_from date := coalesce(p_date_from, '-infinity');
  v_to date := coalesce(p_date_to, 'infinity');
  v_rows app.points_release_log[];
  v_count bigint;
  v_users bigint;
  v_points numeric;
begin
  if p_uid is null then
    v_rows := array(
      select g from app.points_release_log as g
      where g.release_date between v_from and v_to and (g.add_time, g.id) < (v_after_time, v_after_id)
      order by g.add_time desc, g.id desc offset v_skip limit p_limit
    );
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0) into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between v_from and v_to;
  else
    v_rows := array(
      select g from app.points_release_log as g
      where g.uid = p_uid and g.release_date between v_from and v_to and (g.add_time, g.id) < (v_after_time, v_after_id)
      order by g.add_time desc, g.id desc offset v_skip limit p_limit
    );
    select count(*), least(count(*), 1), coalesce(sum(g.release_points), 0) into v_count, v_users, v_points
    from app.points_release_log as g
    where g.uid = p_uid and g.release_date between v_from and v_to;
  end if;

  return jsonb_build_object(
    'list', (select coalesce(jsonb_agg(app.release_json(l) order by l.add_time desc, l.id desc), '[]') from unnest(v_rows) as l),
    'count', v_count,
    'next_cursor', (
      select app.make_cursor(l.add_time, l.id) from unnest(v_rows) as l
      where cardinality(v_rows) = p_limit order by l.add_time, l.id limit 1
    ),
    'statistics', jsonb_build_object(
      'total_released', trim_scale(v_points), 'users', v_users,
      'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
    )
  );
end
$function$;
