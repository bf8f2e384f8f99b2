begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(9);

update app.settings set profile_changes_per_hour = 2;
create temporary table who as select pg_temp.sign_up() as uid;
create temporary table ids as
select u.auth_id as member, pg_temp.administrator() as content, pg_temp.administrator() as finance from app.users as u join who on who.uid = u.uid;
update app.administrators as a set roles = '{content}' from ids where a.auth_id = ids.content;
update app.administrators as a set roles = '{finance}' from ids where a.auth_id = ids.finance;

select ok((api_call ->> 'id') is not null, 'a member begins a picture')
from (select app.as_caller(jsonb_build_object('role', 'authenticated', 'sub', member), 'upload_avatar', '{}') as api_call from ids) as c;
select results_eq('select owner, kind, state from app.pictures', $$ select member, 'avatar', 'pending' from ids $$, 'which is theirs, and not stored yet');
select is(api.finish_picture(id, 'image/jpeg', 800, 600, 480, 360, 9000, 2000), '{"stored": true}', 'its files are stored') from app.pictures;
select throws_ok(
  format('select api.finish_picture(%L, ''image/jpeg'', 8000, 600, 480, 360, 9000, 2000)', id), 'PT422', 'invalid_argument', 'a side has at most 2,048 pixels'
) from app.pictures;
select is(api.finish_picture(gen_random_uuid(), 'image/jpeg', 800, 600, 480, 360, 9000, 2000), '{"stored": false}', 'an unknown picture is not stored');

select lives_ok($$ select app.as_caller(jsonb_build_object('role', 'authenticated', 'sub', member), 'upload_avatar', '{}') from ids $$, 'a member uploads another one');
select throws_ok(
  $$ select app.as_caller(jsonb_build_object('role', 'authenticated', 'sub', member), 'upload_avatar', '{}') from ids $$, 'PT429', 'too_many_requests',
  'up to the quota of changes of the profile'
);
select lives_ok($$ select app.as_caller(jsonb_build_object('role', 'store_admin', 'sub', content), 'upload_picture', '{}') from ids $$, 'the role content uploads pictures of the store');
select throws_ok(
  $$ select app.as_caller(jsonb_build_object('role', 'store_admin', 'sub', finance), 'upload_picture', '{}') from ids $$, 'PT403', 'forbidden',
  'the role finance does not'
);

select * from finish();
rollback;
