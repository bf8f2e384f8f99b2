begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table boss as select pg_temp.administrator() as id;
create temporary table t as select now() - interval '1 hour' as invited;
-- The role of a new account that was invited, after its password is changed in sessions by links, seconds after the
-- invitation.
create function pg_temp.role(p_sessions integer[], p_method text default 'recovery') returns text language plpgsql as $$
declare
  v_id uuid := gen_random_uuid();
  v_after integer;
  v_key uuid;
begin
  insert into auth.users (id, email, email_confirmed_at) values (v_id, v_id || '@example.com', now());
  insert into app.invitations (email, roles, invited_by, invited_at) select v_id || '@example.com', '{finance}',
    boss.id, t.invited
  from boss, t;
  foreach v_after in array p_sessions loop
    v_key := gen_random_uuid();
    insert into auth.sessions (id, user_id, created_at) select v_key, v_id, t.invited + v_after * interval '1 second'
    from t;
    insert into auth.mfa_amr_claims (
      id, session_id, created_at, updated_at, authentication_method
    ) values (gen_random_uuid(), v_key, now(), now(), p_method);
  end loop;
  update auth.users set encrypted_password = 'another' where id = v_id;
  set constraints all immediate;
  set constraints all deferred;
  return (select array_to_string(a.roles, ' ') from app.administrators as a where a.auth_id = v_id);
end
$$;

select is(pg_temp.role(s), r, x) from (values
  ('{1}'::integer[], 'finance', 'a session of a link from after the invitation accepts it'),
    ('{0}', null, 'one from the same time does not'), ('{-1}', null, 'nor one from before'),
  ('{-1, 1}', null, 'nor one from after it beside one from before'), ('{2, 1}', 'finance', 'several from after do')
) as v (s, r, x);
select is(pg_temp.role('{1}', 'password'), null, 'no session by a password does');

select * from finish();
rollback;
