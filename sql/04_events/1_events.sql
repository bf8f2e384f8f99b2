-- Events: the catalogue of what happens to a member or to the store, the one function that writes it down, and the
-- reading by cursor. docs/events.md says what the types mean and how to read them; docs/decisions/0085 says why they
-- are stored like this.

-- A payload has ids, states, amounts, counts and times, and nothing personal, so no key is for a text that people
-- enter.
create table app.event_types (
  rank smallint generated always as identity,
  type text primary key,
  version smallint not null,
  subject text not null,
  keys text[] not null,
  title text not null,
  title_zh text not null,
  description text not null,
  constraint type_is_two_names check (type ~ '^[a-z]+\.[a-z_]+$'),
  constraint subject_is_known check (subject in ('member', 'order', 'withdrawal', 'adjustment', 'release'))
);
comment on table app.event_types is 'The catalogue of events. The migrations fill it.';
comment on column app.event_types.rank is 'Lists show the types in this order.';
comment on column app.event_types.version is 'The version of the payload.';
comment on column app.event_types.keys is 'The keys that the payload may have.';
comment on column app.event_types.description is 'When the event is written.';

alter table app.event_types enable row level security;
create policy admins_read_event_types on app.event_types for select to store_admin, service_role using (true);
grant select on app.event_types to store_admin, service_role;

