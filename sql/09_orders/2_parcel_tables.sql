-- Parcels of orders, and the carriers that take them.

create table app.carriers (
  code text primary key,
  name text not null,
  name_zh text not null,
  tracking_url text,
  is_active boolean not null default true,
  constraint code_is_a_short_name check (code ~ '^[A-Z0-9_]{1,32}$'),
  constraint name_is_a_short_text check (app.is_line(name) and char_length(name) <= 64),
  constraint name_zh_is_a_short_text check (app.is_line(name_zh) and char_length(name_zh) <= 64),
  constraint tracking_url_has_a_place_for_the_number check (
    app.is_web_address(tracking_url) and char_length(tracking_url) <= 500 and strpos(tracking_url, '{number}') > 0
  )
);
comment on table app.carriers is 'Carriers that the store gives parcels to.';
comment on column app.carriers.code is 'The id of the carrier in the list of WeChat, such as SF, if it is there.';
comment on column app.carriers.tracking_url is
  'The page of the carrier about a parcel, with {number} for its tracking number.';
comment on column app.carriers.is_active is 'Whether new parcels can be given to it.';

create unique index carriers_name_is_used_once on app.carriers (lower(name));
create unique index carriers_name_zh_is_used_once on app.carriers (name_zh);

alter table app.carriers enable row level security;
create policy everyone_reads_carriers on app.carriers for select to authenticated, store_admin, service_role
  using (true);
grant select on app.carriers to authenticated, store_admin, service_role;

alter table app.refunds add constraint refunds_return_carrier_code_fkey foreign key (return_carrier_code)
  references app.carriers (code);

create table app.parcels (
  id bigint generated always as identity primary key,
  order_id bigint not null references app.orders (id),
  carrier text,
  carrier_code text references app.carriers (code),
  tracking_no text,
  shipped_at timestamptz not null,
  shipped_by uuid,
  constraint a_parcel_has_a_carrier_or_a_number check (num_nonnulls(carrier, tracking_no) > 0),
  constraint a_carrier_of_the_list_has_a_name check (carrier_code is null or carrier is not null),
  constraint carrier_is_a_short_text check (char_length(carrier) <= 64 and app.is_line(carrier)),
  constraint tracking_no_is_a_short_text check (char_length(tracking_no) <= 64 and app.is_line(tracking_no))
);
comment on table app.parcels is
  'Parcels of shipped orders. An order shows carrier and tracking number of its first one; shipped without either, it '
  'has none.';
comment on column app.parcels.carrier is 'The name of the carrier when the parcel was recorded.';
comment on column app.parcels.carrier_code is 'The carrier in the list, if the list had it then.';
comment on column app.parcels.shipped_by is
  'The account of the administrator who recorded the parcel; null: the store itself, such as an import.';

create index parcels_order_id_idx on app.parcels (order_id, id);
create unique index parcels_number_is_used_once_in_an_order on app.parcels (order_id, tracking_no);
-- For app.find_orders and app.check_shipment.
create index parcels_tracking_no_idx on app.parcels (tracking_no) where tracking_no is not null;

alter table app.parcels enable row level security;
grant select on app.parcels to authenticated, store_admin, service_role;

create policy members_read_their_parcels on app.parcels for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_parcels on app.parcels for select to store_admin, service_role using (true);

create type app.shipment_line as (line integer, order_no text, carrier text, tracking_no text);
comment on type app.shipment_line is
  'A line of a carrier''s file: its number in the file, and the texts of its cells, null if nothing in them is '
  'visible. order_no is cleaned (app.cell_text).';

create type app.checked_line as (
  line integer, order_no text, order_id bigint, carrier text, tracking_no text, result text, problem text
);
comment on type app.checked_line is
  'What a line of a carrier''s file does. result is fits (it gives the order a parcel), unchanged (the order, or a '
  'line above, has it) or rejected, with the reason in problem.';
