-- Guarantee access/pictures-kept: A picture that something shows is never removed, also if both happen at once
-- By: app.retire_pictures and app.keep_pictures
begin;
\ir ../support/fixture.psql
select plan(13);

create function pg_temp.picture() returns uuid language sql as $$
  insert into app.pictures (
    id, owner, kind, state, media_type, width, height, small_width, small_height, bytes, small_bytes, add_time
  )
  values (
    gen_random_uuid(), gen_random_uuid(), 'store', 'stored', 'image/jpeg', 800, 600, 480, 360, 9000, 2000, '2026-01-01'
  )
    returning id
$$;
create function pg_temp.address(p_id uuid) returns text language sql as $$
  select 'https://project.supabase.co/storage/v1/object/public/pictures/' || p_id || '/large.jpg'
$$;
create temporary table p as
select pg_temp.picture() as product, pg_temp.picture() as described, pg_temp.picture() as article,
  pg_temp.picture() as told, pg_temp.picture() as logo,
  pg_temp.picture() as banner, pg_temp.picture() as copied, pg_temp.picture() as member, pg_temp.picture() as unused,
  app.begin_picture('avatar', gen_random_uuid(), '2026-01-01') as pending;
create temporary table member as select pg_temp.sign_up() as uid;

insert into app.products (title, price, images, description)
select 'Tea', 10, array['https://example.com/a.png', pg_temp.address(p.product)], 'See ' || pg_temp.address(p.described)
from p;
insert into app.products (title, price, images, is_show, is_del)
select c.title, 10, array[pg_temp.address(p.copied)], false, c.is_del
from p, (values ('Cup', true), ('Cup (copy)', false)) as c (title, is_del);
insert into app.banners (rank, image, title) select 1, pg_temp.address(p.banner), 'Spring' from p;
insert into app.article_categories (title) values ('News');
insert into app.articles (cid, title, image_input, content)
select (select max(id) from app.article_categories), 'Welcome', pg_temp.address(p.article),
  '<img src="' || pg_temp.address(p.told) || '">'
from p;
update app.settings set logo = pg_temp.address(p.logo) from p;
update app.users set avatar = replace(pg_temp.address(p.member), 'large', 'small') from p
where uid = (select m.uid from member as m);

create function pg_temp.run(p_day date) returns integer language sql as $$ select app.retire_pictures(p_day::timestamptz, 100) $$;
create function pg_temp.removed() returns setof uuid language sql as $$ select (payload ->> 'picture_id')::uuid
  from app.outbox where kind = 'remove_picture' $$;

select is(pg_temp.run('2026-02-01'), 0, 'the first run removes nothing');
select results_eq(
  'select id from app.pictures where unused_since is not null order by id',
  'select i from p, lateral (values (p.unused), (p.pending)) as v (i) order by i',
  'it remembers what nothing shows: neither a product, its copy, a description, a banner, an article, its text, the logo nor a member'
);
select is(pg_temp.run('2026-02-07'), 0, 'after six days, nothing is removed');
update app.articles set image_input = pg_temp.address(p.unused) from p;
select is(pg_temp.run('2026-02-07'), 0, 'what is shown again is not removed');
update app.articles set image_input = pg_temp.address(p.article) from p;
select is(pg_temp.run('2026-02-08'), 1, 'after a week, an upload that was not finished is removed');
select set_eq('select pg_temp.removed()', 'select pending from p', 'by the worker');
select is(pg_temp.run('2026-02-14'), 0, 'a week counts from the last time that something showed the picture');
select is(pg_temp.run('2026-02-15'), 1, 'then it is removed');
select is(pg_temp.run('2026-02-16'), 0, 'a picture is removed once');
select is(
  (select state from app.pictures, p where id = p.unused), 'removing', 'the picture is kept until its files are gone'
);

select throws_ok(
  $$ update app.products set images = array[pg_temp.address(p.unused)] from p
  where title = 'Tea' $$, 'PT422', 'invalid_argument',
  'nothing can show a picture whose files are being removed'
);
select throws_ok(
  $$ update app.banners set image = pg_temp.address(p.unused) from p $$, 'PT422', 'invalid_argument', 'nor can a banner'
);
select from api.forget_picture((select unused from p));
select is(
  (select count(*) from app.pictures, p where id = p.unused) + (
    select count(*) from app.outbox as o, p where o.key = p.unused::text
  ),
  0::bigint,
  'then nothing is left of it'
);

select * from finish();
rollback;
