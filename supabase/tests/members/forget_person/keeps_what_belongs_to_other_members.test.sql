begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
select plan(3);

-- Two members with everything that a deletion removes.
create temporary table m as select pg_temp.wechat_member() as deleted, pg_temp.wechat_member() as other;
create temporary table who as select u.uid, u.auth_id from app.users as u, m where u.uid in (m.deleted, m.other);
update app.users as u set phone = '139' || u.uid, avatar = 'https://example.com/a.png' from who where u.uid = who.uid;
insert into app.posters (uid, token, fingerprint, share_url, made_at) select uid, gen_random_uuid(), 'f',
  'https://example.com', now()
from who;
insert into app.addresses (uid, address)
select uid, '{"name": "Lin", "phone": "13800000000", "region": ["广东省"], "street": "Nanhai Road 1"}' from who;
insert into app.imported_members (old_uid, uid, phone, unionid, imported_at) select uid, uid, '139' || uid,
  'union ' || uid, now()
from who;
insert into app.imported_openids (openid, uid) select 'old ' || uid, uid from who;
insert into app.imported_bill (source, old_id, uid, type, title, amount, note)
select 'bill', w.uid || c.title || c.note, w.uid, 'other', c.title, 1, c.note from who as w
cross join (values ('Title', ''), ('', 'Note'), ('', '')) as c (title, note);
insert into app.idempotency_keys (auth_id, role, key, fingerprint, response, created_at) select auth_id,
  'authenticated', 'key-1', '', '{}', now()
from who;
insert into app.administrators (auth_id, added_at) select auth_id, now() from who;
select pg_temp.account(uid) from who;
create temporary table w as select pg_temp.approved_transfer(uid) as no from who;
select from app.withdrawals as l
join w on w.no = l.withdrawal_no, app.move_withdrawal(app.lock_withdrawal(l.id), 'failed', now(), 'A reason');
create temporary table o as
select n.id from who as w, goods as g, app.addresses as a, lateral app.create_order(
  w.uid, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 2)), now(), a.address, 'Ring twice'
) as n where a.uid = w.uid;
select app.open_attempt(id, 'wechat', 'jsapi', 'payer of ' || id, now()) from o;
select app.pay_order(id, 'offline', 'till-' || id, now()) from o;
select app.request_refund(id, null, 'Too large', now()) from o;

-- What the store knows about a person, by where it is.
create function pg_temp.traces(p_uid bigint, p_auth_id uuid) returns text[] language sql as $$
  select array_agg(t.place order by t.place) from (
    select 'users' from app.users as u
    where u.uid = p_uid and (u.nickname = 'Tester' or u.phone is not null or u.avatar is not null)
    union select 'posters' from app.posters as x where x.uid = p_uid
    union select 'addresses' from app.addresses as x where x.uid = p_uid
    union select 'orders.address' from app.orders as x where x.uid = p_uid and x.address is not null
    union select 'orders.remark' from app.orders as x where x.uid = p_uid and x.remark <> ''
    union select 'refunds.reason' from app.refunds as x join app.orders as r on r.id = x.order_id
    where r.uid = p_uid and x.reason <> ''
    union select 'payment_payers'
      from app.payment_payers as x join app.payment_attempts as a on a.id = x.attempt_id
      join app.orders as r on r.id = a.order_id where r.uid = p_uid
    union select 'payout_accounts' from app.payout_accounts as x where x.uid = p_uid
    union select 'withdrawals.account_hint' from app.withdrawals as x where x.uid = p_uid and x.account_hint <> ''
    union select 'withdrawals.reason' from app.withdrawals as x where x.uid = p_uid and x.reason = 'A reason'
    union select 'transfers' from app.transfers as x join app.withdrawals as w on w.id = x.withdrawal_id
    where w.uid = p_uid and x.openid is not null
    union select 'imported_members' from app.imported_members as x
    where x.uid = p_uid and (x.phone is not null or x.unionid is not null)
    union select 'imported_openids' from app.imported_openids as x where x.uid = p_uid
    union select 'imported_bill.title' from app.imported_bill as x where x.uid = p_uid and x.title <> ''
    union select 'imported_bill.note' from app.imported_bill as x where x.uid = p_uid and x.note <> ''
    union select 'idempotency_keys' from app.idempotency_keys as x where x.auth_id = p_auth_id
    union select 'wechat_accounts' from app.wechat_accounts as x where x.auth_id = p_auth_id
    union select 'administrators' from app.administrators as x where x.auth_id = p_auth_id
  ) as t (place)
$$;
create temporary table before as select uid, pg_temp.traces(uid, auth_id) as traces from who;

select is(
  array(select distinct cardinality(traces) from before), '{18}',
  'the store knows something about both members in each place'
);
-- The Auth server marks the account, so that nothing is deleted with its row.
update auth.users as u set deleted_at = now() from who as w, m where u.id = w.auth_id and w.uid = m.deleted;
select is(pg_temp.traces(w.uid, w.auth_id), null, 'nothing is left of the deleted member') from who as w
join m on m.deleted = w.uid;
select is(pg_temp.traces(w.uid, w.auth_id), b.traces, 'everything is left of another member') from who as w
join m on m.other = w.uid join before as b on b.uid = w.uid;

select * from finish();
rollback;
