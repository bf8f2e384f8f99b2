create table app.release_runs (
  release_date date primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  users integer not null default 0,
  points numeric(18,4) not null default 0,
  failures integer not null default 0,
  cuts integer not null default 0,
  last_error text,
  -- Missed days are counted from the first day that the daily job released. Runs for an explicit day do not set that start.
  is_named_only boolean not null default false,
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint sums_are_not_negative check (users >= 0 and points >= 0 and failures >= 0 and cuts >= 0),
  constraint a_finished_day_has_no_failures check (finished_at is null or (failures = 0 and last_error is null))
);
comment on table app.release_runs is 'The release of a business day (R11): members, points, times and failures.';
comment on column app.release_runs.finished_at is 'When the release of all members was complete; null until then.';
comment on column app.release_runs.failures is
  'The number of members for whom the last completed run failed. The next run retries them.';
comment on column app.release_runs.cuts is 'Runs that were cut while they released this day, as the next run found (see app.job_runs).';
comment on column app.release_runs.is_named_only is
  'Whether the day has been released only by runs that were started for this day explicitly.';

alter table app.release_runs enable row level security;
create policy everyone_reads_runs on app.release_runs for select to authenticated, store_admin, service_role using (true);
grant select on app.release_runs to authenticated, store_admin, service_role;
