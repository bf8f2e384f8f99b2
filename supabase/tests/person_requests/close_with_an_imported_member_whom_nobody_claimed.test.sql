begin;
\ir ../support/fixture.psql
\ir ../support/import.psql
select plan(5);

select pg_temp.stage();
select pg_temp.import();

-- Ann writes that she wants nothing to do with the store: she has no account that could be deleted.
select app.ask_person_request(501, 'deletion', 'administrator', 'By letter', null, now()),
  app.ask_person_request(501, 'copy', 'administrator', null, null, now());
create temporary table a as select pg_temp.sign_up() as uid;
select is(app.claim_for(a.uid, 501), null, 'the store gives her to an account of its own') from a;
delete from auth.users as u using app.users as m where m.uid = 501 and u.id = m.auth_id;
select set_eq(
  $$ select r.kind, r.state, r.note from app.person_requests as r
  where r.uid = 501 $$, $$ values ('deletion', 'done', ''), ('copy', 'lapsed', '') $$,
  'and its deletion does and closes what she asked for'
);
select is(u.nickname, app.deleted_nickname(), 'her name is gone') from app.users as u where u.uid = 501;
select is_empty(
  'select from app.imported_members as i where i.uid = 501 and num_nonnulls(i.phone, i.unionid) > 0',
  'and what she could have claimed with'
);
select is_empty(
  $$ select from app.imported_bill as b
  where b.uid = 501 and b.title || b.note <> '' $$, 'and the texts of her old bill'
);
select * from finish();
rollback;
