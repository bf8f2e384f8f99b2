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
  'Runs of the scheduled jobs that commit in batches. A run that neither ended nor is still running was cut: by the statement '
  'timeout, an error, a lost connection or a restart. The next run that finds it records that, and '
  'app.continue_unfinished_runs completes what it left.';
comment on column app.job_runs.from_day is
  'The first of the days that the run was called for, and to_day the last. Null if it was called without days. A continuation gets '
  'the same days.';
comment on column app.job_runs.part is 'What the run worked on last: the business day of a release, the number of a reconciliation.';
comment on column app.job_runs.batches is 'Batches that the run has committed.';
comment on column app.job_runs.usual_batch is 'The size of a batch that was not halved.';
comment on column app.job_runs.halvings is 'How often the usual batch size is halved for the next batch of this run.';
comment on column app.job_runs.pid is
  'The server process of the run. With the start of the process and of its statement, it shows whether the run still runs.';
comment on column app.job_runs.cut_at is 'When a later run found that this one was cut.';
comment on column app.job_runs.completed_at is 'When a later run completed what this one left.';

-- Runs that still run, and cut ones whose work is not completed.
create index job_runs_open_idx on app.job_runs (job, id) where ended_at is null and completed_at is null;
create index job_runs_job_idx on app.job_runs (job, id);

alter table app.job_runs enable row level security;
create policy admins_read_job_runs on app.job_runs for select to store_admin, service_role using (true);
grant select on app.job_runs to store_admin, service_role;
