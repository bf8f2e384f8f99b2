-- The account's own member, whom the sign-up has created, is deleted. A member in use is never replaced, because two members are never
-- merged.
-- Locks: the imported member, the advisory lock team_totals if the account's own member is in the team totals.
-- Idempotent: a member who is claimed is not claimed again.
create or replace function app.give_imported_member(p_uid bigint, p_auth_id uuid, p_claimed_by text, p_phone text)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_own bigint := (select u.uid from app.users as u where u.auth_id = p_auth_id);
begin
  if app.use_of_member(v_own) is not null then
    return false;
  end if;
  update app.imported_members set claimed_at = clock_timestamp(), claimed_by = p_claimed_by where uid = p_uid and claimed_at is null;
  if not found then
    return false;
  end if;
  if v_own is not null then
    if exists (select from app.team_totals as t where t.uid = v_own) then
      perform pg_advisory_xact_lock(app.lock_number('team_totals'));
      perform app.detach_team(v_own);
      delete from app.team_totals where uid = v_own;
    end if;
    update app.addresses set uid = p_uid where uid = v_own;
    update app.payout_accounts set uid = p_uid where uid = v_own;
    delete from app.posters where uid = v_own;
    delete from app.user_balances where uid = v_own;
    delete from app.users where uid = v_own;
  end if;
  update app.users set auth_id = p_auth_id, phone = coalesce(p_phone, phone) where uid = p_uid;
  return true;
exception when foreign_key_violation then
  -- Another transaction has just begun to use the member.
  return false;
end
$$;

comment on function app.give_imported_member is
  'Gives an imported member to an account and returns whether that was possible: nobody has claimed the member, and the account''s own '
  'member is not in use. The address book and the payout accounts of the account are kept.';
