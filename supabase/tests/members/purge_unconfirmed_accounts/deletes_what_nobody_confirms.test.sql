begin;
\ir ../../support/fixture.psql
\ir ../../support/accounts.psql
select plan(9);

create temporary table accounts as
select name, pg_temp.account(name || '@example.com', '{}', sent_at) as id
from (
  values ('stale', now() - interval '8 days'), ('asked again', now() - interval '6 days'),
  ('confirmed', now() - interval '8 days')
) as a (name, sent_at);
update auth.users as u set created_at = now() - interval '9 days' from accounts as a where u.id = a.id;
update auth.users as u set email_confirmed_at = now() from accounts as a where u.id = a.id and a.name = 'confirmed';
create temporary table fresh as select pg_temp.account('fresh@example.com', '{}') as id;

select is(
  app.purge_unconfirmed_accounts(now()), 1, 'an account is deleted when nobody has confirmed it for seven days'
);
select results_eq(
  $$ select u.email::text from auth.users as u where u.id in (select id from accounts union select id from fresh)
  order by 1 $$,
  $$ values ('asked again@example.com'), ('confirmed@example.com'), ('fresh@example.com') $$,
  'later mails and confirmed addresses keep theirs'
);
select is(app.purge_unconfirmed_accounts(now()), 0, 'a second run finds nothing');

-- Administrators are no members, so only their confirmation keeps them.
create temporary table others as
select n.name, gen_random_uuid() as id, n.confirmed, n.phone_confirmed, n.signed_in, n.mail
from (values
  ('by mail', now(), null::timestamptz, null::timestamptz, null::timestamptz), ('by phone', null, now(), null, null),
    ('signed in', null, null, now(), null), ('neither', null, null, null, null), ('invited', null, null, null, now())
) as n (name, confirmed, phone_confirmed, signed_in, mail);
insert into auth.users (
  id, email, role, created_at, email_confirmed_at, phone, phone_confirmed_at, last_sign_in_at, invited_at
)
select o.id, o.id || '@example.com', 'store_admin', now() - interval '9 days', o.confirmed,
  case when o.phone_confirmed is not null then '8613800009999' end, o.phone_confirmed, o.signed_in, o.mail
from others as o;
delete from app.users as u using others as o where u.auth_id = o.id;
select is(app.purge_unconfirmed_accounts(now()), 1, 'of accounts without a member');
select set_eq(
  'select o.name from others as o join auth.users as u on u.id = o.id',
  array['by mail', 'by phone', 'signed in', 'invited'], 'those are kept that were confirmed, signed in or invited since'
);
insert into auth.users (id, email, created_at)
select gen_random_uuid(), n || '@late.example.com', now() - interval '8 days' - n * interval '1 minute'
from generate_series(1, 502) as n;
select is(app.purge_unconfirmed_accounts(now()), 500, 'at most 500 are deleted at once');
select set_eq(
  $$ select u.email::text from auth.users as u
  where u.email like '%@late.example.com' $$, array['1@late.example.com', '2@late.example.com'], 'the oldest ones first'
);

-- Invitations.
insert into app.invitations (email, roles, invited_by, invited_at)
select d || '@example.com', '{service}', gen_random_uuid(), now() - make_interval(days => d) - interval '1 second'
from unnest('{29, 30}'::integer[]) as d;
insert into app.invitations (email, roles, invited_by, invited_at) values (
  'exact@example.com', '{service}', gen_random_uuid(), now() - interval '30 days'
);
select is(app.purge_unconfirmed_accounts(now()), 2, 'the next run deletes the rest');
select set_eq(
  'select i.email from app.invitations as i', array['29@example.com', 'exact@example.com'],
  'and invitations of which 30 days are over'
);

select * from finish();
rollback;
