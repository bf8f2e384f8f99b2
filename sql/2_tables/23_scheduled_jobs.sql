create table app.scheduled_jobs (
  name text primary key,
  position smallint generated always as identity,
  title text not null,
  title_zh text not null,
  command text not null,
  schedule text not null,
  preset text not null,
  is_active boolean not null default true,
  changed_by uuid,
  changed_at timestamptz not null default now(),
  constraint name_is_a_word check (name ~ '^[a-z][a-z0-9_]{0,62}$')
);
comment on table app.scheduled_jobs is
  'Scheduled jobs. schedule and preset are cron expressions in the time zone of the store; app.apply_schedule passes them to '
  'pg_cron. position is the order in which they are listed.';
comment on column app.scheduled_jobs.preset is 'The schedule of a new store.';

alter table app.scheduled_jobs enable row level security;
create policy admins_read_schedule on app.scheduled_jobs for select to store_admin, service_role using (true);
grant select on app.scheduled_jobs to store_admin, service_role;
