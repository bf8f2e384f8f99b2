-- The grades that members rise through and the points each brings per unit of queue goods (R5, R6, R7).
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
  -- Times the largest order this still fits into points: no order can fail to settle for the size of a grant.
  constraint direct_points_are_between_0_and_a_million check (direct_points between 0 and 1000000),
  constraint umbrella_points_are_between_0_and_a_million check (umbrella_points between 0 and 1000000),
  -- A member of level 0 passes the umbrella base on unchanged, so grade 0 must bring nothing of its own.
  constraint grade_0_is_active_and_brings_no_points check (grade > 0 or (is_active and direct_points = 0 and umbrella_points = 0))
);
comment on table app.agent_levels is 'Agent grades; points are per unit of queue goods.';

alter table app.agent_levels enable row level security;
create policy everyone_reads_levels on app.agent_levels for select to authenticated, store_admin, service_role using (true);
grant select on app.agent_levels to authenticated, store_admin, service_role;
