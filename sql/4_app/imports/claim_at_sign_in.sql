-- Every sign-in tries again, because the member may have been imported, or WeChat may have named the unionid, after the first one. A claim
-- that fails never prevents a sign-in.
-- Security definer: the role of the Auth server has no rights on schema app.
create or replace function app.claim_at_sign_in()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  begin
    perform app.claim_member(new.id, case when new.phone_confirmed_at is not null then new.phone end);
  exception when others then
    raise warning 'account % claimed no imported member: %', new.id, sqlerrm;
  end;
  return new;
end
$$;

comment on function app.claim_at_sign_in is
  'Trigger: gives an imported member to the account that has just signed in, or whose phone number the Auth server has just verified.';

create trigger sign_ins_claim_imported_members after update of phone, phone_confirmed_at, last_sign_in_at on auth.users
  for each row when (
    new.deleted_at is null and (
      new.last_sign_in_at is distinct from old.last_sign_in_at
      or (new.phone_confirmed_at is not null and (old.phone_confirmed_at is null or old.phone is distinct from new.phone))
    )
  )
  execute function app.claim_at_sign_in();
