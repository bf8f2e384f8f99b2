-- A category that still has articles is not deleted, so that no article disappears unnoticed (decision 0012). Hiding the category
-- instead takes its articles from the sign-in gate and can be undone.
-- Security definer: client roles have no write privilege on categories.
-- Locks: the table of categories against other writers (see app.clear_sign_in_flag), then the category, which a transaction
-- that puts an article into it holds in shared mode.
-- Raises: forbidden, article_category_not_found, article_category_in_use.
-- Idempotent in effect: a second call raises article_category_not_found and changes nothing.
create or replace function api.delete_article_category(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.article_categories;
begin
  perform app.require_admin('content');
  lock table app.article_categories in share row exclusive mode;
  select c.* into v_before from app.article_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('article_category_not_found');
  elsif exists (select from app.articles as a where a.cid = p_id and a.is_del = 0) then
    perform app.fail('article_category_in_use');
  end if;
  update app.article_categories set is_del = true, is_sign_in_ad = false, updated_at = clock_timestamp(), updated_by = auth.uid()
  where id = p_id;
  perform app.record_action(
    'delete_article_category', 'article_category', p_id::text,
    jsonb_build_object('is_sign_in_ad', v_before.is_sign_in_ad, 'hidden', v_before.hidden), null
  );
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$$;

comment on function api.delete_article_category is
  'Marks a category without articles as deleted. Serves DELETE /adminapi/article_category/{id}.';

grant execute on function api.delete_article_category(bigint) to store_admin;
