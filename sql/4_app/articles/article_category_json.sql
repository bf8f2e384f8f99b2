create or replace function app.article_category_json(p_category app.article_categories)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_category.id, 'title', p_category.title, 'is_sign_in_ad', p_category.is_sign_in_ad, 'hidden', p_category.hidden,
    -- The slots of a category are 1 to n without a gap, so the highest is their number.
    'readable_articles', coalesce((select max(p.slot) from app.article_pool as p where p.cid = p_category.id), 0),
    'add_time', app.utc(p_category.add_time), 'updated_at', app.utc(p_category.updated_at),
    'updated_by', app.actor_json(p_category.updated_by)
  )
$$;

comment on function app.article_category_json is
  'Returns an article category as administrators see it, with the number of its articles that may be read.';

grant execute on function app.article_category_json(app.article_categories) to store_admin;
