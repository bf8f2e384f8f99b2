create table app.adjustments (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  brokerage_delta numeric(14,2) not null default 0,
  frozen_delta numeric(18,4) not null default 0,
  available_delta numeric(18,4) not null default 0,
  reason text not null,
  state text not null,
  created_by uuid,
  add_time timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  constraint something_is_adjusted check (num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0),
  constraint reason_is_a_short_text check (char_length(reason) between 1 and 500 and app.is_visible(reason)),
  constraint state_is_known check (state in ('waiting', 'booked', 'refused')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'waiting'))
);
comment on table app.adjustments is
  'Corrections of balances by administrators, each with a reason. Above a limit, a second administrator must approve it before it is booked.';
comment on column app.adjustments.decided_by is
  'The administrator who approved or refused it; below the limit, the one who made it. Null if the owner of the database did.';

create index adjustments_uid_idx on app.adjustments (uid, id);
create index adjustments_waiting_idx on app.adjustments (id) where state = 'waiting';

alter table app.adjustments enable row level security;
grant select on app.adjustments to store_admin, service_role;
