-- Checks of reconciliation: events beside the books. What is booked is told once, and nothing else.

create or replace function app.told_effects()
returns table (effect text, frequency text, event_types text[], figures text[], reason text)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select t.effect, t.frequency, string_to_array(t.event_types, ' '), string_to_array(coalesce(t.figures, ''), ' '),
    t.reason
  from (values
    -- Bill rows, by type and source.
    ('brokerage cycle', 'each', 'commission.earned', 'amount points cycle_no place', null),
    ('frozen_points_brokerage cycle', 'none', null, null, 'commission.earned tells these points'),
    ('frozen_points_brokerage direct', 'none', null, null, 'level points are in the bill of the member only'),
    ('frozen_points_brokerage umbrella', 'none', null, null, 'level points are in the bill of the member only'),
    ('brokerage_reversal cycle', 'each', 'commission.reversed', 'amount', null),
    ('frozen_points_reversal cycle', 'none', null, null, 'a refund tells of its order only'),
    ('frozen_points_reversal direct', 'none', null, null, 'level points are in the bill of the member only'),
    ('frozen_points_reversal umbrella', 'none', null, null, 'level points are in the bill of the member only'),
    ('frozen_points_release release', 'day', 'points.released', 'release_date users points', null),
    ('opening_balance import', 'none', null, null, 'an import writes no events'),
    ('withdrawal withdrawal', 'each', 'withdrawal.requested', 'amount fee method', null),
    ('withdrawal_returned withdrawal', 'each', 'withdrawal.refused withdrawal.failed withdrawal.cancelled',
      'amount fee method', null),
    ('points_spent checkout', 'none', null, null, 'the buyer sees it with the order'),
    ('points_returned checkout', 'none', null, null, 'the end of the order or its refund tells of it'),
    ('adjustment adjustment', 'each', 'adjustment.booked', 'brokerage frozen_points available_points', null),
    -- Other decisions.
    ('order paid', 'each', 'order.paid', 'pay_price', null),
    ('order received', 'each', 'order.received', null, null),
    ('order ended unpaid', 'each', 'order.cancelled order.expired', null, null),
    ('refund requested', 'each', 'refund.requested', 'refund_id', null),
    ('refund ended', 'each', 'refund.refunded refund.partly_refunded refund.refused refund.taken_back',
      'refund_id amount points', null),
    ('goods returned', 'each', 'refund.return_requested refund.return_sent refund.return_received', 'refund_id', null),
    ('withdrawal approved', 'each', 'withdrawal.approved', 'amount fee method', null),
    ('withdrawal paid', 'each', 'withdrawal.paid', 'amount fee tax method', null),
    ('adjustment requested', 'each', 'adjustment.requested', 'brokerage frozen_points available_points', null),
    ('adjustment refused', 'each', 'adjustment.refused', 'brokerage frozen_points available_points', null),
    ('level reached', 'each', 'level.reached', 'from_level to_level', null),
    ('member referred', 'each', 'member.referred', null, null),
    ('member left', 'each', 'member.left', null, null),
    -- Events without an effect of their own.
    ('commission matured', 'none', 'commission.matured', null, 'app.reconcile_maturities compares its mark'),
    ('commission held', 'none', 'commission.held commission.released', null, 'it follows from requests of refunds'),
    ('order shipped', 'none', 'order.shipped order.parcel_added', null, 'one recorded after the receipt is dated to the receipt'),
    ('order about to expire', 'none', 'order.expiring', null, 'it announces what may happen'),
    ('profile checked', 'none', 'profile.nickname_replaced profile.avatar_removed', null, 'no figure'),
    ('real name checked', 'none', 'name.checked name.refused', null, 'no figure'),
    ('personal data requested', 'none', 'person.request_done person.request_refused', null, 'no figure')
  ) as t (effect, frequency, event_types, figures, reason)
$$;

comment on function app.told_effects is
  'Returns for each kind of effect the events that tell of it. effect: type and source of bill rows, or a decision. '
  'frequency: each, one event for each; day, one for a business day; none, reason says why. figures: the keys of the '
  'payload that the books state, too.';

