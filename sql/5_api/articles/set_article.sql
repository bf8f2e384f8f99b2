-- Security definer: client roles have no write privilege on articles.
-- Locks: the new category (shared), then the article pool, then the article.
-- Raises: forbidden, article_not_found, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_article(
  p_id bigint, p_cid bigint default null, p_title text default null, p_author text default null, p_image_input text default null,
  p_synopsis text default null, p_content text default null, p_url text default null, p_status smallint default null,
  p_hidden smallint default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.articles;
  v_after app.articles;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_article_category(p_cid) where p_cid is not null;
  v_before := app.lock_article(p_id);
  update app.articles as a
  set cid = coalesce(p_cid, a.cid), title = coalesce(p_title, a.title), author = coalesce(p_author, a.author),
      image_input = coalesce(p_image_input, a.image_input), synopsis = coalesce(p_synopsis, a.synopsis),
      content = coalesce(p_content, a.content), url = coalesce(p_url, a.url), status = coalesce(p_status, a.status),
      hidden = coalesce(p_hidden, a.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where a.id = p_id
  returning a.* into v_after;
  perform app.record_action('set_article', 'article', p_id::text, app.article_record(v_before), app.article_record(v_after), '{cid, status, hidden, is_del}');
  return api.get_article(p_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_article is
  'Changes the given fields of an article and returns it; null leaves a field as it is. Serves PUT /adminapi/article/{id}.';

grant execute on function api.set_article(bigint, bigint, text, text, text, text, text, text, smallint, smallint) to store_admin;
