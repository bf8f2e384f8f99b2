begin;
\ir ../../support/fixture.psql
\ir ../../support/accounts.psql
select plan(3);

create temporary table accounts as
select name, pg_temp.account(name || '@example.com', '{}', sent_at) as id
from (values ('stale', now() - interval '8 days'), ('asked again', now() - interval '6 days'), ('confirmed', now() - interval '8 days')) as a (name, sent_at);
update auth.users as u set created_at = now() - interval '9 days' from accounts as a where u.id = a.id;
update auth.users as u set email_confirmed_at = now() from accounts as a where u.id = a.id and a.name = 'confirmed';
create temporary table fresh as select pg_temp.account('fresh@example.com', '{}') as id;

select is(app.purge_unconfirmed_accounts(now()), 1, 'an account is deleted when nobody has confirmed it for seven days');
select results_eq(
  $$ select u.email::text from auth.users as u where u.id in (select id from accounts union select id from fresh) order by 1 $$,
  $$ values ('asked again@example.com'), ('confirmed@example.com'), ('fresh@example.com') $$, 'later mails and confirmed addresses keep theirs'
);
select is(app.purge_unconfirmed_accounts(now()), 0, 'a second run finds nothing');

select * from finish();
rollback;
