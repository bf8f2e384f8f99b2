-- Scheduled jobs and their runs: the tables, and how runs begin, commit in batches, are cut by limits, and continue.

create table app.scheduled_jobs (
  name text primary key,
  rank smallint generated always as identity,
  title text not null,
  title_zh text not null,
  command text not null,
  schedule text not null,
  preset text not null,
  is_active boolean not null default true,
  changed_by uuid,
  changed_at timestamptz not null default now(),
  times_count_for text,
  times_count_from timestamptz not null default now(),
  tried_at timestamptz,
  constraint name_is_a_word check (name ~ '^[a-z][a-z0-9_]{0,62}$')
);
comment on table app.scheduled_jobs is
  'Scheduled jobs, listed by rank. schedule and preset are cron expressions in the time zone of the store; '
  'app.apply_schedule passes them to pg_cron.';
comment on column app.scheduled_jobs.preset is 'The schedule of a new store.';
comment on column app.scheduled_jobs.times_count_for is
  'For what the times of the job count (app.times_count_for). If that has changed, no earlier time is made up.';
comment on column app.scheduled_jobs.times_count_from is 'Since when it is that. An earlier time is not made up.';
comment on column app.scheduled_jobs.tried_at is 'When a missed run was last started (app.continue_unfinished_runs).';

alter table app.scheduled_jobs enable row level security;
create policy admins_read_schedule on app.scheduled_jobs for select to store_admin, service_role using (true);
grant select on app.scheduled_jobs to store_admin, service_role;

create table app.job_runs (
  id bigint generated always as identity primary key,
  job text not null,
  from_day date,
  to_day date,
  part text,
  started_at timestamptz not null,
  batches integer not null default 0,
  usual_batch integer not null,
  halvings smallint not null default 0,
  pid integer not null,
  backend_start timestamptz,
  query_start timestamptz,
  ended_at timestamptz,
  cut_at timestamptz,
  completed_at timestamptz,
  constraint it_ends_after_it_started check (ended_at >= started_at),
  constraint it_ended_or_was_cut check (ended_at is null or cut_at is null),
  constraint what_a_cut_run_left_is_completed check (completed_at is null or cut_at is not null),
  constraint counts_are_not_negative check (batches >= 0 and halvings >= 0),
  constraint a_batch_is_not_empty check (usual_batch > 0)
);
comment on table app.job_runs is
  'Runs of the scheduled jobs that commit in batches. A run that has not ended and no longer runs was cut. A later run '
  'records that, and app.continue_unfinished_runs completes what it left.';
comment on column app.job_runs.from_day is
  'The first of the days that the run was called for, and to_day the last; null without days.';
comment on column app.job_runs.part is
  'What the run worked on last: the business day of a release, the number of a reconciliation.';
comment on column app.job_runs.batches is
  'Batches that the run has committed. A running release counts them by the hundred.';
comment on column app.job_runs.usual_batch is 'The size of a batch that was not halved.';
comment on column app.job_runs.halvings is 'How often the usual batch size is halved for the next batch of this run.';
comment on column app.job_runs.pid is
  'The server process of the run. With backend_start and query_start, it shows whether the run still runs.';
comment on column app.job_runs.cut_at is 'When a later run found that this one was cut.';
comment on column app.job_runs.completed_at is 'When a later run completed what this one left.';

-- Runs that still run, and cut ones whose work is not completed.
create index job_runs_open_idx on app.job_runs (job, id) where ended_at is null and completed_at is null;
create index job_runs_job_idx on app.job_runs (job, id);

alter table app.job_runs enable row level security;
create policy admins_read_job_runs on app.job_runs for select to store_admin, service_role using (true);
grant select on app.job_runs to store_admin, service_role;

-- What the caller's role may not see of another session is null; such a run counts as running until its process is
-- gone.
create or replace function app.is_running(p_run app.job_runs)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_run.ended_at is null and p_run.cut_at is null and exists (
    select from pg_stat_activity as a
    where a.pid = p_run.pid and coalesce(a.backend_start = p_run.backend_start, true)
      and coalesce(a.state = 'active' and a.query_start = p_run.query_start, true)
  )
