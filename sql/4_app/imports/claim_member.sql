-- Locks: see give_imported_member.
-- Idempotent: a member who is claimed is not claimed again.
create or replace function app.claim_member(p_auth_id uuid, p_phone text)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_found record;
begin
  select f.uid, f.claimed_by into v_found from app.imported_member_of(p_auth_id, p_phone) as f;
  if v_found.uid is null or not app.give_imported_member(v_found.uid, p_auth_id, v_found.claimed_by, p_phone) then
    return null;
  end if;
  return v_found.uid;
end
$$;

comment on function app.claim_member is
  'Gives an imported member to the account that belongs to them (app.imported_member_of) and returns the uid, or null if there is none '
  'or the account''s own member is in use. p_phone is a phone number that Auth or WeChat has verified, or null.';
