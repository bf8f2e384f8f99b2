-- Guarantee access/pictures-of-refunds
begin;
\ir ../support/fixture.psql
select plan(12);
grant store_api to postgres;

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as stranger;
create temporary table o as select pg_temp.report(uid, 1) as id, pg_temp.report(uid, 1) as other from m;
create function pg_temp.upload(p_uid bigint, p_kind text default 'refund') returns uuid language sql as $$
  insert into app.pictures (
    id, owner, kind, state, media_type, width, height, small_width, small_height, bytes, small_bytes, add_time
  )
  select gen_random_uuid(), u.auth_id, p_kind, 'stored', 'image/jpeg', 800, 600, 480, 360, 9000, 2000, clock_timestamp()
  from app.users as u where u.uid = p_uid returning id
$$;
create function pg_temp.ask(p_order_id bigint, variadic p_pictures uuid[]) returns text language sql as $$
  select pg_temp.call(
    u.auth_id, 'request_refund', jsonb_build_object('p_order_id', p_order_id, 'p_pictures', p_pictures), 'authenticated'
  )
  from app.users as u, m where u.uid = m.uid
$$;
create temporary table p as
select pg_temp.upload(uid) as one, pg_temp.upload(uid) as two, pg_temp.upload(uid) as left_over,
  pg_temp.upload(stranger) as foreign_one, pg_temp.upload(uid, 'avatar') as avatar
from m;

select alike(pg_temp.ask(id, p.foreign_one), 'PT422 invalid_argument%', 'a picture of another member is refused')
from o, p;
select alike(pg_temp.ask(id, p.avatar), 'PT422 invalid_argument%', 'and so is one that is public') from o, p;
select alike(pg_temp.ask(id, p.one, p.one), 'PT422 invalid_argument%', 'or given twice') from o, p;
select alike(pg_temp.ask(id, p.one, gen_random_uuid()), 'PT422 invalid_argument%', 'or unknown') from o, p;
select is((select count(*) from app.refunds), 0::bigint, 'then nothing is requested');
select is(
  pg_temp.ask(id, p.two, p.one)::jsonb -> 'pictures',
  (
    select jsonb_build_array(
      jsonb_build_object('id', one, 'content_check', null), jsonb_build_object('id', two, 'content_check', null)
    )
    from p
  ),
  'pictures of the member belong to the request, in the order of their uploads'
) from o, p;
select alike(pg_temp.ask(other, p.one), 'PT422 invalid_argument%', 'and to no other one') from o, p;

update app.pictures set add_time = '2026-01-01';
select app.retire_pictures('2026-02-01', 100), app.retire_pictures('2026-02-09', 100);
select set_eq(
  'select id from app.pictures where state = ''removing''',
  'select i from p, lateral (values (left_over), (foreign_one), (avatar)) as v (i)',
  'only pictures that no request has are removed'
);
select is(
  (
    select o.payload ->> 'is_private' from app.outbox as o, p
    where o.kind = 'remove_picture' and o.key = p.left_over::text
  ),
  'true', 'from the private bucket'
);
select throws_ok(
  $$ update app.pictures set refund_id = (select max(id) from app.refunds)
  where kind = 'avatar' $$, '23514', null, 'an avatar belongs to no refund'
);

select app.remove_pictures_of((select u.auth_id from app.users as u, m where u.uid = m.uid), now());
select is((select state from app.pictures, p where id = p.one), 'removing', 'they leave with the account');
select is((select app.pictures_of_refund(max(id)) from app.refunds), '[]', 'and nobody sees them any more');

select * from finish();
rollback;
