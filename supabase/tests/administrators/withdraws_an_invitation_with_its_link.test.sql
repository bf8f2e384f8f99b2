begin;
\ir ../support/fixture.psql
\ir ../support/accounts.psql
grant store_api to postgres;
select plan(8);

create temporary table owner as select pg_temp.administrator() as id;
create function pg_temp.invited(p_email text) returns bigint language plpgsql as $$
begin
  perform pg_temp.call_proved(
    (select id from owner), 'invite_administrator',
    jsonb_build_object('p_email', p_email, 'p_roles', '["content"]'::jsonb)
  );
  return (select i.id from app.invitations as i where i.email = p_email);
end
$$;
create function pg_temp.withdraw(p_id bigint) returns text language sql as $$
  select pg_temp.call((select id from owner), 'withdraw_invitation', jsonb_build_object('p_id', p_id))
$$;

create temporary table new as select pg_temp.invited('new@example.com') as id;
insert into auth.users (id, email, invited_at) values (gen_random_uuid(), 'new@example.com', now());
select unalike(pg_temp.withdraw(id), 'PT%', 'an owner withdraws an invitation') from new;
select is_empty('select from app.invitations', 'which is gone');
select is_empty(
  $$ select from auth.users where email = 'new@example.com' $$, 'with the account that its mail has created'
);
select is(pg_temp.withdraw(id), 'PT404 administrator_not_found', 'a second time, there is none') from new;
select is(
  (select c.from_value from app.admin_actions as c where c.function = 'withdraw_invitation'), '{"roles": ["content"]}',
  'it is recorded once, without the address'
);

create temporary table known as select pg_temp.sign_up() as uid, 0::bigint as id;
update auth.users as a set email = 'known@example.com' from app.users as u, known as k
where u.uid = k.uid and a.id = u.auth_id;
update known set id = pg_temp.invited('known@example.com');
select unalike(pg_temp.withdraw(id), 'PT%', 'so is one of an account that exists') from known;
select isnt_empty($$ select from auth.users where email = 'known@example.com' $$, 'which remains');

select pg_temp.invited('old@example.com');
update app.invitations set invited_at = now() - interval '31 days';
select app.purge_unconfirmed_accounts(now());
select is_empty('select from app.invitations', 'an invitation that nobody has accepted is forgotten after thirty days');

select * from finish();
rollback;
