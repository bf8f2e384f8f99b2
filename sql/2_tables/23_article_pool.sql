-- Every category is numbered, so that moving the sign-in flag or hiding a category changes no row here.
create table app.article_pool (
  cid bigint not null,
  slot bigint not null,
  article_id bigint not null,
  primary key (cid, slot) include (article_id),
  constraint slots_start_at_one check (slot >= 1)
);
comment on table app.article_pool is
  'Articles that may be read, numbered from 1 without a gap in each category, so that a random number gives a random article. '
  'Triggers on app.articles keep it.';

create unique index article_pool_article_is_in_once on app.article_pool (article_id) include (cid, slot);

alter table app.article_pool enable row level security;
create policy everyone_reads_the_article_pool on app.article_pool for select to anon, authenticated, store_admin, service_role using (true);
grant select on app.article_pool to anon, authenticated, store_admin, service_role;
