-- Precondition: the transaction holds no other lock of the lock order.
create or replace function app.lock_structure()
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select pg_catalog.pg_advisory_xact_lock(app.lock_number('structure'))
$$;

comment on function app.lock_structure is
  'Takes the structure lock exclusively: waits for running settlements and blocks new ones until the end of the transaction. '
  'For changes of the referral tree, of levels by hand, of the no-assess flag and of level settings.';
