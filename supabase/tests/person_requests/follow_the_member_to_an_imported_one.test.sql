begin;
\ir ../support/fixture.psql
\ir ../support/import.psql
select plan(4);

select pg_temp.stage();
select pg_temp.import();

-- A new member, whose number is proved later, with what they and the imported member have asked.
create temporary table a as select gen_random_uuid() as id;
insert into auth.users (id, phone, email_confirmed_at, raw_user_meta_data) select id, '8613800000501', now(),
  '{"nickname": "New"}'
from a;
create temporary table m as select u.uid from app.users as u join a on a.id = u.auth_id;
select isnt(uid, 501::bigint, 'before the number is proved, the member is another one') from m;
select app.enter_own_copy(uid, now()), app.ask_person_request(uid, 'correction', 'app', 'Ann, not Anne', null, now()),
  app.ask_person_request(uid, 'deletion', 'app', null, null, now()),
  app.ask_person_request(501, 'deletion', 'administrator', null, null, now())
  from m;
update auth.users as u set phone_confirmed_at = now() from a where u.id = a.id;
select is(u.uid, 501::bigint, 'a member who has asked for something claims the imported member') from app.users as u
join a on a.id = u.auth_id;
select is(
  (
    select string_agg(concat_ws(' ', r.kind, r.channel, r.state), ', ' order by r.kind, r.channel)
    from app.person_requests as r where r.uid = 501
  ),
  'copy app done, correction app open, deletion administrator open, deletion app lapsed',
  'who then has all requests, of a kind one that is open'
);
select is(
  (select count(*) from app.person_requests as r, m where r.uid = m.uid), 0::bigint,
  'and the member that was replaced has none'
);
select * from finish();
rollback;
