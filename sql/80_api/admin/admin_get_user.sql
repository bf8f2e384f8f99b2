-- GET /adminapi/user/{uid}: one member. Raises: user_not_found.
create or replace function api.admin_get_user(p_uid bigint)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_answer jsonb;
begin
  select app.user_json(u, b) into v_answer
  from app.users as u join app.user_balances as b on b.uid = u.uid where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  return v_answer;
end
$$;

grant execute on function api.admin_get_user(bigint) to store_admin;
