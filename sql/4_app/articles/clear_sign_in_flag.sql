-- Takes the sign-in flag from whichever category has it, before another one gets it in the same transaction, and returns which.
-- Callers: create_article_category, set_article_category. Locks: the table against other changes of categories, so that two
-- administrators who move the flag do so one after the other; readers are not held up, nor is whoever writes an article.
create or replace function app.clear_sign_in_flag(p_changed_by uuid, p_now timestamptz)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id bigint;
begin
  lock table app.article_categories in share row exclusive mode;
  update app.article_categories set is_sign_in_ad = false, updated_at = p_now, updated_by = p_changed_by where is_sign_in_ad
  returning id into v_id;
  return v_id;
end
$$;
