-- What checks found: runs of reconciliations and explanations, the manifest, and what scheduled checks found last.

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
comment on column app.reconcile_runs.cuts is 'Runs that were cut during this reconciliation (app.job_runs).';
comment on column app.reconcile_runs.check_no is 'The check of app.reconcile_checks() that comes next.';
comment on column app.reconcile_runs.next_key is 'The member, order or day with which that check continues.';
comment on column app.reconcile_runs.since is
  'The end of the closed months that earlier runs had proved (app.carried_until).';
comment on column app.reconcile_runs.carried_until is
  'The end of the closed months whose sums later runs carry, if this one finds nothing; null if there are no more.';

alter table app.reconcile_runs enable row level security;
create policy admins_read_reconcile_runs on app.reconcile_runs for select to store_admin, service_role using (true);
grant select on app.reconcile_runs to store_admin, service_role;

create or replace function app.finding_digest(p_check_name text, p_subject text, p_expected text, p_actual text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select md5(
    p_check_name || E'\n' || coalesce(p_subject, '') || E'\n' || coalesce(p_expected, '') || E'\n'
    || coalesce(p_actual, '')
  )
$$;

comment on function app.finding_digest is
  'Returns the digest by which findings with the same check, subject and figures are recognized. Null counts as empty.';

create table app.explained_findings (
  id bigint generated always as identity primary key,
  check_name text not null,
  subject text not null,
  expected text not null,
  actual text not null,
  reason text not null,
  explained_by uuid,
  explained_at timestamptz not null,
  constraint reason_is_a_short_text check (
    app.is_visible(reason) and char_length(reason) between 1 and 500 and app.is_text(reason)
  )
);
comment on table app.explained_findings is
  'Findings of reconciliation that an administrator has looked at and explained. A finding with other figures is not '
  'explained.';
comment on column app.explained_findings.explained_by is
  'The Auth account of the administrator; null: the owner of the database.';

create unique index explained_findings_are_explained_once on app.explained_findings (
  app.finding_digest(check_name, subject, expected, actual)
);

alter table app.explained_findings enable row level security;
create policy admins_read_explained_findings on app.explained_findings for select to store_admin, service_role
  using (true);
grant select on app.explained_findings to store_admin, service_role;

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
  'What the migrations created, as app.catalogue returns it. app.manifest_differences compares it with the catalogue.';

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
comment on table app.manifest_checks is 'The result of the last run of the job check_manifest. At most one row.';

alter table app.manifest_checks enable row level security;
create policy admins_read_manifest_checks on app.manifest_checks for select to store_admin, service_role using (true);
grant select on app.manifest_checks to store_admin, service_role;

create table app.settings_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  findings text[] not null,
  constraint there_is_only_one_row check (id)
);
comment on table app.settings_checks is 'The result of the last run of the job check_settings. At most one row.';
comment on column app.settings_checks.findings is 'Check and subject of each error and warning.';

alter table app.settings_checks enable row level security;
create policy admins_read_settings_checks on app.settings_checks for select to store_admin, service_role using (true);
grant select on app.settings_checks to store_admin, service_role;
