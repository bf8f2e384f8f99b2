-- The articles of every category that may be read, numbered 1 to n without a gap: a random number is a random article. Kept by triggers on articles;
-- every category has its numbers, so that moving the sign-in flag or hiding a category changes no row here.
create table app.article_pool (
  cid bigint not null,
  slot bigint not null,
  article_id bigint not null,
  primary key (cid, slot) include (article_id),
  constraint slots_start_at_one check (slot >= 1)
);
comment on table app.article_pool is 'Readable articles by category and a gapless number, from which the sign-in gate draws (app.keep_article_pool).';

create unique index article_pool_article_is_in_once on app.article_pool (article_id) include (cid, slot);

alter table app.article_pool enable row level security;
create policy everyone_reads_the_article_pool on app.article_pool for select to anon, authenticated, store_admin, service_role using (true);
grant select on app.article_pool to anon, authenticated, store_admin, service_role;

-- The one row that a transaction must have changed before it changes the pool; see app.lock_article_pool.
create table app.article_pool_guard (
  id boolean primary key default true,
  changed_in bigint not null default 0,
  constraint there_is_only_one_row check (id)
);
comment on table app.article_pool_guard is 'Lock of app.article_pool; changed_in is the transaction that took it last.';

alter table app.article_pool_guard enable row level security;
create policy admins_read_the_article_pool_guard on app.article_pool_guard for select to store_admin, service_role using (true);
grant select on app.article_pool_guard to store_admin, service_role;
