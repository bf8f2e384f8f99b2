-- Guarantee access/administrators-removed: A removed administrator can do nothing, whatever their token says (lists of
-- a standby: within ten seconds)
-- By: each function looks the account up, app.require_admin
begin;
\ir ../support/fixture.psql
select plan(17);
grant store_api to postgres;

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create temporary table who as select u.auth_id, u.uid from app.users as u, m where u.uid = m.uid;
create function pg_temp.flag() returns text language sql as $$
  select pg_temp.call(
    w.auth_id, 'set_no_assess', jsonb_build_object('p_uid', m.other, 'p_no_assess', true)
  )::jsonb ->> 'no_assess'
  from who as w, m
$$;
create function pg_temp.both() returns text[] language plpgsql as $$
begin
  return (
    select array[left(pg_temp.call(w.auth_id, 'get_settings'), 15), left(
      pg_temp.call(w.auth_id, 'set_no_assess', jsonb_build_object('p_uid', m.other, 'p_no_assess', true)), 15
    )]
    from who as w, m
  );
end $$;
create temporary table rejected as select array['PT403 forbidden', 'PT403 forbidden'] as results;
create function pg_temp.undone(p_change text) returns text[] language plpgsql as $$
declare
  v_results text[];
begin
  execute p_change;
  v_results := pg_temp.both();
  raise exception using errcode = 'P0099', message = v_results::text;
exception when sqlstate 'P0099' then
  return sqlerrm::text[];
end $$;

select is(pg_temp.both(), results, 'a token of an administrator is not enough, for reads and for writes') from rejected;
update auth.users set role = 'store_admin' where id = (select auth_id from who);
select is(pg_temp.both(), results, 'the role of the account is not enough') from rejected;
select is(app.add_administrator(auth_id::text), auth_id, 'the owner of the database adds an administrator') from who;
select is(pg_temp.flag(), 'true', 'an added administrator can call it');
select is(
  (select changed_by from app.no_assess_changes as c, m where c.uid = m.other), (select auth_id from who),
  'the change records its actor'
);
-- The last owner could not be removed.
select pg_temp.administrator();
select is(pg_temp.undone(format(change, auth_id)), results, format('%s: nothing from that moment on', name))
from who, rejected, (values
  ('removed', $q$ select app.remove_administrator('%s') $q$),
  ('the role taken away', $q$ update auth.users set role = 'authenticated' where id = '%s' $q$),
  ('banned', $q$ update auth.users set banned_until = now() + interval '1 day' where id = '%s' $q$),
  ('deleted softly', $q$ update auth.users set deleted_at = now() where id = '%s' $q$),
  (
    'deleted softly, and still in the list', $q$ update auth.users set deleted_at = now()
      where id = '%1$s'; insert into app.administrators (auth_id, added_at) values ('%1$s', now()) $q$
  ),
  ('deleted', $q$ delete from auth.users where id = '%s' $q$)
) as c (name, change);
select isnt(
  pg_temp.undone(
    format($q$ update auth.users set banned_until = now() - interval '1 day' where id = '%s' $q$, auth_id)
  ),
  results, 'a ban that has expired does not matter'
)
from who, rejected;

select is(app.add_administrator(upper(u.email)), u.id, 'an administrator can be added by email address')
from auth.users as u, who as w where u.id = w.auth_id;
select is(
  (select role from auth.users as u, who as w where u.id = w.auth_id), 'store_admin', 'the next token has the role'
);
select throws_ok(
  $$ select app.add_administrator('nobody@example.com') $$, 'PT404', 'user_not_found',
  'an account that does not exist is rejected'
);
select throws_ok(
  format($$ select app.add_administrator(%L, '{king}') $$, auth_id), 'PT422', 'invalid_argument',
  'a role that does not exist is rejected'
)
from who;
select results_eq($$ select function, target_type, from_value, to_value from app.admin_actions as a, who as w
  where a.target_id = w.auth_id::text order by a.id $$,
  $$ values ('add_administrator', 'administrator', null::jsonb, '{"roles": ["owner"]}'::jsonb),
  ('add_administrator', 'administrator', '{}', '{}') $$, 'adding an administrator is recorded');

select * from finish();
rollback;
