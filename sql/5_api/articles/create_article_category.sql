-- Security definer: client roles have no write privilege on categories.
-- Locks: the table of categories against other writers, if the flag moves (see app.clear_sign_in_flag).
-- Raises: forbidden, invalid_argument.
create or replace function api.create_article_category(p_title text, p_is_sign_in_ad boolean default false, p_hidden boolean default false)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_taken_from bigint;
  v_id bigint;
  v_constraint text;
begin
  perform app.require_admin('content');
  if p_is_sign_in_ad then
    v_taken_from := app.clear_sign_in_flag(auth.uid(), clock_timestamp());
  end if;
  insert into app.article_categories (title, is_sign_in_ad, hidden, updated_by)
  values (p_title, p_is_sign_in_ad, p_hidden, auth.uid())
  returning id into v_id;
  perform app.record_action(
    'create_article_category', 'article_category', v_id::text, null,
    jsonb_build_object('title', p_title, 'is_sign_in_ad', p_is_sign_in_ad, 'hidden', p_hidden)
      || case when v_taken_from is not null then jsonb_build_object('taken_from', v_taken_from) else '{}' end, '{is_sign_in_ad, hidden, taken_from}'
  );
  return api.get_article_category(v_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.create_article_category is
  'Creates an article category and returns it. The sign-in flag moves to it from the category that had the flag. Serves POST '
  '/adminapi/article_category.';

grant execute on function api.create_article_category(text, boolean, boolean) to store_admin;
