-- Security definer: client roles have no write privilege on categories.
-- Locks: the table of categories (see app.clear_sign_in_flag), then the category.
-- Raises: forbidden, article_category_not_found, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_article_category(
  p_id bigint, p_title text default null, p_is_sign_in_ad boolean default null, p_hidden boolean default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_flagged bigint;
  v_before app.article_categories;
  v_after app.article_categories;
  v_constraint text;
begin
  perform app.require_admin('content');
  if p_is_sign_in_ad then
    v_flagged := app.clear_sign_in_flag(auth.uid(), clock_timestamp());
  else
    -- Take the table lock of the update below before the row lock: a transaction that moves the flag then blocks this one before
    -- it holds a row, so that the two cannot deadlock.
    lock table app.article_categories in row exclusive mode;
  end if;
  select c.* into v_before from app.article_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  update app.article_categories as c
  set title = coalesce(p_title, c.title), is_sign_in_ad = coalesce(p_is_sign_in_ad, c.is_sign_in_ad),
      hidden = coalesce(p_hidden, c.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where c.id = p_id
  returning c.* into v_after;
  perform app.record_action(
    'set_article_category', 'article_category', p_id::text,
    jsonb_build_object('title', v_before.title, 'is_sign_in_ad', v_before.is_sign_in_ad or v_flagged is not distinct from p_id, 'hidden', v_before.hidden),
    jsonb_build_object('title', v_after.title, 'is_sign_in_ad', v_after.is_sign_in_ad, 'hidden', v_after.hidden)
      || case when v_flagged <> p_id then jsonb_build_object('taken_from', v_flagged) else '{}' end,
    '{is_sign_in_ad, hidden, taken_from}'
  );
  return api.get_article_category(p_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_article_category is
  'Changes the given fields of a category and returns it; null leaves a field as it is. The sign-in flag moves to it from the '
  'category that had the flag, in the same transaction. Serves PUT /adminapi/article_category/{id}.';

grant execute on function api.set_article_category(bigint, text, boolean, boolean) to store_admin;
