create table app.archived_months (
  table_name text not null,
  month date not null,
  ends_at timestamptz not null,
  row_count bigint not null,
  digest numeric not null,
  archived_at timestamptz not null,
  primary key (table_name, month),
  constraint table_is_known check (table_name in ('user_bill', 'points_release_log', 'admin_actions')),
  constraint month_is_its_first_day check (extract(day from month) = 1)
);
comment on table app.archived_months is
  'Months of the bill, of the release log and of the actions of administrators that are detached and stand in schema archive '
  '(app.archive_month). They are the oldest of their table. A month that is attached again has no row.';
comment on column app.archived_months.ends_at is 'Rows of the table that are dated at or after this time are attached.';
comment on column app.archived_months.digest is 'What app.digest_of_part returned: the month is attached only if it still does.';

alter table app.archived_months enable row level security;
create policy everyone_reads_archived_months on app.archived_months for select to authenticated, store_admin, service_role using (true);
grant select on app.archived_months to authenticated, store_admin, service_role;
