-- Security definer: the role of the Auth server has no rights on schema app.
create or replace function app.claim_by_phone()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.claim_member(new.id, new.phone);
  return new;
end
$$;

comment on function app.claim_by_phone is
  'Trigger: gives an imported member to the account whose phone number the Auth server has just verified.';

create trigger verified_phones_claim_imported_members after update of phone, phone_confirmed_at on auth.users
  for each row when (
    new.phone_confirmed_at is not null and new.deleted_at is null
    and (old.phone_confirmed_at is null or old.phone is distinct from new.phone)
  )
  execute function app.claim_by_phone();
