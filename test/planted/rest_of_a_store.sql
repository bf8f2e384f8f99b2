-- What random histories may lack: decisions of today, articles, a payment by a provider and its refund, a batch of
-- withdrawals with tax, one of which failed, and an order that waits for its settlement.
delete from app.decided_alone;
create temporary table m as
select row_number() over (order by u.uid) as n, u.uid from app.users as u
where u.left_at is null and u.spread_uid is not null and not exists (
  select from app.withdrawals as w where w.uid = u.uid and w.ended_at is null
);
select app.create_adjustment(m.uid, 1.00, 1, 0, 'A correction', gen_random_uuid(), null) from m where m.n = 1;

insert into app.article_categories (title) values ('News');
insert into app.articles (cid, title)
select c.id, n.title from app.article_categories as c, (values ('One'), ('Two')) as n (title);

create function pg_temp.buy(p_uid bigint) returns bigint language sql as $$
  select (app.create_order(p_uid, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)), null)).id
  from app.products as p where p.is_queue_goods and p.is_show and p.stock is null order by p.id limit 1
$$;
create temporary table o as select pg_temp.buy(m.uid) as id from m where m.n = 2;
select app.open_attempt(o.id, 'wechat', 'native', null, now()) from o;
select app.record_attempt_state(a.attempt_no, 'paid', 'a payment', a.amount, 'CNY', true, now())
from o join app.payment_attempts as a on a.order_id = o.id;
select app.refund_order(o.id, null, null, null) from o;

select app.set_settings('{"tax_method": "cumulative"}', now());
select app.create_adjustment(m.uid, greatest(100 - b.brokerage_price, 0) + 100, 0, 0, 'A correction', null, null)
from m join app.user_balances as b on b.uid = m.uid where m.n in (3, 4);
create temporary table w as
select m.n, (app.request_withdrawal(
  m.uid, 50.00, 'bank', (app.add_payout_account(m.uid, 'bank', 'Chen Jing', '6222021234567890128', 'ICBC', null)).id, null
)).id
from m where m.n in (3, 4);
select app.move_withdrawal(app.lock_withdrawal(w.id), 'approved', null) from w;
select app.create_withdrawal_batch('bank', (select array_agg(w.id) from w), null, null, null);
select app.move_withdrawal(app.lock_withdrawal(w.id), 'failed', null, 'The account is closed') from w where w.n = 4;
select app.move_withdrawal(app.lock_withdrawal(w.id), 'paid', null, null, 'Paid') from w where w.n = 3;

select app.pay_order(pg_temp.buy(m.uid), 'test', 'waits', null) from m where m.n = 5;
