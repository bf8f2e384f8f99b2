create table app.article_pool_guard (
  id boolean primary key default true,
  changed_in bigint not null default 0,
  constraint there_is_only_one_row check (id)
);
comment on table app.article_pool_guard is
  'The row that a transaction updates before it changes the article pool (app.lock_article_pool). changed_in is the last '
  'transaction that did.';

alter table app.article_pool_guard enable row level security;
create policy admins_read_the_article_pool_guard on app.article_pool_guard for select to store_admin, service_role using (true);
grant select on app.article_pool_guard to store_admin, service_role;