insert into app.event_types (type, version, subject, keys, title, title_zh, description) values
  (
    'member.referred', 1, 'member', '{}', 'New direct member', '新增直推会员',
    'The subject became a direct member of the member concerned.'
  ),
  (
    'level.reached', 1, 'member', '{from_level, to_level}', 'Level reached', '等级提升',
    'The member rose to a higher grade, by meeting its tasks or by hand. One event for each grade that tasks raised them.'
  ),
  (
    'profile.nickname_replaced', 1, 'member', '{}', 'Nickname replaced', '昵称已替换',
    'WeChat refuses the nickname of the member, who has the neutral one instead.'
  ),
  (
    'profile.avatar_removed', 1, 'member', '{}', 'Picture removed', '头像已移除',
    'WeChat refuses a picture that the member uploaded of themselves. Its files are removed.'
  ),
  (
    'person.request_done', 1, 'member', '{request_id, kind}', 'Personal data request done', '个人信息请求已处理',
    'The store did what the member had asked of their personal data.'
  ),
  (
    'person.request_refused', 1, 'member', '{request_id, kind}', 'Personal data request refused', '个人信息请求被拒绝',
    'The store refused what the member had asked of their personal data.'
  ),
  ('order.paid', 1, 'order', '{pay_price}', 'Order paid', '订单已付款', 'The buyer''s payment was recorded.'),
  ('order.shipped', 1, 'order', '{}', 'Order shipped', '订单已发货', 'The order was marked as shipped.'),
  (
    'order.parcel_added', 1, 'order', '{parcel_id}', 'Further parcel', '追加包裹',
    'The shipped order, which has a parcel, got a further one.'
  ),
  (
    'order.received', 1, 'order', '{}', 'Order received', '订单已收货',
    'The receipt was confirmed, by the buyer, an administrator or time.'
  ),
  (
    'order.expiring', 1, 'order', '{expires_at}', 'Order about to expire', '订单即将超时',
    'The unpaid order expires within ten minutes. Once for each order.'
  ),
  (
    'order.expired', 1, 'order', '{}', 'Order expired', '订单超时关闭',
    'The unpaid order was cancelled because its time was over.'
  ),
  ('order.cancelled', 1, 'order', '{}', 'Order cancelled', '订单已取消', 'A person cancelled the unpaid order.'),
  (
    'commission.earned', 1, 'order', '{amount, points, cycle_no, place}', 'Commission earned', '获得佣金',
    'The order paid the member concerned commission, and frozen points for it.'
  ),
  (
    'commission.reversed', 1, 'order', '{amount}', 'Commission reversed', '佣金冲回',
    'A refund took back commission that the order had paid.'
  ),
  (
    'commission.matured', 1, 'order', '{amount}', 'Commission matured', '佣金可提现',
    'The commission of the order can be withdrawn: it has matured, and no open refund request holds it. Once for each order.'
  ),
  (
    'refund.requested', 1, 'order', '{refund_id, amount, points}', 'Refund requested', '申请退款',
    'The buyer asked for a refund of units of the order.'
  ),
  (
    'refund.refunded', 1, 'order', '{refund_id, amount, points}', 'Refund completed', '退款完成',
    'Units of the order were refunded: a request was granted, or there was none.'
  ),
  (
    'refund.refused', 1, 'order', '{refund_id, amount, points, has_reason}', 'Refund refused', '退款被拒绝',
    'The request was refused. has_reason is true if the store says why; the text is the refusal_reason of the refund.'
  ),
  (
    'refund.return_requested', 1, 'order', '{refund_id}', 'Goods asked for', '要求寄回商品',
    'The store answered the request by asking for the goods.'
  ),
  (
    'refund.return_sent', 1, 'order', '{refund_id}', 'Goods sent back', '商品已寄回',
    'The buyer entered the return parcel. Once for each request.'
  ),
  (
    'refund.return_received', 1, 'order', '{refund_id}', 'Returned goods received', '已收到退货',
    'The returned goods have arrived.'
  ),
  (
    'withdrawal.requested', 1, 'withdrawal', '{amount, fee, tax, method}', 'Withdrawal requested', '申请提现',
    'The member asked for money.'
  ),
  (
    'withdrawal.approved', 1, 'withdrawal', '{amount, fee, tax, method}', 'Withdrawal approved', '提现已批准',
    'The withdrawal may be paid.'
  ),
  (
    'withdrawal.paid', 1, 'withdrawal', '{amount, fee, tax, method}', 'Withdrawal paid', '提现已付款',
    'The amount less fee and tax was paid to the member.'
  ),
  (
    'withdrawal.failed', 1, 'withdrawal', '{amount, fee, tax, method}', 'Withdrawal failed', '提现失败',
    'The payment failed, and the amount returned to the balance.'
  ),
  (
    'withdrawal.refused', 1, 'withdrawal', '{amount, fee, tax, method}', 'Withdrawal refused', '提现被拒绝',
    'The store refused it, and the amount returned to the balance.'
  ),
  (
    'withdrawal.cancelled', 1, 'withdrawal', '{amount, fee, tax, method}', 'Withdrawal cancelled', '提现已取消',
    'The member cancelled it before anybody had approved it, and the amount returned to the balance.'
  ),
  (
    'adjustment.requested', 1, 'adjustment', '{brokerage, frozen_points, available_points}', 'Adjustment requested',
    '提交调账', 'The adjustment waits for a second administrator.'
  ),
  (
    'adjustment.booked', 1, 'adjustment', '{brokerage, frozen_points, available_points}', 'Adjustment booked', '调账已入账',
    'The balances of the member were adjusted.'
  ),
  (
    'adjustment.refused', 1, 'adjustment', '{brokerage, frozen_points, available_points}', 'Adjustment refused',
    '调账被拒绝', 'The second administrator refused the adjustment.'
  ),
  (
    'points.released', 1, 'release', '{release_date, users, points}', 'Points released', '积分已释放',
    'The release of a business day is complete for all members: one event for the day, whose number is the subject.'
  ),
  (
    'name.checked', 1, 'member', '{}', 'Real name checked', '实名认证通过',
    'An administrator or the provider found the real name of the member right.'
  ),
  (
    'name.refused', 1, 'member', '{}', 'Real name refused', '实名认证未通过',
    'An administrator or the provider refused the real name of the member.'
  ),
  (
    'commission.held', 1, 'order', '{amount}', 'Commission held', '佣金暂不可提现',
    'The buyer asked for a refund of queue goods: until the answer, the commission of the order cannot be withdrawn, even if it has matured.'
  ),
  (
    'commission.released', 1, 'order', '{amount}', 'Commission no longer held', '佣金解除暂扣',
    'The request was answered and left commission of the order, which no request holds any more.'
  ),
  (
    'member.left', 1, 'member', '{}', 'Member left', '会员已离开',
    'The account of the member was deleted or removed. From then on the member earns nothing, and nobody joins below them.'
  ),
  (
    'refund.partly_refunded', 1, 'order', '{refund_id, amount, points}', 'Refund granted in part', '部分退款',
    'The request was granted in part. With an amount of 0.00, other refunds had paid back what it asked for.'
  ),
  (
    'refund.taken_back', 1, 'order', '{refund_id, amount, points}', 'Refund request taken back', '退款申请已撤回',
    'The buyer took the request back before the store answered it.'
  );

