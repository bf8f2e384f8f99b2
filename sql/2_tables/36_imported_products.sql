create table app.imported_products (
  old_id text primary key,
  product_id bigint not null unique references app.products (id),
  constraint old_id_is_a_short_text check (char_length(old_id) between 1 and 64)
);
comment on table app.imported_products is
  'The id that an imported product had in the previous system. A row makes a second import of the product a no-op.';

alter table app.imported_products enable row level security;
create policy admins_read_imported_products on app.imported_products for select to store_admin, service_role using (true);
grant select on app.imported_products to store_admin, service_role;
