-- POST /adminapi/article_category: a new category; one with the sign-in flag takes it from the category that had it.
-- Security definer: categories are written by functions only. Raises: forbidden, invalid_argument.
create or replace function api.create_article_category(p_title text, p_is_sign_in_ad boolean default false, p_hidden boolean default false)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id bigint;
  v_constraint text;
begin
  perform app.require_admin();
  perform app.clear_sign_in_flag(auth.uid(), clock_timestamp()) where p_is_sign_in_ad;
  insert into app.article_categories (title, is_sign_in_ad, hidden, updated_by)
  values (p_title, p_is_sign_in_ad, p_hidden, auth.uid())
  returning id into v_id;
  return api.get_article_category(v_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

grant execute on function api.create_article_category(text, boolean, boolean) to store_admin;
