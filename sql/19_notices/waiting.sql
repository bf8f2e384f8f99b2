-- What waits for an administrator: by kind, from the tables themselves.

create or replace function app.waiting_kinds()
returns table (kind text, area text)
language sql
immutable
as $$
  values
    ('shipment', 'orders'),
    ('refund', 'refunds'),
    ('overdue_person_request', 'members'),
    ('person_request', 'members'),
    ('payment', 'money'),
    ('withdrawal_approval', 'money'),
    ('withdrawal_payment', 'money'),
    ('adjustment', 'money'),
    ('month_to_close', 'money'),
    ('low_stock', 'content'),
    ('failed_call', 'money'),
    ('failed_settlement', 'money'),
    ('late_job', 'system'),
    ('reconcile_finding', 'money'),
    ('settings_finding', 'system'),
    ('stopped_webhook', 'keys')
$$;

comment on function app.waiting_kinds is
  'Returns the kinds of what waits for administrators (app.waiting_items), in the order of lists, with the area of '
  'whoever can deal with it (app.role_areas).';

create or replace function app.waiting_kinds_of(p_by uuid)
returns table (kind text, place bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select k.kind, k.place
  from app.waiting_kinds() with ordinality as k (kind, area, place)
  where exists (
    select from app.administrators as a join app.role_areas() as r on r.role = any (a.roles)
    where a.auth_id = p_by and k.area = any (r.areas)
  )
$$;

comment on function app.waiting_kinds_of is
  'Returns the kinds of app.waiting_kinds that the roles of an administrator allow, each with its place in lists.';

create or replace function app.waiting_limit()
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 1000
$$;

comment on function app.waiting_limit is 'Returns up to how many rows of a kind of app.waiting_kinds are counted.';

create or replace function app.person_request_waits_as(p_request app.person_requests, p_uid bigint, p_now timestamptz)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case when p_request.state = 'open' and p_request.uid is distinct from p_uid then
    case
      when p_request.due_at < p_now then 'overdue_person_request'
      when p_request.kind <> 'deletion'
        or not exists (
          select from app.account_deletions as d where d.uid = p_request.uid and d.done_at is null
        ) then 'person_request'
    end
  end
$$;

comment on function app.person_request_waits_as is
  'Returns as which kind of app.waiting_kinds a request waits for the administrator whose own member is p_uid, or '
  'null. A deletion that waits for its day counts only when overdue.';

-- Every kind reads an index of what waits only, newest first, or a small table. A plan for each call: one from a time
-- when the tables were small would read whole tables later.
-- Precondition: the caller runs with owner rights (app.other_administrator, app.late_jobs).
create or replace function app.waiting_items(p_by uuid, p_kinds text[], p_now timestamptz)
returns table (kind text, item bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_uid constant bigint := (select u.uid from app.users as u where u.auth_id = p_by);
  -- One more tells that there are more.
  v_most constant integer := app.waiting_limit() + 1;
begin
  return query
    (select 'shipment', o.id from app.orders as o
      where 'shipment' = any (p_kinds) and app.is_to_ship(o.state, o.refund_status) and o.uid is distinct from v_uid
      order by o.paid_at desc, o.id desc limit v_most)
    union all
    (select 'refund', r.id from app.refunds as r join app.orders as o on o.id = r.order_id
      where 'refund' = any (p_kinds) and app.refund_waits(r.state, r.return_asked_at, r.return_received_at)
        and o.uid is distinct from v_uid
      order by r.order_id desc limit v_most)
    union all
    (select 'overdue_person_request', r.id from app.person_requests as r where 'overdue_person_request' = any (p_kinds)
      and r.closed_at is null and app.person_request_waits_as(r, v_uid, p_now) = 'overdue_person_request'
        order by r.due_at, r.id limit v_most)
    union all
    (select 'person_request', r.id from app.person_requests as r where 'person_request' = any (p_kinds)
      and r.closed_at is null and app.person_request_waits_as(r, v_uid, p_now) = 'person_request'
        order by r.due_at, r.id limit v_most)
    union all
    (select 'payment', w.order_id from app.waiting_payments as w join app.orders as o on o.id = w.order_id
      and o.state = 'unpaid'
      where 'payment' = any (p_kinds) and w.refused_at is null and w.marked_by <> p_by and o.uid is distinct from v_uid
      order by w.order_id desc limit v_most)
    union all
    (select 'withdrawal_approval', w.id from app.withdrawals as w where 'withdrawal_approval' = any (p_kinds)
      and w.state = 'requested' and app.withdrawal_waits_as(w, p_by, v_uid) = 'withdrawal_approval' order by w.id desc
        limit v_most)
    union all
    (select 'withdrawal_payment', w.id from app.withdrawals as w where 'withdrawal_payment' = any (p_kinds)
      and w.state = 'approved' and app.withdrawal_waits_as(w, p_by, v_uid) = 'withdrawal_payment' order by w.id desc
        limit v_most)
    union all
    (select 'adjustment', a.id from app.adjustments as a
      where 'adjustment' = any (p_kinds) and a.state = 'waiting' and app.adjustment_waits_for(a, p_by, v_uid)
      order by a.id desc limit v_most)
    union all
    select 'month_to_close', to_char(m.month, 'YYYYMM')::bigint from app.months_to_close(p_now) as m
    where 'month_to_close' = any (p_kinds)
    union all
    (select 'low_stock', p.id from app.products as p
      where 'low_stock' = any (p_kinds) and p.is_show and not p.is_del and app.is_low(p) order by p.id desc
      limit v_most)
    union all
    (
      select 'failed_call', c.id from app.outbox as c where 'failed_call' = any (p_kinds) and c.state = 'failed'
      order by c.id desc limit v_most
    )
    union all
    (select 'failed_settlement', j.order_id from app.settlement_jobs as j
      where 'failed_settlement' = any (p_kinds) and j.state = 'dead' order by j.order_id desc limit v_most)
    union all
    select 'late_job', j.rank::bigint from app.late_jobs(p_now) as l join app.scheduled_jobs as j on j.name = l.name
    where 'late_job' = any (p_kinds)
    union all
    select 'reconcile_finding', r.id from app.last_reconcile() as r
    cross join generate_series(1, least(r.findings, v_most)) as n
      where 'reconcile_finding' = any (p_kinds)
    union all
    select 'settings_finding', hashtextextended(f.finding, 0) from app.settings_checks as c
    cross join unnest(c.findings) as f (finding)
      where 'settings_finding' = any (p_kinds)
    union all
    select 'stopped_webhook', w.id from app.webhooks as w
    where 'stopped_webhook' = any (p_kinds) and w.state in ('gone', 'failing');
end
$$;

comment on function app.waiting_items is
  'Returns what waits for the administrator p_by, of a kind at most one row more than app.waiting_limit(). item names '
  'it within its kind; findings of a reconciliation share its id. Leaves out what concerns their own member, or needs '
  'another administrator after them.';

create or replace function app.waiting_json(p_by uuid, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with kinds as (
    select k.* from app.waiting_kinds_of(p_by) as k
  ), counts as (
    select i.kind, count(*) as count
    from app.waiting_items(p_by, array(select k.kind from kinds as k order by k.place), p_now) as i group by i.kind
  )
  select jsonb_build_object('list', coalesce(jsonb_agg(jsonb_build_object(
    'kind', k.kind, 'count', least(coalesce(c.count, 0), app.waiting_limit()), 'is_more',
    coalesce(c.count > app.waiting_limit(), false)
  ) order by k.place), '[]'))
  from kinds as k left join counts as c on c.kind = k.kind
$$;

comment on function app.waiting_json is
  'Returns how much waits for the administrator p_by of each kind that their roles allow: {"list": [{kind, count, '
  'is_more}]}. A count ends at app.waiting_limit().';
