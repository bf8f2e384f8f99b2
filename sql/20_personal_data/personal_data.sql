-- The personal data of a member: exported when they ask, emptied when they leave; and how they leave.

-- A table with rows of members that is missing here fails test/api/privacy.
create or replace function app.member_sections()
returns table (number integer, source text, condition text, key text, hidden text[])
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select s.number, s.source, s.condition, s.key, s.hidden::text[]
  from (values
    (1, 'app.users', 't.uid = $1', 't.uid', '{}'),
    (2, 'app.user_balances', 't.uid = $1', 't.uid', '{}'),
    (3, 'app.team_totals', 't.uid = $1', 't.uid', '{}'),
    (4, 'app.addresses', 't.uid = $1', 't.id', '{}'),
    (5, 'app.payout_accounts', 't.uid = $1', 't.id', '{}'),
    (
      6, 'app.wechat_accounts', 't.auth_id = (select u.auth_id from app.users as u where u.uid = $1)',
      'row_number() over (order by t.appid, t.openid)', '{sign_in_id, sign_in_until}'
    ),
    (7, 'app.posters', 't.uid = $1', 't.product_id + 1', '{code, image}'),
    (8, 'app.imported_members', 't.uid = $1', 't.old_uid', '{}'),
    (9, 'app.imported_openids', 't.uid = $1', 'row_number() over (order by t.openid)', '{}'),
    (10, 'app.imported_bill', 't.uid = $1', 'row_number() over (order by t.source, t.old_id)', '{}'),
    (11, 'app.opening_cycles', 't.uid = $1', 't.uid', '{}'),
    (12, 'app.level_changes', 't.uid = $1', 't.id', '{changed_by}'),
    (13, 'app.no_assess_changes', 't.uid = $1', 't.id', '{changed_by}'),
    (14, 'app.orders', 't.uid = $1', 't.id', '{}'),
    (15, 'app.order_lines', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'),
    (16, 'app.payment_attempts', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'),
    (
      17, 'app.payment_payers',
      't.attempt_id in (select a.id from app.payment_attempts as a join app.orders as o on o.id = a.order_id where o.uid = $1)',
      't.attempt_id', '{}'
    ),
    (
      18, 'app.payment_notifications', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'
    ),
    (19, 'app.refunds', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'),
    (
      20, 'app.refund_lines',
      't.refund_id in (select r.id from app.refunds as r join app.orders as o on o.id = r.order_id where o.uid = $1)',
      'row_number() over (order by t.refund_id, t.line_id)', '{}'
    ),
    (21, 'app.provider_refunds', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'),
    (22, 'app.settlements', '(t.uid = $1 or t.earner_uid = $1)', 't.order_id', '{}'),
    (23, 'app.commission_maturities', 't.uid = $1', 't.order_id', '{}'),
    (24, 'app.user_bill', 't.uid = $1', 't.id', '{}'),
    (25, 'app.points_release_log', 't.uid = $1', 't.release_date - date ''2000-01-01''', '{}'),
    (26, 'app.adjustments', 't.uid = $1', 't.id', '{created_by, decided_by}'),
    (27, 'app.withdrawals', 't.uid = $1', 't.id', '{approved_by}'),
    (
      28, 'app.transfers', 't.withdrawal_id in (select w.id from app.withdrawals as w where w.uid = $1)',
      't.withdrawal_id', '{package_info}'
    ),
    (29, 'app.carried_balances', 't.uid = $1', 't.uid', '{}'),
    (30, 'app.used_quotas', 't.uid = $1', 'row_number() over (order by t.kind)', '{}'),
    (31, 'app.events', 't.uid = $1', 't.id', '{}'),
    (32, 'app.parcels', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{shipped_by}'),
    (33, 'app.inboxes', 't.uid = $1', 't.uid', '{}'),
    (34, 'app.read_notices', 't.uid = $1', 'row_number() over (order by t.era, t.xid, t.id)', '{}'),
    (35, 'app.message_consents', 't.uid = $1', 'row_number() over (order by t.template_id)', '{}'),
    (36, 'app.account_deletions', 't.uid = $1', 't.uid', '{}'),
    (
      37, 'app.pictures', 't.kind <> ''store'' and t.owner = (select u.auth_id from app.users as u where u.uid = $1)',
      'row_number() over (order by t.id)', '{}'
    ),
    (38, 'app.tax_withholdings', 't.uid = $1', 't.id', '{}'),
    (39, 'app.tax_allowances', 't.uid = $1', 't.id', '{created_by}'),
    (40, 'app.person_requests', 't.uid = $1', 't.id', '{recorded_by, closed_by}'),
    (41, 'app.real_names', 't.uid = $1', 't.id', '{ciphertext, key_id, person, index_key_id, decided_by}'),
    (42, 'app.spread_changes', 't.uid = $1', 't.id', '{changed_by}')
  ) as s (number, source, condition, key, hidden)
$$;

comment on function app.member_sections is
  'Returns the tables with rows of a member, for app.export_member: a condition on a row t of the member $1, a key by '
  'which rows are read in parts, and columns that are left out.';

-- Dynamic SQL: the statements consist of the constants of app.member_sections. Values are parameters.
-- Each part sees the state at its time, so rows that are written during an export may be missing.
create or replace function app.export_member(p_uid bigint, p_cursor text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 1000;
  v_bill constant text := 'app.bill(''-infinity'', ''infinity'')';
  v_releases constant text := 'app.releases(''-infinity'', ''infinity'')';
  v_number integer := 0;
  v_after bigint := 0;
  v_section record;
  v_some text[];
  v_last bigint;
  v_lines text[] := array[]::text[];
begin
  perform app.require_user(p_uid);
  if p_cursor is null then
    v_lines := array[jsonb_build_object('table', 'auth.users', 'record', app.account_json(p_uid))::text];
  else
    begin
      v_number := split_part(p_cursor, '_', 1)::integer;
      v_after := split_part(p_cursor, '_', 2)::bigint;
    exception when others then
      perform app.fail('invalid_argument', 'cursor was not returned by this export.');
    end;
  end if;
  for v_section in select * from app.member_sections() as m where m.number >= v_number order by m.number loop
    execute format(
      'select array_agg(jsonb_build_object(''table'', %L, ''record'', r.record)::text order by r.key), max(r.key) from ('
      'select k.key, k.record from (select %s as key, to_jsonb(t) - %L::text[] as record from %s as t where %s) as k '
      'where k.key > $2 order by k.key limit $3) as r',
      v_section.source, v_section.key, v_section.hidden,
      case v_section.source
        when 'app.user_bill' then v_bill
        when 'app.points_release_log' then v_releases
        else v_section.source
      end,
      v_section.condition
    )
    into v_some, v_last
    using p_uid, case when v_section.number = v_number then v_after else 0 end, v_most - cardinality(v_lines);
    v_lines := v_lines || coalesce(v_some, '{}');
    if cardinality(v_lines) = v_most then
      return jsonb_build_object('lines', v_lines, 'next_cursor', v_section.number || '_' || v_last);
    end if;
  end loop;
  return jsonb_build_object('lines', v_lines, 'next_cursor', null);
end
$$;

comment on function app.export_member is
  'Returns the next part of everything that the store knows about a member: {lines, next_cursor}. A line is the text '
  'of {table, record}; the first is the Auth account. Raises invalid_argument for another cursor.';

create or replace function app.deleted_nickname()
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select '已注销 · Deleted member'
$$;

comment on function app.deleted_nickname is
  'Returns what is shown in place of the name of a deleted member, in both languages.';

create or replace function app.without_person(p_response jsonb, p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_object_agg(e.key, case
    when e.key in ('created_by', 'decided_by', 'closed_by')
      and e.value -> 'uid' = to_jsonb(p_uid) then e.value || '{"uid": null, "nickname": null}'
    when not w.is_theirs then e.value
    when e.key = 'nickname' then to_jsonb(app.deleted_nickname())
    when e.key = 'address' then 'null'
    when e.key = 'goods_return'
      and jsonb_typeof(e.value) = 'object' then e.value
        || '{"carrier": null, "tracking_no": null, "tracking_url": null}'
    when e.key in ('account', 'remark', 'reason', 'refusal_reason', 'note', 'answer', 'name', 'number')
      and jsonb_typeof(e.value) = 'string' then '""'
    else e.value
  end)
  from jsonb_each(p_response) as e
  cross join (
    select coalesce(p_response -> 'uid' = to_jsonb(p_uid), false)
      or exists (
        select from app.orders as o where o.uid = p_uid and to_jsonb(o.id) = p_response -> 'order_id'
      ) as is_theirs
  ) as w
$$;

comment on function app.without_person is
  'Returns a response to an administrator without what names a member. One about another member loses only who made '
  'or decided something.';

-- Idempotent: what is gone is gone, and a picture is removed once.
create or replace function app.forget_choices(p_uid bigint, p_auth_id uuid)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  delete from app.inboxes where uid = p_uid;
  delete from app.read_notices where uid = p_uid;
  delete from app.message_consents where uid = p_uid;
  delete from app.used_quotas where uid = p_uid;
  delete from app.outbox where lane = 'messages' and payload ->> 'uid' = p_uid::text;
  perform app.remove_pictures_of(p_auth_id, v_now);
  update app.account_deletions set done_at = v_now where uid = p_uid and done_at is null;
  perform app.close_person_requests(p_uid, v_now);
end
$$;

comment on function app.forget_choices is
  'Removes what a deleted member has chosen, read and agreed to, messages to them, and the pictures that they '
  'uploaded. Closes their deletion and requests (app.close_person_requests).';

create or replace function app.reason_of_forfeit()
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 'Given up with the deletion of the account'
$$;

comment on function app.reason_of_forfeit is
  'Returns the reason of the adjustment by which a member who leaves gives up their balances. The update to 2.0.0 '
  'recognizes earlier ones by it.';

-- The position is drawn once the row of the member is locked, so it follows those of members who have just signed up
-- below them.
-- Precondition: the caller holds the structure lock exclusively, so that no settlement is under way that has read
-- otherwise, and the balances.
-- Locks: the member.
-- Idempotent: who has left, has left.
create or replace function app.mark_as_left(p_uid bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.users as u where u.uid = p_uid for update;
  update app.users as u set left_at = p_now, left_position = nextval('app.positions')
  where u.uid = p_uid and u.left_at is null;
  if found then
    perform app.write_event('member.left', p_uid, p_uid, '{}', p_now);
  end if;
end
$$;

comment on function app.mark_as_left is
  'Writes when, and at which position, a member left: from then on they earn nothing, and nobody joins below them.';

-- Auth has locked the account before. Nobody waits for it under the structure lock, so this is part of no deadlock
-- (docs/decisions/0174).
-- Security definer: the role of the Auth server has no rights on schema app.
-- Locks: the structure (exclusive), the orders of the member by id, their withdrawals and adjustments by id, their
-- balances, and the member last, as a settlement does.
-- Idempotent: a second deletion finds nothing left to remove.
create or replace function app.forget_person()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  select u.uid into v_uid from app.users as u where u.auth_id = old.id;
  perform app.lock_structure() where v_uid is not null;
  perform from app.orders as o where o.uid = v_uid order by o.id for update;
  perform app.forget_payee(v_uid);
  -- If they had asked for the deletion, they gave up their balances. Otherwise these stay owed.
  perform app.forfeit_balances(v_uid, app.reason_of_forfeit(), clock_timestamp())
  where exists (select from app.account_deletions as d where d.uid = v_uid and d.done_at is null);
  perform app.mark_as_left(v_uid, clock_timestamp()) where v_uid is not null;
  -- Waits for every transaction that has just inserted rows of the member. What follows sees them. Later ones are
  -- rejected by app.call_api.
  update app.users set auth_id = null, nickname = app.deleted_nickname(), nickname_in_doubt = false, phone = null,
    avatar = null
  where uid = v_uid;
  update app.orders set address = null, remark = '' where uid = v_uid and (address is not null or remark <> '');
  update app.refunds as r set reason = '', refusal_reason = '', return_carrier = null, return_tracking_no = null
  from app.orders as o
  where r.order_id = o.id and o.uid = v_uid
    and (r.reason <> '' or r.refusal_reason <> '' or r.return_sent_at is not null);
  update app.waiting_payments as w set reason = app.forgotten_text() from app.orders as o
  where w.order_id = o.id and o.uid = v_uid and w.reason is not null;
  update app.spread_changes as c set reason = app.forgotten_text() where c.uid = v_uid;
  perform app.forget_choices(v_uid, old.id);
  delete from app.posters where uid = v_uid;
  delete from app.addresses where uid = v_uid;
  delete from app.payment_payers as p using app.payment_attempts as a, app.orders as o
  where p.attempt_id = a.id and a.order_id = o.id and o.uid = v_uid;
  delete from app.imported_openids where uid = v_uid;
  update app.imported_members set phone = null, unionid = null where uid = v_uid;
  update app.imported_bill set title = '', note = '' where uid = v_uid and (title <> '' or note <> '');
  delete from app.idempotency_keys where auth_id = old.id and role not like 'store_key %';
  -- Those of machine keys, which work on, and of other administrators stay, so that a repeated request has no second
  -- effect.
  update app.idempotency_keys as k set response = r.response
  from (
    select l.auth_id, l.role, l.key, app.without_person(l.response, v_uid) as response
    from app.idempotency_keys as l
    where v_uid is not null and l.role <> 'authenticated' and jsonb_typeof(l.response) = 'object' and l.response <> '{}'
  ) as r
  where (k.auth_id, k.role, k.key) = (r.auth_id, r.role, r.key) and k.response <> r.response;
  delete from app.wechat_accounts where auth_id = old.id;
  delete from app.administrators where auth_id = old.id;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end
$$;

comment on function app.forget_person is
  'Trigger: removes the personal data of an account that is deleted or marked as deleted, also from orders, bill and '
  'stored responses (app.without_person). Detaches the member, who has left but keeps orders and bill. Deletes WeChat '
  'ids, administrator rights and idempotency keys of the account.';

-- Before the deletion, because it sets the member's auth_id to null. An account that is only marked as deleted loses
-- the member here: its tokens stay valid for up to an hour.
create trigger deleted_accounts_are_forgotten before delete on auth.users
  for each row execute function app.forget_person();
create trigger accounts_marked_as_deleted_are_forgotten after update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function app.forget_person();

create or replace function app.deletion_obstacles(p_uid bigint, p_now timestamptz)
returns table (reason text, count integer, amount numeric, until timestamptz, is_in_progress boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with obstacles as (
    select 1 as place, 'administrator' as reason, count(*)::integer as count, null::numeric as amount,
      null::timestamptz as until
    from app.administrators as a join app.users as u on u.auth_id = a.auth_id where u.uid = p_uid
    union all
    select 2, 'withdrawal_open', count(*)::integer, sum(w.amount), null from app.withdrawals as w
    where w.uid = p_uid and w.ended_at is null
    union all
    select 3, 'order_open', count(*)::integer, null, null
    from app.orders as o where o.uid = p_uid and o.state in ('unpaid', 'paid', 'delivered') and o.refund_status <> 2
    union all
    select 4, 'refund_open', count(*)::integer, null, null
    from app.orders as o
    where o.uid = p_uid and (
      o.refund_status = 1
      or exists (select from app.provider_refunds as r where r.order_id = o.id and r.state = 'refunding')
    )
    union all
    select 5, 'refund_window_open', count(*)::integer, null, max(w.ends_at)
    from app.orders as o cross join lateral (select app.refund_window_end(o.received_at) as ends_at) as w
    where o.uid = p_uid and o.state = 'received' and o.refund_status <> 2 and w.ends_at > p_now
    union all
    select 6, 'debt', (d.amount < 0)::integer, -d.amount, null from app.withdrawable(p_uid, p_now) as d (amount)
    union all
    select 7, 'points_owed', (b.available_points < 0)::integer, trim_scale(-b.available_points), null
    from app.user_balances as b where b.uid = p_uid
  )
  select o.reason, o.count, o.amount, o.until, o.place <= 4 from obstacles as o where o.count > 0 order by o.place
$$;

comment on function app.deletion_obstacles is
  'Returns why the account of a member cannot be deleted now, with a count, an amount (points for points_owed) and '
  'until when. is_in_progress: it also holds up a deletion that waits.';

create or replace function app.deletion_json(p_uid bigint, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'state', case when d.uid is null then 'none' else 'waiting' end, 'asked_at', app.utc(d.asked_at), 'due_at',
    app.utc(d.due_at),
    'forfeit', jsonb_build_object(
      'brokerage', greatest(b.brokerage_price, 0)::text, 'frozen_points', trim_scale(b.frozen_points),
      'available_points', trim_scale(greatest(b.available_points, 0))
    ),
    'obstacles', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reason', o.reason, 'count', o.count, 'amount', o.amount::text, 'until', app.utc(o.until)
      ) order by o.ordinality), '[]')
      from app.deletion_obstacles(p_uid, p_now) with ordinality as o where d.uid is null or o.is_in_progress
    )
  )
  from app.user_balances as b left join app.account_deletions as d on d.uid = b.uid and d.done_at is null
  where b.uid = p_uid
$$;

comment on function app.deletion_json is
  'Returns the deletion of an account as the API shows it: whether it waits, until when, what the member gives up, '
  'and its obstacles.';

-- Locks: the advisory lock under which the member places orders, then their balances, under which they withdraw. So
-- neither begins meanwhile.
-- Idempotent: a deletion that waits stays as it is, whatever the amounts are by now.
create or replace function app.request_deletion(
  p_uid bigint, p_brokerage numeric, p_frozen_points numeric, p_available_points numeric, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v_reason text;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_uid::text, app.lock_number('unpaid_orders')));
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  if exists (select from app.account_deletions as d where d.uid = p_uid and d.done_at is null) then
    return;
  end if;
  select o.reason into v_reason from app.deletion_obstacles(p_uid, v_now) with ordinality as o order by o.ordinality
  limit 1;
  if found then
    perform app.fail('deletion_not_possible', case v_reason
      when 'administrator'
        then 'This account is an administrator. Another administrator removes it from the list first.'
      when 'withdrawal_open' then 'A withdrawal is not finished yet. Wait for its end, or cancel it.'
      when 'order_open' then 'An order is not finished yet. Pay or cancel it, or confirm its receipt.'
      when 'refund_open' then 'A refund is not finished yet. Wait for its end.'
      when 'refund_window_open'
        then 'You received an order that can still be refunded. Wait until its refund window has ended.'
      when 'debt' then 'You owe the store commission that refunds took back. Settle it with the store first.'
      when 'points_owed' then 'You owe the store points that refunds took back. Settle them with the store first.'
    end);
  elsif not exists (
    select from app.user_balances as b
    where b.uid = p_uid and greatest(b.brokerage_price, 0) = p_brokerage and b.frozen_points = p_frozen_points
      and greatest(b.available_points, 0) = p_available_points
  ) then
    perform app.fail('changed_meanwhile', 'These are not the amounts that you would give up now. Read them again.');
  end if;
  insert into app.account_deletions (uid, auth_id, asked_at, due_at, brokerage, frozen_points, available_points)
  select p_uid, u.auth_id, v_now, v_now + interval '7 days', p_brokerage, p_frozen_points, p_available_points
  from app.users as u where u.uid = p_uid;
  perform app.open_person_request(p_uid, 'deletion', 'app', '', null, v_now);
end
$$;

comment on function app.request_deletion is
  'Asks for the deletion of the account of a member in seven days, and enters it in the register. Raises '
  'deletion_not_possible (app.deletion_obstacles), and changed_meanwhile if these are not the amounts that the member '
  'gives up now.';

-- Locks: the deletion. If the job has it, the account is gone afterwards. Then the request.
-- Idempotent: an account that stays, stays.
create or replace function app.cancel_deletion(p_uid bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from app.account_deletions as d where d.uid = p_uid and d.done_at is null;
  if found then
    update app.person_requests as r set state = 'lapsed', closed_at = app.effect_time(p_now)
    where r.uid = p_uid and r.kind = 'deletion' and r.state = 'open';
  end if;
end
$$;

comment on function app.cancel_deletion is
  'Keeps the account of a member whose deletion waits. Their request for it lapses.';

-- In one transaction, so a crash leaves all or nothing of it. app.forget_person does the rest, and the outbox removes
-- the files. An account that Auth has locked may be on its way out, with a trigger that waits for the structure lock,
-- so it is left for the next run.
-- Locks: the structure (exclusive), the lock under which the member places orders, the account, the orders by id, the
-- withdrawals and adjustments by id, the balances, the deletion.
-- Idempotent: an account is deleted once.
create or replace function app.delete_account_if_due(p_uid bigint, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid;
  v_now timestamptz;
begin
  perform app.lock_structure();
  perform pg_advisory_xact_lock(hashtextextended(p_uid::text, app.lock_number('unpaid_orders')));
  select a.id into v_auth_id from app.users as u join auth.users as a on a.id = u.auth_id where u.uid = p_uid
  for update of a skip locked;
  if not found then
    return false;
  end if;
  perform from app.orders as o where o.uid = p_uid order by o.id for update;
  perform from app.withdrawals as w where w.uid = p_uid order by w.id for update;
  perform from app.adjustments as a where a.uid = p_uid order by a.id for update;
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  perform from app.account_deletions as d where d.uid = p_uid and d.done_at is null and d.due_at <= v_now for update;
  if not found or exists (select from app.deletion_obstacles(p_uid, v_now) as o where o.is_in_progress) then
    return false;
  end if;
  perform app.forfeit_balances(p_uid, app.reason_of_forfeit(), v_now);
  perform app.mark_as_left(p_uid, v_now);
  delete from auth.users as a where a.id = v_auth_id;
  return true;
end
$$;

comment on function app.delete_account_if_due is
  'Deletes the account of a member whose deletion is due (app.forget_person), and returns whether it did: not while '
  'others lock it or something is in progress (app.deletion_obstacles).';

-- Locks: the deletion.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_auth_log(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid;
begin
  select d.auth_id into v_auth_id from app.account_deletions as d
  where d.uid = p_uid and d.done_at is not null and d.auth_id is not null for update;
  if found then
    delete from auth.audit_log_entries as e where e.payload ->> 'actor_id' = v_auth_id::text;
    update app.account_deletions as d set auth_id = null where d.uid = p_uid;
  end if;
end
$$;

comment on function app.forget_auth_log is 'Removes the entries of a deleted account from the log of the Auth server.';

-- One transaction for each account and one for its log, which is read as a whole.
-- Idempotent, also when it runs concurrently: see app.delete_account_if_due and app.forget_auth_log.
create or replace procedure app.delete_due_accounts(p_now timestamptz default null)
language plpgsql
as $$
declare
  v_run record := app.begin_run('delete_due_accounts', 1);
  v_uid bigint;
begin
  commit;
  foreach v_uid in array array(
    select d.uid from app.account_deletions as d where d.auth_id is not null and d.due_at <= app.trusted_time(p_now)
    order by d.due_at, d.uid
  ) loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      perform app.delete_account_if_due(v_uid, p_now);
    exception when others then
      raise warning 'the account of member % was not deleted: %', v_uid, sqlerrm;
    end;
    commit;
    perform app.forget_auth_log(v_uid);
    perform app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.delete_due_accounts is
  'Deletes the accounts whose deletion is due, each in a transaction of its own. One that is held up or fails is left '
  'for the next run.';
