SET local check_function_bodies = off;

CREATE TABLE "app"."scheduled_jobs" (
  "name"       text                     NOT NULL,
  "title"      text                     NOT NULL,
  "title_zh"   text                     NOT NULL,
  "command"    text                     NOT NULL,
  "schedule"   text                     NOT NULL,
  "preset"     text                     NOT NULL,
  "is_active"  boolean                  NOT NULL DEFAULT true,
  "changed_by" uuid,
  "changed_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "name_is_a_word" CHECK ((name ~ '^[a-z][a-z0-9_]{0,62}$'::text)),
  CONSTRAINT "scheduled_jobs_pkey" PRIMARY KEY (name)
);

ALTER TABLE "app"."scheduled_jobs"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION api.get_crontab()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform app.require_admin();
  return app.schedule_json(clock_timestamp());
end
$function$;

CREATE OR REPLACE FUNCTION api.get_settings()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'time_zone', s.time_zone, 'site_name', s.site_name, 'h5_share_url', s.h5_share_url, 'updated_at', app.utc(s.updated_at)
  )
  from app.settings as s
$function$;

CREATE OR REPLACE FUNCTION api.run_crontab (
  p_name text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  return jsonb_build_object('name', p_name, 'runs_at', app.utc(app.run_job_now(p_name, clock_timestamp())));
end
$function$;

CREATE OR REPLACE FUNCTION api.set_crontab (
  p_name      text,
  p_schedule  text    DEFAULT NULL::text,
  p_is_active boolean DEFAULT NULL::boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  perform app.set_schedule(p_name, p_schedule, p_is_active, auth.uid(), clock_timestamp());
  return app.schedule_json(clock_timestamp());
end
$function$;

CREATE OR REPLACE FUNCTION api.set_settings (
  p_time_zone    text DEFAULT NULL::text,
  p_site_name    text DEFAULT NULL::text,
  p_h5_share_url text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  perform app.set_settings(p_time_zone, p_site_name, p_h5_share_url, clock_timestamp());
  return api.get_settings();
end
$function$;

CREATE OR REPLACE FUNCTION app.apply_schedule (
  p_now timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_job app.scheduled_jobs;
begin
  if to_regclass('cron.job') is null then
    raise notice 'pg_cron is not installed in this database: nothing is scheduled';
    return;
  end if;
  for v_job in select j.* from app.scheduled_jobs as j order by j.name loop
    if v_job.is_active then
      execute 'select cron.schedule($1, $2, $3)'
      using v_job.name, app.cron_in_utc(v_job.schedule, (select s.time_zone from app.settings as s), p_now), v_job.command;
    else
      execute 'select cron.unschedule(j.jobname) from cron.job as j where j.jobname = $1' using v_job.name;
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.cron_in_utc (
  p_schedule  text,
  p_time_zone text,
  p_now       timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_field text[] := regexp_match(p_schedule, '^(\*|\*/[1-9][0-9]?|[0-9]{1,2}) (\*|[0-9]{1,2}) \* \* (\*|[0-6])$');
  v_offset integer := extract(epoch from (p_now at time zone p_time_zone) - (p_now at time zone 'UTC'))::integer / 60;
  v_minute integer;
begin
  if v_field is null
    or (v_field[1] like '*%' and v_field[2] <> '*') or (v_field[2] = '*' and v_field[3] <> '*')
    or (v_field[1] !~ '\*' and v_field[1]::integer > 59) or (v_field[2] <> '*' and v_field[2]::integer > 23)
  then
    perform app.fail('invalid_argument', 'A schedule is "minute hour * * *", "minute hour * * weekday", "minute * * * *" or "*/n * * * *".');
  end if;
  if v_field[1] like '*%' then
    return p_schedule;
  elsif v_field[2] = '*' then
    return format('%s * * * *', (v_field[1]::integer - v_offset % 60 + 60) % 60);
  end if;
  v_minute := v_field[2]::integer * 60 + v_field[1]::integer - v_offset;
  return format(
    '%s %s * * %s', (v_minute + 2880) % 60, (v_minute + 2880) % 1440 / 60,
    case when v_field[3] = '*' then '*' else ((v_field[3]::integer + 7 + floor(v_minute / 1440.0)::integer) % 7)::text end
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.fail (
  p_code   text,
  p_detail text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_status text := case p_code
    when 'unauthenticated' then '401'
    when 'forbidden' then '403'
    when 'order_not_found' then '404'
    when 'product_not_found' then '404'
    when 'user_not_found' then '404'
    when 'job_not_found' then '404'
    when 'refund_not_found' then '404'
    when 'crontab_not_found' then '404'
    when 'order_state_conflict' then '409'
    when 'order_already_paid' then '409'
    when 'payment_reference_used' then '409'
    when 'spread_already_bound' then '409'
    when 'refund_state_conflict' then '409'
    when 'refund_reference_used' then '409'
    when 'invalid_argument' then '422'
    when 'spread_unknown' then '422'
    when 'spread_is_self' then '422'
    when 'spread_in_own_downline' then '422'
    when 'product_unavailable' then '422'
    when 'refund_exceeds_order' then '422'
    when 'level_unknown' then '422'
    when 'plan_invalid' then '422'
    when 'levels_invalid' then '422'
    when 'simulation_too_large' then '422'
    when 'schedule_unavailable' then '503'
  end;
begin
  raise exception using
    errcode = 'PT' || coalesce(v_status, '500'), message = p_code, detail = coalesce(p_detail, '');
end
$function$;

CREATE OR REPLACE FUNCTION app.next_run (
  p_job app.scheduled_jobs,
  p_now timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select min(m.minute)
  from app.settings as s
  cross join generate_series(date_trunc('minute', p_now) + interval '1 minute', p_now + interval '8 days', interval '1 minute') as m (minute)
  cross join lateral (select m.minute at time zone s.time_zone as local, string_to_array(p_job.schedule, ' ') as field) as t
  where p_job.is_active
    and case
      when t.field[1] = '*' then true
      when t.field[1] like '*/%' then extract(minute from t.local)::integer % split_part(t.field[1], '/', 2)::integer = 0
      else extract(minute from t.local) = t.field[1]::integer
    end
    and (t.field[2] = '*' or extract(hour from t.local) = t.field[2]::integer)
    and (t.field[5] = '*' or extract(dow from t.local) = t.field[5]::integer)
$function$;

CREATE OR REPLACE FUNCTION app.purge_cron_history (
  p_now timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  execute 'delete from cron.job_run_details where end_time < $1' using p_now - interval '30 days';
  execute $sql$
    select cron.unschedule(j.jobname) from cron.job as j
    where j.jobname like '%:now' and exists (select from cron.job_run_details as r where r.jobid = j.jobid and r.end_time is not null)
  $sql$;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_scheduler()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  if to_regclass('cron.job') is null then
    perform app.fail('schedule_unavailable', 'pg_cron is not installed in this database.');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.run_job_now (
  p_name text,
  p_now  timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  -- pg_cron looks at the beginning of each minute; one that is about to begin may be too near.
  v_minute timestamptz := date_trunc('minute', p_now + interval '65 seconds');
  v_command text := (select j.command from app.scheduled_jobs as j where j.name = p_name);
begin
  if v_command is null then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.require_scheduler();
  execute 'select cron.schedule($1, $2, $3)'
  using p_name || ':now', to_char(v_minute at time zone 'UTC', 'FMMI FMHH24 FMDD FMMM "*"'), v_command;
  return v_minute;
end
$function$;

CREATE OR REPLACE FUNCTION app.schedule_json (
  p_now timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_runs jsonb := '{}';
begin
  if to_regclass('cron.job') is not null then
    execute $sql$
      select coalesce(jsonb_object_agg(n.name, n.runs), '{}')
      from (
        select j.name, jsonb_agg(r.run order by r.start_time desc) as runs
        from app.scheduled_jobs as j
        cross join lateral (
          select d.start_time, jsonb_build_object(
            'status', d.status, 'by_hand', c.jobname like '%:now', 'message', left(d.return_message, 500),
            'started_at', app.utc(d.start_time), 'ended_at', app.utc(d.end_time)
          ) as run
          from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
          where c.jobname in (j.name, j.name || ':now')
          order by d.runid desc
          limit 10
        ) as r
        group by j.name
      ) as n
    $sql$ into v_runs;
  end if;
  return (
    select jsonb_build_object(
      'time_zone', s.time_zone, 'count', count(*), 'list', jsonb_agg(jsonb_build_object(
        'name', j.name, 'title', j.title, 'title_zh', j.title_zh, 'schedule', j.schedule, 'preset', j.preset,
        'schedule_utc', app.cron_in_utc(j.schedule, s.time_zone, p_now), 'is_active', j.is_active,
        'next_run', app.utc(app.next_run(j, p_now)), 'changed_by', j.changed_by, 'changed_at', app.utc(j.changed_at),
        'runs', coalesce(v_runs -> j.name, '[]')
      ) order by j.name)
    )
    from app.scheduled_jobs as j cross join app.settings as s
    group by s.time_zone
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.set_schedule (
  p_name       text,
  p_schedule   text,
  p_is_active  boolean,
  p_changed_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from app.scheduled_jobs as j where j.name = p_name for update;
  if not found then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.require_scheduler();
  perform app.cron_in_utc(p_schedule, 'UTC', p_now) where p_schedule is not null;
  update app.scheduled_jobs as j
  set schedule = coalesce(p_schedule, j.schedule), is_active = coalesce(p_is_active, j.is_active), changed_by = p_changed_by, changed_at = p_now
  where j.name = p_name and (j.schedule, j.is_active) <> (coalesce(p_schedule, j.schedule), coalesce(p_is_active, j.is_active));
  if found then
    perform app.apply_schedule(p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.set_settings (
  p_time_zone    text,
  p_site_name    text,
  p_h5_share_url text,
  p_now          timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if p_time_zone is not null and not exists (select from pg_catalog.pg_timezone_names as z where z.name = p_time_zone) then
    perform app.fail('invalid_argument', 'There is no time zone of this name; take one such as Asia/Shanghai.');
  elsif char_length(p_site_name) not between 1 and 100 then
    perform app.fail('invalid_argument', 'The name of the site has 1 to 100 characters.');
  elsif p_h5_share_url !~ '^https?://[^[:space:]]+$' or char_length(p_h5_share_url) > 500 then
    perform app.fail('invalid_argument', 'The address of the share page begins with http:// or https://.');
  end if;
  update app.settings as s
  set time_zone = coalesce(p_time_zone, s.time_zone), site_name = coalesce(p_site_name, s.site_name),
      h5_share_url = coalesce(p_h5_share_url, s.h5_share_url), updated_at = p_now;
  perform app.apply_schedule(p_now) where p_time_zone is not null;
end
$function$;

CREATE POLICY "admins_read_schedule" ON "app"."scheduled_jobs"
  FOR SELECT
  TO "service_role", "store_admin"
  USING (true);

COMMENT ON TABLE "app"."scheduled_jobs" IS 'Jobs of pg_cron: schedule and preset are cron expressions in the business time zone of app.settings.';

REVOKE ALL ON FUNCTION "api"."get_crontab"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_crontab"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_crontab"() TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_crontab"() TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_settings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_settings"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_settings"() TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_settings"() TO "store_admin";

REVOKE ALL ON FUNCTION "api"."run_crontab"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."run_crontab"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."run_crontab"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."run_crontab"(text) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."set_crontab"(text, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."set_crontab"(text, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_crontab"(text, text, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_crontab"(text, text, boolean) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."set_settings"(text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."set_settings"(text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_settings"(text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_settings"(text, text, text) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."apply_schedule"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."apply_schedule"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."apply_schedule"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."cron_in_utc"(text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."cron_in_utc"(text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."cron_in_utc"(text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."next_run"(app.scheduled_jobs, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."next_run"(app.scheduled_jobs, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."next_run"(app.scheduled_jobs, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."purge_cron_history"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."purge_cron_history"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."purge_cron_history"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."require_scheduler"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_scheduler"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_scheduler"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."run_job_now"(text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."run_job_now"(text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."run_job_now"(text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."schedule_json"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."schedule_json"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."schedule_json"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."set_schedule"(text, text, boolean, uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."set_schedule"(text, text, boolean, uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."set_schedule"(text, text, boolean, uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."set_settings"(text, text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."set_settings"(text, text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."set_settings"(text, text, text, timestamp WITH time zone) TO "postgres";

GRANT SELECT ON TABLE "app"."scheduled_jobs" TO "store_admin", "service_role";

-- Rows are no part of a schema difference.
-- What runs on a schedule, and when by the business clock unless an administrator says otherwise.
insert into app.scheduled_jobs (name, title, title_zh, command, schedule, preset)
select j.name, j.title, j.title_zh, j.command, j.preset, j.preset
from (values
  ('fsgx_release_frozen_points', 'Daily release of frozen points', '每日释放冻结积分', 'call app.release_frozen_points()', '1 0 * * *'),
  ('settle_waiting_orders', 'Settlement of waiting orders', '结算待处理订单', 'call app.drain_settlement_jobs()', '* * * * *'),
  ('reconcile_bill', 'Nightly reconciliation', '每夜对账', 'select app.record_reconcile()', '30 0 * * *'),
  ('ensure_month_partitions', 'Partitions of the coming months', '创建后续月份分区',
    'select app.ensure_month_partitions(current_date, (current_date + interval ''2 months'')::date)', '30 23 * * *'),
  ('apply_schedule', 'Schedule kept to the business clock', '按业务时区校准计划', 'select app.apply_schedule()', '20 23 * * *'),
  ('purge_cron_history', 'Old runs of the schedule forgotten', '清理计划任务历史', 'select app.purge_cron_history()', '15 23 * * *')
) as j (name, title, title_zh, command, preset)
on conflict do nothing;

select app.apply_schedule();
