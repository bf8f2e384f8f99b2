-- Raises: forbidden, invalid_argument.
create or replace function api.get_article_categories(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.article_category_json(c) order by c.id desc)
        from (
          select * from app.article_categories as q where not q.is_del
          order by q.id desc offset app.check_page(p_page, p_limit) limit p_limit
        ) as c
      ), '[]'),
      'count', (select count(*) from app.article_categories as q where not q.is_del)
    )
  );
end
$$;

comment on function api.get_article_categories is
  'Returns one page of the article categories, newest first. Serves GET /adminapi/article_category.';

grant execute on function api.get_article_categories(integer, integer) to store_admin;
