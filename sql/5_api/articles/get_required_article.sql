-- The cost does not depend on the number of articles: one index lookup finds the highest slot of the category and one finds the
-- slot that was drawn. Slots have no gaps in any snapshot (app.keep_article_pool, decision 0015).
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function api.get_required_article()
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    with drawn as materialized (
      -- Materialized, so that random() is called once and not for every row that is compared.
      select c.id as cid, 1 + floor(random() * last.slot)::bigint as slot
      from app.article_categories as c
      cross join lateral (select p.slot from app.article_pool as p where p.cid = c.id order by p.slot desc limit 1) as last
      where c.is_sign_in_ad and not c.hidden and not c.is_del
    )
    select jsonb_build_object(
      'id', a.id, 'cid', a.cid, 'title', a.title, 'author', a.author, 'image_input', a.image_input,
      'synopsis', a.synopsis, 'content', a.content, 'url', a.url, 'add_time', app.utc(a.add_time)
    )
    from drawn as d
    join app.article_pool as p on p.cid = d.cid and p.slot = d.slot
    join app.articles as a on a.id = p.article_id
  );
end
$$;

comment on function api.get_required_article is
  'Returns one random article of the sign-in category, each with the same probability, or null if there is none. Serves GET '
  '/api/sign/required_article.';

grant execute on function api.get_required_article() to anon, authenticated, store_admin;