-- Transaction ids are compared only within an era (app.current_era). Two transactions that begin an era compute the
-- same number and do not wait for each other; each leaves a row.
create table app.event_eras (
  era integer not null,
  xid xid8 not null default pg_current_xact_id(),
  system bigint not null,
  primary key (era, xid)
);
comment on table app.event_eras is
  'The eras of events, each with the database cluster that counted its transaction ids. The first event of an era '
  'writes it.';
comment on column app.event_eras.system is
  'The system identifier of the cluster; where the store may not read it, the start of the server in microseconds.';

alter table app.event_eras enable row level security;
create policy admins_read_event_eras on app.event_eras for select to store_admin, service_role using (true);
grant select on app.event_eras to store_admin, service_role;

-- The key is the sequence of reading. Ids alone do not follow commits.
create table app.events (
  era integer not null,
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  type text not null,
  version smallint not null,
  subject text not null,
  subject_id bigint not null,
  uid bigint,
  payload jsonb not null,
  cause text not null,
  cause_id bigint,
  add_time timestamptz not null,
  primary key (era, xid, id),
  constraint cause_is_known check (cause in ('member', 'administrator', 'provider', 'job', 'order', 'refund')),
  constraint an_order_or_refund_that_caused_it_is_named check ((cause in ('order', 'refund')) = (cause_id is not null)),
  constraint payload_is_an_object check (jsonb_typeof(payload) = 'object')
);
comment on table app.events is 'What happened to a member or to the store. Append-only, and kept for 90 days.';
comment on column app.events.xid is 'The transaction that wrote the event, within its era.';
comment on column app.events.subject_id is
  'uid of a member, id of an order, withdrawal or adjustment, YYYYMMDD of a release.';
comment on column app.events.uid is 'The member whom the event concerns; null if it concerns all, or none.';
comment on column app.events.cause is 'Who or what caused it. cause_id is the order that was settled, or the refund.';

create index events_time_idx on app.events (add_time, id);
create index events_type_idx on app.events (type, add_time, id);
create index events_uid_idx on app.events (uid, era, xid, id) where uid is not null;
create index events_order_idx on app.events (subject_id, add_time, id) where subject = 'order';
-- What time causes has no row that could be written only once with it.
create unique index events_of_time_happen_once on app.events (type, subject_id)
  where type in ('commission.matured', 'order.expiring');

alter table app.events enable row level security;
create policy admins_read_all_events on app.events for select to store_admin, service_role using (true);
grant select on app.events to authenticated, store_admin, service_role;

create trigger events_are_never_changed before update on app.events for each row execute function app.reject_change();
create trigger young_events_are_never_deleted before delete on app.events
  for each row when (old.add_time > now() - interval '90 days') execute function app.reject_change();
create trigger events_are_never_emptied before truncate
  on app.events for each statement execute function app.reject_change();

