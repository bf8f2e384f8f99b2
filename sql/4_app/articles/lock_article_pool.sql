-- Trigger: whoever changes which articles may be read has the pool to themselves until they commit. Before the statement,
-- so that the pool is locked before any article: nobody who holds an article waits for the pool.
-- The row is written, not only locked: a transaction whose snapshot is older than the last change then fails with
-- serialization_failure instead of numbering from an old picture. Once per transaction, so that bulk loads stay cheap.
-- Locks: app.article_pool_guard. Safe twice: the second time in a transaction it does nothing.
create or replace function app.lock_article_pool()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.article_pool_guard set changed_in = txid_current() where changed_in <> txid_current();
  return null;
end
$$;

create trigger inserts_lock_the_pool_first before insert on app.articles
  for each statement execute function app.lock_article_pool();
create trigger changes_lock_the_pool_first before update of cid, status, is_del, hidden on app.articles
  for each statement execute function app.lock_article_pool();
create trigger deletes_lock_the_pool_first before delete on app.articles
  for each statement execute function app.lock_article_pool();
create trigger truncates_lock_the_pool_first before truncate on app.articles
  for each statement execute function app.lock_article_pool();
