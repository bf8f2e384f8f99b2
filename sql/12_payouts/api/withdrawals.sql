-- What clients may call about withdrawals.

-- Security definer: client roles cannot read payout_accounts and real names.
create or replace function api.admin_get_withdrawal(p_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  perform app.require_admin();
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return app.admin_withdrawal_json(v_withdrawal) || jsonb_build_object(
    'signals', coalesce((
      select s.kinds from app.signals_of(array[v_withdrawal.uid]) as s where v_withdrawal.ended_at is null
    ), '{}'),
    'held_orders', app.held_orders_json(v_withdrawal, clock_timestamp()),
    'withdrawable', app.withdrawable(v_withdrawal.uid, clock_timestamp())::text, 'estimated_tax',
    app.estimate_tax(v_withdrawal, clock_timestamp())::text,
    'batch_no', (select b.batch_no from app.withdrawal_batches as b where b.id = v_withdrawal.batch_id),
    'transfer', app.transfer_json(v_withdrawal, clock_timestamp()),
    'payee', (
      select jsonb_build_object('holder', a.holder, 'account_no', a.account_no, 'bank', a.bank)
      from app.payout_accounts as a where a.id = v_withdrawal.account_id and app.may_change('money')
    )
  );
end
$$;

comment on function api.admin_get_withdrawal is
  'Returns a withdrawal with the signals about its member while it is open (app.signals_of), what the member can still '
  'withdraw, the orders whose refund requests hold commission, its estimated tax, and its transfer. Only '
  'administrators with the area money get the account with its number. Serves GET /adminapi/withdrawal/{id}.';

grant execute on function api.admin_get_withdrawal(bigint) to store_admin;

-- Security definer: whether a withdrawal waits for the caller depends on the other administrators, whose accounts
-- client roles cannot read, as they cannot read what signals compare.
create or replace function api.admin_get_withdrawals(
  p_state text default null, p_method text default null, p_uid bigint default null, p_batch_id bigint default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null, p_waiting text default null,
  p_sort text default '-id'
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sort record;
  v_position record;
  v_result jsonb;
begin
  perform app.require_admin();
  v_sort := app.check_sort(p_sort, '{id, ended_at}');
  v_position := app.list_position(p_page, p_limit, p_cursor, v_sort.direction);
  -- A plan for the filters and the sort of the call.
  execute format($sql$
    with given as not materialized (
      select $3 as state, $4 as method, $5 as uid, $6 as batch_id, $7 as added_from, $8 as added_to, $9 as waiting,
        $10 as caller, $11 as caller_uid, $12 as id, $13 as ended_at
    ), matching as not materialized (
      select w.* from app.withdrawals as w cross join given as g
      where (g.method is null or w.method = g.method) and (g.uid is null or w.uid = g.uid)
        and (g.batch_id is null or w.batch_id = g.batch_id)
        and (g.added_from is null or w.add_time >= g.added_from) and (g.added_to is null or w.add_time < g.added_to)
        and (
          g.waiting is null
          or w.ended_at is null and app.withdrawal_waits_as(w, g.caller, g.caller_uid) = g.waiting
        )
    ), states as materialized (
      select s.name, coalesce(c.count, 0) as count, coalesce(c.listed, 0) as listed
      from unnest('{requested, approved, paying, paid, refused, failed, cancelled}'::text[]) as s (name)
      left join (
        select m.state, count(*), count(m.%1$I) as listed from matching as m group by m.state
      ) as c on c.state = s.name
    ), page as materialized (
      select m.* from matching as m cross join given as g
      where (g.state is null or m.state = g.state) and m.%1$I is not null and (m.%1$I, m.id) %3$s (g.%1$I, g.id)
      order by m.%1$I %2$s, m.id %2$s offset $1 limit $2
    )
    select app.log_json(
      jsonb_agg(
        app.admin_withdrawal_json(l::app.withdrawals) || jsonb_build_object('signals', coalesce(s.kinds, '{}'))
        order by l.%1$I %2$s, l.id %2$s
      ),
      (
        select coalesce(sum(s.listed), 0)::bigint from states as s cross join given as g
        where g.state is null or s.name = g.state
      ),
      array_agg(app.make_cursor(l.%4$I, l.id) order by l.%1$I %2$s, l.id %2$s), $2
    ) || jsonb_build_object('states', (select jsonb_object_agg(s.name, s.count) from states as s))
    from page as l
    left join app.signals_of(
      array(select p.uid from page as p where p.ended_at is null order by p.id)
    ) as s on s.uid = l.uid and l.ended_at is null
  $sql$, v_sort.key, v_sort.direction, v_sort.beyond, case v_sort.key when 'id' then 'add_time' else v_sort.key end)
  into v_result
  using v_position.skip, p_limit, p_state, p_method, p_uid, p_batch_id, p_from, p_to, p_waiting, auth.uid(),
    app.current_uid(), v_position.id, v_position.add_time;
  return v_result;
end
$$;

comment on function api.admin_get_withdrawals is
  'Returns one page of all withdrawals, sorted by id, or by their end, which leaves out open ones, and how many are in '
  'each state. p_waiting is that of app.withdrawal_waits_as. Open ones have the signals about their members '
  '(app.signals_of). Account numbers are masked. Serves GET /adminapi/withdrawal.';

grant execute on function api.admin_get_withdrawals(
  text, text, bigint, bigint, timestamptz, timestamptz, integer, integer, text, text, text
) to store_admin;

-- Locks: the sum of the administrator, the withdrawal, then the balances of its member.
-- Idempotent: see app.approve_withdrawal.
create or replace function api.approve_withdrawal(p_id bigint, p_held_by_refunds numeric default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  perform app.lock_decided_alone('withdrawal', auth.uid(), clock_timestamp());
  -- Row order: the withdrawal of one id.
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  perform app.lock_balances(array[v_before.uid]);
  v_after := app.approve_withdrawal(v_before, null, auth.uid(), p_held_by_refunds);
  perform app.record_withdrawal_action('approve_withdrawal', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.approve_withdrawal is
  'Approves a requested withdrawal and returns it (app.approve_withdrawal). p_held_by_refunds accepts what open refund '
  'requests hold of it. Serves PUT /adminapi/withdrawal/{id}/approve.';

grant execute on function api.approve_withdrawal(bigint, numeric) to store_admin;

-- Locks: the sum of the administrator, the withdrawals, by id, then the balances of their members.
-- Idempotent: approved withdrawals stay as they are.
create or replace function api.approve_withdrawals(p_ids jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_id bigint;
  v_before app.withdrawals;
  v_after app.withdrawals;
  v_problem text;
  v_detail text;
  v_field text;
  v_lines jsonb := '[]'::jsonb;
begin
  perform app.require_admin('money');
  v_ids := app.require_ids(p_ids);
  perform app.lock_decided_alone('withdrawal', auth.uid(), clock_timestamp());
  perform from app.withdrawals as w where w.id = any (v_ids) order by w.id for update;
  perform app.lock_balances(array(select w.uid from app.withdrawals as w where w.id = any (v_ids) order by w.uid));
  foreach v_id in array v_ids loop
    v_problem := null;
    begin
      -- Row order: the withdrawal of one id.
      select l.* into v_before from app.lock_withdrawals(array[v_id]) as l;
      v_after := app.approve_withdrawal(v_before, null, auth.uid());
      perform app.record_withdrawal_action('approve_withdrawals', v_before, v_after);
    exception when sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics v_problem = message_text, v_detail = pg_exception_detail, v_field = column_name;
    end;
    v_lines := v_lines || jsonb_build_object(
      'id', v_id, 'withdrawal_no', (select w.withdrawal_no from app.withdrawals as w where w.id = v_id), 'problem',
      v_problem,
      'result',
      case when v_problem is not null then 'rejected' when v_after.state = 'requested' then 'waits' else 'approved' end
    );
  end loop;
  if not jsonb_path_exists(v_lines, '$[*] ? (@.problem == null)') then
    perform app.fail(v_problem, v_detail, v_field);
  end if;
  return jsonb_build_object('lines', v_lines);
end
$$;

comment on function api.approve_withdrawals is
  'Approves several requested withdrawals. Returns approved, waits or rejected for each, with the code of the error. '
  'Raises the last error if all are rejected. One of which refund requests hold something is rejected. Serves PUT '
  '/adminapi/withdrawal/approve.';

grant execute on function api.approve_withdrawals(jsonb) to store_admin;

-- Precondition: the caller runs with owner rights (app.other_administrator).
create or replace function app.reasons_to_look(p_withdrawal app.withdrawals, p_signals text[], p_left numeric)
returns text[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_shown constant jsonb := app.admin_withdrawal_json(p_withdrawal);
  v_by constant uuid := auth.uid();
begin
  if p_withdrawal.state <> 'requested' then
    return array['withdrawal_state_conflict'];
  end if;
  return array_remove(array[
    case when p_withdrawal.uid = app.current_uid() then 'own_account' end,
    case when v_shown ->> 'held_by_refunds' is not null then 'held_by_refunds' end,
    case when v_shown ->> 'debt' is not null then 'debt' end,
    case when cardinality(p_signals) > 0 then 'signal' end,
    -- Whoever approves it second needs no limit, but a machine key is never the second.
    case when case
      when p_withdrawal.approved_by <> v_by then app.is_key()
      else p_withdrawal.amount > p_left or app.needs_two_approvals(p_withdrawal, v_by)
    end then 'second_administrator' end
  ], null);
end
$$;

comment on function app.reasons_to_look is
  'Returns why the caller should look at a withdrawal before they approve it: withdrawal_state_conflict (not '
  'requested), own_account, held_by_refunds, debt, signal (p_signals), second_administrator (their approval alone does '
  'not suffice). Empty: nothing. p_left is what the caller may still decide alone today (app.left_to_decide).';

-- Security definer: client roles cannot read what signals compare, nor the accounts of the other administrators.
create or replace function api.preview_approvals(p_ids jsonb)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_left numeric;
  v_one record;
  v_is_first boolean;
  v_reasons text[];
  v_taken bigint[] := array[]::bigint[];
  v_amount numeric := 0.00;
  v_left_out jsonb := '[]'::jsonb;
begin
  perform app.require_admin('money');
  v_ids := app.require_ids(p_ids);
  v_left := app.left_to_decide('withdrawal', auth.uid(), clock_timestamp());
  -- In the sequence in which api.approve_withdrawals decides.
  for v_one in
    select w as whole, w.id, w.withdrawal_no, w.uid, u.nickname, w.amount, w.approved_by,
      coalesce(s.kinds, '{}') as kinds
    from app.withdrawals as w
    join app.users as u on u.uid = w.uid
    left join app.signals_of(
      array(select o.uid from app.withdrawals as o where o.id = any (v_ids) and o.state = 'requested' order by o.id)
    ) as s on s.uid = w.uid
    where w.id = any (v_ids)
    order by w.id
  loop
    v_is_first := coalesce(v_one.approved_by = auth.uid(), true);
    v_reasons := app.reasons_to_look(v_one.whole, v_one.kinds, v_left);
    if v_reasons = '{}' then
      v_taken := v_taken || v_one.id;
      v_amount := v_amount + v_one.amount;
      v_left := v_left - case when v_is_first then v_one.amount else 0 end;
    else
      v_left_out := v_left_out || jsonb_build_object(
        'id', v_one.id, 'withdrawal_no', v_one.withdrawal_no, 'uid', v_one.uid, 'nickname', v_one.nickname, 'amount',
        v_one.amount::text,
        'reasons', v_reasons, 'signals', v_one.kinds, 'can_be_approved',
        not v_reasons && '{withdrawal_state_conflict, own_account, held_by_refunds}' and (
          not 'second_administrator' = any (v_reasons)
          or v_is_first and app.other_administrator('money', auth.uid(), v_one.uid)
        )
      );
    end if;
  end loop;
  if cardinality(v_taken) + jsonb_array_length(v_left_out) < cardinality(v_ids) then
    perform app.fail('withdrawal_not_found');
  end if;
  return jsonb_build_object('ids', v_taken, 'amount', v_amount::text, 'left_out', v_left_out);
end
$$;

comment on function api.preview_approvals is
  'Returns which of these withdrawals the caller can approve together without a look at each, and their sum, and the '
  'others with the reasons (app.reasons_to_look), without writing. can_be_approved: api.approve_withdrawals takes it, '
  'too. Serves POST /adminapi/withdrawal/approve/preview.';

grant execute on function api.preview_approvals(jsonb) to store_admin;

-- Locks: balances of the caller.
-- Not idempotent: each call makes a request. While it is open, another call raises withdrawal_open.
create or replace function api.create_withdrawal(
  p_amount numeric, p_method text, p_account_id bigint default null, p_payee_name text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.withdrawal_json(
    app.request_withdrawal(app.require_uid(), p_amount, p_method, p_account_id, null, p_payee_name)
  );
end
$$;

comment on function api.create_withdrawal is
  'Requests the withdrawal of matured commission of the caller and returns it (app.request_withdrawal). p_payee_name '
  'is the name that WeChat needs for large amounts. Serves POST /api/withdrawal.';

grant execute on function api.create_withdrawal(numeric, text, bigint, text) to authenticated, store_admin;

-- Security definer: no client role can read transfers. Reads only withdrawals of the verified token's member.
create or replace function api.get_withdrawal(p_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_withdrawal app.withdrawals;
begin
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id and w.uid = v_uid;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return app.withdrawal_json(v_withdrawal)
    || jsonb_build_object('estimated_tax', app.estimate_tax(v_withdrawal, clock_timestamp())::text, 'confirmation', (
    select jsonb_build_object('mch_id', t.mchid, 'app_id', t.appid, 'package', t.package_info)
    from app.transfers as t
    where t.withdrawal_id = v_withdrawal.id and v_withdrawal.transfer_state = 'confirming'
      and t.package_info is not null and t.mchid is not null
      and t.cancel_at is null
  ));
end
$$;

comment on function api.get_withdrawal is
  'Returns a withdrawal of the caller, its estimated tax until that is fixed, and, while WeChat waits for their '
  'confirmation, what opens the confirmation page. Serves GET /api/withdrawal/{id}.';

grant execute on function api.get_withdrawal(bigint) to authenticated, store_admin;

-- WeChat limits what is left after the fee (app.check_transfer_terms). A member compares with what they enter, the
-- amount before the fee.
create or replace function app.withdrawal_limits(p_uid bigint, p_withdrawable numeric)
returns table (method text, minimum numeric, maximum numeric, name_from numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    m.method, greatest(s.withdrawal_minimum, t.minimum),
    greatest(least(p_withdrawable, s.withdrawal_maximum, t.maximum), 0.00), t.name_from
  from app.settings as s
  cross join unnest(s.withdrawal_methods) with ordinality as m (method, ordinality)
  left join lateral (
    select app.amount_for_net(s.transfer_minimum - 0.01, s.withdrawal_fee_rate) + 0.01 as minimum,
      app.amount_for_net(s.transfer_maximum, s.withdrawal_fee_rate) as maximum,
      app.amount_for_net(s.transfer_name_from - 0.01, s.withdrawal_fee_rate) + 0.01 as name_from
  ) as t on m.method = 'wechat'
  where m.method <> 'wechat' or exists (select from app.wechat_payee(p_uid))
  order by m.ordinality
$$;

comment on function app.withdrawal_limits is
  'Returns the ways in which a member can withdraw, with the smallest and the present largest amount (below the '
  'smallest: none), and the amount from which the payee is named (null: never). Amounts before the fee.';

-- Security definer: the function has no parameter that names a member, and reads only the member of the verified token.
create or replace function api.get_withdrawal_terms(p_amount numeric default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_parts record := app.commission_parts(v_uid, clock_timestamp());
  v_open_id bigint := (select w.id from app.withdrawals as w where w.uid = v_uid and w.ended_at is null);
  v_rate numeric := (select s.withdrawal_fee_rate from app.settings as s);
  v_fee numeric := app.withdrawal_fee(p_amount, v_rate);
  v_tax numeric := (app.compute_tax(v_uid, p_amount, app.most_tax(null, p_amount, v_fee), clock_timestamp())).tax;
begin
  return (
    select jsonb_build_object(
      'methods', coalesce(jsonb_agg(jsonb_build_object(
        'method', l.method, 'minimum', l.minimum::text, 'maximum', l.maximum::text, 'name_from', l.name_from::text
      ) order by l.ordinality), '[]'),
      'fee_rate', trim_scale(v_rate), 'withdrawable', v_parts.withdrawable::text, 'held_by_refunds',
      v_parts.held_by_refunds::text, 'open_withdrawal_id', v_open_id,
      'obstacle', case
        when count(*) = 0 then 'no_method'
        when v_open_id is not null then 'withdrawal_open'
        when not bool_or(l.maximum >= l.minimum) then 'too_little'
      end,
      'real_name',
      (
        select jsonb_build_object('amount_from', m.amount_from::text, 'state', m.state)
        from app.missing_real_name(v_uid) as m
      ),
      'fee', v_fee::text, 'estimated_tax', v_tax::text, 'net_amount', (p_amount - v_fee - coalesce(v_tax, 0))::text
    )
    from app.withdrawal_limits(v_uid, v_parts.withdrawable) with ordinality as l
  );
end
$$;

comment on function api.get_withdrawal_terms is
  'Returns what the caller needs to know before a withdrawal: ways with limits, fee rate, what can be withdrawn and is '
  'held, the obstacle, the missing real name, the open withdrawal. Of p_amount: fee, estimated tax and net amount. '
  'Serves GET /api/withdrawal/terms.';

grant execute on function api.get_withdrawal_terms(numeric) to authenticated, store_admin;

create or replace function api.get_withdrawals(
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_position record := app.list_position(p_page, p_limit, p_cursor);
begin
  return (
    with matching as not materialized (select w.* from app.withdrawals as w where w.uid = v_uid)
    select app.log_json(
      jsonb_agg(app.withdrawal_json(l) order by l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.id desc), p_limit
    )
    from (
      select m.* from matching as m where m.id < v_position.id order by m.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_withdrawals is
  'Returns one page of the caller''s withdrawals, newest first. Serves GET /api/withdrawal.';

grant execute on function api.get_withdrawals(integer, integer, text) to authenticated, store_admin;

-- Locks: the withdrawal, then the balances of its member.
-- Idempotent: a failed withdrawal stays as it is.
create or replace function api.mark_withdrawal_failed(p_id bigint, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  -- Row order: the withdrawal of one id.
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  perform app.reject_end_by_hand(v_before, clock_timestamp());
  v_after := app.move_withdrawal(v_before, 'failed', null, p_reason);
  perform app.record_withdrawal_action('mark_withdrawal_failed', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.mark_withdrawal_failed is
  'Records that the payment of an approved withdrawal failed, with a reason that the member sees, and returns it. '
  'Serves PUT /adminapi/withdrawal/{id}/failed.';

grant execute on function api.mark_withdrawal_failed(bigint, text) to store_admin;

-- Locks: the withdrawal, then the balances of its member.
-- Idempotent: a paid withdrawal stays as it is.
create or replace function api.mark_withdrawal_paid(
  p_id bigint, p_payment_ref text default null, p_held_by_refunds numeric default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  -- Row order: the withdrawal of one id.
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  perform app.reject_own_approval(array[p_id], auth.uid());
  perform app.reject_end_by_hand(v_before, clock_timestamp());
  v_after := app.move_withdrawal(v_before, 'paid', null, null, p_payment_ref, p_held_by_refunds);
  perform app.record_withdrawal_action('mark_withdrawal_paid', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.mark_withdrawal_paid is
  'Records that an approved withdrawal was paid, and returns it. p_held_by_refunds accepts what open refund requests '
  'hold of it. Serves PUT /adminapi/withdrawal/{id}/paid.';

grant execute on function api.mark_withdrawal_paid(bigint, text, numeric) to store_admin;

-- Locks: the withdrawal, then the balances of its member.
-- Idempotent: a refused withdrawal stays as it is.
create or replace function api.refuse_withdrawal(p_id bigint, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  -- Row order: the withdrawal of one id.
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  v_after := app.move_withdrawal(v_before, 'refused', null, p_reason);
  perform app.record_withdrawal_action('refuse_withdrawal', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.refuse_withdrawal is
  'Refuses a requested or approved withdrawal, with a reason that the member sees, and returns it. Serves PUT '
  '/adminapi/withdrawal/{id}/refuse.';

grant execute on function api.refuse_withdrawal(bigint, text) to store_admin;

-- Locks: the withdrawal, the count of the caller's cancellations, the balances of the caller.
-- Idempotent: a cancelled withdrawal stays as it is.
create or replace function api.cancel_withdrawal(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_withdrawal app.withdrawals;
begin
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id and w.uid = v_uid for update;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  perform app.use_quota(v_uid, 'cancellation', clock_timestamp()) where v_withdrawal.state = 'requested';
  return app.withdrawal_json(app.cancel_withdrawal(v_withdrawal, null));
end
$$;

comment on function api.cancel_withdrawal is
  'Cancels a withdrawal of the caller that no administrator has approved, and returns it. Serves PUT '
  '/api/withdrawal/{id}/cancel.';

grant execute on function api.cancel_withdrawal(bigint) to authenticated, store_admin;
