-- Keeps the referral tree, hand-set levels, flags and level settings as they are until the end of the transaction.
-- First lock of the one global order: structure, then orders by id, then user_balances by uid.
-- An advisory lock, because a shared row lock on a root would be written by every order under it.
-- Callers: settlements, refunds. Safe twice: locks nest.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.share_structure()
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(74010001);
end
$$;
