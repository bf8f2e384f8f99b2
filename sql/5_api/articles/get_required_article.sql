-- GET /api/sign/required_article: one random article of the sign-in category, or null. Every article is as likely as any
-- other, and a million cost what one costs: the highest number and a drawn one are each found by index, and the numbers of
-- a category have no gap (app.keep_article_pool) in any snapshot.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function api.get_required_article()
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    with drawn as materialized (
      -- Drawn once: where it is compared it would be drawn for every row.
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

grant execute on function api.get_required_article() to anon, authenticated, store_admin;