$$;

comment on function app.is_running is 'Returns whether the statement that started this run is still running.';

create or replace function app.is_visited(p_run bigint)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from app.job_runs as r where r.id = p_run and app.is_running(r))
$$;

comment on function app.is_visited is 'Returns whether a run is still running.';

-- Pages at random, so that a division takes the same time whatever the number of rows. A table of up to 4,000 pages is
-- read whole.
create or replace function app.sample_percent(p_table regclass)
returns double precision
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select least(
    100 * 4000 * current_setting('block_size')::double precision / greatest(pg_relation_size(p_table), 1), 100
  )
$$;

comment on function app.sample_percent is
  'Returns the share of a table, in percent, that 4,000 pages are, at most 100.';

-- pg_stat_activity is read once in a transaction, so what was read before is forgotten: a run that began since then
-- would look cut.
-- Locks: the rows of the runs, skipping those that another run marks.
-- Idempotent: a run is marked once.
create or replace function app.mark_cut_runs(p_job text default null)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select pg_stat_clear_snapshot();
  update app.job_runs as r
  set cut_at = clock_timestamp()
  where r.id = any (array(
    select o.id
    from app.job_runs as o
    where o.ended_at is null and o.cut_at is null and o.completed_at is null and (p_job is null or o.job = p_job)
      and not app.is_running(o)
    order by o.id
    for update skip locked
  ))
$$;

comment on function app.mark_cut_runs is
  'Records which runs of a job, or of all jobs, were cut: those that did not end and no longer run.';

