-- One row per business day whose release was started (R11); finished_at says that every member had theirs.
create table app.release_runs (
  release_date date primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  users integer not null default 0,
  points numeric(18,4) not null default 0,
  failures integer not null default 0,
  last_error text,
  -- Days are missed from the first one on that the daily job ran; a day that somebody named does not begin them.
  is_named_only boolean not null default false,
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint sums_are_not_negative check (users >= 0 and points >= 0 and failures >= 0),
  constraint a_finished_day_has_no_failures check (finished_at is null or (failures = 0 and last_error is null))
);
comment on table app.release_runs is 'Record of the daily release per business day: members, points, times, failures.';
comment on column app.release_runs.failures is 'Members whom the last run that ended could not release; the next run tries them again.';
comment on column app.release_runs.is_named_only is 'Whether only runs that named this day have released it.';

alter table app.release_runs enable row level security;
create policy everyone_reads_runs on app.release_runs for select to authenticated, store_admin, service_role using (true);
grant select on app.release_runs to authenticated, store_admin, service_role;
