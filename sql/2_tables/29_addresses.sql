create table app.addresses (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  address jsonb not null,
  is_default boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint address_is_complete check (app.is_address(address))
);
comment on table app.addresses is 'Address books of members. Orders copy the address, so a change never affects earlier orders.';
comment on column app.addresses.address is 'name, phone, region and street (see app.is_address).';

create index addresses_uid_idx on app.addresses (uid);
create unique index addresses_one_default_for_each_member on app.addresses (uid) where is_default;

alter table app.addresses enable row level security;
create policy the_service_reads_all_addresses on app.addresses for select to service_role using (true);
grant select on app.addresses to service_role;
