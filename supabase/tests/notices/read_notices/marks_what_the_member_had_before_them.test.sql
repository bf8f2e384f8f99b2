-- Guarantee notices/unread
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(16);

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create temporary table e as select c.era, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as until
  from app.current_era() as c;
-- Events of transactions before, within and after a snapshot. Their ids do not follow their transactions.
insert into app.events (era, xid, type, version, subject, subject_id, uid, payload, cause, add_time)
select e.era + v.d, (e.until + v.x)::text::xid8, 'order.shipped', 1, 'order', v.subject, m.uid, '{}', 'job', now()
from e, m, (values (0, -1, 4), (0, -5, 3), (0, -9, 2), (-1, 1000000, 1)) as v (d, x, subject);

create function pg_temp.unread() returns text language sql as $$
  select coalesce(string_agg(l.value ->> 'subject_id', ' ' order by l.value ->> 'subject_id'), 'nothing')
  from jsonb_array_elements(pg_temp.read((select uid from m), 'get_notices') -> 'list') as l (value)
  where not (l.value -> 'is_read')::boolean
$$;
create function pg_temp.counted() returns text language sql as $$
  select pg_temp.read((select uid from m), 'get_unread_notices') ->> 'unread'
$$;
-- A snapshot in which the transactions before p_from have ended, and those that p_open lists have not.
create function pg_temp.seen(
  p_from integer, p_open integer[] default '{}', p_until integer default -1
) returns text language sql as $$
  select format(
    '%s_%s:%s:%s', e.era, e.until + p_from, e.until + p_until,
    (select string_agg((e.until + n)::text, ',' order by n) from unnest(p_open) as n)
  )
  from e
$$;
create function pg_temp.read_all(p_seen text) returns text language sql as $$
  select pg_temp.read((select uid from m), 'read_notices', jsonb_build_object('p_seen', p_seen)) ->> 'unread'
$$;

select is(
  pg_temp.unread() || ' of ' || pg_temp.counted(), '1 2 3 4 of 4',
  'all are unread at first, also those of an earlier era'
);
select is(
  pg_temp.read_all(pg_temp.seen(-5, '{-5}')), '2',
  'what was open when the list was read stays unread, and what began later'
);
select is(
  pg_temp.unread() || ' of ' || pg_temp.counted(), '3 4 of 2', 'although a transaction with a greater number is read'
);
select is(
  pg_temp.read_all(pg_temp.seen(-9, '{-9}', -8)), '2',
  'another device that has read the list before marks nothing as unread'
);
select is(pg_temp.unread(), '3 4', 'the later reading holds');

-- One by one.
create temporary table n as
select l.value ->> 'id' as id, (l.value ->> 'subject_id')::integer as subject
from m, jsonb_array_elements(pg_temp.read(m.uid, 'get_notices') -> 'list') as l (value);
create function pg_temp.read_one(p_uid bigint, p_id text) returns text language sql as $$
  select pg_temp.call(
    (select u.auth_id from app.users as u where u.uid = p_uid), 'read_notice', jsonb_build_object('p_id', p_id),
    'authenticated'
  )
$$;
select is(pg_temp.read_one(m.uid, n.id), '{"unread": 1, "is_more": false}', 'one is read') from m, n where subject = 4;
select is(
  pg_temp.read_one(m.uid, n.id), '{"unread": 1, "is_more": false}', 'twice, by another device, has no further effect'
)
from m, n where subject = 4;
select is(pg_temp.unread() || ' of ' || pg_temp.counted(), '3 of 1', 'the other stays unread');
select is(pg_temp.read_one(m.uid, n.id), '{"unread": 1, "is_more": false}', 'what was read with all others is read')
from m, n where subject = 1;
select is((select count(*) from app.read_notices), 1::bigint, 'and needs no row');
select is(pg_temp.read_one(m.other, n.id), 'PT404 notice_not_found', 'a notice of another member does not exist')
from m, n where subject = 3;
select
  is((select string_agg(pg_temp.read_one(m.uid, w.id), ' ' order by w.id)
  from (values ('1_1'), ('1_1_1'), ('x_y_z'), ('99999999999_1_1')) as w (id)),
  'PT404 notice_not_found PT404 notice_not_found PT404 notice_not_found PT404 notice_not_found',
  'nor does what is no id')
    from m;

select is(
  pg_temp.read_all(pg_temp.read(m.uid, 'get_notices') ->> 'seen'), '0', 'a later reading marks all that ended since'
)
from m;
select is((select count(*) from app.read_notices), 0::bigint, 'and what was read one by one needs no rows any more');
select is((
  select string_agg(
    pg_temp.call(
      (select u.auth_id from app.users as u where u.uid = m.uid), 'read_notices', jsonb_build_object('p_seen', w.seen),
      'authenticated'
    ),
    ', '
  )
  from (values (''), ('1'), ('1_2'), ('1_1:x:'), ('1_2:1:'), ('999999_1:1:')) as w (seen)
),
'PT422 invalid_argument, PT422 invalid_argument, PT422 invalid_argument, PT422 invalid_argument, PT422 invalid_argument, PT422 invalid_argument',
'what no list returned is refused')
from m;
select
  is(pg_temp.call((select u.auth_id from app.users as u where u.uid = m.uid), 'read_notices',
  jsonb_build_object('p_seen', pg_temp.seen(100000, '{}', 100000)), 'authenticated'),
  'PT422 invalid_argument', 'as is what has not happened yet') from m;

select * from finish();
rollback;
