begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
\ir ../../support/signals.psql
select plan(13);

create function pg_temp.live_at(
  p_order_id bigint, p_street text, p_name text default 'Chen Jing', p_phone text default '13800138000'
) returns bigint language sql as $$
  update app.orders set address = jsonb_build_object(
    'name', p_name, 'phone', p_phone, 'region', '["广东省", "深圳市"]'::jsonb, 'street', p_street
  )
  where id = p_order_id
  returning id
$$;
create function pg_temp.pay_with(
  p_order_id bigint, p_openid text, p_state text default 'paid'
) returns bigint language sql as $$
  with attempt as (
    insert into app.payment_attempts (
      order_id, attempt_no, provider, method, amount, state, pay_ref, expires_at, add_time, ended_at
    )
    select o.id, o.order_no || '-' || (select count(*) + 1 from app.payment_attempts as a where a.order_id = o.id),
      'wechat', 'jsapi', o.pay_price, p_state,
      case when p_state = 'paid' then 'ref-' || o.id end, now() + interval '1 hour', now(), now()
    from app.orders as o where o.id = p_order_id
    returning id
  )
  insert into app.payment_payers (attempt_id, openid) select a.id, p_openid from attempt as a returning p_order_id
$$;

create temporary table m as select pg_temp.sign_up() as referrer, pg_temp.sign_up() as stranger;
select pg_temp.pay_with(pg_temp.live_at(pg_temp.buy(m.referrer), 'Keji Road 12, Room 3'), 'openid of the referrer')
from m;
select pg_temp.pay_with(pg_temp.live_at(pg_temp.buy(m.stranger), 'Nanshan Road 1'), 'openid of a stranger') from m;
create function pg_temp.sale() returns bigint language sql as $$ select pg_temp.buy(pg_temp.sign_up(m.referrer::text))
  from m $$;
-- What is shared by an order: payer, address.
create function pg_temp.shared(p_id bigint) returns text language sql as $$
  select concat_ws(
    ' ', case when (s ->> 'same_payer')::boolean then 'payer' end,
    case when (s ->> 'same_address')::boolean then 'address' end
  )
  from pg_temp.signals('shared_order', 'order_id', array[p_id]) as s
$$;

select is(pg_temp.shared(pg_temp.sale()), null, 'an order without payer and address');
select is(
  pg_temp.shared(pg_temp.pay_with(pg_temp.live_at(pg_temp.sale(), 'Keji Road 13, Room 3'), 'openid of the buyer')),
  null, 'another address and another payer'
);
select is(
  pg_temp.shared(pg_temp.live_at(pg_temp.sale(), ' KEJI road １２,room 3', 'Li Wei', '13900139000')), 'address',
  'the address of the referrer, whatever its case, spaces, width, name and phone'
);
select is(
  pg_temp.shared(pg_temp.pay_with(pg_temp.sale(), 'openid of the referrer')), 'payer',
  'the payer of an order of the referrer'
);
select is(
  pg_temp.shared(pg_temp.pay_with(pg_temp.live_at(pg_temp.sale(), 'Keji Road 12, Room 3'), 'openid of the referrer')),
  'payer address', 'both'
);
select is(
  pg_temp.shared(pg_temp.pay_with(pg_temp.sale(), 'openid of the referrer', 'closed')), null,
  'an attempt that was not paid does not count'
);
select is(
  pg_temp.shared(pg_temp.pay_with(pg_temp.live_at(pg_temp.sale(), 'Nanshan Road 1'), 'openid of a stranger')), null,
  'nor do payer and address of somebody else'
);
insert into app.wechat_accounts (appid, openid, auth_id) select 'app', 'openid of the sign-in', u.auth_id from m
join app.users as u on u.uid = m.referrer;
select is(
  pg_temp.shared(pg_temp.pay_with(pg_temp.sale(), 'openid of the sign-in')), 'payer',
  'the WeChat account with which the referrer signs in'
);
insert into app.addresses (uid, address) select m.referrer,
  '{"name": "Chen", "phone": "13800138000", "region": ["广东省", "深圳市"], "street": "Book Street 5"}'
from m;
select is(
  pg_temp.shared(pg_temp.live_at(pg_temp.sale(), 'Book Street 5')), 'address',
  'an address in the address book of the referrer'
);
create temporary table unpaid as
select pg_temp.live_at(
  (
    app.create_order(
      pg_temp.sign_up(m.referrer::text),
      (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g), now()
    )
  ).id,
  'Book Street 5'
) as id
from m;
select is(pg_temp.shared(u.id), null, 'an order that is not paid') from unpaid as u;

create temporary table last as select pg_temp.live_at(pg_temp.sale(), 'Book Street 5') as id;
select is(
  (select s from last, pg_temp.signals('shared_order', 'order_id', array[last.id], 1) as s),
  (
    select jsonb_build_object(
      'kind', 'shared_order', 'order_id', o.id, 'uid', o.uid, 'nickname', 'Tester', 'referrer_uid', m.referrer,
      'referrer_nickname', 'Tester',
      'same_payer', false, 'same_address', true, 'pay_price', '3600.00', 'paid_at', app.utc(o.paid_at)
    )
    from m, last join app.orders as o on o.id = last.id
  ), 'the row names order, buyer and referrer, and neither payer nor address'
);
-- Later orders that share nothing fill a page.
insert into app.orders (order_no, uid, total_price, pay_price, has_queue_goods, queue_base, queue_units)
select 'signals-' || n, m.stranger, 1, 1, false, 0, 0 from m, generate_series(1, app.signal_read_limit()) as n;
select is(
  pg_temp.signal_page('shared_order') - 'examined_to',
  (
    select jsonb_build_object('list', '[]'::jsonb, 'next_cursor', min(o.id)) from app.orders as o
    where o.order_no like 'signals-%'
  ),
  'a page examines a bounded number of orders, and says where the next one begins'
);
select is((select pg_temp.shared(last.id) from last), 'address', 'which has the order');

select * from finish();
rollback;
