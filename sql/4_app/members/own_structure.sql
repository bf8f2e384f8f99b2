-- Waits until no settlement is under way and keeps new ones out: for the rare changes of the referral tree, of levels
-- by hand, of the no-assess flag and of level settings. Must be the first lock of its transaction.
create or replace function app.own_structure()
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select pg_catalog.pg_advisory_xact_lock(74010001)
$$;
