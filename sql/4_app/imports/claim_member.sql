-- The account's own member, whom the sign-up has created, is deleted. If that member is in use, for example has an order, nothing is
-- claimed, because two members are never merged.
-- Locks: the imported member, the advisory lock team_totals if the account's own member is in the team totals.
-- Idempotent: a member who is claimed is not claimed again.
create or replace function app.claim_member(p_auth_id uuid, p_phone text)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_found record;
  v_own app.users;
begin
  select f.uid, f.claimed_by into v_found from app.imported_member_of(p_auth_id, p_phone) as f;
  if v_found.uid is null then
    return null;
  end if;
  update app.imported_members set claimed_at = clock_timestamp(), claimed_by = v_found.claimed_by where uid = v_found.uid and claimed_at is null;
  if not found then
    return null;
  end if;
  select u.* into v_own from app.users as u where u.auth_id = p_auth_id;
  if found then
    if exists (select from app.team_totals as t where t.uid = v_own.uid) then
      perform pg_advisory_xact_lock(app.lock_number('team_totals'));
      perform app.detach_team(v_own.uid);
      delete from app.team_totals where uid = v_own.uid;
    end if;
    delete from app.user_balances where uid = v_own.uid;
    delete from app.users where uid = v_own.uid;
  end if;
  update app.users set auth_id = p_auth_id, phone = coalesce(p_phone, phone) where uid = v_found.uid;
  return v_found.uid;
exception when foreign_key_violation then
  return null;
end
$$;

comment on function app.claim_member is
  'Gives an imported member to the account that belongs to them (app.imported_member_of) and returns the uid, or null if there is none '
  'or the account''s own member is in use. p_phone is a phone number that Auth or WeChat has verified, or null.';
