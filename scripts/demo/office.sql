-- Temporary functions for the demo data: what the administrators of the shop have done this morning, through the
-- functions that the console calls, so that the action log has it.

-- The caller of schema api from here on: an administrator by address, with a second factor, or a member by number;
-- null: nobody.
create function pg_temp.act_as(p_who text) returns void language sql as $$
  select set_config('request.jwt.claims', coalesce((
    select jsonb_build_object('sub', a.id, 'role', a.role, 'aal', 'aal2')::text
    from auth.users as a left join app.users as u on u.auth_id = a.id where p_who in (a.email, u.uid::text)
  ), ''), true)
$$;

-- Colleagues of the first administrator, with the same password. They are no members.
create function pg_temp.hire(p_owner text) returns void language plpgsql as $$
declare
  v_person record;
begin
  for v_person in values ('finance@example.com', '{finance}'::text[], '周敏 Zhou Min'),
    ('service@example.com', '{service}', '李娜 Li Na'), ('content@example.com', '{content}', '何静 He Jing') loop
    insert into auth.users (id, email, role, encrypted_password, email_confirmed_at)
    select gen_random_uuid(), v_person.column1, 'store_admin', a.encrypted_password, now() from auth.users as a
    where a.email = p_owner;
    perform app.add_administrator(v_person.column1, v_person.column2, v_person.column3);
  end loop;
  perform pg_temp.act_as(p_owner);
  perform api.dismiss_first_steps();
  perform api.set_own_name('张伟 Zhang Wei');
  -- Nobody knows its secret.
  perform api.create_machine_key(
    '仓库系统 Warehouse', encode(sha256(gen_random_uuid()::text::bytea), 'hex'), '["orders:read", "orders:write"]'
  );
  perform api.invite_administrator('colleague@example.com', '["service", "content"]', '孙丽 Sun Li');
end
$$;

-- Withdrawals in every state, and a member who owes commission.
create function pg_temp.pay_withdrawals(p_owner text) returns void language plpgsql as $$
declare
  v_ids constant bigint[] := array(select w.id from app.withdrawals as w order by w.id);
  v_chen app.withdrawals := (select w from app.withdrawals as w where w.id = v_ids[1]);
  v_batch bigint;
begin
  perform pg_temp.act_as('finance@example.com');
  perform api.approve_withdrawals(to_jsonb(v_ids[1:5]));
  perform api.refuse_withdrawal(v_ids[6], '收款人姓名与账户不一致，请更正后重新申请。');
  perform pg_temp.act_as(p_owner);
  foreach v_batch in array array[
    (api.create_withdrawal_batch('bank', to_jsonb(array[v_ids[1], v_ids[2], v_ids[3], v_ids[5]])) ->> 'id')::bigint,
    (api.create_withdrawal_batch('alipay', to_jsonb(v_ids[4:4])) ->> 'id')::bigint
  ] loop
    perform api.mark_withdrawal_failed(v_ids[5], '银行退票：账户已注销。')
    where v_ids[5] in (select w.id from app.withdrawals as w where w.batch_id = v_batch);
    perform api.mark_withdrawal_batch_paid(v_batch, 'demo-batch-' || v_batch);
  end loop;
  perform pg_temp.act_as(v_chen.uid::text);
  perform api.create_withdrawal(300, 'bank', v_chen.account_id);
  perform pg_temp.act_as('finance@example.com');
  perform api.refuse_withdrawal((select max(w.id) from app.withdrawals as w), '请与下一次提现合并申请。');
  perform api.approve_withdrawals(to_jsonb(v_ids[7:9]));
  perform pg_temp.act_as(p_owner);
  perform api.create_withdrawal_batch('bank', to_jsonb(v_ids[8:9]));
  perform pg_temp.act_as('service@example.com');
  perform api.refund_order((
    select s.order_id from app.settlements as s join app.user_balances as b on b.uid = s.earner_uid
    join app.withdrawals as w on w.uid = b.uid
    where w.state = 'paid' and s.commission > 0 and w.id <> v_chen.id
    order by b.brokerage_price - s.commission, s.order_id limit 1
  ));
end
$$;

-- Requests of refunds that are open, refused, taken back, granted and granted in part, and orders with two parcels.
create function pg_temp.serve_buyers() returns void language plpgsql as $$
declare
  v_order record;
