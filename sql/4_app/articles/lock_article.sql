-- Locks: the article pool, then the article. With this order no transaction that holds an article waits for the pool.
-- Raises: article_not_found.
create or replace function app.lock_article(p_id bigint)
returns app.articles
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
begin
  perform from app.article_pool_guard as g for update;
  select a.* into v_article from app.articles as a where a.id = p_id and a.is_del = 0 for update;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return v_article;
end
$$;

comment on function app.lock_article is 'Locks an article that is not deleted and returns it.';
