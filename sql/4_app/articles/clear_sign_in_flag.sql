-- Locks: app.article_categories against concurrent changes, so that administrators who move the flag do so one after the other.
-- Readers and writers of articles do not wait.
create or replace function app.clear_sign_in_flag(p_changed_by uuid, p_now timestamptz)
returns bigint
language plpgsql
volatile
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

comment on function app.clear_sign_in_flag is
  'Clears the sign-in flag of the category that has it and returns the id of that category, or null. To be followed by setting '
  'the flag of another category in the same transaction.';
