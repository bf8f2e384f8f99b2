-- Raises: forbidden, article_category_not_found.
create or replace function api.get_article_category(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_category app.article_categories;
begin
  perform app.require_admin();
  select c.* into v_category from app.article_categories as c where c.id = p_id and not c.is_del;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  return app.article_category_json(v_category);
end
$$;

comment on function api.get_article_category is 'Returns one article category. Serves GET /adminapi/article_category/{id}.';

grant execute on function api.get_article_category(bigint) to store_admin;
