-- Security definer: client roles have no write privilege on articles.
-- Locks: the article pool, then the article.
-- Raises: forbidden, article_not_found.
-- Idempotent in effect: a second call raises article_not_found and changes nothing.
create or replace function api.delete_article(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.articles;
begin
  perform app.require_admin('content');
  v_before := app.lock_article(p_id);
  update app.articles as a set is_del = 1, updated_at = clock_timestamp(), updated_by = auth.uid() where a.id = p_id;
  perform app.record_action('delete_article', 'article', p_id::text, app.article_record(v_before), null, '{cid, status, hidden, is_del}');
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$$;

comment on function api.delete_article is
  'Marks an article as deleted; no list returns it any more. Serves DELETE /adminapi/article/{id}.';

grant execute on function api.delete_article(bigint) to store_admin;
