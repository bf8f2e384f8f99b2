-- Precondition: runs as the owner of the store, who may read the tables of pg_cron.
create or replace function app.schedule_json(p_now timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
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
            'status', case
              when d.status = 'failed' and exists (
                select from app.job_runs as r
                where r.job = j.name and r.cut_at is not null and r.started_at between d.start_time and coalesce(d.end_time, 'infinity')
              ) then 'cut'
              else d.status
            end,
            'by_hand', c.jobname like '%:now', 'message', left(d.return_message, 500),
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
        'unfinished_since', (
          select app.utc(min(r.started_at)) from app.job_runs as r
          where r.job = j.name and r.cut_at is not null and r.ended_at is null and r.completed_at is null
        ),
        'runs', coalesce(v_runs -> j.name, '[]')
      ) order by j.position)
    )
    from app.scheduled_jobs as j cross join app.settings as s
    group by s.time_zone
  );
end
$$;

comment on function app.schedule_json is
  'Returns the scheduled jobs as the API shows them, in their order: schedule in the store''s time zone and in UTC, preset, '
  'next run, since when work of a cut run is left, and the latest ten runs with their results, newest first.';
