create table app.reconcile_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  findings integer not null,
  sample jsonb not null,
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint findings_are_not_negative check (findings >= 0)
);
comment on table app.reconcile_runs is 'Results of app.reconcile(): the number of findings and the first hundred of them.';

alter table app.reconcile_runs enable row level security;
create policy admins_read_reconcile_runs on app.reconcile_runs for select to store_admin, service_role using (true);
grant select on app.reconcile_runs to store_admin, service_role;
