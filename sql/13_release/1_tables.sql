-- Runs of the daily release and their log.

create table app.release_runs (
  release_date date primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  users integer not null default 0,
  points numeric(18,4) not null default 0,
  failures integer not null default 0,
  cuts integer not null default 0,
  last_error text,
  -- Missed days are counted from the first day that the daily job released. Runs for an explicit day do not set that
  -- start.
  is_named_only boolean not null default false,
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint sums_are_not_negative check (users >= 0 and points >= 0 and failures >= 0 and cuts >= 0),
  constraint a_finished_day_has_no_failures check (finished_at is null or (failures = 0 and last_error is null))
);
comment on table app.release_runs is 'The release of a business day (R11): members, points, times and failures.';
comment on column app.release_runs.users is
  'Members who got a release; points is their sum. Of a day in ranges, both are written when a run has visited all of '
  'them.';
comment on column app.release_runs.finished_at is 'When the release of all members was complete; null until then.';
comment on column app.release_runs.failures is
  'Members for whom the last completed run failed. The next run retries them.';
comment on column app.release_runs.cuts is 'Runs that were cut while they released this day (app.job_runs).';
comment on column app.release_runs.is_named_only is 'Whether the day has been released only by runs that named it.';

alter table app.release_runs enable row level security;
create policy everyone_reads_runs on app.release_runs for select to authenticated, store_admin, service_role
  using (true);
grant select on app.release_runs to authenticated, store_admin, service_role;

create table app.release_ranges (
  release_date date not null references app.release_runs (release_date),
  last_uid bigint not null,
  after_uid bigint not null,
  users integer not null default 0,
  points numeric(18,4) not null default 0,
  failures integer not null default 0,
  run bigint,
  primary key (release_date, last_uid),
  constraint a_range_ends_at_its_last_member check (after_uid <= last_uid),
  constraint sums_are_not_negative check (users >= 0 and points >= 0 and failures >= 0),
  constraint a_finished_range_has_no_failures check (after_uid < last_uid or failures = 0)
);
comment on table app.release_ranges is
  'The ranges of uid into which the release of a business day was divided when it began (app.divide_release). A day of '
  'one session and at most about 250,000 members has none.';
comment on column app.release_ranges.after_uid is
  'Every member of the range up to this one has been visited without a failure. last_uid: the range is finished.';
comment on column app.release_ranges.users is 'The members released so far; points is their sum.';
comment on column app.release_ranges.failures is
  'Members for whom the last run that visited the whole range failed; 0 while a run visits it. A later run retries '
  'them.';
comment on column app.release_ranges.run is 'The run (app.job_runs) that last took the range.';

alter table app.release_ranges enable row level security;
create policy admins_read_release_ranges on app.release_ranges for select to store_admin, service_role using (true);
grant select on app.release_ranges to store_admin, service_role;

create sequence app.points_release_log_id_seq;

create table app.points_release_log (
  id bigint not null default nextval('app.points_release_log_id_seq'),
  uid bigint not null references app.users (uid),
  release_date date not null,
  frozen_before numeric(18,4) not null,
  release_points numeric(18,4) not null,
  frozen_after numeric(18,4) not null,
  add_time timestamptz not null,
  primary key (uid, release_date),
  constraint release_points_are_positive check (release_points > 0),
  constraint frozen_after_is_before_less_released check (frozen_after = frozen_before - release_points)
) partition by range (release_date);

alter sequence app.points_release_log_id_seq owned by app.points_release_log.id;
comment on table app.points_release_log is
  'The points released to each member on each business day, partitioned by month. The primary key makes a second '
  'release on a day impossible (R11).';

-- Takes rows of a month without a partition.
create table app.points_release_log_default partition of app.points_release_log default;

create index points_release_log_time_idx on app.points_release_log (add_time, id);

alter table app.points_release_log enable row level security;
alter table app.points_release_log_default enable row level security;
grant select on app.points_release_log to authenticated, store_admin, service_role;

-- Rows of these tables are never changed (see app.reject_change).
create trigger releases_are_never_changed before update or delete on app.points_release_log
  for each row execute function app.reject_change();
create trigger releases_are_never_emptied before truncate on app.points_release_log
  for each statement execute function app.reject_change();
create trigger the_default_part_of_releases_is_never_emptied before truncate on app.points_release_log_default
  for each statement execute function app.reject_change();

-- Row-level security: members read their own rows, administrators read all rows.
create policy members_read_their_releases on app.points_release_log for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_releases on app.points_release_log for select to store_admin, service_role using (true);
