begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
\ir ../../support/real_names.psql
grant store_api to postgres;
select plan(6);

select pg_temp.stage();
select pg_temp.import();
select app.set_settings('{"real_name_from": 500, "real_name_check": "none"}', now());

-- A new member, whose number is proved later, with a real name and all that the app lets them choose before they buy.
create temporary table a as select gen_random_uuid() as id, gen_random_uuid() as allowed;
insert into auth.users (id, phone, email_confirmed_at, raw_user_meta_data)
select l.id, l.phone, now(), '{"nickname": "New"}' from a
cross join lateral (values (a.id, '8613800000501'), (a.allowed, '8613800000502')) as l (id, phone);
create temporary table m as select u.uid, u.auth_id from app.users as u join a on u.auth_id in (a.id, a.allowed);
select is(pg_temp.give(m.uid), null, 'a member gives a real name') from m join a on a.id = m.auth_id;
insert into app.inboxes (uid) select m.uid from m;
insert into app.read_notices (uid, era, xid, id, add_time) select m.uid, 1, '1', 1, now() from m;
insert into app.message_consents (uid, template_id, consents) select m.uid, 'template', 1 from m;
update auth.users as u set phone_confirmed_at = now() from a where u.id = a.id;
select is(u.uid, 501::bigint, 'and claims the imported member') from app.users as u join a on a.id = u.auth_id;
select is_empty('select from app.real_names', 'the real name, which is encrypted for the member before, is gone');
select is(pg_temp.give(501), null, 'and is given again');
select is(
  (
    select count(*) from app.inboxes as i, app.read_notices as r, app.message_consents as c, m, a
    where m.auth_id = a.id and m.uid in (i.uid, r.uid, c.uid)
  ),
  0::bigint,
  'nothing of the member before is left'
);

-- What administrators recorded stays, so the member does.
select app.allow_tax(m.uid, to_char(now(), 'YYYY-MM'), 100, 0, 0, 'Exempt', null, now()) from m
join a on a.allowed = m.auth_id;
update auth.users as u set phone_confirmed_at = now() from a where u.id = a.allowed;
select is(
  app.use_of_member(u.uid), 'has an allowance of tax that an administrator has recorded',
  'whose tax an administrator has lessened claims nobody'
)
from app.users as u join a on a.allowed = u.auth_id;
select * from finish();
rollback;
