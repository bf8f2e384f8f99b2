create table app.agent_levels (
  grade smallint primary key,
  name text not null,
  name_zh text not null,
  direct_points numeric(18,4) not null default 0,
  umbrella_points numeric(18,4) not null default 0,
  is_active boolean not null default true,
  updated_at timestamptz not null default now(),
  constraint grade_is_between_0_and_100 check (grade between 0 and 100),
  constraint name_is_a_short_text check (
    char_length(name) <= 50 and app.is_visible(name) and char_length(name_zh) <= 50 and app.is_visible(name_zh)
  ),
  -- A million points for each unit of the largest order still fit into a column of points, so no grant can overflow.
  constraint direct_points_are_between_0_and_a_million check (direct_points between 0 and 1000000),
  constraint umbrella_points_are_between_0_and_a_million check (umbrella_points between 0 and 1000000),
  -- R7 passes the highest amount on unchanged at a member of grade 0, so grade 0 must not grant points.
  constraint grade_0_is_active_and_brings_no_points check (grade > 0 or (is_active and direct_points = 0 and umbrella_points = 0))
);
comment on table app.agent_levels is
  'Levels that members rise through (R5). Points are granted for each unit of queue goods (R6, R7).';
comment on column app.agent_levels.grade is '0 is no level. A higher grade is a higher level.';
comment on column app.agent_levels.is_active is
  'Whether members can reach the grade. Members who hold an inactive grade keep it.';

alter table app.agent_levels enable row level security;
create policy everyone_reads_levels on app.agent_levels for select to authenticated, store_admin, service_role using (true);
grant select on app.agent_levels to authenticated, store_admin, service_role;
