-- Security definer: the role of the Auth server has no rights on schema app.
-- An account that the Auth server marks as deleted gets a meaningless phone in the same update. It is not copied.
create or replace function app.copy_auth_phone()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.users set phone = nullif(left(new.phone, 32), '') where auth_id = new.id;
  return new;
end
$$;

comment on function app.copy_auth_phone is 'Trigger: copies a changed phone number of an Auth account to its member.';

create trigger members_have_the_phone_of_their_account after update of phone on auth.users
  for each row when (old.phone is distinct from new.phone and new.deleted_at is null) execute function app.copy_auth_phone();
