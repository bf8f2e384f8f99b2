-- A small store with a member in every role and an order in every state; returns their ids by name.
create schema test_kit;

create table test_kit.ids (name text primary key, id text not null);

create function test_kit.sign_up(
  p_name text, p_spread text, p_role text default 'authenticated'
) returns bigint language plpgsql as $$
declare
  v_auth_id uuid := gen_random_uuid();
  v_uid bigint;
begin
  insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data)
  values (now(), v_auth_id, p_name || '@example.com', jsonb_build_object('nickname', p_name, 'spread', p_spread));
  select u.uid into v_uid from app.users as u where u.auth_id = v_auth_id;
  insert into test_kit.ids values (p_name, v_uid), (p_name || '_account', v_auth_id);
  if p_role = 'store_admin' then
    perform app.add_administrator(v_auth_id::text);
  end if;
  return v_uid;
end
$$;

create function test_kit.order(
  p_name text, p_uid bigint, p_is_paid boolean default true
) returns bigint language plpgsql as $$
declare
  v_id bigint := (
    app.create_order(
      p_uid,
      (select jsonb_build_array(jsonb_build_object('product_id', max(p.id), 'quantity', 3)) from app.products as p),
      now()
    )
  ).id;
begin
  if p_is_paid then
    perform app.pay_order(v_id, 'test', p_name, now());
  end if;
  insert into test_kit.ids values (p_name, v_id),
    (p_name || '_line', (select l.id from app.order_lines as l where l.order_id = v_id));
  return v_id;
end
$$;

create function test_kit.account(p_uid bigint) returns bigint language sql as $$
  select a.id from app.add_payout_account(p_uid, 'bank', 'Lin Wei', '62220212345', 'ICBC', now()) as a
$$;

-- Gives a member commission that can be withdrawn, by an adjustment.
create function test_kit.give(p_uid bigint) returns void language plpgsql as $$
declare
  v_id bigint;
begin
  insert into app.adjustments (
    uid, brokerage_delta, reason, state, add_time, decided_at
  ) values (p_uid, 1000, 'For a test', 'booked', now(), now())
  returning id into v_id;
  perform app.book_entries(
    array[row(
      p_uid, 'adjustment', 'adjustment', 1000, 0, 0, null, null, null, null, null, null, null, v_id
    )::app.bill_entry],
    '{}', '{}', now()
  );
end
$$;

-- A withdrawal of a new member.
create function test_kit.withdraw(p_name text, p_state text) returns bigint language plpgsql as $$
declare
  v_uid bigint := test_kit.sign_up(p_name, null);
  v_id bigint;
begin
  perform test_kit.give(v_uid);
  v_id := (app.request_withdrawal(v_uid, 100, 'bank', test_kit.account(v_uid), now())).id;
  perform app.move_withdrawal(app.lock_withdrawal(v_id), p_state, now()) where p_state is not null;
  return v_id;
end
$$;

create function test_kit.sign_in_with_wechat(p_uid bigint, p_openid text) returns void language sql as $$
  insert into app.wechat_accounts (appid, openid, auth_id) select 'wx1', p_openid, u.auth_id from app.users as u
  where u.uid = p_uid
$$;

-- A withdrawal of a new member whose transfer WeChat has accepted and the member has not confirmed.
create function test_kit.transfer(p_name text) returns bigint language plpgsql as $$
declare
  v_uid bigint := test_kit.sign_up(p_name, null);
  v_withdrawal app.withdrawals;
begin
  perform test_kit.give(v_uid);
  perform test_kit.sign_in_with_wechat(v_uid, 'openid of ' || p_name);
  v_withdrawal := app.request_withdrawal(v_uid, 100, 'wechat', null, now());
  perform app.approve_withdrawal(v_withdrawal, now());
  perform app.begin_transfer(v_withdrawal.withdrawal_no, '1900000001', now());
  perform app.record_transfer_state(
    v_withdrawal.withdrawal_no, 'confirming', 'transfer 1', null, 'opens the page', now()
  );
  return v_withdrawal.id;
end
$$;

