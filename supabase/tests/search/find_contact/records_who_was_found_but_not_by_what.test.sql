-- Guarantee privacy/contact-search: A search by phone number or email address is recorded with whom it found, but
-- without what was searched for. No list finds members by them
-- By: api.find_contact
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(8);

create temporary table admins as select pg_temp.administrator() as owner, pg_temp.administrator() as editor;
update app.administrators set roles = '{content}' where auth_id = (select editor from admins);
create temporary table m as select pg_temp.sign_up() as uid;
update app.users set phone = '8613812345678' where uid = (select uid from m);
create temporary table address as select a.email from auth.users as a join app.users as u on u.auth_id = a.id
  join m on m.uid = u.uid;
create function pg_temp.find(p_contact text) returns text language sql as $$
  select pg_temp.call(a.owner, 'find_contact', jsonb_build_object('p_contact', p_contact)) from admins as a
$$;
create function pg_temp.records() returns text language sql as $$
  select string_agg(concat_ws(' ', a.target_type, a.target_id, a.from_value, a.to_value), ', ' order by a.id)
  from app.admin_actions as a where a.function = 'find_contact'
$$;

select is(
  array(
    select pg_temp.find(c)::jsonb ->> 'uid'
    from unnest('{13812345678, +86 138-1234-5678, 8613812345678, 008613812345678}'::text[]) as c
  ),
  array_fill(uid::text, array[4]), 'a phone number is found however it is written'
) from m;
select is(pg_temp.find(' ' || upper(email) || ' ')::jsonb ->> 'nickname', 'Tester', 'an email address ignoring case')
from address;
select is(pg_temp.find('13812345679')::jsonb, '{"uid": null, "nickname": null}', 'another number finds nobody');
select is(pg_temp.find('1381234567_'), 'PT422 invalid_argument', 'a wildcard is no phone number');
select is(
  pg_temp.call(a.editor, 'find_contact', '{"p_contact": "13812345678"}'), 'PT403 forbidden',
  'the role content may not look'
)
from admins as a;
select is(pg_temp.records(), format(
  'member %1$s {"found": true, "found_by": "phone"}, member %1$s {"found": true, "found_by": "phone"}, member %1$s {"found": true, "found_by": "phone"}, member %1$s {"found": true, "found_by": "phone"}, member %1$s {"found": true, "found_by": "email"}, member {"found": false, "found_by": "phone"}',
  uid
), 'each search is recorded with whom it found, also if it found nobody, and without the number or address') from m;
-- Ordinary searches find nobody by these, and record nothing.
select is(
  array(
    select pg_temp.call(a.owner, 'search', jsonb_build_object('p_text', c))::jsonb -> 'members'
    from admins as a, address, unnest(array['8613812345678', email]) as c
  ),
  '{[],[]}', 'the ordinary search finds no phone number and no email address'
);
select is((select count(*) from app.admin_actions where function = 'search'), 0::bigint, 'and records nothing');

select * from finish();
rollback;
