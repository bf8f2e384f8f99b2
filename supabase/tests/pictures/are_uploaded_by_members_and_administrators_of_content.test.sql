begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(9);

update app.settings set profile_changes_per_hour = 2;
create temporary table who as select pg_temp.sign_up() as uid;
create temporary table ids as
select u.auth_id as member, pg_temp.administrator() as content, pg_temp.administrator() as finance from app.users as u
join who on who.uid = u.uid;
update app.administrators as a set roles = '{content}' from ids where a.auth_id = ids.content;
update app.administrators as a set roles = '{finance}' from ids where a.auth_id = ids.finance;

create function pg_temp.upload_avatar() returns text language sql as $$ select pg_temp.call(
  member, 'upload_avatar', '{}', 'authenticated'
)
  from ids $$;

select ok(pg_temp.upload_avatar()::jsonb ? 'id', 'a member begins a picture');
select results_eq(
  'select owner, kind, state from app.pictures', $$ select member, 'avatar', 'pending'
    from ids $$, 'which is theirs, and not stored yet'
);
select is(
  api.finish_picture(id, 'image/jpeg', 800, 600, 480, 360, 9000, 2000), '{"stored": true}', 'its files are stored'
)
from app.pictures;
select throws_ok(
  format('select api.finish_picture(%L, ''image/jpeg'', 8000, 600, 480, 360, 9000, 2000)', id), 'PT422',
  'invalid_argument', 'a side has at most 2,048 pixels'
) from app.pictures;
select is(
  api.finish_picture(gen_random_uuid(), 'image/jpeg', 800, 600, 480, 360, 9000, 2000), '{"stored": false}',
  'an unknown picture is not stored'
);

select ok(pg_temp.upload_avatar()::jsonb ? 'id', 'a member uploads another one');
select alike(pg_temp.upload_avatar(), 'PT429 too_many_requests%', 'up to the quota of changes of the profile');
select ok(pg_temp.call(content, 'upload_picture')::jsonb ? 'id', 'the role content uploads pictures of the store')
from ids;
select alike(pg_temp.call(finance, 'upload_picture'), 'PT403 forbidden%', 'the role finance does not') from ids;

select * from finish();
rollback;
