-- Security definer: client roles have no write privilege on articles.
-- Locks: the category (shared), then the article pool.
-- Raises: forbidden, invalid_argument.
create or replace function api.create_article(
  p_cid bigint, p_title text, p_author text default '', p_image_input text default '', p_synopsis text default '',
  p_content text default '', p_url text default '', p_status smallint default 1::smallint, p_hidden smallint default 0::smallint
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_article_category(p_cid);
  insert into app.articles (cid, title, author, image_input, synopsis, content, url, status, hidden, updated_by)
  values (p_cid, p_title, p_author, p_image_input, p_synopsis, p_content, p_url, p_status, p_hidden, auth.uid())
  returning * into v_article;
  perform app.record_action('create_article', 'article', v_article.id::text, null, app.article_record(v_article), '{cid, status, hidden, is_del}');
  return api.get_article(v_article.id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.create_article is 'Creates an article and returns it. Serves POST /adminapi/article.';

grant execute on function api.create_article(bigint, text, text, text, text, text, text, smallint, smallint) to store_admin;
