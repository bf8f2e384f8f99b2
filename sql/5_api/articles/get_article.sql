-- Raises: forbidden, article_not_found.
create or replace function api.get_article(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
begin
  perform app.require_admin();
  select a.* into v_article from app.articles as a where a.id = p_id and a.is_del = 0;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return app.article_json(v_article) || jsonb_build_object('content', v_article.content);
end
$$;

comment on function api.get_article is 'Returns one article with its content. Serves GET /adminapi/article/{id}.';

grant execute on function api.get_article(bigint) to store_admin;
