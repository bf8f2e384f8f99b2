create table app.closed_months (
  month date primary key,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  sums jsonb not null,
  closed_at timestamptz not null,
  closed_by uuid,
  constraint month_is_its_first_day check (extract(day from month) = 1),
  constraint it_was_over check (begins_at < ends_at and ends_at <= closed_at),
  constraint sums_is_an_array check (jsonb_typeof(sums) = 'array')
);
comment on table app.closed_months is
  'Append-only. Months whose sums are final: no bill row can be dated into them (app.forbid_late_rows).';
comment on column app.closed_months.begins_at is 'The month in the time zone that the store had when it was closed.';
comment on column app.closed_months.sums is 'The sums of the bill rows for each type and source (app.bill_sums).';
comment on column app.closed_months.closed_by is 'The administrator; null: the owner of the database.';

alter table app.closed_months enable row level security;
create policy admins_read_closed_months on app.closed_months for select to store_admin, service_role using (true);
grant select on app.closed_months to store_admin, service_role;