begin
  for v_order in
    select o.id, o.uid, row_number() over (order by o.id desc) as place,
      jsonb_build_array(jsonb_build_object('line_id', min(l.id), 'quantity', 1)) as unit
    from app.orders as o join app.order_lines as l on l.order_id = o.id
    where o.state = 'delivered' and o.refund_status = 0 and not o.has_queue_goods
      and o.uid not in (select d.uid from demo_members as d where d.index < 9)
      and o.id not in (select a.order_id from app.payment_attempts as a)
    group by o.id having max(l.quantity) > 1 order by o.id desc limit 8
  loop
    if v_order.place <= 6 then
      perform pg_temp.act_as(v_order.uid::text);
      if v_order.place = 6 then
        perform api.request_refund(v_order.id, null, '点错了'), api.take_back_refund(v_order.id);
      end if;
      perform api.request_refund(
        v_order.id, case when v_order.place <> 5 then v_order.unit end,
        (array['其中一件破损', '发错了型号', '少发一件', '其中一件漏液', '不想要了', '已经拆封试用'])[v_order.place]
      );
    end if;
    perform pg_temp.act_as('service@example.com');
    if v_order.place in (4, 5) then
      perform api.refund_order(v_order.id, v_order.unit);
    elsif v_order.place = 6 then
      perform api.refuse_refund(v_order.id, '商品已拆封使用，影响二次销售，无法退款。');
    elsif v_order.place > 6 then
      perform api.add_parcel(v_order.id, 'YTO', 'YT' || lpad(v_order.id::text, 12, '0'));
    end if;
  end loop;
end
$$;

-- Corrections of balances and a payment: within the limits of one administrator, above them, and refused by the second
-- one.
create function pg_temp.correct_balances(p_owner text) returns void language plpgsql as $$
declare
  v_uids constant bigint[] := array(select w.uid from app.withdrawals as w where w.state = 'paid' order by w.id desc);
  v_refused bigint;
begin
  perform pg_temp.act_as('finance@example.com');
  perform api.create_adjustment(v_uids[1], '补发开业活动奖励', 200.00, null, 50);
  perform api.create_adjustment(v_uids[2], '结清旧系统的欠款', 5000.00);
  v_refused := (api.create_adjustment(v_uids[1], '重复的奖励', 3000.00) ->> 'id')::bigint;
  perform api.pay_order_offline((select d.id from demo_orders as d order by d.index desc limit 1), '对公转账 20260001');
  perform pg_temp.act_as(p_owner);
  perform api.refuse_adjustment(v_refused);
end
$$;

-- Requests of persons: one by phone, answered, and one from the app, refused.
create function pg_temp.answer_persons(p_owner text) returns void language plpgsql as $$
declare
  v_uids constant bigint[] := array(
    select d.uid from demo_members as d where d.index between 10 and 11 order by d.index
  );
begin
  perform pg_temp.act_as(v_uids[1]::text);
  perform api.create_person_request('correction', '注册日期应为上个月。');
  perform pg_temp.act_as(p_owner);
  perform api.answer_person_request(r.id, 'refused', '注册日期以系统记录为准，已向会员说明。') from app.person_requests as r
  where r.uid = v_uids[1];
  perform api.answer_person_request(
    (api.record_person_request(v_uids[2], 'copy', '会员来电，希望得到个人信息的副本。') ->> 'id')::bigint, 'done', '已按登记的邮箱发送副本。'
  );
end
$$;

-- Precondition: a reconciliation since the end of the month has found nothing.
create function pg_temp.close_last_month(p_owner text) returns void language plpgsql as $$
begin
  perform pg_temp.act_as(p_owner);
  perform api.close_month(to_char(app.business_day(now()) - interval '1 month', 'YYYY-MM'));
  perform pg_temp.act_as(null);
end
$$;

create function pg_temp.work_in_the_office(p_owner text) returns void language plpgsql as $$
begin
  perform pg_temp.hire(p_owner);
  perform pg_temp.pay_withdrawals(p_owner);
  perform pg_temp.serve_buyers();
  perform pg_temp.correct_balances(p_owner);
  perform pg_temp.answer_persons(p_owner);
  perform pg_temp.act_as(null);
end
$$;
