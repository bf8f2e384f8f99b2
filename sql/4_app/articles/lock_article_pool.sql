-- Runs before the statement, so that the pool is locked before any article.
-- The row is updated, not only locked: a transaction whose snapshot is older than the last change then fails with
-- serialization_failure instead of numbering from outdated rows. Only the first statement of a transaction updates it, so that
-- bulk loads stay cheap.
-- Locks: app.article_pool_guard.
-- Idempotent: no-op after the first call in a transaction.
create or replace function app.lock_article_pool()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.article_pool_guard set changed_in = txid_current() where changed_in <> txid_current();
  return null;
end
$$;

comment on function app.lock_article_pool is
  'Trigger: locks the article pool until the end of the transaction, before a statement that may change which articles can be '
  'read.';

create trigger inserts_lock_the_pool_first before insert on app.articles
  for each statement execute function app.lock_article_pool();
create trigger changes_lock_the_pool_first before update of cid, status, is_del, hidden on app.articles
  for each statement execute function app.lock_article_pool();
create trigger deletes_lock_the_pool_first before delete on app.articles
  for each statement execute function app.lock_article_pool();
create trigger truncates_lock_the_pool_first before truncate on app.articles
  for each statement execute function app.lock_article_pool();