-- Transaction ids start again where a dump is restored into another cluster, and go back where a server recovers to an
-- earlier time. The first has another system identifier, the second another timeline, as has a standby that takes over;
-- there, a new era is not needed but harmless. A provider of the database may keep the control file from the store.
-- Then each start of the server begins an era: all earlier transactions have ended.
-- Security definer: who reads must count as who writes, whatever each may execute. PL/pgSQL, so that the session caches
-- the query plan (see app.get_upline).
create or replace function app.current_era(out era integer, out system bigint, out is_known boolean)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if has_function_privilege('pg_control_system()', 'execute') then
    select c.system_identifier into system from pg_control_system() as c;
  else
    system := (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint;
  end if;
  era := coalesce((select max(e.era) from app.event_eras as e where e.system <> current_era.system), 0)
    + ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer;
  is_known := exists (select from app.event_eras as e where e.era = current_era.era);
end
$$;

comment on function app.current_era is
  'Returns the era in which this server counts transaction ids, later than all before. is_known: an event of it is '
  'committed.';

grant execute on function app.current_era() to store_admin;

create type app.event as (
  type text,
  subject_id bigint,
  uid bigint,
  payload jsonb,
  cause text,
  cause_id bigint
);
comment on type app.event is 'An event to be written. cause null: the caller (app.caller_kind).';

-- A session that writes has one era: its server stays the same, and only a server that does not write changes its
-- timeline. So the first event of a session finds the era, which a rollback forgets again.
create or replace function app.session_era()
returns integer
language plpgsql
volatile
as $$
declare
  v_known pg_catalog.record;
begin
  if coalesce(pg_catalog.current_setting('store.era', true), '') = '' then
    v_known := app.current_era();
    if not v_known.is_known then
      insert into app.event_eras (era, system) values (v_known.era, v_known.system);
    end if;
    perform pg_catalog.set_config('store.era', v_known.era::pg_catalog.text, false);
  end if;
  return pg_catalog.current_setting('store.era')::integer;
end
$$;

comment on function app.session_era is 'Returns the era of the events that this session writes, and records a new one.';

create or replace function app.caller_kind()
returns text
language sql
stable
as $$
  select case nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::pg_catalog.jsonb ->> 'role'
    when 'authenticated' then 'member'
    when 'store_admin' then 'administrator'
    when 'store_key' then 'administrator'
    when 'service_role' then 'provider'
    else 'job'
  end
$$;

comment on function app.caller_kind is
  'Returns who calls: member, administrator, provider (what the edge functions record) or job (also SQL of the owner).';

-- Precondition: called in the transaction of the cause, which happens once.
-- Generic query plan: see app.get_upline.
create or replace function app.write_events(p_events app.event[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_era integer;
  v_rows integer;
begin
  if coalesce(cardinality(p_events), 0) = 0 then
    return;
  end if;
  v_era := app.session_era();
  insert into app.events (era, type, version, subject, subject_id, uid, payload, cause, cause_id, add_time)
  select v_era, t.type, t.version, t.subject, e.subject_id, e.uid, e.payload, coalesce(e.cause, app.caller_kind()),
    e.cause_id, p_now
  from unnest(p_events) with ordinality as e
  join app.event_types as t on t.type = e.type and e.payload - t.keys = '{}'
  order by e.ordinality;
  get diagnostics v_rows = row_count;
  if v_rows < cardinality(p_events) then
    raise exception 'the catalogue of events has no type %, or not all keys of its payload', (
      select min(coalesce(e.type, 'null')) from unnest(p_events) as e left join app.event_types as t on t.type = e.type
      where (e.payload - t.keys = '{}') is not true
    );
  end if;
end
$$;

comment on function app.write_events is
  'Writes events in the given sequence; null writes none. Raises an error for a type or a key that is not in '
  'app.event_types.';

-- An insert of its own, because the array of one event would cost more than its row.
-- Precondition: as app.write_events.
create or replace function app.write_event(
  p_type text, p_subject_id bigint, p_uid bigint, p_payload jsonb, p_now timestamptz, p_cause text default null,
  p_cause_id bigint default null
)
returns void
language plpgsql
volatile
as $$
begin
  -- Row order: one row.
  insert into app.events (era, type, version, subject, subject_id, uid, payload, cause, cause_id, add_time)
  select app.session_era(), t.type, t.version, t.subject, p_subject_id, p_uid, p_payload,
    coalesce(p_cause, app.caller_kind()), p_cause_id, p_now
  from app.event_types as t
  where t.type = p_type and p_payload - t.keys = '{}';
  if not found then
    raise exception 'the catalogue of events has no type %, or not all keys of its payload', coalesce(p_type, 'null');
  end if;
end
$$;

comment on function app.write_event is 'Writes one event, as app.write_events.';

-- An event of a transaction that is still open is not visible, and would later stand before others that are. So the
-- reading stops at the oldest open transaction of this era. Transactions of earlier eras have all ended.
-- Stable: one snapshot for the rows and for their limit.
create or replace function app.events_after(p_era integer, p_xid xid8, p_id bigint, p_limit integer)
returns setof app.events
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select e.*
  from app.events as e
  where (e.era, e.xid, e.id) > (p_era, p_xid, p_id)
    and (e.era < (select c.era from app.current_era() as c) or e.xid < pg_snapshot_xmin(pg_current_snapshot()))
  order by e.era, e.xid, e.id
  limit p_limit
$$;

comment on function app.events_after is
  'Returns up to p_limit events after a cursor, in the sequence in which all readers see them, up to the oldest open '
  'transaction. Whatever is committed later comes after them.';

grant execute on function app.events_after(integer, xid8, bigint, integer) to store_admin;

create or replace function app.event_cursor(p_event app.events)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select format('%s_%s_%s', p_event.era, p_event.xid, p_event.id)
$$;

comment on function app.event_cursor is
  'Returns the cursor of an event, for the parameter after of GET /adminapi/events.';

grant execute on function app.event_cursor(app.events) to store_admin;

create or replace function app.read_event_cursor(p_cursor text, out era integer, out xid xid8, out id bigint)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  era := split_part(p_cursor, '_', 1)::integer;
  xid := split_part(p_cursor, '_', 2)::xid8;
  id := split_part(p_cursor, '_', 3)::bigint;
  if p_cursor <> format('%s_%s_%s', era, xid, id) then
    era := null;
  end if;
exception when others then
  era := null;
end
$$;

comment on function app.read_event_cursor is
  'Returns the parts of a cursor (app.event_cursor); era is null for any other text.';

grant execute on function app.read_event_cursor(text) to store_admin;

create or replace function app.event_position(p_cursor text, out era integer, out xid xid8, out id bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_cursor is null then
    era := 0;
    xid := '0';
    id := 0;
    return;
  end if;
  select c.era, c.xid, c.id into era, xid, id from app.read_event_cursor(p_cursor) as c;
  if era is null or era > (select c.era from app.current_era() as c) then
    perform app.fail('invalid_argument', 'after was not returned by this list.');
  end if;
end
$$;

comment on function app.event_position is
  'Returns the position after which reading continues: that of a cursor (app.event_cursor), or the beginning. Raises '
  'invalid_argument for a cursor that this list cannot have returned.';

grant execute on function app.event_position(text) to store_admin;

create or replace function app.event_json(p_event app.events)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_event.id, 'type', p_event.type, 'version', p_event.version, 'subject', p_event.subject, 'subject_id',
    p_event.subject_id,
    'uid', p_event.uid, 'payload', p_event.payload, 'cause', p_event.cause, 'cause_id', p_event.cause_id, 'add_time',
    app.utc(p_event.add_time)
  )
$$;

comment on function app.event_json is 'Returns an event as the API shows it.';

grant execute on function app.event_json(app.events) to store_admin;

create table app.forgotten_events (
  day date primary key,
  event_count bigint not null,
  digest text not null,
  forgotten_at timestamptz not null,
  constraint event_count_is_positive check (event_count > 0),
  constraint digest_is_a_number check (digest ~ '^[0-9]{1,64}$')
);
comment on table app.forgotten_events is
  'The events of each business day that were deleted after 90 days (app.forget_old_events). app.reconcile_events finds '
  'days that have neither events nor a row here.';
comment on column app.forgotten_events.digest is
  'The sum, modulo 2^128, of the first 128 bits of the SHA-256 of each event as JSON, so that events can be added in any '
  'sequence.';

alter table app.forgotten_events enable row level security;
create policy admins_read_forgotten_events on app.forgotten_events for select to store_admin, service_role using (true);
grant select on app.forgotten_events to store_admin, service_role;

create or replace function app.digest_of_event(p_event app.events)
returns numeric
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select sum(get_byte(h.hash, n.byte) * 256::numeric ^ (15 - n.byte))
  from sha256(convert_to(to_jsonb(p_event)::text, 'UTF8')) as h (hash), generate_series(0, 15) as n (byte)
$$;

comment on function app.digest_of_event is
  'Returns the first 128 bits of the SHA-256 of an event as JSON, as app.forgotten_events adds them up.';

-- What is deleted is a beginning of the sequence of reading, so a reader that is behind misses nothing in between.
-- Locks: the rows.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_old_events(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
-- Events in UTC have the same JSON in every session.
set timezone = 'UTC'
as $$
declare
  v_deleted integer;
begin
  with forgotten as (
    delete from app.events as e
    where e.add_time < p_now - interval '90 days' and (e.era, e.xid, e.id) in (
      select o.era, o.xid, o.id from app.events as o order by o.era, o.xid, o.id limit p_limit
    )
    returning e.*
  ),
  days as (
    insert into app.forgotten_events as d (day, event_count, digest, forgotten_at)
    select app.business_day(f.add_time), count(*),
      trunc(mod(sum(app.digest_of_event(f::app.events)), 2::numeric ^ 128))::text, p_now
    from forgotten as f group by app.business_day(f.add_time) order by 1
    on conflict (day) do update
    set event_count = d.event_count + excluded.event_count, forgotten_at = excluded.forgotten_at,
      digest = trunc(mod(d.digest::numeric + excluded.digest::numeric, 2::numeric ^ 128))::text
    returning d.day
  )
  select count(*) into v_deleted from forgotten;
  return v_deleted;
end
$$;

comment on function app.forget_old_events is
  'Deletes up to p_limit events that are older than 90 days, adds them to the row of their day in '
  'app.forgotten_events, and returns how many.';
