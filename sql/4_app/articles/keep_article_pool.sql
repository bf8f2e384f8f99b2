-- Precondition: the trigger app.lock_article_pool has locked app.article_pool_guard before the statement.
create or replace function app.keep_article_pool()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    perform app.enter_article_pool(array_agg(n.cid), array_agg(n.id))
    from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0;
  elsif tg_op = 'DELETE' then
    perform app.leave_article_pool(array_agg(o.id)) from old_articles as o;
  elsif tg_op = 'TRUNCATE' then
    delete from app.article_pool where true;
  else
    -- One query plan of EXCEPT suits one article and a million. The cached plan of a join would be the one for the first statement.
    perform app.leave_article_pool(array_agg(l.id)) from (
      select o.cid, o.id from old_articles as o where o.status = 1 and o.is_del = 0 and o.hidden = 0
      except select n.cid, n.id from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0
    ) as l;
    perform app.enter_article_pool(array_agg(e.cid), array_agg(e.id)) from (
      select n.cid, n.id from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0
      except select o.cid, o.id from old_articles as o where o.status = 1 and o.is_del = 0 and o.hidden = 0
    ) as e;
  end if;
  return null;
end
$$;

comment on function app.keep_article_pool is
  'Trigger: updates the article pool after each statement that changes articles. Articles that may no longer be read leave it, '
  'and articles that may be read now enter it. Other changes neither lock nor change the pool.';

create trigger the_pool_follows_new_articles after insert on app.articles
  referencing new table as new_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_follows_changed_articles after update on app.articles
  referencing old table as old_articles new table as new_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_follows_deleted_articles after delete on app.articles
  referencing old table as old_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_is_emptied_with_the_articles after truncate on app.articles
  for each statement execute function app.keep_article_pool();
