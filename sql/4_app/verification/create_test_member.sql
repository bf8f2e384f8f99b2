-- Precondition: the caller rolls everything back.
create or replace function app.create_test_member(p_spread_uid bigint)
returns bigint
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with member as (
    insert into app.users (nickname, spread_uid, spread_time)
    values ('Configuration check', p_spread_uid, case when p_spread_uid is not null then now() end)
    returning uid
  )
  insert into app.user_balances (uid) select m.uid from member as m returning uid
$$;

comment on function app.create_test_member is
  'Creates a member without an account, for the configuration check, and returns the uid.';
