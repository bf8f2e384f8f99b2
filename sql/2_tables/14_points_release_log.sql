create sequence app.points_release_log_id_seq;

create table app.points_release_log (
  id bigint not null default nextval('app.points_release_log_id_seq'),
  uid bigint not null references app.users (uid),
  release_date date not null,
  frozen_before numeric(18,4) not null,
  release_points numeric(18,4) not null,
  frozen_after numeric(18,4) not null,
  add_time timestamptz not null,
  primary key (uid, release_date),
  constraint release_points_are_positive check (release_points > 0),
  constraint frozen_after_is_before_less_released check (frozen_after = frozen_before - release_points)
) partition by range (release_date);

alter sequence app.points_release_log_id_seq owned by app.points_release_log.id;
comment on table app.points_release_log is
  'The points that were released to each member on each business day, partitioned by month. The primary key makes a second '
  'release on a day impossible (R11).';

-- Takes rows of a month without a partition.
create table app.points_release_log_default partition of app.points_release_log default;

create index points_release_log_time_idx on app.points_release_log (add_time, id);

alter table app.points_release_log enable row level security;
alter table app.points_release_log_default enable row level security;
grant select on app.points_release_log to authenticated, store_admin, service_role;
