-- Guarantee privacy/sessions: A member sees and ends only their own sessions
-- By: api.end_sessions
begin;
\ir ../../support/fixture.psql
select plan(8);
grant store_api to postgres;

create temporary table m as select pg_temp.sign_up() as one, pg_temp.sign_up() as other;
create temporary table s as
select gen_random_uuid() as id, u.uid, u.auth_id, n from app.users as u, m, generate_series(1, 3) as n
where u.uid in (m.one, m.other);
insert into auth.sessions (id, user_id, created_at, refreshed_at, user_agent, ip)
select id, auth_id, now() - n * interval '1 hour', case n when 3 then now() at time zone 'UTC' end, 'Browser ' || n,
  '192.0.2.1'
from s;
insert into auth.refresh_tokens (id, token, user_id, session_id) select gen_random_uuid()::text, id::text, auth_id, id
from s;
grant select on m, s to store_api, authenticated;

-- As the owner of session n.
create function pg_temp.as_session(
  p_n integer, p_function text, p_args jsonb default '{}'
) returns text language plpgsql as $$
begin
  return (
    select pg_temp.attempt('store_api', format('select app.as_caller(%L, %L, %L)',
      jsonb_build_object('role', 'authenticated', 'sub', s.auth_id, 'session_id', s.id), p_function, p_args))
    from s, m where s.uid = m.one and s.n = p_n
  );
end
$$;

select results_eq(
  $$ select l ->> 'user_agent', (l ->> 'is_current')::boolean
  from jsonb_array_elements(pg_temp.as_session(1, 'get_sessions')::jsonb -> 'list') as l $$,
  $$ values ('Browser 3', false), ('Browser 1', true), ('Browser 2', false) $$,
  'the last used session first, with the present one marked'
);
select is(pg_temp.as_session(1, 'get_sessions')::jsonb #>> '{list,0,ip}', '192.0.2.1', 'with its address');
select is(
  pg_temp.as_session(
    1, 'end_sessions', jsonb_build_object('p_id', (select s.id from s, m where s.uid = m.other and s.n = 1))
  ),
  'PT404 session_not_found',
  'nobody ends a session of another member'
);
select is(
  pg_temp.as_session(
    1, 'end_sessions', jsonb_build_object('p_id', (select s.id from s, m where s.uid = m.one and s.n = 2))
  ),
  '{"ended": 1}', 'one session ends'
);
select is(pg_temp.as_session(1, 'end_sessions'), '{"ended": 1}', 'and all others but the present one');
select is(pg_temp.as_session(1, 'end_sessions'), '{"ended": 0}', 'which a second call finds gone');
select set_eq(
  'select r.session_id from auth.refresh_tokens as r join s on s.id = r.session_id',
  'select s.id from s, m where s.uid = m.other or s.n = 1',
  'the tokens of ended sessions are gone with them'
);
select is(
  pg_temp.as_session(1, 'get_deletion')::jsonb -> 'needs_sign_in', 'true',
  'a session that began an hour ago is not recent enough for a deletion'
);

select * from finish();
rollback;
