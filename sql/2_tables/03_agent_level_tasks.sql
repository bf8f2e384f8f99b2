create table app.agent_level_tasks (
  grade smallint not null references app.agent_levels (grade),
  type text not null,
  target integer not null,
  primary key (grade, type),
  constraint type_is_known check (type in ('direct_orders', 'umbrella_orders', 'direct_members', 'umbrella_members')),
  constraint target_is_positive check (target > 0),
  constraint grade_0_has_no_tasks check (grade > 0)
);
comment on table app.agent_level_tasks is
  'Tasks of a grade. A member rises to the grade when all of them are met: each target is compared with the counter of the same '
  'name in app.user_balances.';

alter table app.agent_level_tasks enable row level security;
create policy everyone_reads_tasks on app.agent_level_tasks for select to authenticated, store_admin, service_role using (true);
grant select on app.agent_level_tasks to authenticated, store_admin, service_role;
