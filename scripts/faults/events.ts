/** Older events may have been deleted. */
const YOUNG = "now() - interval '80 days'";

/**
 * For each type of event but those of time, what must have written it: the subject and the time. `n` is how many causes
 * there are less how many events. A release has moved with the clock, but its number has not, so only its time counts.
 */
const DIFFERENCES = `
  with causes (type, subject, at) as (
    select 'member.referred', u.uid, u.spread_time from app.users as u where u.spread_uid is not null
    union all select 'level.reached', c.uid, c.add_time from app.level_changes as c where c.to_level > c.from_level
    union all select t.type, o.id, t.at from app.orders as o cross join lateral (values
      ('order.paid', o.paid_at), ('order.shipped', o.delivered_at), ('order.received', o.received_at),
      (case when o.is_expired then 'order.expired' else 'order.cancelled' end, o.cancelled_at)
    ) as t (type, at)
    union all select case b.type when 'brokerage' then 'commission.earned' else 'commission.reversed' end, b.order_id, b.add_time
    from app.user_bill as b where b.type in ('brokerage', 'brokerage_reversal')
    union all select 'order.parcel_added', p.order_id, p.shipped_at from app.parcels as p
    where exists (select from app.parcels as f where f.order_id = p.order_id and f.id < p.id)
    union all select 'refund.requested', r.order_id, r.created_at from app.refunds as r where r.decided_position is distinct from r.position
    union all select 'refund.' || r.state, r.order_id, r.decided_at from app.refunds as r
    union all select t.type, r.order_id, t.at from app.refunds as r cross join lateral (values
      ('refund.return_requested', r.return_asked_at), ('refund.return_sent', r.return_sent_at), ('refund.return_received', r.return_received_at)
    ) as t (type, at)
    union all select t.type, w.id, t.at from app.withdrawals as w cross join lateral (values
      ('withdrawal.requested', w.add_time), ('withdrawal.approved', w.approved_at), ('withdrawal.' || w.state, w.ended_at)
    ) as t (type, at)
    union all select 'adjustment.requested', a.id, a.add_time from app.adjustments as a where a.decided_by is distinct from a.created_by
    union all select 'adjustment.' || a.state, a.id, a.decided_at from app.adjustments as a
    union all select 'person.request_' || r.state, r.uid, r.closed_at from app.person_requests as r where r.closed_by is not null
    union all select 'member.left', u.uid, u.left_at from app.users as u where u.left_at is not null
    union all select 'points.released', 0, r.finished_at from app.release_runs as r
  ),
  compared as (
    select c.*, 1 as n from causes as c where c.at > ${YOUNG}
    union all
    select e.type, case e.subject when 'release' then 0 else e.subject_id end, e.add_time, -1
    from app.events as e where e.add_time > ${YOUNG} and e.type not in ('commission.matured', 'commission.held', 'commission.released', 'order.expiring')
  )
  select c.type, c.subject, sum(c.n) as n from compared as c group by c.type, c.subject, c.at having sum(c.n) <> 0`;

/** Causes of which nobody was told. */
export const UNTOLD = [
  `select 'event ' || d.type || ' of ' || d.subject from (${DIFFERENCES}) as d where d.n > 0`,
  `select 'event commission.matured of ' || m.order_id from app.commission_maturities as m
    where m.is_announced and m.amount_left > 0 and m.matures_at > ${YOUNG}
      and not exists (select from app.users as u where u.uid = m.uid and u.left_at is not null)
      and not exists (select from app.events as e where e.type = 'commission.matured' and e.subject_id = m.order_id)`,
  // What a request holds that is still open. Of one that was answered, the rows no longer say how much there was.
  `select 'event commission.held of ' || m.order_id from app.refunds as r
    join app.commission_maturities as m on m.order_id = r.order_id join app.settlements as s on s.order_id = r.order_id
    where r.state = 'requested' and r.created_at > ${YOUNG} and m.amount_left > 0 and s.position < r.position and app.names_queue_goods(r.id)
      and not exists (select from app.events as e where e.type = 'commission.held' and e.cause_id = r.id)`,
];

/** Events without a cause, or more of them than causes. */
export const CAUSELESS = [
  `select 'event ' || d.type || ' of ' || d.subject from (${DIFFERENCES}) as d where d.n < 0`,
  `select 'event commission.matured of ' || e.subject_id from app.events as e where e.type = 'commission.matured'
    and not exists (select from app.commission_maturities as m where m.order_id = e.subject_id and m.is_announced)`,
  `select 'event ' || e.type || ' of ' || e.subject_id from app.events as e where e.type in ('commission.held', 'commission.released')
    and not exists (select from app.refunds as r where r.id = e.cause_id and r.order_id = e.subject_id)`,
  "select 'event ' || e.id from app.events as e where e.type = 'order.expiring' and not exists (select from app.orders as o where o.id = e.subject_id)",
];
