-- Generated from sql/ by `npm run migration:fold`; do not edit.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION api.get_release_log (
  p_uid       bigint  DEFAULT NULL::bigint,
  p_date_from date    DEFAULT NULL::date,
  p_date_to   date    DEFAULT NULL::date,
  p_page      integer DEFAULT 1,
  p_limit     integer DEFAULT 20,
  p_cursor    text    DEFAULT NULL::text
)
  RETURNS json
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_position record;
  v_from date := coalesce(p_date_from, app.first_release_day());
  v_to date := coalesce(p_date_to, 'infinity');
  v_rows app.points_release_log[];
  v_count bigint;
  v_users bigint;
  v_points numeric;
  v_since timestamptz;
begin
  perform app.require_admin();
  perform app.reach_releases(p_date_from, p_date_to);
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
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0) into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between coalesce(p_date_from, '-infinity') and v_to;
  else
    v_rows := array(
      -- With `offset 0`, the rows of the member are found before they are sorted: a plan made while a month was empty would read all of it by time.
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
    -- A subquery for each nickname: with a join, the generic query plan would read all members, since it does not know how few rows
    -- v_rows has.
    select json_build_object(
      'list', coalesce(json_agg(
        app.release_json(l, (select u.nickname from app.users as u where u.uid = l.uid)) order by l.add_time desc, l.id desc
      ), '[]'),
      'count', v_count,
      'next_cursor', app.make_cursor((v_rows[p_limit]).add_time, (v_rows[p_limit]).id),
      'archived_until', app.utc(nullif(app.archived_until('points_release_log'), '-infinity')),
      'statistics', json_build_object(
        'total_released', trim_scale(v_points), 'users', v_users,
        'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
      )
    )
    from unnest(v_rows) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.next_keys (
  p_keys  text,
  p_from  bigint,
  p_batch integer,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS bigint
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_limit integer := case p_keys
    when 'sample' then greatest(p_batch / 500, 20)
    when 'days' then greatest(p_batch / 2000, 1)
    when 'months' then greatest(p_batch / 50000, 1)
    else greatest(p_batch, 1)
  end;
  v_keys bigint[];
begin
  case p_keys
    when 'members' then
      v_keys := array(select u.uid from app.users as u where u.uid >= p_from order by u.uid limit v_limit);
    when 'orders' then
      if p_since > '-infinity' then
        v_keys := array(select c.id from app.changed_orders as c where c.id >= p_from order by c.id limit v_limit);
      else
        v_keys := array(select o.id from app.orders as o where o.id >= p_from order by o.id limit v_limit);
      end if;
    when 'days' then
      v_keys := array(
        select r.release_date - date '2000-01-01' from app.release_runs as r
        where r.release_date >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by r.release_date limit v_limit
      );
    when 'months' then
      v_keys := array(select c.month - date '2000-01-01' from app.closed_months as c where c.month >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by c.month limit v_limit);
    else
      v_keys := array(select n.key from generate_series(greatest(p_from, 1), app.sample_size(), 1) as n (key) order by n.key limit v_limit);
  end case;
  return case when cardinality(v_keys) < v_limit then 9223372036854775807 else v_keys[v_limit] end;
end
$function$;

CREATE OR REPLACE FUNCTION app.reach_releases (
  p_from date,
  p_to   date
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_from not between '0001-01-01' and '9999-12-31' or p_to not between '0001-01-01' and '9999-12-31' then
    perform app.fail('invalid_argument', 'date_from and date_to are in the years 1 to 9999.');
  end if;
  perform app.reach_months('points_release_log', p_from::timestamp at time zone 'UTC', (p_to + 1)::timestamp at time zone 'UTC');
end
$function$;

COMMENT ON FUNCTION "app"."reach_releases"(date, date) IS 'Raises invalid_argument if a day is outside the years 1 to 9999, since the last day of Postgres has no next one, and month_archived as app.reach_months does. A day may be null.';

REVOKE ALL ON FUNCTION "app"."reach_releases"(date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reach_releases"(date, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reach_releases"(date, date) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."reach_releases"(date, date) TO "store_admin", "store_key";

insert into app.manifest (kind, name, definition) values
  ('function', 'app.reach_releases(date,date)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('privilege', 'execute on function app.reach_releases(date,date) to store_admin', 'granted'),
  ('privilege', 'execute on function app.reach_releases(date,date) to store_key', 'granted');
