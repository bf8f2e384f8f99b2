-- What clients may call about the release.

-- Security definer: client roles may not execute app.forecast_json.
create or replace function api.get_points_forecast()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.forecast_json(app.require_uid()) - 'members';
end
$$;

comment on function api.get_points_forecast is
  'Returns the points that will still be released to the caller (app.forecast_json). Serves GET '
  '/api/hjf/points/forecast.';

grant execute on function api.get_points_forecast() to authenticated, store_admin;

-- Security definer: client roles may not execute app.forecast_json.
create or replace function api.get_release_forecast(p_uid bigint default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.forecast_json(p_uid);
end
$$;

comment on function api.get_release_forecast is
  'Returns the points that will still be released to one member or, with p_uid null, to all (app.forecast_json). '
  'Serves GET /adminapi/hjf/points/forecast.';

grant execute on function api.get_release_forecast(bigint) to store_admin;

-- Without p_uid, the sums come from app.release_runs: the log has a row for each member and day, which is too many to
-- read for every page (decision 0019). It builds the same form as app.log_json, but as json: jsonb would take half of
-- the time of the call.
create or replace function api.get_release_log(
  p_uid bigint default null, p_date_from date default null, p_date_to date default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns json
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
as $$
declare
  v_position record;
  v_from date := coalesce(p_date_from, '-infinity');
  v_to date := coalesce(p_date_to, 'infinity');
  v_rows app.points_release_log[];
  v_count bigint;
  v_users bigint;
  v_points numeric;
  v_since timestamptz;
begin
  perform app.require_admin();
  perform app.check_release_days(p_date_from, p_date_to);
  v_position := app.list_position(p_page, p_limit, p_cursor);
  if p_uid is null then
    for v_since in select s.at from app.steps_back('-infinity', v_position.add_time) as s (at) order by s.at desc loop
      v_rows := array(
        select g from app.releases(v_from, v_to, v_since) as g
        where (g.add_time, g.id) < (v_position.add_time, v_position.id)
        order by g.add_time desc, g.id desc offset v_position.skip limit p_limit
      );
      exit when cardinality(v_rows) = p_limit;
    end loop;
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0)
    into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between v_from and v_to;
  else
    v_rows := array(
      -- With `offset 0`, the rows of the member are found before they are sorted: a plan made while a month was empty
      -- would read all of it by time.
      select m.g
      from (select g from app.releases(v_from, v_to) as g where g.uid = p_uid offset 0) as m
      where ((m.g).add_time, (m.g).id) < (v_position.add_time, v_position.id)
      order by (m.g).add_time desc, (m.g).id desc offset v_position.skip limit p_limit
    );
    select count(*), least(count(*), 1), coalesce(sum(g.release_points), 0) into v_count, v_users, v_points
    from app.releases(v_from, v_to) as g
    where g.uid = p_uid;
  end if;

  return (
    -- A subquery for each nickname: with a join, the generic query plan would read all members, since it does not know
    -- how few rows v_rows has.
    select json_build_object(
      'list', coalesce(json_agg(
        app.release_json(l, (select u.nickname from app.users as u where u.uid = l.uid))
        order by l.add_time desc, l.id desc
      ), '[]'),
      'count', v_count,
      'next_cursor', app.make_cursor((v_rows[p_limit]).add_time, (v_rows[p_limit]).id),
      'statistics', json_build_object(
        'total_released', trim_scale(v_points), 'users', v_users,
        'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
      )
    )
    from unnest(v_rows) as l
  );
end
$$;

comment on function api.get_release_log is
  'Returns one page of the release log, newest first, with the sums of all rows that match. Serves GET '
  '/adminapi/hjf/points/release_log.';

grant execute on function api.get_release_log(bigint, date, date, integer, integer, text) to store_admin;
