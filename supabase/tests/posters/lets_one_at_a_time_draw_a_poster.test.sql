begin;
\ir ../support/fixture.psql
select plan(13);

update app.settings set posters_per_hour = 3;
create temporary table m as select pg_temp.sign_up() as uid;
select from app.save_poster((select uid from m), 0, '1', null, null, now());
create function pg_temp.claim() returns text language sql as $$ select api.claim_drawing(p.token) ->> 'nickname'
  from app.posters as p, m where p.uid = m.uid and p.product_id = 0 $$;
create function pg_temp.picture() returns text language sql as $$ select api.get_poster_picture(p.token) ->> 'image'
  from app.posters as p, m where p.uid = m.uid and p.product_id = 0 $$;
create function pg_temp.later() returns void language sql as $$ update app.posters set drawing_until
  = drawing_until - interval '10 seconds' $$;

select is(pg_temp.picture(), null, 'a poster has no picture yet');
select is(pg_temp.claim(), 'Tester', 'the first one is told what to draw');
select is(pg_temp.claim(), null, 'nobody else is told meanwhile');
select pg_temp.later();
select is(pg_temp.claim(), 'Tester', 'after ten seconds without a picture, another one is told');
update app.users set nickname = 'New name' where uid = (select uid from m);
select from app.save_poster((select uid from m), 0, '1', null, null, now());
select is(pg_temp.claim(), 'New name', 'a changed poster is drawn at once');
select is(api.save_poster_picture(p.token, 'QUJD'), '{"kept": true}', 'the picture is stored') from app.posters as p, m
where p.uid = m.uid and p.product_id = 0;
select is(pg_temp.picture(), 'QUJD', 'everybody gets it');
select pg_temp.later();
select is(pg_temp.claim(), null, 'what is drawn is not drawn again');
update app.posters set image = null;
select throws_ok(
  'select pg_temp.claim()', 'PT429', 'too_many_requests', 'a poster is drawn up to the quota within an hour'
);
select from app.save_poster((select uid from m), (select tea from goods), '1', null, null, now());
select throws_ok(
  'select api.claim_drawing(p.token) from app.posters as p where p.product_id > 0', 'PT429', 'too_many_requests',
  'the posters of products count, too'
);
select is(
  (select drawing_until <= clock_timestamp() from app.posters as p, m where p.uid = m.uid and p.product_id = 0), true,
  'a rejected drawing keeps nobody waiting'
);
update app.used_quotas set began_at = began_at - interval '1 hour';
select is(pg_temp.claim(), 'New name', 'after the hour, it is drawn again');
select is(api.claim_drawing(gen_random_uuid()), null, 'nothing is told about a poster that does not exist');

select * from finish();
rollback;
