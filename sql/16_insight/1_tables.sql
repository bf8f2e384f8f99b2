-- The sums of business days that are over, so that reports of years read a row a day.

create table app.day_sums (
  day date primary key,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  orders integer not null,
  queue_orders integer not null,
  paid numeric(16,2) not null,
  refunded numeric(16,2) not null,
  queue_revenue numeric(16,2) not null,
  commission numeric(16,2) not null,
  points_frozen numeric(20,4) not null,
  members integer not null,
  summed_at timestamptz not null,
  constraint the_day_was_over check (begins_at < ends_at and ends_at <= summed_at)
);
comment on table app.day_sums is
  'The sums of business days (app.sum_between), written a day after their end. A report computes the days that have '
  'no row.';
comment on column app.day_sums.begins_at is
  'In the time zone that the store had when the day was summed. The row counts only while the store has the same days.';
comment on column app.day_sums.summed_at is 'The row counts only if no import is unfinished or has ended since.';

alter table app.day_sums enable row level security;
create policy admins_read_day_sums on app.day_sums for select to store_admin, service_role using (true);
grant select on app.day_sums to store_admin, service_role;

-- A claim deletes the member of an account that has used nothing. Such a member has joined on no day.
-- Locks: the advisory lock day_sums, shared, so that no sum that counts the member is being written; then the row of
-- the day.
create or replace function app.correct_sum_of_day()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(app.lock_number('day_sums'));
  update app.day_sums as s set members = s.members - 1 where old.add_time >= s.begins_at and old.add_time < s.ends_at;
  return null;
end
$$;

comment on function app.correct_sum_of_day is
  'Trigger: takes a deleted member from the sum of the day of their sign-up.';

create trigger a_deleted_member_has_not_joined after delete
  on app.users for each row execute function app.correct_sum_of_day();
