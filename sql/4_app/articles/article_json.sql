create or replace function app.article_json(p_article app.articles)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_article.id, 'cid', p_article.cid, 'title', p_article.title, 'author', p_article.author,
    'image_input', p_article.image_input, 'synopsis', p_article.synopsis, 'url', p_article.url,
    'status', p_article.status, 'hidden', p_article.hidden, 'add_time', app.utc(p_article.add_time),
    'updated_at', app.utc(p_article.updated_at), 'updated_by', app.actor_json(p_article.updated_by)
  )
$$;

comment on function app.article_json is 'Returns an article as administrators see it in lists, without its content.';

grant execute on function app.article_json(app.articles) to store_admin;