create or replace function app.effects_of_orders(p_from timestamptz, p_until timestamptz)
returns table (type text, subject_id bigint, uid bigint, figures jsonb, add_time timestamptz)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with orders as materialized (
      select o.* from app.orders_since(p_from) as c (id) join app.orders as o on o.id = c.id where not o.is_imported
    )
    select 'order.paid', o.id, o.uid, jsonb_build_object('pay_price', o.pay_price::text), o.paid_at
    from orders as o where o.paid_at >= p_from and o.paid_at < p_until
    union all
    select 'order.received', o.id, o.uid, '{}', o.received_at
    from orders as o where o.received_at >= p_from and o.received_at < p_until
    union all
    select case when o.is_expired then 'order.expired' else 'order.cancelled' end, o.id, o.uid, '{}', o.cancelled_at
    from orders as o where o.cancelled_at >= p_from and o.cancelled_at < p_until
    union all
    select 'commission.earned', s.order_id, s.earner_uid, jsonb_build_object(
      'amount', s.commission::text, 'points', trim_scale(s.commission_points), 'cycle_no', s.cycle_no, 'place', s.place
    ), s.settled_at
    from app.settlements as s
    where s.settled_at >= p_from and s.settled_at < p_until and s.commission > 0
    union all
    select 'commission.reversed', l.order_id, l.uid, jsonb_build_object('amount', (-l.brokerage_delta)::text),
      l.add_time
    from app.bill(p_from, p_until) as l where l.type = 'brokerage_reversal'
    union all
    select 'refund.' || f.state, r.order_id, o.uid,
      jsonb_build_object('refund_id', r.id) || case
        when f.is_end then jsonb_build_object('amount', r.amount::text, 'points', trim_scale(r.points))
        else '{}'
      end, f.at
    from app.refunds as r
    join app.orders as o on o.id = r.order_id
    cross join lateral (values
      -- A refund without a request is decided at its own position.
      ('requested', case when r.decided_position is distinct from r.position then r.created_at end, false),
      (r.state, r.decided_at, true),
      ('return_requested', r.return_asked_at, false),
      ('return_sent', r.return_sent_at, false),
      ('return_received', r.return_received_at, false)
    ) as f (state, at, is_end)
    where f.at >= p_from and f.at < p_until;
end
$$;

comment on function app.effects_of_orders is
  'Returns the events that orders, settlements and refunds require (app.effects_between).';

create or replace function app.effects_between(p_from timestamptz, p_until timestamptz)
returns table (type text, subject_id bigint, uid bigint, figures jsonb, add_time timestamptz)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select o.* from app.effects_of_orders(p_from, p_until) as o
    union all
    select 'withdrawal.' || t.state, w.id, w.uid,
      jsonb_build_object('amount', w.amount::text, 'fee', w.fee::text, 'method', w.method) || case
        when t.state = 'paid' then jsonb_build_object('tax', w.tax::text) else '{}'
      end, t.at
    from app.withdrawals as w
    cross join lateral (values
      ('requested', w.add_time), ('approved', w.approved_at), (w.state, w.ended_at)
    ) as t (state, at)
    where t.at >= p_from and t.at < p_until
    union all
    select 'adjustment.' || t.state, a.id, a.uid, jsonb_build_object(
      'brokerage', a.brokerage_delta::text, 'frozen_points', trim_scale(a.frozen_delta),
      'available_points', trim_scale(a.available_delta)
    ), t.at
    from app.adjustments as a
    cross join lateral (values
      -- What its creator may decide alone is booked at once. A request is decided by somebody else.
      ('requested', case when a.state = 'waiting' or a.decided_by is distinct from a.created_by then a.add_time end),
      (a.state, a.decided_at)
    ) as t (state, at)
    where t.at >= p_from and t.at < p_until
    union all
    select 'points.released', to_char(r.release_date, 'YYYYMMDD')::bigint, null,
      jsonb_build_object('release_date', r.release_date, 'users', r.users, 'points', trim_scale(r.points)),
      r.finished_at
    from app.release_runs as r where r.finished_at >= p_from and r.finished_at < p_until
    union all
    select 'level.reached', c.uid, c.uid,
      jsonb_build_object('from_level', c.from_level, 'to_level', c.to_level), c.add_time
    from app.level_changes as c
    where c.add_time >= p_from and c.add_time < p_until and c.to_level > c.from_level
      and c.reason <> 'imported'
    union all
    select 'member.referred', u.uid, u.spread_uid, '{}', u.spread_time
    from app.users as u
    where u.spread_time >= p_from and u.spread_time < p_until
      and not exists (select from app.imported_members as i where i.uid = u.uid and i.imported_at >= u.spread_time)
    union all
    select 'member.referred', c.uid, c.from_uid, '{}', c.from_time
    from app.spread_changes as c
    where c.from_time >= p_from and c.from_time < p_until
      and not exists (select from app.imported_members as i where i.uid = c.uid and i.imported_at >= c.from_time)
    union all
    select 'member.left', u.uid, u.uid, '{}', u.left_at
    from app.users as u where u.left_at >= p_from and u.left_at < p_until;
end
$$;

comment on function app.effects_between is
  'Returns the events that the books require from p_from until before p_until, with the figures of app.told_effects.';

