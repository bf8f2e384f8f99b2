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
comment on table app.reconcile_runs is 'Results of app.reconcile(): the number of findings and the first hundred of them.';
comment on column app.reconcile_runs.finished_at is 'When all checks had run; null until then.';
comment on column app.reconcile_runs.cuts is 'Runs that were cut during this reconciliation, as the next run found (see app.job_runs).';
comment on column app.reconcile_runs.check_no is 'The check of app.reconcile_checks() that comes next.';
comment on column app.reconcile_runs.next_key is 'The member, order or day with which that check continues.';
comment on column app.reconcile_runs.since is
  'The end of the closed months that earlier runs had proved (app.carried_until). The run proves what has happened since then.';
comment on column app.reconcile_runs.carried_until is
  'The end of the closed months whose sums later runs carry, if this one finds nothing; null if no more months are closed.';

alter table app.reconcile_runs enable row level security;
create policy admins_read_reconcile_runs on app.reconcile_runs for select to store_admin, service_role using (true);
grant select on app.reconcile_runs to store_admin, service_role;
