-- Temporary functions for the demo data. They call the functions that the service calls, many per statement.

create temporary table demo_members (index integer primary key, uid bigint not null);
create temporary table demo_products (index integer primary key, id bigint not null);
create temporary table demo_orders (index integer primary key, id bigint not null);

-- Creates accounts that never sign in. The trigger on auth.users creates the members, below the referrer of their share
-- link.
create function pg_temp.sign_up(p_members jsonb, p_at timestamptz) returns void language plpgsql as $$
declare
  v_member jsonb;
  v_auth_id uuid;
  v_uid bigint;
begin
  for v_member in select m.value from jsonb_array_elements(p_members) as m loop
    insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data)
    values (
      now(), gen_random_uuid(), format('member-%s@example.com', v_member ->> 'index'),
      jsonb_build_object('nickname', v_member ->> 'nickname', 'spread', (
        select d.uid from demo_members as d where d.index = (v_member ->> 'parent')::integer
      ))
    )
    returning id into v_auth_id;
    -- Some have given their phone number, as a sign-in with WeChat does.
    update app.users
    set add_time = p_at, spread_time = case when spread_uid is not null then p_at end,
      phone = case
        when (v_member ->> 'index')::integer % 3 = 0 then regexp_replace(
          v_member -> 'address' ->> 'phone', '^\+86|\D', '', 'g'
        )
      end
    where auth_id = v_auth_id
    returning uid into v_uid;
    insert into app.addresses (uid, address, is_default) values (v_uid, v_member -> 'address', true);
    insert into demo_members values ((v_member ->> 'index')::integer, v_uid);
  end loop;
end
$$;

-- The members signed up at the times that sign_up gave them, not when the trigger wrote the events.
create function pg_temp.date_referrals() returns void language sql as $$
  alter table app.events disable trigger events_are_never_changed;
  update app.events as e set add_time = u.spread_time from app.users as u
  where e.type = 'member.referred' and e.subject_id = u.uid;
  alter table app.events enable trigger events_are_never_changed;
$$;

-- A member, by default the one who can withdraw most and has not done so yet, withdraws up to 2,000.00.
create function pg_temp.withdraw(
  p_member integer, p_method text, p_at timestamptz
) returns app.withdrawals language plpgsql as $$
declare
  v_uid bigint;
  v_amount numeric;
  v_name text;
begin
  select b.uid, least(trunc(b.amount, -1), 2000), u.nickname into v_uid, v_amount, v_name
  from (
    select b.uid, app.withdrawable(b.uid, p_at) as amount from app.user_balances as b where b.brokerage_price >= 100
  ) as b
  join app.users as u on u.uid = b.uid
  where case
    when p_member is not null then b.uid = (select d.uid from demo_members as d where d.index = p_member)
    else not exists (select from app.withdrawals as w where w.uid = b.uid)
      and b.uid not in (select d.uid from demo_members as d where d.index < 9)
  end
  order by b.amount desc, b.uid limit 1;
  return app.request_withdrawal(v_uid, v_amount, p_method, (app.add_payout_account(
    v_uid, p_method, v_name,
    case p_method
      when 'bank' then '95588020' || lpad(v_uid::text, 10, '0')
      else format('member-%s@example.com', v_uid)
    end,
    case p_method when 'bank' then '中国工商银行' end, p_at
  )).id, p_at);
end
$$;

-- A member pays an order with the code of WeChat, which notifies the store twice.
create function pg_temp.pay_in_wechat(p_order_id bigint, p_at timestamptz) returns void language plpgsql as $$
declare
  v_attempt app.payment_attempts := (app.open_attempt(p_order_id, 'wechat', 'native', null, p_at)).attempt;
begin
  for v_try in 1..2 loop
    perform app.record_payment_notification(
      'wechat', format('demo-%s-%s', p_order_id, v_try), 'payment', null, v_attempt.attempt_no, 'demo-' || p_order_id, v_attempt.amount, 'CNY',
      p_at + v_try * interval '15 seconds'
    );
  end loop;
end
$$;

create function pg_temp.play(p_actions jsonb, p_start timestamptz) returns void language plpgsql as $$
declare
  v_action jsonb;
  v_at timestamptz;
  v_id bigint;
begin
  for v_action in select a.value from jsonb_array_elements(p_actions) with ordinality as a order by a.ordinality loop
    v_at := p_start + (v_action ->> 'at')::bigint * interval '1 millisecond';
    select o.id into v_id from demo_orders as o where o.index = (v_action ->> 'order')::integer;
    case v_action ->> 'kind'
      when 'order' then
        insert into demo_orders
        select (v_action ->> 'order')::integer, (app.create_order(d.uid, (
          select jsonb_agg(jsonb_build_object('product_id', p.id, 'quantity', i.value -> 'quantity'))
          from jsonb_array_elements(v_action -> 'items') as i
          join demo_products as p on p.index = (i.value ->> 'product')::integer
        ), v_at, p_address => (select a.address from app.addresses as a where a.uid = d.uid and a.is_default))).id
        from demo_members as d where d.index = (v_action ->> 'buyer')::integer;
      when 'pay' then
        perform app.pay_order(v_id, v_action ->> 'pay_type', 'demo-' || v_id, v_at);
        perform app.run_settlement_jobs(p_now => v_at);
      when 'pay_in_wechat' then
        perform pg_temp.pay_in_wechat(v_id, v_at);
        perform app.run_settlement_jobs(p_now => v_at);
      when 'withdraw' then perform pg_temp.withdraw((v_action ->> 'buyer')::integer, v_action ->> 'method', v_at);
      when 'deliver' then perform app.deliver_order(v_id, v_at, '顺丰速运', 'SF' || lpad(v_id::text, 12, '0'));
      when 'receive' then perform app.confirm_receipt(v_id, v_at);
      when 'cancel' then perform app.cancel_order(v_id, v_at);
      when 'request_refund' then perform app.request_refund(v_id, null, '不想要了', v_at);
      when 'refund' then
        if (v_action ->> 'all')::boolean then
          perform app.refund_order(v_id, null, null, v_at);
        else
          perform app.refuse_refund(v_id, v_at);
        end if;
    end case;
  end loop;
end
$$;