create or replace function app.compare_events(p_from timestamptz, p_until timestamptz)
returns table (
  type text, subject_id bigint, uid bigint, add_time timestamptz, booked bigint, told bigint, booked_figures jsonb,
  told_figures jsonb
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with compared as materialized (
    select e.type, t.figures
    from app.told_effects() as t cross join unnest(t.event_types) as e (type)
    where t.frequency <> 'none'
  ),
  booked as (
    select e.type, e.subject_id, coalesce(e.uid, 0) as uid, e.add_time, count(*) as rows,
      jsonb_agg(e.figures order by e.figures) as figures
    from app.effects_between(p_from, p_until) as e
    group by e.type, e.subject_id, coalesce(e.uid, 0), e.add_time
  ),
  told as (
    select e.type, e.subject_id, coalesce(e.uid, 0) as uid, e.add_time, count(*) as rows,
      jsonb_agg(f.figures order by f.figures) as figures
    from app.events as e
    join compared as c on c.type = e.type
    cross join lateral (
      select coalesce(jsonb_object_agg(p.key, p.value), '{}') as figures from jsonb_each(e.payload) as p
      where p.key = any (c.figures)
    ) as f
    where e.add_time >= p_from and e.add_time < p_until
      -- Whoever signed up before the import of their member has that one instead (app.give_imported_member).
      and (e.type <> 'member.referred' or exists (select from app.users as u where u.uid = e.subject_id))
    group by e.type, e.subject_id, coalesce(e.uid, 0), e.add_time
  )
  select type, subject_id, nullif(uid, 0), add_time, coalesce(b.rows, 0), coalesce(t.rows, 0), b.figures, t.figures
  from booked as b
  full join told as t using (type, subject_id, uid, add_time)
  where b.figures is distinct from t.figures
$$;

comment on function app.compare_events is
  'Returns what the books and the events from p_from until before p_until state differently: how often each has an '
  'effect of a subject at a time, and its figures. Events of the last 90 days are kept.';

create or replace function app.days_without_events()
returns table (day date, effects bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with gaps as materialized (
    select d.day::date as day, d.day::date::timestamp at time zone s.time_zone as begins_at,
      (d.day::date + 1)::timestamp at time zone s.time_zone as ends_at
    from app.settings as s
    cross join (select v.applied_at from app.schema_versions as v where v.version = '2.0.0') as v
    cross join generate_series(app.business_day(v.applied_at) + 1, app.business_day(now()) - 1, '1 day') as d (day)
    where not exists (select from app.forgotten_events as f where f.day = d.day::date)
  ),
  silent as materialized (
    select g.* from gaps as g
    where not exists (select from app.events as e where e.add_time >= g.begins_at and e.add_time < g.ends_at)
  )
  select s.day, count(*)
  from (select min(s.begins_at) as begins_at, max(s.ends_at) as ends_at from silent as s) as b
  cross join lateral app.effects_between(b.begins_at, b.ends_at) as e
  join silent as s on e.add_time >= s.begins_at and e.add_time < s.ends_at
  group by s.day
$$;

comment on function app.days_without_events is
  'Returns the business days since the update to 2.0.0 of which neither an event nor a row of app.forgotten_events is '
  'left, although the books have effects, and how many.';

-- Before 2.0.0, some effects had no event, nor has what the update itself books.
create or replace function app.events_compared_from()
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select greatest(
    least(
      now() - interval '2 days',
      (select max(r.started_at) from app.reconcile_runs as r where r.finished_at is not null)
    ),
    coalesce(u.in_force_since + interval '1 day', v.applied_at),
    now() - interval '89 days'
  )
  from app.schema_versions as v join app.rule_versions as u on u.version = 2
  where v.version = '2.0.0'
$$;

comment on function app.events_compared_from is
  'Returns from when on a reconciliation compares events with the books: the last two days, and since the last complete '
  'one, but nothing from before the day after the update to 2.0.0, nor what retention is about to delete.';

create or replace function app.reconcile_events(p_from timestamptz default null, p_until timestamptz default 'infinity')
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'events_tell_what_is_booked', format('%s of %s', d.type, d.subject_id),
    concat_ws(' ', d.booked || ':', d.booked_figures, 'of uid ' || d.uid, app.utc(d.add_time)),
    concat_ws(' ', d.told || ':', d.told_figures)
  from app.compare_events(coalesce(p_from, app.events_compared_from()), p_until) as d
  union all
  select 'every_day_has_its_events', format('business day %s', d.day), 'events, or their row in app.forgotten_events',
    format('%s effects without an event', d.effects)
  from app.days_without_events() as d
$$;

comment on function app.reconcile_events is
  'Finds effects in the books without their event, events without their effect, and figures that differ, from p_from '
  '(null: app.events_compared_from) until before p_until; and days whose events are gone (app.days_without_events).';
