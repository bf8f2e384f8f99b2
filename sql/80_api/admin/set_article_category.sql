-- PUT /adminapi/article_category/{id}: changes what is given of a category; one that gets the sign-in flag takes it from the
-- category that had it, in the same transaction. Security definer: categories are written by functions only.
-- Raises: forbidden, article_category_not_found, invalid_argument. Safe twice.
create or replace function api.set_article_category(
  p_id bigint, p_title text default null, p_is_sign_in_ad boolean default null, p_hidden boolean default null
)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_constraint text;
begin
  perform app.require_admin();
  perform app.clear_sign_in_flag(auth.uid(), clock_timestamp()) where p_is_sign_in_ad;
  update app.article_categories as c
  set title = coalesce(p_title, c.title), is_sign_in_ad = coalesce(p_is_sign_in_ad, c.is_sign_in_ad),
      hidden = coalesce(p_hidden, c.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where c.id = p_id and not c.is_del;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  return api.get_article_category(p_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

grant execute on function api.set_article_category(bigint, text, boolean, boolean) to store_admin;
