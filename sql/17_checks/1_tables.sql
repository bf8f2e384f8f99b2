-- What checks found: runs of reconciliations, the manifest, and what scheduled checks found last.

create table app.reconcile_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  findings integer not null default 0,
  sample jsonb not null default '[]',
  cuts integer not null default 0,
  check_no integer not null default 1,
  next_key bigint not null default 0,
  since timestamptz not null default '-infinity',
  carried_until timestamptz,
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint counts_are_not_negative check (findings >= 0 and cuts >= 0),
  constraint it_carries_only_if_nothing_was_found check (finished_at is null or carried_until is null or findings = 0),
  constraint it_carries_what_came_later check (carried_until > since),
  constraint a_sample_has_at_most_a_hundred_findings check (jsonb_array_length(sample) <= 100)
);
comment on table app.reconcile_runs is
  'Results of app.reconcile(): the number of findings and the first hundred of them.';
comment on column app.reconcile_runs.finished_at is 'When all checks had run; null until then.';
comment on column app.reconcile_runs.cuts is
  'Runs that were cut during this reconciliation, as the next run found (see app.job_runs).';
comment on column app.reconcile_runs.check_no is 'The check of app.reconcile_checks() that comes next.';
comment on column app.reconcile_runs.next_key is 'The member, order or day with which that check continues.';
comment on column app.reconcile_runs.since is
  'The end of the closed months that earlier runs had proved (app.carried_until). The run proves what has happened '
  'since then.';
comment on column app.reconcile_runs.carried_until is
  'The end of the closed months whose sums later runs carry, if this one finds nothing; null if no more months are '
  'closed.';

alter table app.reconcile_runs enable row level security;
create policy admins_read_reconcile_runs on app.reconcile_runs for select to store_admin, service_role using (true);
grant select on app.reconcile_runs to store_admin, service_role;

-- Filled by the migrations, which have it from the catalogue of a database that was built from sql/. The definitions
-- read the same on every supported version of Postgres. A kind of which they do not would need a column for the major
-- version.
create table app.manifest (
  kind text not null,
  name text not null,
  definition text not null,
  primary key (kind, name)
);
comment on table app.manifest is
  'What the migrations created and what enforces the guarantees of the store: tables, columns, indexes, constraints, '
  'triggers, rules, policies, views, functions, roles and privileges, as app.catalogue returns them. '
  'app.manifest_differences compares it with the catalogue.';

alter table app.manifest enable row level security;
create policy admins_read_manifest on app.manifest for select to store_admin, service_role using (true);
grant select on app.manifest to store_admin, service_role;

create table app.manifest_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  differences integer not null,
  constraint there_is_only_one_row check (id),
  constraint differences_are_not_negative check (differences >= 0)
);
comment on table app.manifest_checks is
  'When the job check_manifest last compared the catalogue with the manifest, and how many differences it found. At '
  'most one row. The health reads it, because the comparison takes too long for a request that anybody may send.';

alter table app.manifest_checks enable row level security;
create policy admins_read_manifest_checks on app.manifest_checks for select to store_admin, service_role using (true);
grant select on app.manifest_checks to store_admin, service_role;

create table app.settings_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  findings text[] not null,
  constraint there_is_only_one_row check (id)
);
comment on table app.settings_checks is
  'When the job check_settings last ran the configuration check, and what it found. At most one row. What waits for '
  'administrators reads it, because the check takes too long for a request of every minute.';
comment on column app.settings_checks.findings is 'Check and subject of each error and warning.';

alter table app.settings_checks enable row level security;
create policy admins_read_settings_checks on app.settings_checks for select to store_admin, service_role using (true);
grant select on app.settings_checks to store_admin, service_role;
