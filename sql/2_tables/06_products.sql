create table app.products (
  id bigint generated always as identity primary key,
  title text not null,
  price numeric(14,2) not null,
  freight numeric(14,2) not null default 0,
  is_queue_goods boolean not null default false,
  is_show boolean not null default true,
  images text[] not null default '{}',
  description text not null default '',
  stock bigint,
  is_del boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 200 and app.is_visible(title)),
  constraint price_is_between_0_and_a_million check (price between 0 and 1000000),
  constraint freight_is_between_0_and_a_million check (freight between 0 and 1000000),
  constraint a_product_has_at_most_12_images check (cardinality(images) <= 12),
  constraint images_are_web_addresses_of_at_most_1000_characters check (app.are_web_addresses(images, 1000)),
  constraint description_has_at_most_20000_characters check (char_length(description) <= 20000),
  constraint stock_is_not_negative check (stock >= 0)
);
comment on table app.products is
  'Products. is_queue_goods marks queue goods, whose orders pay commission and points (R1). It is copied onto order lines, so a '
  'change never affects earlier orders.';
comment on column app.products.stock is 'Units that can still be ordered; null: unlimited.';

alter table app.products enable row level security;
create policy everyone_reads_products_on_sale on app.products for select to anon, authenticated using (is_show and not is_del);
create policy admins_read_all_products on app.products for select to store_admin, service_role using (true);
grant select on app.products to anon, authenticated, store_admin, service_role;
