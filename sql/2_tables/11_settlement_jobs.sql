create table app.settlement_jobs (
  order_id bigint primary key references app.orders (id),
  state text not null default 'waiting',
  attempts smallint not null default 0,
  run_after timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  constraint state_is_known check (state in ('waiting', 'dead')),
  constraint attempts_are_not_negative check (attempts >= 0)
);
comment on table app.settlement_jobs is
  'Paid orders that wait for their settlement (R2). The transaction that pays writes the job, and the one that settles deletes '
  'it.';
comment on column app.settlement_jobs.state is 'waiting, or dead if the settlement failed for good.';

create index settlement_jobs_due_idx on app.settlement_jobs (run_after, order_id) where state = 'waiting';

alter table app.settlement_jobs enable row level security;
create policy admins_read_jobs on app.settlement_jobs for select to store_admin, service_role using (true);
grant select on app.settlement_jobs to store_admin, service_role;