do $$
declare
  v_seller bigint := test_kit.sign_up('seller', null);
  v_buyer bigint := test_kit.sign_up('buyer', v_seller::text);
  v_id bigint;
begin
  perform test_kit.sign_up('admin', null, 'store_admin');
  perform test_kit.sign_up('other_admin', null, 'store_admin');
  insert into app.invitations (email, roles, invited_by, invited_at) values (
    'invited@example.com', '{service}', (select id::uuid from test_kit.ids where name = 'admin_account'), now()
  );
  insert into test_kit.ids select 'invitation', max(i.id) from app.invitations as i;
  insert into app.machine_keys (name, hash, scopes, calls_per_hour, owner, created_by, created_at, expires_at)
  select 'Warehouse', sha256('secret'), '{orders:read}', 3600, a.id::uuid, a.id::uuid, now(), now() + interval '1 year'
  from test_kit.ids as a where a.name = 'admin_account';
  insert into test_kit.ids select 'machine_key', max(k.id) from app.machine_keys as k;
  insert into app.webhooks (url, description, types, state, salt, salted_at, created_by, created_at)
  select 'https://warehouse.example.com', 'Warehouse', '{order.paid}', 'off', repeat('0', 32), now(), a.id::uuid, now()
  from test_kit.ids as a where a.name = 'admin_account';
  insert into test_kit.ids select 'webhook', max(w.id) from app.webhooks as w;
  insert into app.webhook_deliveries (webhook_id, kind, type, message_id, body, state, run_after, ended_at, created_at)
  select max(w.id), 'test', 'webhook.test', 'test_1', '{}', 'given_up', now(), now(), now() from app.webhooks as w;
  insert into test_kit.ids select 'webhook_delivery', max(d.id) from app.webhook_deliveries as d;
  perform test_kit.sign_up('newcomer', null);
  insert into test_kit.ids values ('newcomer_session', gen_random_uuid());
  insert into auth.sessions (id, user_id, created_at)
  select s.id::uuid, a.id::uuid, now() from test_kit.ids as s, test_kit.ids as a
  where s.name = 'newcomer_session' and a.name = 'newcomer_account';
  -- Two administrators with a second factor. An owner wants to remove that of the third.
  perform test_kit.sign_up('third_admin', null, 'store_admin');
  insert into test_kit.ids values ('admin_session', gen_random_uuid());
  -- The long form takes longer than the fifteen minutes of app.has_signed_in_lately.
  insert into auth.sessions (id, user_id, created_at)
  select s.id::uuid, a.id::uuid, now() + interval '1 day' from test_kit.ids as s, test_kit.ids as a
  where s.name = 'admin_session' and a.name = 'admin_account';
  insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
  select gen_random_uuid(), a.id::uuid, 'totp', 'verified', now(), now() from test_kit.ids as a
  where a.name in ('other_admin_account', 'third_admin_account');
  insert into app.factor_removals (auth_id, asked_by, asked_at)
  select t.id::uuid, o.id::uuid, now() from test_kit.ids as t, test_kit.ids as o
  where t.name = 'third_admin_account' and o.name = 'other_admin_account';
  insert into app.products (title, price) values ('Never ordered', 1) returning id into v_id;
  insert into test_kit.ids values ('unordered_product', v_id);
  insert into app.products (title, price, is_queue_goods) values ('Flagship', 3600, true);
  insert into test_kit.ids select 'product', max(p.id) from app.products as p;

  perform app.settle_order(test_kit.order('others', v_seller), now());
  insert into app.waiting_payments (order_id, pay_ref, marked_by, add_time) values (
    test_kit.order('unpaid', v_buyer, false), 'receipt 1', gen_random_uuid(), now()
  );
  perform app.cancel_order(test_kit.order('cancelled', v_buyer, false), now());
  perform app.settle_order(test_kit.order('settled', v_buyer), now());
  v_id := test_kit.order('delivered', v_buyer);
  perform app.settle_order(v_id, now());
  perform app.deliver_order(v_id, now(), 'SF', 'NO-1001');
  insert into test_kit.ids select 'parcel', l.id from app.parcels as l where l.order_id = v_id;
  v_id := test_kit.order('received', v_buyer);
  perform app.settle_order(v_id, now());
  perform app.confirm_receipt(v_id, now());
  v_id := test_kit.order('refunded', v_buyer);
  perform app.settle_order(v_id, now());
  perform app.refund_order(v_id, null, 'all of it', now());
  v_id := test_kit.order('partly_refunded', v_buyer);
  perform app.settle_order(v_id, now());
  perform app.refund_order(
    v_id,
    (
      select jsonb_build_array(jsonb_build_object('line_id', i.id::bigint, 'quantity', 1)) from test_kit.ids as i
      where i.name = 'partly_refunded_line'
    ),
    'some of it', now()
  );
  v_id := test_kit.order('refund_requested', v_buyer);
  perform app.settle_order(v_id, now());
  insert into test_kit.ids select 'refund', r.id from app.request_refund(v_id, null, 'too big', now()) as r;
  update app.refunds set reason_check = 'risky' where order_id = v_id;
  update app.users set nickname = 'Lin in doubt', nickname_in_doubt = true where uid = v_buyer;
  perform app.set_settings(
    '{"return_address": {"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省"], "street": "Gate 4"}}', now()
  );
  v_id := test_kit.order('to_return', v_buyer);
  perform app.deliver_order(v_id, now(), null, null), app.request_refund(v_id, null, 'too big', now());
  v_id := test_kit.order('returning', v_buyer);
  perform app.deliver_order(v_id, now(), null, null), app.request_refund(v_id, null, 'too big', now()),
    app.request_return(v_id, now());
  v_id := test_kit.order('waiting', v_buyer);
  insert into test_kit.ids select 'to_ship_no', o.order_no from app.orders as o where o.id = v_id;
  insert into app.article_categories (title, is_sign_in_ad) values ('Sign-in', true) returning id into v_id;
  insert into test_kit.ids select 'bill_row', min(b.id) from app.user_bill as b;
  insert into test_kit.ids values ('category', v_id);
  insert into app.product_categories (title, rank) values ('Tea', 1), ('Nothing', 2);
  insert into test_kit.ids select case c.title when 'Tea' then 'product_category' else 'empty_product_category' end,
    c.id
  from app.product_categories as c;
  insert into app.articles (cid, title) values (v_id, 'News') returning id into v_id;
  insert into test_kit.ids values ('article', v_id);
  insert into app.article_categories (title) values ('Empty') returning id into v_id;
  insert into test_kit.ids values ('empty_category', v_id);
  insert into app.addresses (uid, address) values (
    v_buyer, '{"name": "Lin", "phone": "13800000000", "region": ["Guangdong"], "street": "Road 1"}'
  )
  returning id into v_id;
  insert into test_kit.ids values ('address', v_id);
  v_id := test_kit.order('opened', v_buyer, false);
  insert into test_kit.ids select 'attempt_no', (o.attempt).attempt_no
  from app.open_attempt(v_id, 'local', 'local', null, now()) as o;
  insert into test_kit.ids select 'outbox', o.id from app.outbox as o where o.kind = 'close_payment';
  insert into test_kit.ids select 'refund_no', r.refund_no
  from app.start_provider_refund(
    test_kit.order('paid_twice', v_buyer), null, 'local', 'number-1', 'ref-1', 1, 2, now()
  ) as r;
  insert into test_kit.ids select 'failed_refund',
    (app.record_refund_state(r.refund_no, 'failed', null, 'not_enough', now())).id
  from app.start_provider_refund(
    test_kit.order('paid_thrice', v_buyer), null, 'local', 'number-2', 'ref-2', 1, 2, now()
  ) as r;
  perform app.record_payment_notification(
    'local', 'event', 'payment', null, o.order_no, 'ref-3', o.pay_price, 'CNY', now()
  )
  from app.orders as o join test_kit.ids as i on i.id = o.id::text where i.name = 'cancelled';
  insert into test_kit.ids select 'unclaimed', n.id from app.payment_notifications as n where n.outcome = 'attention';
  v_id := test_kit.order('shipped_by_wechat', v_buyer, false);
  perform app.record_payment_notification(
    'wechat', 'event 2', 'payment', null, (a.attempt).attempt_no, 'ref-4', (a.attempt).amount, 'CNY', now()
  )
  from app.open_attempt(v_id, 'wechat', 'jsapi', 'openid-1', now()) as a;
  perform app.deliver_order(v_id, now());
  insert into test_kit.ids select 'person_request',
    (app.ask_person_request(v_seller, 'correction', 'app', 'Lin, not Lim', null, now())).id;
  insert into test_kit.ids select 'adjustment',
    (app.create_adjustment(v_seller, 2000, 20, 10, 'A mistake', gen_random_uuid(), now())).id;
  perform test_kit.give(v_buyer);
  -- A month is closed only after a reconciliation without findings, so the one that can be explained counts as none.
  insert into app.reconcile_runs (started_at, finished_at, sample)
  select now(), now(), jsonb_build_array(jsonb_build_object(
    'check_name', 'balance_equals_bill', 'subject', 'uid 1', 'expected', '1.00', 'actual', '2.00'
  ));
  insert into test_kit.ids values ('account', test_kit.account(v_buyer));
  insert into test_kit.ids values ('withdrawal', test_kit.withdraw('payee_1', null)),
    ('approved_withdrawal', test_kit.withdraw('payee_2', 'approved')),
    ('paying_withdrawal', test_kit.withdraw('payee_3', 'approved'));
  update app.settings set assistants = true;
  update app.settings set withdrawal_methods = '{bank, alipay, wechat}';
  perform test_kit.sign_in_with_wechat(v_buyer, 'openid of the buyer');
  insert into test_kit.ids values ('transfer', test_kit.transfer('payee_4'));
  insert into test_kit.ids select 'withdrawal_no', w.withdrawal_no from app.withdrawals as w
  join test_kit.ids as i on i.id = w.id::text where i.name = 'transfer';
  insert into test_kit.ids select 'batch',
    (app.create_withdrawal_batch('bank', array[i.id::bigint], null, null, now())).id
  from test_kit.ids as i where i.name = 'paying_withdrawal';
  insert into test_kit.ids select 'notice', min(app.event_cursor(e)) from app.events as e
  where e.uid = v_buyer and e.type = 'order.paid' and e.cause = 'job';
  update app.settings set real_name_from = 10000;
  perform app.give_real_name(
    v_seller, 'id_card', '张**', '1****************X', repeat('ab', 60), repeat('0', 16), repeat('cd', 32),
    repeat('1', 16), now()
  );
  insert into test_kit.ids select 'real_name', r.id from app.real_names as r;
  insert into test_kit.ids select 'poster_token', (app.save_poster(v_buyer, 0, 'template 1', null, null, now())).token;
