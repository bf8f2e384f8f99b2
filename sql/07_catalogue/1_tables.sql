-- Products, articles and their categories, what the first page of the app shows, and the pool from which the sign-in
-- gate draws.

create table app.product_categories (
  id bigint generated always as identity primary key,
  title text not null,
  rank integer not null,
  is_del boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 100 and app.is_line(title))
);
comment on table app.product_categories is 'Categories of products.';
comment on column app.product_categories.rank is 'Where the category stands among the others; equal ranks by id.';

alter table app.product_categories enable row level security;
create policy everyone_reads_product_categories on app.product_categories for select to anon, authenticated
  using (not is_del);
create policy admins_read_all_product_categories on app.product_categories for select to store_admin, service_role
  using (true);
grant select on app.product_categories to anon, authenticated, store_admin, service_role;

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
  low_stock integer not null default 0,
  category_id bigint references app.product_categories (id),
  poster_design text,
  is_del boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 200 and app.is_line(title)),
  constraint price_is_between_0_and_a_million check (price between 0 and 1000000),
  constraint freight_is_between_0_and_a_million check (freight between 0 and 1000000),
  constraint a_product_has_at_most_12_images check (cardinality(images) <= 12),
  constraint images_are_web_addresses_of_at_most_1000_characters check (app.are_web_addresses(images, 1000)),
  constraint description_is_a_text_of_at_most_20000_characters check (
    char_length(description) <= 20000 and app.is_text(description)
  ),
  constraint stock_is_not_negative check (stock >= 0),
  constraint low_stock_is_not_negative check (low_stock >= 0),
  constraint poster_design_is_known check (poster_design in ('warm', 'light', 'dark'))
);
comment on table app.products is
  'Products. is_queue_goods marks queue goods, whose orders pay commission and points (R1); order lines copy it.';
comment on column app.products.stock is 'Units that can still be ordered; null: unlimited.';
comment on column app.products.poster_design is 'The design of its posters; null: that of the store.';
comment on column app.products.low_stock is 'A product with fewer units counts as low (app.is_low); 0: never.';

-- No index names the stock, so that an order, which changes it, changes no index.
create index products_category_id_idx on app.products (category_id, id);

alter table app.products enable row level security;
create policy everyone_reads_products_on_sale on app.products for select to anon, authenticated
  using (is_show and not is_del);
create policy admins_read_all_products on app.products for select to store_admin, service_role using (true);
grant select on app.products to anon, authenticated, store_admin, service_role;

create table app.banners (
  rank smallint primary key,
  image text not null,
  title text not null,
  product_id bigint references app.products (id),
  constraint there_are_at_most_10_banners check (rank between 1 and 10),
  constraint image_is_a_web_address_of_at_most_1000_characters check (app.are_web_addresses(array[image], 1000)),
  constraint title_is_a_short_text check (char_length(title) <= 200 and app.is_line(title))
);
comment on table app.banners is 'The pictures at the top of the first page of the app, by rank.';
comment on column app.banners.title is 'What the picture shows, for whoever cannot see it.';
comment on column app.banners.product_id is 'The product to which the banner leads; null: none.';

create index banners_product_id_idx on app.banners (product_id);

alter table app.banners enable row level security;
create policy everyone_reads_banners on app.banners for select to anon, authenticated, store_admin, service_role
  using (true);
grant select on app.banners to anon, authenticated, store_admin, service_role;

create table app.featured_products (
  rank smallint primary key,
  product_id bigint not null unique references app.products (id),
  constraint there_are_at_most_20_featured_products check (rank between 1 and 20)
);
comment on table app.featured_products is 'The products that the first page of the app shows first, by rank.';

alter table app.featured_products enable row level security;
create policy everyone_reads_featured_products on app.featured_products for select to anon, authenticated, store_admin,
  service_role
  using (true);
grant select on app.featured_products to anon, authenticated, store_admin, service_role;

create table app.article_categories (
  id bigint generated always as identity primary key,
  title text not null,
  is_sign_in_ad boolean not null default false,
  hidden boolean not null default false,
  is_del boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 100 and app.is_line(title))
);
comment on table app.article_categories is
  'Article categories. The sign-in gate draws from the category with is_sign_in_ad.';

create unique index article_categories_one_is_for_sign_in on app.article_categories (is_sign_in_ad)
  where is_sign_in_ad and not is_del;

alter table app.article_categories enable row level security;
create policy everyone_reads_visible_categories on app.article_categories for select to anon, authenticated
  using (not hidden and not is_del);
create policy admins_read_all_categories on app.article_categories for select to store_admin, service_role using (true);
grant select on app.article_categories to anon, authenticated, store_admin, service_role;

create table app.articles (
  id bigint generated always as identity primary key,
  cid bigint not null references app.article_categories (id),
  title text not null,
  author text not null default '',
  image_input text not null default '',
  synopsis text not null default '',
  content text not null default '',
  url text not null default '',
  status smallint not null default 1,
  is_del smallint not null default 0,
  hidden smallint not null default 0,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 200 and app.is_line(title)),
  constraint texts_have_no_control_characters check (
    app.is_text(author) and app.is_text(synopsis) and app.is_text(content)
  ),
  constraint url_is_of_http_or_relative check (app.is_link(url) and char_length(url) <= 500),
  constraint image_is_of_http_or_relative check (app.is_link(image_input) and char_length(image_input) <= 500),
  constraint status_is_0_or_1 check (status in (0, 1)),
  constraint is_del_is_0_or_1 check (is_del in (0, 1)),
  constraint hidden_is_0_or_1 check (hidden in (0, 1))
);
comment on table app.articles is 'Articles. An article may be read if status is 1, is_del is 0 and hidden is 0.';
comment on column app.articles.cid is 'The category.';

create index articles_eligible_idx on app.articles (cid, id) where status = 1 and is_del = 0 and hidden = 0;
create index articles_cid_idx on app.articles (cid, id);

alter table app.articles enable row level security;
create policy everyone_reads_published_articles on app.articles for select to anon, authenticated
  using (status = 1 and is_del = 0 and hidden = 0);
create policy admins_read_all_articles on app.articles for select to store_admin, service_role using (true);
grant select on app.articles to anon, authenticated, store_admin, service_role;

-- Every category has slots, so that moving the sign-in flag or hiding a category changes no row here.
create table app.article_pool (
  cid bigint not null,
  slot bigint not null,
  article_id bigint not null,
  primary key (cid, slot) include (article_id),
  constraint slots_start_at_one check (slot >= 1)
);
comment on table app.article_pool is
  'Articles that may be read, each with a slot: a number from 1 to n, without gaps, in its category. Triggers on '
  'app.articles maintain it.';

create unique index article_pool_article_is_in_once on app.article_pool (article_id) include (cid, slot);

alter table app.article_pool enable row level security;
create policy everyone_reads_the_article_pool on app.article_pool for select to anon, authenticated, store_admin,
  service_role
  using (true);
grant select on app.article_pool to anon, authenticated, store_admin, service_role;

create table app.article_pool_guard (
  id boolean primary key default true,
  changed_in bigint not null default 0,
  constraint there_is_only_one_row check (id)
);
comment on table app.article_pool_guard is
  'The row that a transaction updates before it changes the article pool (app.lock_article_pool).';

alter table app.article_pool_guard enable row level security;
create policy admins_read_the_article_pool_guard on app.article_pool_guard for select to store_admin, service_role
  using (true);
grant select on app.article_pool_guard to store_admin, service_role;
