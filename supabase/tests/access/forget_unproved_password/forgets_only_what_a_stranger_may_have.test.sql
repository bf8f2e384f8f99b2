begin;
\ir ../../support/fixture.psql
select plan(7);

-- When the address of some accounts replaced another one.
create temporary table t as select '2026-03-01 12:00+00'::timestamptz as change;
create temporary table accounts as
select c.name, gen_random_uuid() as id, c.address_since, c.is_proved, c.link_sent
from t cross join lateral (values
  ('first', '-infinity'::timestamptz, false, t.change), ('changed', t.change, false, t.change),
    ('changed and asked for a link', t.change, false, t.change + interval '1 second'),
  ('proved', t.change, true, t.change), ('another', null, null, t.change)
) as c (name, address_since, is_proved, link_sent);
insert into auth.users (id, email, email_confirmed_at, encrypted_password, recovery_token, recovery_sent_at)
select a.id, a.id || '@example.com', now(), 'kept', 'link', a.link_sent from accounts as a;
insert into app.unproved_passwords (auth_id, address_since, is_proved) select a.id, a.address_since, a.is_proved
from accounts as a where a.address_since is not null;
insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
select gen_random_uuid(), a.id, k.token_type, k.token_type || a.id, a.id || '@example.com' from accounts as a
cross join (values ('recovery_token'), ('email_change_token_new')) as k (token_type);
-- In each account, sessions that began by each method before, at and after that time.
create temporary table sessions as
select gen_random_uuid() as id, a.id as account, m.method, n.hour
from accounts as a cross join (values ('password'), ('otp')) as m (method)
cross join (values (-1), (0), (1)) as n (hour);
insert into auth.sessions (id, user_id, created_at) select s.id, s.account, t.change + make_interval(hours => s.hour)
from sessions as s cross join t;
insert into auth.mfa_amr_claims (
  id, session_id, created_at, updated_at, authentication_method
) select gen_random_uuid(),
  s.id, now(), now(), s.method
from sessions as s;

create view pg_temp.kept as
select a.name, concat_ws(', ',
  case when u.encrypted_password = 'kept' then 'the password' end,
  case when u.recovery_token = 'link' then 'the link' end,
  (select string_agg(o.token_type, ', ' order by o.token_type) from auth.one_time_tokens as o where o.user_id = a.id),
  (
    select string_agg(format('%s %s', s.method, s.hour), ', ' order by s.method, s.hour) from sessions as s
    join auth.sessions as l on l.id = s.id where s.account = a.id
  )
) as things
from accounts as a join auth.users as u on u.id = a.id;
create temporary table before as select * from pg_temp.kept;

-- Calls the function for one account and undoes it: its result, and every account that it changed, with what that
-- keeps.
create function pg_temp.forgotten(p_name text) returns text language plpgsql as $$
declare
  v_result boolean;
begin
  v_result := app.forget_unproved_password((select a.id from accounts as a where a.name = p_name));
  raise exception using errcode = 'UN000', message = concat(v_result, ': ') || coalesce(
    (
      select string_agg(format('%s keeps %s', k.name, k.things), '; ' order by k.name) from pg_temp.kept as k
      where (k.name, k.things) not in (select b.name, b.things from before as b)
    ),
    'nothing changed'
  );
exception when sqlstate 'UN000' then
  return sqlerrm;
end
$$;

select is(
  things,
  'the password, the link, email_change_token_new, recovery_token, otp -1, otp 0, otp 1, password -1, password 0, password 1',
  'at first, an account has everything'
)
from before where name = 'first';
select is(
  pg_temp.forgotten('first'), 't: first keeps the link, email_change_token_new, recovery_token, otp -1, otp 0, otp 1',
  'a first password goes, with the sessions that began with it'
);
select is(
  pg_temp.forgotten('changed'), 't: changed keeps email_change_token_new, otp 1',
  'so does one from before a change of the address, with all sessions and links from before'
);
select is(
  pg_temp.forgotten('changed and asked for a link'),
  't: changed and asked for a link keeps the link, email_change_token_new, recovery_token, otp 1',
  'a link that was sent to the present address stays'
);
select is(pg_temp.forgotten('proved'), 'f: nothing changed', 'a password that was proved stays, with everything else');
select is(pg_temp.forgotten('another'), 'f: nothing changed', 'and one of which nothing is noted');

select from accounts as a cross join lateral app.forget_unproved_password(a.id) where a.name = 'first';
select set_eq(
  'select a.name from app.unproved_passwords as p join accounts as a on a.id = p.auth_id',
  array['changed', 'changed and asked for a link', 'proved'],
  'nothing more is noted of an account whose password was forgotten'
);

select * from finish();
rollback;
