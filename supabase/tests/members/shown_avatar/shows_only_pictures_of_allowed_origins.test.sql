-- Guarantee access/pictures-of-members: Only allowed origins serve pictures of members, so that nobody else learns who
-- looks at them
-- By: every entrance and every answer asks app.shown_avatar
begin;
\ir ../../support/fixture.psql
select plan(24);
grant store_api to postgres;

create temporary table who as select pg_temp.sign_up() as uid;
update app.settings set h5_share_url = 'https://Shop.example.com/h5?a=1';
insert into app.function_settings (project_url, functions_url, variables, reported_at) values (
  'https://abc.supabase.co', 'https://abc.supabase.co/functions/v1', '{}', now()
)
on conflict (id) do update set project_url = excluded.project_url;

select is(
  app.shown_avatar(c.avatar), case when c.is_shown then c.avatar end,
  format('%s is %s', c.avatar, case when c.is_shown then 'shown' else 'hidden' end)
)
from (values
  ('https://thirdwx.qlogo.cn/mmopen/1/132', true), ('https://wx.qlogo.cn', true), ('HTTPS://WX.QLOGO.CN/a', true),
    ('https://wx.qlogo.cn?a', true),
  ('https://abc.supabase.co/storage/v1/object/public/avatars/1/a.png', true), ('https://shop.example.com/a.png', true),
  ('http://wx.qlogo.cn/a', false), ('https://wx.qlogo.cn:8443/a', false),
  ('https://wx.qlogo.cn@tracker.example.com/a', false), ('https://wx.qlogo.cn.tracker.example.com/a', false),
  ('https://tracker.example.com/https://wx.qlogo.cn/', false), (E'https://wx.qlogo.cn\\@tracker.example.com/a', false),
  ('//wx.qlogo.cn/a', false), ('', false), (null, false)
) as c (avatar, is_shown);

create function pg_temp.shown(p_uid bigint) returns text language sql as $$
  select concat_ws(' ',
    coalesce(pg_temp.read(p_uid, 'get_me') ->> 'avatar', 'nothing'),
    coalesce(app.people_json(array[p_uid]) #>> '{0,avatar}', 'nothing')
  )
$$;
create function pg_temp.poster(p_uid bigint) returns text language sql as $$
  select app.poster_fingerprint(p_uid, 0, 't', null)
$$;
update app.users set avatar = 'https://wx.qlogo.cn/a' where uid = (select uid from who);
create temporary table before as select pg_temp.poster(uid) as poster from who;
select is(
  pg_temp.shown(uid), 'https://wx.qlogo.cn/a https://wx.qlogo.cn/a',
  'members and those above them see an avatar of an allowed origin'
)
from who;
select from app.set_settings('{"avatar_origins": []}', now());
select is(pg_temp.shown(uid), 'nothing nothing', 'a stored avatar is hidden from both when its origin is removed')
from who;
select isnt(pg_temp.poster(uid), poster, 'a poster with it is out of date') from who, before;
select is(u.avatar, 'https://wx.qlogo.cn/a', 'it stays stored') from app.users as u join who using (uid);
select from app.set_settings('{"avatar_origins": ["https://wx.qlogo.cn"]}', now());
select is(pg_temp.shown(uid), 'https://wx.qlogo.cn/a https://wx.qlogo.cn/a', 'and is shown again with its origin')
from who;
select is(pg_temp.poster(uid), poster, 'as on the poster') from who, before;
select is(
  pg_temp.call(u.auth_id, 'set_me', '{"p_avatar": "https://thirdwx.qlogo.cn/a"}', 'authenticated'),
  'PT422 invalid_argument', 'a member cannot choose one of another origin'
) from app.users as u join who using (uid);
select is(u.avatar, 'https://wx.qlogo.cn/a', 'and keeps the one before') from app.users as u join who using (uid);
select is(
  (
    select string_agg(p.proname, ' ' order by p.proname) from pg_proc as p
    where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace) and p.prosrc ~ '''avatar'', *[a-z]+[.]avatar\M'
  ),
  null, 'no function answers with an avatar past app.shown_avatar'
);

select * from finish();
rollback;