end
$$;

-- What is stored: of each table, its name and the sum of the hashes of its rows. The text names the hundred tables, so
-- that a session plans it once; a table that comes or goes changes the list at the end.
do $do$
declare
  v_rows text := (
    select string_agg(
      format(
        'select %L || coalesce(sum(hashtextextended(t::text, 0)), 0) as d from %s as t', c.oid::regclass || ' ',
        c.oid::regclass
      ),
      ' union all '
    )
    from pg_catalog.pg_class as c
    where c.relkind = 'r' and c.relnamespace in ('app'::regnamespace, 'auth'::regnamespace)
  );
begin
  execute format($create$
    create function test_kit.digest() returns text language plpgsql as $digest$
    begin
      return md5(
        (select string_agg(q.d, ', ' order by q.d) from (%s) as q)
        || (
          select string_agg(c.oid::text, ' ' order by c.oid) from pg_catalog.pg_class as c
          where c.relkind = 'r' and c.relnamespace in ('app'::regnamespace, 'auth'::regnamespace)
        )
      );
    end
    $digest$
  $create$, v_rows);
end
$do$;

-- A month without rows that is sealed, and one that can be.
select app.close_month('2026-02', null), app.close_month('2026-03', null);
select
from app.month_root('2026-02', repeat('5a', 32)) as r,
  app.record_seal('2026-02', 0, r ->> 'root', null, repeat('ab', 32), repeat('cd', 64), null, false, now());
