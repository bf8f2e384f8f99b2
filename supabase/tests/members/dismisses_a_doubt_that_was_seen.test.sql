-- Guarantee privacy/wechat-pictures
begin;
\ir ../support/fixture.psql
select plan(8);
grant store_api to postgres;

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.administrator() as admin;
insert into app.pictures (
  id, owner, kind, state, media_type, width, height, small_width, small_height, bytes, small_bytes, checked_at,
  content_check, add_time
)
select gen_random_uuid(), u.auth_id, 'avatar', 'stored', 'image/jpeg', 8, 8, 8, 8, 900, 900, now(), 'review', now()
from app.users as u, m where u.uid = m.uid;
create temporary table a as select 'https://x.example.com/storage/v1/object/public/pictures/' || id
  || '/small.jpg' as address
  from app.pictures;
update app.settings set avatar_origins = '{https://x.example.com}';
update app.users as u set nickname = 'Lin', nickname_in_doubt = true, avatar = a.address from m, a where u.uid = m.uid;

create function pg_temp.dismiss(
  p_nickname text default null, p_avatar text default null
) returns text language sql as $$
  select concat_ws(' ', r -> 'nickname_in_doubt', r -> 'avatar_in_doubt')
  from m cross join lateral (
    select pg_temp.call(
      m.admin, 'dismiss_member_doubt',
      jsonb_build_object('p_uid', m.uid, 'p_nickname', p_nickname, 'p_avatar', p_avatar)
    )::jsonb
  ) as c (r)
$$;

select is(
  pg_temp.dismiss('Wu'), 'true true', 'a nickname that the member does not have any more is not what is in doubt'
);
select is(pg_temp.dismiss('Lin'), 'false true', 'the doubt about the nickname is dismissed');
select is(
  pg_temp.dismiss(null, 'https://x.example.com/another.jpg'), 'false true',
  'so is that about the picture only if it was seen'
);
select is(pg_temp.dismiss(null, address), 'false false', 'then it is dismissed') from a;
select is(pg_temp.dismiss('Lin', address), 'false false', 'a second call changes nothing') from a;
select is(
  (select checked_at is not null from app.pictures), true, 'and a repeated answer of WeChat does not bring it back'
);
select results_eq(
  'select from_value, to_value from app.admin_actions where function = ''dismiss_member_doubt'' and from_value <> ''{}'' order by id',
  $$ values ('{"nickname_in_doubt": true}'::jsonb, '{"nickname_in_doubt": false}'::jsonb),
  ('{"avatar_in_doubt": true}', '{"avatar_in_doubt": false}') $$,
  'the log has what was dismissed'
);
select alike(
  pg_temp.call(admin, 'dismiss_member_doubt', '{"p_uid": 999999999}'), 'PT404 user_not_found%',
  'an unknown member is an error'
)
from m;

select * from finish();
rollback;
