-- Trigger: the pool follows every change of articles, once per statement: who may no longer be read there leaves, who may
-- be read there now enters. Other changes of an article neither lock nor touch the pool.
-- Locks: app.article_pool_guard, taken before the statement by lock_article_pool.
create or replace function app.keep_article_pool()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  v_moved bigint[];
begin
  if tg_op = 'INSERT' then
    perform app.enter_article_pool((select array_agg(n.id) from new_articles as n));
  elsif tg_op = 'DELETE' then
    perform app.leave_article_pool((select array_agg(o.id) from old_articles as o));
  elsif tg_op = 'TRUNCATE' then
    delete from app.article_pool;
  else
    select array_agg(n.id) into v_moved
    from old_articles as o
    join new_articles as n on n.id = o.id
    where (o.cid, o.status, o.is_del, o.hidden) is distinct from (n.cid, n.status, n.is_del, n.hidden);
    if v_moved is not null then
      perform app.leave_article_pool(v_moved);
      perform app.enter_article_pool(v_moved);
    end if;
  end if;
  return null;
end
$$;

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
