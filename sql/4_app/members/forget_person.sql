-- Trigger: the member of an account that is deleted stays, with their orders and their bill, but is nobody any more: nickname, phone,
-- avatar and poster are taken away, and the answers that were kept for the account. Also when the Auth server keeps the row of
-- the account and only marks it as deleted.
-- Security definer: the Auth server's role has no rights on schema app. Locks: the member. Safe twice.
create or replace function app.forget_person()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  update app.users set nickname = 'Deleted member', phone = null, avatar = null where auth_id = old.id returning uid into v_uid;
  delete from app.posters where uid = v_uid;
  delete from app.idempotency_keys where auth_id = old.id;
  delete from app.administrators where auth_id = old.id;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end
$$;

-- Before, since the member's reference to the account is gone afterwards.
create trigger deleted_accounts_are_forgotten before delete on auth.users
  for each row execute function app.forget_person();
create trigger accounts_marked_as_deleted_are_forgotten after update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function app.forget_person();
