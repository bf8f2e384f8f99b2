begin;
\ir ../support/fixture.psql
select plan(24);

create temporary table m as select pg_temp.sign_up() as a;
-- The poster as it is saved: with this code, from this source, at a minute of the day.
create function pg_temp.save(
  p_code text default null, p_source text default 'app', p_minute integer default 0, p_template text default '1'
)
returns app.posters language sql as $$
  select app.save_poster(
    (select a from m), 0, p_template, p_source, convert_to(p_code, 'UTF8'),
    '2026-01-01'::timestamptz + make_interval(mins => p_minute)
  )
$$;
create function pg_temp.token() returns uuid language sql as $$ select token from app.posters
  where uid = (select a from m) and product_id = 0 $$;
create function pg_temp.changes(p_change text) returns boolean language plpgsql as $$
declare
  v_token uuid := pg_temp.token();
begin
  execute p_change;
  return pg_temp.token() <> v_token;
end $$;

select is(
  (pg_temp.save()).share_url, (select s.h5_share_url || '?spread=' || a from app.settings as s, m),
  'the share link is the share page with the uid'
);
select is((select code from app.posters, m where uid = a), null, 'a poster can be saved without a mini-program code');
select is(
  (select retry_at from app.posters, m where uid = a), '2026-01-01 00:10:00'::timestamptz,
  'the code is requested again after ten minutes'
);
select ok(not pg_temp.changes('select pg_temp.save(p_minute => 11)'), 'a second failure does not change the poster');
select is(
  (select retry_at from app.posters, m where uid = a), '2026-01-01 00:21:00'::timestamptz,
  'after a second failure, the code is requested again ten minutes later'
);
select ok(pg_temp.changes('select pg_temp.save(''code'')'), 'a code makes another poster');
select is((select retry_at from app.posters, m where uid = a), null, 'no further code is requested');
select ok(
  not pg_temp.changes('select pg_temp.save(''code of somebody quicker'')'),
  'a concurrent second code does not replace the first'
);
update app.posters set image = 'picture' where uid = (select a from m);
select ok(not pg_temp.changes('select pg_temp.save()'), 'saving without a change keeps the poster');
select is((select image from app.posters, m where uid = a), 'picture', 'saving without a change keeps the picture');
select ok(
  pg_temp.changes('update app.users set nickname = ''New name'' where uid = (select a from m); select pg_temp.save()'),
  'a new nickname makes another poster'
);
select is(
  (
    select convert_from(code, 'UTF8') || coalesce(convert_from(image, 'UTF8'), ', not drawn') from app.posters, m
    where uid = a
  ),
  'code, not drawn', 'the other poster keeps the code and has no picture yet'
);
select ok(
  pg_temp.changes('update app.settings set site_name = ''New shop''; select pg_temp.save()'),
  'a new name of the site makes another poster'
);
select ok(pg_temp.changes('select pg_temp.save(p_template => ''2'')'), 'a new template makes another poster');
select ok(
  pg_temp.changes(
    'update app.settings set h5_share_url = ''https://shop.example.com/h5?lang=zh''; select pg_temp.save(p_template => ''2'')'
  ),
  'a new share page makes another poster'
);
select is(
  (select share_url from app.posters, m where uid = a),
  (select 'https://shop.example.com/h5?lang=zh&spread=' || a from m), 'the query of the share page is kept in the link'
);
select ok(
  pg_temp.changes('update app.settings set poster_design = ''dark''; select pg_temp.save(p_template => ''2'')'),
  'another design makes another poster'
);
select is((pg_temp.save(p_source => 'other app', p_template => '2')).code, null, 'a code of another app is not used');

create function pg_temp.save_product() returns app.posters language sql as $$
  select app.save_poster((select a from m), (select tea from goods), '2', null, null, now())
$$;
create function pg_temp.product_changes(p_change text) returns boolean language plpgsql as $$
declare
  v_token uuid := (pg_temp.save_product()).token;
begin
  execute p_change;
  return (pg_temp.save_product()).token <> v_token;
end $$;
select is(
  (pg_temp.save_product()).share_url, app.share_url(a, 0) || '#/products/' || tea,
  'the link of a product opens its page'
)
from m, goods;
select isnt((pg_temp.save_product()).token, pg_temp.token(), 'it is another poster than that of the store');
select ok(not pg_temp.product_changes('select pg_temp.save()'), 'which stays as it is');
select ok(
  pg_temp.product_changes('update app.products set price = price + 1 where id = (select tea from goods)'),
  'a new price makes another poster of the product'
);
select ok(
  pg_temp.product_changes('update app.products set poster_design = ''light'' where id = (select tea from goods)'),
  'so does a design of its own'
);
update app.products set is_show = false where id = (select tea from goods);
select throws_ok(
  'select pg_temp.save_product()', 'PT404', 'product_not_found', 'a product that is not on sale has no poster'
);

select * from finish();
rollback;
