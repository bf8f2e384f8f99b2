-- Guarantee privacy/leaving
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(18);

create temporary table m as select pg_temp.reporter() as leaver, pg_temp.reporter() as keeper;
update app.orders as o set state = 'received', received_at = now() - interval '30 days' from m
where o.uid in (m.leaver, m.keeper);
select pg_temp.earn(leaver), pg_temp.earn(keeper) from m;
create temporary table below as select max(u.uid) as uid from app.users as u, m where u.spread_uid = m.leaver;
create temporary table who as select u.uid, u.auth_id from app.users as u, m where u.uid in (m.leaver, m.keeper);
insert into app.inboxes (uid) select uid from who;
insert into app.pictures (
  id, owner, kind, state, media_type, width, height, small_width, small_height, bytes, small_bytes, add_time
)
select gen_random_uuid(), auth_id, k, 'stored', 'image/jpeg', 800, 600, 480, 360, 9000, 2000, now() from who
cross join unnest('{avatar, store}'::text[]) as k;
update app.users as u set avatar = 'https://project.supabase.co/storage/v1/object/public/pictures/' || p.id
  || '/small.jpg'
from who as w join app.pictures as p on p.owner = w.auth_id and p.kind = 'avatar' where u.uid = w.uid;
insert into auth.audit_log_entries (id, payload) select gen_random_uuid(),
  json_build_object('actor_id', auth_id, 'actor_username', 'lin@example.com')
from who;
select app.request_deletion(b.uid, b.brokerage_price, b.frozen_points, b.available_points, now() - interval '8 days')
from app.user_balances as b join who as w using (uid);
create temporary table gave as select b.* from app.user_balances as b join who as w using (uid);
-- So many days ago.
create function pg_temp.run(p_days integer) returns boolean language sql as $$ select app.delete_account_if_due(
  (select leaver from m), now() - p_days * interval '1 day'
) $$;
create function pg_temp.is_member() returns boolean language sql as $$ select exists (
  select from app.users as u join m on m.leaver = u.uid where u.auth_id is not null
) $$;

select is(
  (select due_at - asked_at from app.account_deletions as d, m where d.uid = m.leaver), interval '7 days',
  'a deletion waits for a week'
);
select is(pg_temp.run(2), false, 'nothing happens before');
-- What began meanwhile and cannot be cut off.
select app.refund_order((select max(o.id) from app.orders as o, m where o.uid = m.leaver), null, 'r1', now());
insert into app.provider_refunds (refund_no, order_id, provider, payment_no, pay_ref, amount, total, created_at)
select 'R1', max(o.id), 'wechat', 'p1', 'p1', 1, 1, now() from app.orders as o, m where o.uid = m.leaver;
select is(array[pg_temp.run(0), pg_temp.is_member()], array[false, true], 'a refund in progress holds it up');
select is(app.deletion_json(leaver, now()) #>> '{obstacles,0,reason}', 'refund_open', 'and the member is told so')
from m;
update app.provider_refunds set state = 'succeeded', decided_at = now() where refund_no = 'R1';
select is(array[pg_temp.run(0), pg_temp.is_member()], array[true, false], 'then the account is deleted');
select is(pg_temp.run(0), false, 'once');

select results_eq(
  'select u.nickname, u.avatar, u.spread_uid from app.users as u, m where u.uid = m.leaver',
  $$ values ('已注销 · Deleted member', null::text, null::bigint) $$, 'no name and no picture is left'
);
select is(
  (select u.spread_uid from app.users as u join below as b using (uid)), (select leaver from m),
  'the direct members stay where they are'
);
select ok(exists (select from app.orders as o, m where o.uid = m.leaver), 'orders remain');
select results_eq(
  'select b.brokerage_price, b.frozen_points, b.available_points from app.user_balances as b, m where b.uid = m.leaver',
  'values (0::numeric, 0::numeric, 0::numeric)',
  'all balances are given up'
);
select results_eq(
  $$ select -a.brokerage_delta, -a.frozen_delta, a.state from app.adjustments as a, m where a.uid = m.leaver $$,
  $$ select b.brokerage_price, b.frozen_points, 'booked' from gave as b, m where b.uid = m.leaver $$, 'by an adjustment'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');
select is_empty('select from app.inboxes as i, m where i.uid = m.leaver', 'choices of notices are gone');
select set_eq(
  $$ select p.id::text from app.pictures as p join who as w on w.auth_id = p.owner, m
  where p.kind = 'avatar' and w.uid = m.leaver $$,
  $$ select key from app.outbox
  where kind = 'remove_picture' $$, 'the outbox removes the files of the member''s own picture, and no other'
);
select ok(done_at is not null and auth_id is not null, 'the deletion is done but for the log of the Auth server')
from app.account_deletions as d, m where d.uid = m.leaver;
select app.forget_auth_log(uid) from who;
select results_eq(
  'select e.payload ->> ''actor_id'' from auth.audit_log_entries as e join who as w on w.auth_id::text = e.payload ->> ''actor_id''',
  'select w.auth_id::text from who as w, m where w.uid = m.keeper',
  'whose entries go last, and only those of the deleted account'
);
select is((select auth_id from app.account_deletions as d, m where d.uid = m.leaver), null, 'which ends it');
select is(
  (select count(*) from app.users as u join who as w using (auth_id)), 1::bigint,
  'another member whose deletion is not run is left alone'
);

select * from finish();
rollback;
