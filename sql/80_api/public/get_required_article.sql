-- GET /api/sign/required_article: one random article of the sign-in category, or null. Uniform.
create or replace function api.get_required_article()
returns jsonb
language sql
volatile
set search_path = ''
as $$
  select jsonb_build_object(
    'id', a.id, 'cid', a.cid, 'title', a.title, 'author', a.author, 'image_input', a.image_input,
    'synopsis', a.synopsis, 'content', a.content, 'url', a.url, 'add_time', app.utc(a.add_time)
  )
  from app.articles as a
  join app.article_categories as c on c.id = a.cid and c.is_sign_in_ad and not c.hidden and not c.is_del
  where a.status = 1 and a.is_del = 0 and a.hidden = 0
  order by random()
  limit 1
$$;

grant execute on function api.get_required_article() to anon, authenticated, store_admin;
