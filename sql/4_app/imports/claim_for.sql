-- For people who cannot prove who they are by a phone number or an openid. The administrator must be sure of that.
-- Locks: see give_imported_member.
-- Idempotent: a second call says that the member is claimed.
create or replace function app.claim_for(p_uid bigint, p_old_uid bigint)
returns text
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member app.users := (select u from app.users as u where u.uid = p_uid);
  v_imported app.imported_members := (select i from app.imported_members as i where i.old_uid = p_old_uid);
  v_use text := app.use_of_member(p_uid);
begin
  if v_member.auth_id is null then
    return format('No account has the member %s of this store.', p_uid);
  elsif v_imported.uid is null then
    return format('No member with the number %s was imported.', p_old_uid);
  elsif v_imported.claimed_at is not null then
    return format('The imported member %s was claimed at %s.', p_old_uid, app.utc(v_imported.claimed_at));
  elsif v_use is not null then
    return format('The member %s %s. Members are never merged.', p_uid, v_use);
  elsif not app.give_imported_member(v_imported.uid, v_member.auth_id, 'administrator', null) then
    return format('The member %s or the imported member %s has just changed. Repeat the command.', p_uid, p_old_uid);
  end if;
  return null;
end
$$;

comment on function app.claim_for is
  'Gives the imported member who had the number p_old_uid in the previous system to the account of member p_uid, and returns null, or '
  'the reason why that is not possible. npm run import -- --claim calls it.';
