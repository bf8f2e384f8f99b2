-- Every category has slots, so that moving the sign-in flag or hiding a category changes no row here.
create table app.article_pool (
  cid bigint not null,
  slot bigint not null,
  article_id bigint not null,
  primary key (cid, slot) include (article_id),
  constraint slots_start_at_one check (slot >= 1)
);
comment on table app.article_pool is
  'Articles that may be read. Each has a slot: a number from 1 to n, without gaps, in its category. A random slot therefore '
  'gives a random article. Triggers on app.articles maintain the pool.';

create unique index article_pool_article_is_in_once on app.article_pool (article_id) include (cid, slot);

alter table app.article_pool enable row level security;
create policy everyone_reads_the_article_pool on app.article_pool for select to anon, authenticated, store_admin, service_role using (true);
grant select on app.article_pool to anon, authenticated, store_admin, service_role;