-- The caller commits before its first batch, so that the record remains if the run is cut. A batch that was cut before
-- it could be committed is too large for the statement timeout, so the next run halves it. A run that committed batches
-- before it was cut was long, but its batches were not too large. app.end_batch doubles the size again.
-- Locks: the rows of the runs that were cut, the one row of the clock.
-- Not idempotent: each call is one more run.
create or replace function app.begin_run(
  p_job text, p_batch integer, p_from_day date default null, p_to_day date default null, out id bigint,
  out batch integer
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_halvings smallint;
begin
  perform app.beat_clock(clock_timestamp());
  perform app.mark_cut_runs(p_job);
  select case
    when r.cut_at is not null and r.batches = 0 and p_batch >> r.halvings > 1 then r.halvings + 1
    else r.halvings
  end
  into v_halvings
  from app.job_runs as r
  where r.job = p_job and (r.ended_at is not null or r.cut_at is not null)
  order by r.id desc
  limit 1;
  -- Row order: one row.
  insert into app.job_runs as r (
    job, from_day, to_day, started_at, usual_batch, halvings, pid, backend_start, query_start
  )
  select p_job, p_from_day, p_to_day, clock_timestamp(), p_batch, coalesce(v_halvings, 0), a.pid, a.backend_start,
    a.query_start
  from pg_stat_activity as a
  where a.pid = pg_backend_pid()
  returning r.id into id;
  batch := greatest(p_batch >> coalesce(v_halvings, 0), 1);
end
$$;

comment on function app.begin_run is
  'Records that a run of a scheduled job has started, and which earlier ones were cut. Returns its number and the size '
  'of its first batch: p_batch, or less if earlier batches took too long. The caller then commits.';

-- Called in the transaction of the batch, whose duration is that of the transaction so far.
-- A batch of twice the size then takes about half of the limit. With a higher threshold, it could take all of it.
-- Locks: the row of the run.
create or replace function app.end_batch(p_run bigint, p_batches integer default 1)
returns integer
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r
  set batches = r.batches + p_batches,
    halvings = case
      when l.is_none or clock_timestamp() - transaction_timestamp() < l.duration / 4 then greatest(r.halvings - 1, 0)
      else r.halvings
    end
  from (
    select s.duration, s.duration = interval '0' as is_none
    from (select current_setting('statement_timeout')::interval as duration) as s
  ) as l
  where r.id = p_run
  returning greatest(r.usual_batch >> r.halvings, 1)
$$;

comment on function app.end_batch is
  'Counts batches of a run and returns the size of the next one: doubled, up to the usual size, if the transaction '
  'took less than a quarter of the statement timeout.';

-- Locks: the rows of the run and of the cut runs before it, skipping those that another run completes.
-- Idempotent: a run ends once.
create or replace function app.end_run(p_run bigint)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r set ended_at = clock_timestamp()
  where r.id = p_run and r.ended_at is null and r.cut_at is null;
  update app.job_runs as r
  set completed_at = clock_timestamp()
  where r.id = any (array(
    select c.id
    from app.job_runs as c
    join app.job_runs as n on n.id = p_run and n.job = c.job
      and (n.from_day, n.to_day) is not distinct from (c.from_day, c.to_day)
    where c.id < p_run and c.cut_at is not null and c.ended_at is null and c.completed_at is null
    order by c.id
    for update of c skip locked
  ))
$$;

comment on function app.end_run is
  'Records that a run has ended, and that earlier cut runs of the job for the same days are completed.';

-- A cut run stays until what it left is completed. pg_cron's records have no index by job, so the latest runs of a
-- weekly job are found behind all runs of the jobs that run every few minutes.
-- Idempotent: what is deleted is gone.
create or replace function app.purge_run_records(p_now timestamptz, p_limit integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before timestamptz := p_now - interval '30 days';
  v_runs integer;
  v_records integer := 0;
begin
  delete from app.job_runs as r
  where r.id = any (array(
    select o.id from app.job_runs as o where coalesce(o.ended_at, o.completed_at) < v_before order by o.id limit p_limit
  ));
  get diagnostics v_runs = row_count;
  if to_regclass('cron.job') is not null then
    execute $sql$
      delete from cron.job_run_details as d
      where d.runid = any (array(
        select o.runid from cron.job_run_details as o
        where o.end_time < $1
          or o.end_time < $3 and o.status = 'succeeded'
          and o.jobid in (select j.jobid from cron.job as j where j.schedule like '*%')
        order by o.runid limit $2
      ))
    $sql$ using v_before, p_limit, p_now - interval '2 days';
    get diagnostics v_records = row_count;
    execute $sql$
      select cron.unschedule(j.jobname) from cron.job as j
      where j.jobname like '%:now'
        and exists (select from cron.job_run_details as r where r.jobid = j.jobid and r.end_time is not null)
    $sql$;
  end if;
  return greatest(v_runs, v_records) = p_limit;
end
$$;

comment on function app.purge_run_records is
  'Deletes up to p_limit records of runs from before 30 days, of the store and of pg_cron each, and one-time jobs that '
  'have run. pg_cron''s records of successful runs of frequent jobs go after two days. Returns whether more may be '
  'left.';

-- A job that is switched off is not continued until it is switched on again, a release not while the clock is doubtful.
create or replace function app.unfinished_runs()
returns table (job text, from_day date, to_day date)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select c.job, c.from_day, c.to_day
  from app.job_runs as c join app.scheduled_jobs as j on j.name = c.job
  where j.is_active and (c.job <> 'fsgx_release_frozen_points' or app.clock_state(clock_timestamp()) <> 'doubtful')
    and c.cut_at is not null and c.ended_at is null and c.completed_at is null
    and not exists (
      select from app.job_runs as r
      where r.job = c.job and r.ended_at is null and r.cut_at is null and r.completed_at is null and app.is_running(r)
    )
  group by c.job, c.from_day, c.to_day
  order by max(c.started_at), c.job, c.from_day, c.to_day
$$;

comment on function app.unfinished_runs is
  'Returns the days of cut runs of active jobs that nothing continues, the one tried longest ago first. Leaves out the '
  'release while the clock is doubtful.';
