-- The schedule: from the time zone of the store to pg_cron, and what is late.

create or replace function app.cuts_of(p_job text, p_part text)
returns integer
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select count(*)::integer from app.job_runs as r where r.job = p_job and r.part = p_part and r.cut_at is not null
$$;

comment on function app.cuts_of is 'Returns how many runs of a job were cut while they worked on this part.';

-- A local time that comes twice in a night is due at the first of them, and once more. A local time that a night leaves
-- out is due as long after midnight as if clocks had not changed.
create or replace function app.times_of_days(p_schedule text, p_time_zone text, p_from date, p_to date)
returns table (first timestamptz, again timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when (t.minute - interval '1 hour') at time zone p_time_zone = l.minute then t.minute - interval '1 hour'
    else t.minute
  end,
    t.minute
  from (select string_to_array(p_schedule, ' ') as field) as s
  cross join generate_series(0, p_to - p_from) as n (number)
  cross join lateral (
    select p_from + n.number + case
      when s.field[2] <> '*' then make_time(s.field[2]::integer, s.field[1]::integer, 0)
    end as minute
  ) as l
  cross join lateral (select l.minute at time zone p_time_zone as minute) as t
  where s.field[5] = '*' or extract(dow from l.minute) = s.field[5]::integer
$$;

comment on function app.times_of_days is
  'Returns when a daily or weekly schedule is due on these local days. again is later than first if clocks are put '
  'back in between.';

-- Few minutes are tried: those of the next hour, or one on each day.
create or replace function app.next_time(p_schedule text, p_time_zone text, p_now timestamptz)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with s as (
    select
      f.field, date_trunc('minute', p_now) + interval '1 minute' as first,
      ((date_trunc('minute', p_now) + interval '1 minute') at time zone p_time_zone)::date as day
    from string_to_array(p_schedule, ' ') as f (field)
  ), due as (
    select m.minute
    from s
    cross join generate_series(0, 120) as n (number)
    cross join lateral (select s.first + n.number * interval '1 minute' as minute) as m
    cross join lateral (select extract(minute from m.minute at time zone p_time_zone)::integer as minute) as local
    where s.field[2] = '*'
      and case
        when s.field[1] = '*' then true
        when s.field[1] like '*/%' then local.minute % split_part(s.field[1], '/', 2)::integer = 0
        else local.minute = s.field[1]::integer
      end
    union all
    select b.minute
    from s
    cross join app.times_of_days(p_schedule, p_time_zone, s.day - 1, s.day + 8) as t
    cross join lateral (values (t.first), (t.again)) as b (minute)
    where s.field[2] <> '*'
  )
  select min(d.minute) from s join due as d on d.minute >= s.first
$$;

comment on function app.next_time is 'Returns when a schedule in a time zone is first due after p_now.';

create or replace function app.next_run(p_job app.scheduled_jobs, p_now timestamptz)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case when p_job.is_active then app.next_time(p_job.schedule, s.time_zone, p_now) end from app.settings as s
$$;

comment on function app.next_run is 'Returns when a scheduled job is next due, or null if it is switched off.';

-- Idempotent, also when it runs concurrently: what is deleted is gone.
create or replace procedure app.purge_cron_history()
language plpgsql
as $$
declare
  v_run record := app.begin_run('purge_cron_history', 1000);
begin
  commit;
  while app.purge_run_records(pg_catalog.clock_timestamp(), v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.purge_cron_history is
  'Deletes old records of runs, in batches with a commit each (app.purge_run_records).';

-- pg_cron does not make up a minute that it has missed. A time counts for a job as long as all of this is the same: a
-- change of schedule or time zone moves the time, a job that was off and is scheduled again has another number, a dump
-- makes other tables, another server or database other numbers, and a standby that is promoted another timeline. A
-- server in recovery runs no job.
-- Security definer: client roles may not read the tables of pg_cron.
create or replace function app.times_count_for(p_job app.scheduled_jobs)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_number text;
begin
  if to_regclass('cron.job') is null or pg_is_in_recovery() or not p_job.is_active then
    return null;
  end if;
  execute 'select j.jobid::text from cron.job as j where j.jobname = $1 and j.active' into v_number using p_job.name;
  return (
    select concat_ws(
      ' ', p_job.schedule, s.time_zone, c.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid,
      'app.scheduled_jobs'::regclass::oid, 'cron.job'::regclass::oid, v_number
    )
    from app.settings as s
    cross join pg_control_system() as c
    join pg_database as d on d.datname = current_database() and v_number is not null
  );
end
$$;

comment on function app.times_count_for is
  'Returns for what the times of an active job count, from its schedule to its number in pg_cron. Null if nothing runs '
  'it here.';

-- Locks: the rows of the jobs that changed.
-- Idempotent: what has not changed is left.
create or replace function app.count_times(p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.scheduled_jobs as j
  set times_count_for = n.value, times_count_from = p_now
  from app.scheduled_jobs as o cross join lateral app.times_count_for(o) as n (value)
  where o.name = j.name and j.times_count_for is distinct from n.value
$$;

comment on function app.count_times is
  'Lets the times of each job for which app.times_count_for has changed count from p_now on.';

-- A run that began and failed before it recorded itself is none: nothing continues it. A run for named days is none of
-- a job that is called without days. Runs by hand and the further sessions of a night count.
-- Security definer: client roles may not read the tables of pg_cron.
create or replace function app.missed_time(p_job app.scheduled_jobs, p_now timestamptz)
returns timestamptz
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_due timestamptz;
  v_has_run boolean;
begin
  if p_job.schedule !~ '^\d+ \d+ ' or (p_job.times_count_for = app.times_count_for(p_job)) is not true then
    return null;
  end if;
  select max(t.first) into v_due
  from app.settings as s
  cross join lateral (select (p_now at time zone s.time_zone)::date as day) as d
  cross join app.times_of_days(p_job.schedule, s.time_zone, d.day - 8, d.day + 1) as t
  where t.first < date_trunc('minute', p_now);
  if v_due <= p_job.times_count_from or exists (
    select from app.job_runs as r
    where r.job = p_job.name and r.started_at >= v_due and (r.from_day is null) = (p_job.command not like 'call %(_%)')
  ) then
    return null;
  end if;
  execute $sql$
    select coalesce((
      select d.start_time >= $2
      from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
      where (c.jobname = $1 or starts_with(c.jobname, $1 || ':')) and d.start_time is not null and d.status <> 'failed'
      order by d.runid desc
      limit 1
    ), false)
  $sql$ into v_has_run using p_job.name, v_due;
  return case when not v_has_run then v_due end;
end
$$;

comment on function app.missed_time is
  'Returns the latest time of an active daily or weekly job before the minute of p_now. Null if a run has begun since, '
  'if the time does not count (app.count_times), and for other jobs.';

-- A job that is due every hour or more often is measured from its last start, its last change or the start of the
-- server, the latest of the three: it could not run before.
-- Security definer: client roles may not read the tables of pg_cron. The runs of a job are read by primary key, newest
-- first, so that a job with many runs costs little.
create or replace function app.late_jobs(p_now timestamptz, p_name text default null)
returns table (name text, last_run timestamptz)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    return;
  end if;
  return query execute $sql$
    select j.name, r.last_run
    from app.scheduled_jobs as j
    cross join lateral (
      select (
        select d.start_time from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
        where c.jobname = j.name and d.start_time is not null order by d.runid desc limit 1
      ) as last_run
    ) as r
    cross join lateral (
      select case
        when j.schedule ~ '^\* ' then interval '1 minute'
        when j.schedule ~ '^\*/' then split_part(split_part(j.schedule, ' ', 1), '/', 2)::integer * interval '1 minute'
        else interval '1 hour'
      end as period
    ) as p
    where j.is_active and ($2 is null or j.name = $2)
      and case
        when j.schedule ~ '^\d+ \d+ ' then app.missed_time(j, $1) is not null
        else greatest(r.last_run, j.changed_at, pg_postmaster_start_time()) < $1 - 2 * p.period - interval '5 minutes'
      end
    order by j.name
  $sql$ using p_now, p_name;
end
$$;

comment on function app.late_jobs is
  'Returns the active jobs, or p_name only, that did not run when due, with their latest start by pg_cron. A daily or '
  'weekly job is late if it missed a time (app.missed_time), another one two periods and five minutes after its latest '
  'start. None without pg_cron.';

grant execute on function app.late_jobs(timestamptz, text) to store_admin;

-- Where pg_cron is not installed, another scheduler may call the jobs: the settlement of waiting orders then has a
-- recent run.
-- Security definer: client roles may not read the tables of pg_cron.
create or replace function app.scheduler_state(p_now timestamptz)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_complete boolean;
begin
  if to_regclass('cron.job') is null then
    return case
      when exists (
        select from app.job_runs as r
        where r.job = 'settle_waiting_orders' and r.started_at > p_now - interval '5 minutes'
      ) then 'ok'
      else 'missing'
    end;
  end if;
  execute $sql$
    select not exists (
      select from app.scheduled_jobs as j
      cross join lateral app.cron_names(j) as n (name)
      where j.is_active and not exists (select from cron.job as c where c.jobname = n.name and c.active)
    )
  $sql$ into v_is_complete;
  return case
    when not v_is_complete then 'not_scheduled'
    when exists (select from app.late_jobs(p_now, 'settle_waiting_orders')) then 'late'
    else 'ok'
  end;
end
$$;

comment on function app.scheduler_state is
  'Returns ok; missing if nothing runs the jobs; not_scheduled if pg_cron lacks an active job; or late if the '
  'settlement of waiting orders did not run.';

grant execute on function app.scheduler_state(timestamptz) to store_admin;

-- By its next run, and not by the present offset of the zone: otherwise, a night in which clocks are put forward would
-- move a job into the past.
create or replace function app.cron_in_utc(p_schedule text, p_time_zone text, p_now timestamptz)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_field text[] := regexp_match(
    p_schedule, '^(\*|\*/(?:[1-9]|[1-5][0-9])|[0-9]{1,2}) (\*|[0-9]{1,2}) \* \* (\*|[0-6])$'
  );
  v_next timestamp;
begin
  if v_field is null
    or (v_field[1] like '*%' and v_field[2] <> '*') or (v_field[2] = '*' and v_field[3] <> '*')
    or (v_field[1] !~ '\*' and v_field[1]::integer > 59) or (v_field[2] <> '*' and v_field[2]::integer > 23)
  then
    perform app.fail(
      'invalid_argument',
      'A schedule is "minute hour * * *", "minute hour * * weekday", "minute * * * *" or "*/n * * * *".'
    );
  end if;
  if v_field[1] like '*%' then
    return p_schedule;
  end if;
  v_next := app.next_time(p_schedule, p_time_zone, p_now) at time zone 'UTC';
  return format(
    '%s %s * * %s', extract(minute from v_next),
    case when v_field[2] = '*' then '*' else extract(hour from v_next)::text end,
    case when v_field[3] = '*' then '*' else extract(dow from v_next)::text end
  );
end
$$;

comment on function app.cron_in_utc is
  'Converts a cron expression from a time zone to UTC, for its next run after p_now: `M H * * *`, `M H * * D` (0 is '
  'Sunday), `M * * * *` or `*/N * * * *`. Raises invalid_argument for any other.';

create or replace function app.require_scheduler()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    perform app.fail('schedule_unavailable', 'pg_cron is not installed in this database.');
  end if;
end
$$;

comment on function app.require_scheduler is 'Raises schedule_unavailable if pg_cron is not installed.';

create or replace function app.cron_names(p_job app.scheduled_jobs)
returns setof text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select concat_ws(':', p_job.name, case when n.number > 1 then n.number end)
  from app.settings as s
  cross join generate_series(
    1, case when p_job.name in ('fsgx_release_frozen_points', 'reconcile_bill') then s.night_sessions else 1 end
  ) as n (number)
$$;

comment on function app.cron_names is
  'Returns the names of an active job in pg_cron: its own, and <name>:2 and so on for further sessions of a night.';

-- pg_cron ends a run whose job is unscheduled. So further sessions that a night no longer has are unscheduled while
-- none of them runs, by the next hourly call. It also runs every hour, because the UTC offset of the store's time zone
-- may change.
-- Precondition: runs as the owner of the store, who owns the jobs of pg_cron. A cluster has pg_cron in one database
-- only, so a clone that was made for a test has none.
-- Idempotent: pg_cron replaces a job of the same name.
create or replace function app.apply_schedule(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_job app.scheduled_jobs;
  v_names text[];
begin
  if to_regclass('cron.job') is null then
    raise warning 'pg_cron is not installed in this database, so no scheduled job runs.'
      using hint = 'Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()';
    return;
  end if;
  for v_job in select j.* from app.scheduled_jobs as j order by j.name loop
    v_names := array(select n.name from app.cron_names(v_job) as n (name) where v_job.is_active order by n.name);
    -- To schedule a job again does not switch it on.
    execute 'select cron.unschedule(j.jobid) from cron.job as j where j.jobname = any ($1) and not j.active' using v_names;
    execute 'select cron.schedule(n.name, $2, $3) from unnest($1) as n (name)'
    using v_names, app.cron_in_utc(v_job.schedule, (select s.time_zone from app.settings as s), p_now), v_job.command;
    execute $sql$
      select cron.unschedule(j.jobname) from cron.job as j
      where (j.jobname = $1 or j.jobname ~ ('^' || $1 || ':[0-9]$')) and j.jobname <> all ($2)
        and (not $3 or not exists (select from app.job_runs as r where r.job = $1 and app.is_running(r)))
    $sql$ using v_job.name, v_names, v_job.is_active;
  end loop;
  perform app.count_times(p_now);
end
$$;

comment on function app.apply_schedule is
  'Schedules the active jobs in pg_cron, with their times in UTC, and unschedules the others. Without pg_cron it only '
  'warns.';

-- Locks: the row of the job.
-- Idempotent: setting the same values again changes nothing.
create or replace function app.set_schedule(
  p_name text, p_schedule text, p_is_active boolean, p_changed_by uuid, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.scheduled_jobs as j where j.name = p_name for update;
  if not found then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.cron_in_utc(p_schedule, 'UTC', p_now) where p_schedule is not null;
  perform app.require_scheduler();
  update app.scheduled_jobs as j
  set schedule = coalesce(p_schedule, j.schedule), is_active = coalesce(p_is_active, j.is_active),
    changed_by = p_changed_by, changed_at = p_now
  where j.name = p_name
    and (j.schedule, j.is_active) <> (coalesce(p_schedule, j.schedule), coalesce(p_is_active, j.is_active));
  if found then
    perform app.apply_schedule(p_now);
  end if;
end
$$;

comment on function app.set_schedule is
  'Changes when a scheduled job runs, or switches it on or off; null leaves either as it is. Raises crontab_not_found, '
  'invalid_argument or schedule_unavailable.';
