begin;
\ir ../../support/fixture.psql
select plan(24);

-- When the address of an account replaced another one. Sessions and the last link are named by seconds from then.
create temporary table t as select '2026-03-01 12:00+00'::timestamptz as change;
create temporary table untouched as select gen_random_uuid() as id;
insert into auth.users (id, email, email_confirmed_at) select id, 'untouched@example.com', now() from untouched;
insert into app.unproved_passwords (auth_id) select id from untouched;

-- What is noted of a new account after its password is changed, if it has these sessions: a method and a time each.
create function pg_temp.noted(
  p_sessions text[], p_is_changed boolean default false, p_link integer default 1, p_phone text default null,
  p_has_confirmed_phone boolean default false
) returns text language plpgsql as $$
declare
  v_id uuid := gen_random_uuid();
  v_session text;
  v_key uuid;
begin
  insert into auth.users (id, email, email_confirmed_at, recovery_sent_at, phone, phone_confirmed_at)
  select v_id, v_id || '@example.com', now(), t.change + p_link * interval '1 second', p_phone,
    case when p_has_confirmed_phone then now() end
  from t;
  delete from app.unproved_passwords as u where u.auth_id = v_id;
  insert into app.unproved_passwords (auth_id, address_since) select v_id,
    case when p_is_changed then t.change else '-infinity' end
  from t;
  foreach v_session in array p_sessions loop
    v_key := gen_random_uuid();
    insert into auth.sessions (id, user_id, created_at) select v_key, v_id,
      t.change + split_part(v_session, ' ', 2)::integer * interval '1 second'
    from t;
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method) values (
      gen_random_uuid(), v_key, now(), now(), split_part(v_session, ' ', 1)
    );
  end loop;
  update auth.users set encrypted_password = 'another' where id = v_id;
  set constraints all immediate;
  set constraints all deferred;
  return coalesce((
    select case when u.is_proved then 'proved' else 'unproved' end
      || case when u.address_since > '-infinity' then ' since the change' else '' end
    from app.unproved_passwords as u where u.auth_id = v_id
  ), 'nothing');
end
$$;

select is(pg_temp.noted(array[m || ' 1']), 'nothing', format('a session by %s proves the password', m))
from unnest('{recovery,magiclink,invite,email/signup,otp}'::text[]) as m;
select is(pg_temp.noted(array[m || ' 1']), 'unproved', format('one by %s does not', m))
from unnest('{password,oauth,totp,anonymous}'::text[]) as m;
select is(pg_temp.noted('{}'), 'unproved', 'nor does none');
select is(pg_temp.noted(s), 'unproved', 'nor does a link beside a session by another way')
from (
  values ('{recovery 1,password 2}'::text[]), ('{password 1,recovery 2}'), ('{recovery 1,otp 1,password 1}')
) as v (s);
select is(pg_temp.noted('{recovery 1,otp 2}'), 'nothing', 'several sessions of links do');
select is(
  pg_temp.noted(array['otp 1'], p_phone => '861380000' || n, p_has_confirmed_phone => true), 'unproved',
  'a code may have come by phone, if the account has one'
)
from (values ('0001')) as v (n);
select is(
  pg_temp.noted('{recovery 1}', p_phone => '8613800000002', p_has_confirmed_phone => true), 'proved',
  'a link proves the password, but not the phone number'
);
select is(
  pg_temp.noted('{recovery 1}', p_is_changed => true, p_phone => '8613800000003'), 'proved',
  'also one that nobody has confirmed, and from then on the address counts as the first'
);

select is(
  pg_temp.noted(array['recovery ' || s], true, l), n,
  format('a session %s and a link %s seconds after a change of the address', s, coalesce(l::text, 'none'))
)
from (values
  (1, 1, 'nothing'), (0, 1, 'unproved since the change'), (-1, 1, 'unproved since the change'),
    (1, 0, 'unproved since the change'), (1, null, 'unproved since the change')
) as v (s, l, n);
select is(
  pg_temp.noted('{recovery -1,recovery 1}', true), 'unproved since the change', 'every session has to be later'
);
select is(
  (
    select concat_ws(' ', u.is_proved, u.address_since) from app.unproved_passwords as u
    join untouched as x on x.id = u.auth_id
  ),
  'f -infinity', 'what is noted of another account stays'
);

select * from finish();
rollback;
