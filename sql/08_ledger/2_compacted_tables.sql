-- Releases of sealed months that follow from one another, and the months in which they stand so.

create table app.compacted_releases (
  uid bigint not null,
  first_time timestamptz not null,
  last_time timestamptz not null,
  bill_id bigint not null,
  log_id bigint not null,
  first_day date not null,
  brokerage numeric(14,2) not null,
  frozen_before numeric(18,4) not null,
  available_before numeric(18,4) not null,
  frozen_after numeric(18,4) not null,
  steps integer[] not null
) partition by range (first_time);

comment on table app.compacted_releases is
  'Runs of releases: those of a member on consecutive business days, each following from the one before by '
  'app.release_amount. A partition for each of app.compacted_months. app.bill and app.releases read them.';
comment on column app.compacted_releases.bill_id is
  'The id of the bill row of the first release; log_id, of its row in the release log.';
comment on column app.compacted_releases.brokerage is 'The commission of the member, which a release does not change.';
comment on column app.compacted_releases.frozen_before is
  'The frozen points before the first release; available_before, the available ones.';
comment on column app.compacted_releases.frozen_after is 'The frozen points after the last release.';
comment on column app.compacted_releases.steps is
  'From each release to the next: differences of the id of the bill row, of the id in the release log, and of the '
  'time, in microseconds beyond 24 hours.';

create index compacted_releases_uid_idx on app.compacted_releases (uid, first_time) with (fillfactor = 100);

alter table app.compacted_releases enable row level security;
create policy members_read_their_compacted_releases on app.compacted_releases for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_compacted_releases on app.compacted_releases for select to store_admin, service_role
  using (true);
grant select on app.compacted_releases to authenticated, store_admin, service_role;

create table app.compacted_months (
  month date primary key,
  state text not null default 'prepared',
  bill_rows bigint,
  bill_digest numeric,
  log_rows bigint,
  log_digest numeric,
  releases bigint,
  runs bigint,
  first_bill_id bigint,
  last_bill_id bigint,
  kept bigint,
  first_kept bigint,
  checked_at timestamptz,
  compacted_at timestamptz,
  constraint state_is_known check (state in ('prepared', 'built', 'compacted', 'expanding')),
  constraint month_is_its_first_day check (extract(day from month) = 1),
  constraint what_was_built_is_counted check (
    state = 'prepared' or num_nulls(bill_rows, bill_digest, log_rows, log_digest, releases, runs, kept) = 0
  )
);
comment on table app.compacted_months is
  'Months of the bill and of the release log whose releases stand in app.compacted_releases (state compacted), or are '
  'being compacted or expanded (app.compact_month, app.expand_month).';
comment on column app.compacted_months.bill_rows is
  'Rows of the month of the bill before; log_rows, of the release log. The digests are those of app.digest_of_rows.';
comment on column app.compacted_months.checked_at is 'When what was built for the state was checked (app.check_parts).';
comment on column app.compacted_months.releases is 'How many releases stand in runs, and runs, in how many.';
comment on column app.compacted_months.first_bill_id is
  'The lowest id of a bill row that stands in a run; last_bill_id, the highest.';
comment on column app.compacted_months.kept is
  'How many releases stay bill rows, because they do not follow; first_kept is one of them.';

alter table app.compacted_months enable row level security;
create policy admins_read_compacted_months on app.compacted_months for select to store_admin, service_role using (true);
grant select on app.compacted_months to store_admin, service_role;

-- Only the compaction adds a partition, and only app.expand_month takes one away.
create trigger compacted_releases_are_never_changed before update or delete on app.compacted_releases
  for each row execute function app.reject_change();
create trigger compacted_releases_are_never_emptied before truncate on app.compacted_releases
  for each statement execute function app.reject_change();
