-- The outbox of orders that wait for their settlement (R2). A finished job is deleted: the settlement row is the record.
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
comment on table app.settlement_jobs is 'Orders waiting for settlement, written in the paying transaction.';

create index settlement_jobs_due_idx on app.settlement_jobs (run_after, order_id) where state = 'waiting';

alter table app.settlement_jobs enable row level security;
create policy admins_read_jobs on app.settlement_jobs for select to store_admin, service_role using (true);
grant select on app.settlement_jobs to store_admin, service_role;
