-- What analysts read with a login of their own: views without personal data, and what ends their queries.

-- Names, types and meaning of these columns stay: tools outside depend on them. Columns may be added, at the end. A
-- view runs with the rights of the owner and calls no function of the store but those of report.bill, because whoever
-- reads a view calls its functions themselves.

create view report.members as
select u.uid, u.spread_uid as referrer_uid, u.agent_level as level, g.name as level_name, u.is_held as level_is_held,
  u.no_assess, u.add_time as joined_at,
  (u.add_time at time zone s.time_zone)::date as joined_day, b.brokerage_price as commission_balance, b.frozen_points,
  b.available_points,
  b.total_brokerage as commission_earned, b.total_points_earned as points_earned, u.left_at,
  (
    select least(greatest(b.brokerage_price - coalesce((
      select sum(w.amount_left) from app.commission_maturities as w
      where w.uid = u.uid and (w.matures_at is null or w.matures_at > now())
    ), 0.00), 0.00), coalesce(sum(m.amount_left), 0.00))::numeric(14,2)
    from app.commission_maturities as m join app.refunds as r on r.order_id = m.order_id and r.state = 'requested'
    where m.uid = u.uid and m.matures_at <= now() and exists (
      select from app.refund_lines as x join app.order_lines as l on l.id = x.line_id
      where x.refund_id = r.id and l.is_queue_goods
    )
  ) as commission_held
from app.users as u
join app.user_balances as b on b.uid = u.uid
join app.agent_levels as g on g.grade = u.agent_level
cross join app.settings as s;
comment on view report.members is
  'Members with level and balances, by their number. Names and phone numbers are not here.';
comment on column report.members.uid is 'The number of the member.';
comment on column report.members.referrer_uid is 'The number of the referrer; null: nobody referred them.';
comment on column report.members.level is 'The grade of the level; 0: none.';
comment on column report.members.level_name is 'What the level is called in English.';
comment on column report.members.level_is_held is
  'Whether the member does not rise by tasks until an administrator ends the hold.';
comment on column report.members.no_assess is 'Whether the orders of the member count for nobody''s tasks.';
comment on column report.members.joined_at is 'When the member joined.';
comment on column report.members.joined_day is 'The business day on which the member joined.';
comment on column report.members.commission_balance is 'Commission that is not withdrawn, negative for a debt. Money.';
comment on column report.members.frozen_points is 'Points that are not released.';
comment on column report.members.available_points is 'Points that can be spent.';
comment on column report.members.commission_earned is 'All commission, less reversals. Money.';
comment on column report.members.points_earned is 'All granted points, less reversals.';
comment on column report.members.left_at is 'When the member left and stopped earning; null: has not.';
comment on column report.members.commission_held is 'Matured commission that open refund requests hold. Money.';

create view report.orders as
select o.id as order_id, o.order_no, o.uid, o.referrer_uid, o.state, o.add_time as placed_at, o.paid_at,
  (o.paid_at at time zone s.time_zone)::date as paid_day,
  o.delivered_at as shipped_at, o.received_at, o.cancelled_at, o.is_expired, o.total_price, o.discount, o.freight,
  o.paid_by_points, o.points_spent, o.pay_price,
  coalesce(r.amount, 0.00)::numeric(14,2) as refunded, o.pay_type, o.has_queue_goods, o.queue_base, o.queue_units,
  o.plan_version, o.is_imported
from app.orders as o
cross join app.settings as s
left join lateral (
  select sum(f.amount) as amount from app.refunds as f where f.order_id = o.id and app.is_paid_back(f.state)
) as r on true;
comment on view report.orders is 'Orders, without addresses and remarks.';
comment on column report.orders.order_id is 'The id of the order.';
comment on column report.orders.order_no is 'The number that people see.';
comment on column report.orders.uid is 'The number of the buyer.';
comment on column report.orders.referrer_uid is 'The number of the referrer when the order was placed; null: none.';
comment on column report.orders.state is 'unpaid, paid, delivered (shipped), received or cancelled.';
comment on column report.orders.placed_at is 'When the order was placed.';
comment on column report.orders.paid_at is 'When it was paid; null: it was not.';
comment on column report.orders.paid_day is 'The business day of the payment.';
comment on column report.orders.shipped_at is 'When it was shipped.';
comment on column report.orders.received_at is 'When the buyer, or time, confirmed the receipt.';
comment on column report.orders.cancelled_at is 'When it was cancelled.';
comment on column report.orders.is_expired is 'Whether it was cancelled because it was not paid in time.';
comment on column report.orders.total_price is 'The price of the goods before discount. Money.';
comment on column report.orders.discount is 'The discount. Money.';
comment on column report.orders.freight is 'The freight. Money.';
comment on column report.orders.paid_by_points is 'What points paid. Money.';
comment on column report.orders.points_spent is 'The points that were taken.';
comment on column report.orders.pay_price is 'What is or was to be paid. Money.';
comment on column report.orders.refunded is 'What was refunded so far. Money.';
comment on column report.orders.pay_type is 'How it was paid: the provider, or offline.';
comment on column report.orders.has_queue_goods is 'Whether it has goods that pay commission.';
comment on column report.orders.queue_base is 'What counts for commission, less what was refunded. Money.';
comment on column report.orders.queue_units is 'Units of goods that pay commission, less those refunded.';
comment on column report.orders.plan_version is 'The version of the commission plan that was in force at the payment.';
comment on column report.orders.is_imported is 'Whether it comes from an earlier system.';

create view report.order_lines as
select l.id as line_id, l.order_id, l.product_id, l.title, l.price, l.quantity, l.discount, l.paid_by_points, l.points,
  l.paid, l.is_queue_goods, l.refunded_quantity,
  coalesce(c.amount, 0.00)::numeric(14,2) as conceded
from app.order_lines as l
left join lateral (
  select sum(x.concession) as amount
  from app.refund_lines as x join app.refunds as r on r.id = x.refund_id
  where x.line_id = l.id and app.is_paid_back(r.state)
) as c on true;
comment on view report.order_lines is 'Lines of orders. Title and price are those of the time of the order.';
comment on column report.order_lines.line_id is 'The id of the line.';
comment on column report.order_lines.order_id is 'The order: report.orders.';
comment on column report.order_lines.product_id is 'The product: report.products.';
comment on column report.order_lines.title is 'What the product was called.';
comment on column report.order_lines.price is 'The price of a unit. Money.';
comment on column report.order_lines.quantity is 'How many units.';
comment on column report.order_lines.discount is 'The discount of the line. Money.';
comment on column report.order_lines.paid_by_points is 'What points paid of the line. Money.';
comment on column report.order_lines.points is 'The points that were taken for the line.';
comment on column report.order_lines.paid is 'What was to be paid for the line. Money.';
comment on column report.order_lines.is_queue_goods is 'Whether the line pays commission.';
comment on column report.order_lines.refunded_quantity is 'How many units were refunded.';
comment on column report.order_lines.conceded is 'What was paid back of the line while its goods were kept. Money.';

create view report.payments as
select p.id as payment_id, p.order_id, p.provider, p.method, p.state, p.amount, p.add_time as began_at, p.ended_at
from app.payment_attempts as p;
comment on view report.payments is 'Attempts to pay at a provider. What was paid offline is in report.orders only.';
comment on column report.payments.payment_id is 'The id of the attempt.';
comment on column report.payments.order_id is 'The order: report.orders.';
comment on column report.payments.provider is 'The provider.';
comment on column report.payments.method is 'Where the payment was made: app, mini program, page.';
comment on column report.payments.state is 'open, paid, refused or closed.';
comment on column report.payments.amount is 'What was to be paid. Money.';
comment on column report.payments.began_at is 'When it began.';
comment on column report.payments.ended_at is 'When it ended; null: it has not.';

create view report.refunds as
select r.id as refund_id, r.order_id, r.state, r.amount, r.points, r.created_at as requested_at, r.decided_at,
  (r.decided_at at time zone s.time_zone)::date as decided_day,
  (select sum(l.asked) from app.refund_lines as l where l.refund_id = r.id)::integer as units_asked,
  (select sum(l.quantity) from app.refund_lines as l where l.refund_id = r.id)::integer as units,
  r.freight
from app.refunds as r cross join app.settings as s;
comment on view report.refunds is 'Refunds and requests for them, without their reasons.';
comment on column report.refunds.refund_id is 'The id of the refund.';
comment on column report.refunds.order_id is 'The order: report.orders.';
comment on column report.refunds.state is
  'requested, refused, taken_back, refunded (granted, or without a request) or partly_refunded (granted in part).';
comment on column report.refunds.amount is
  'What is paid back: for units, amounts and freight, without what points paid. For a request, what it would pay '
  'back, with the freight that was foreseen when it was made. Money.';
comment on column report.refunds.points is 'The points that return to the buyer.';
comment on column report.refunds.requested_at is 'When it was requested.';
comment on column report.refunds.decided_at is 'When it was refunded, refused or taken back.';
comment on column report.refunds.decided_day is 'The business day of that.';
comment on column report.refunds.units_asked is
  'How many units the buyer asked for; null: it was no request, or an earlier version answered it.';
comment on column report.refunds.units is
  'How many units are paid back; for a request that is open, refused or taken back, how many it asks for.';
comment on column report.refunds.freight is 'The part of the amount that is freight. Money.';

-- Security definer: functions that a view calls run with the rights of the analyst, who has none in schema app.
create or replace function report.releases_of_run(p_run app.compacted_releases)
returns setof app.user_bill
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select b.* from app.bill_of_run(p_run) as b
$$;

comment on function report.releases_of_run is 'Returns the bill rows of a run of releases, for report.bill.';

grant execute on function report.releases_of_run(app.compacted_releases) to store_analyst;

create view compacted.bill as
select r.id, c.uid, r.type, r.source, r.order_id, r.withdrawal_id, r.brokerage_delta, r.frozen_delta, r.available_delta,
  r.basis, r.rate, r.agent_level, r.reverses_id, r.add_time
from app.compacted_releases as c cross join lateral report.releases_of_run(c) as r;
comment on view compacted.bill is 'The bill rows that stand in runs of releases, for report.bill.';

-- As app.bill.
create view report.bill as
select b.id as bill_id, b.uid, b.type, b.source, b.order_id, b.withdrawal_id, b.brokerage_delta as commission,
  b.frozen_delta as frozen_points,
  b.available_delta as available_points, b.basis, b.rate, b.agent_level as level, b.reverses_id as reverses_bill_id,
  b.add_time as booked_at,
  (b.add_time at time zone s.time_zone)::date as booked_day
from (
  select
    l.id, l.uid, l.type, l.source, l.order_id, l.withdrawal_id, l.brokerage_delta, l.frozen_delta, l.available_delta,
    l.basis, l.rate, l.agent_level, l.reverses_id, l.add_time
  from app.user_bill as l
  union all
  select
    r.id, r.uid, r.type, r.source, r.order_id, r.withdrawal_id, r.brokerage_delta, r.frozen_delta, r.available_delta,
    r.basis, r.rate, r.agent_level, r.reverses_id, r.add_time
  from compacted.bill as r
) as b
cross join app.settings as s;
comment on view report.bill is 'Rows of the bill, by which every balance changed.';
comment on column report.bill.bill_id is 'The id of the row.';
comment on column report.bill.uid is 'The number of the member.';
comment on column report.bill.type is 'What it is: docs/glossary.md lists the types.';
comment on column report.bill.source is
  'What it comes from: cycle, direct, umbrella, release, import, withdrawal, checkout or adjustment.';
comment on column report.bill.order_id is 'The order that caused it.';
comment on column report.bill.withdrawal_id is 'The withdrawal that caused it.';
comment on column report.bill.commission is 'By how much the balance of commission changed. Money.';
comment on column report.bill.frozen_points is 'By how much the frozen points changed.';
comment on column report.bill.available_points is 'By how much the available points changed.';
comment on column report.bill.basis is 'What the rate was applied to.';
comment on column report.bill.rate is 'The rate of a grant.';
comment on column report.bill.level is 'The grade of the member at that time, where it mattered.';
comment on column report.bill.reverses_bill_id is 'The row that this one reverses.';
comment on column report.bill.booked_at is 'When it was booked.';
comment on column report.bill.booked_day is 'The business day of that.';

create view report.commissions as
select b.bill_id, b.uid, b.order_id, b.type, b.commission, b.basis, b.rate, b.reverses_bill_id, b.booked_at,
  b.booked_day
from report.bill as b where b.type in ('brokerage', 'brokerage_reversal');
comment on view report.commissions is
  'Commission of orders and its reversals, from report.bill. Their sum by day is that of the overview.';
comment on column report.commissions.bill_id is 'The row of the bill.';
comment on column report.commissions.uid is 'The number of the member who earned.';
comment on column report.commissions.order_id is 'The order.';
comment on column report.commissions.type is 'brokerage, or brokerage_reversal.';
comment on column report.commissions.commission is 'What was booked, negative for a reversal. Money.';
comment on column report.commissions.basis is 'What the rate was applied to. Money.';
comment on column report.commissions.rate is 'The rate.';
comment on column report.commissions.reverses_bill_id is 'The row that a reversal takes back.';
comment on column report.commissions.booked_at is 'When it was booked.';
comment on column report.commissions.booked_day is 'The business day of that.';

create view report.points_by_day as
select b.booked_day as day, b.type, b.source, count(*) as bill_rows, sum(b.frozen_points) as frozen_points,
  sum(b.available_points) as available_points
from report.bill as b where b.frozen_points <> 0 or b.available_points <> 0 group by b.booked_day, b.type, b.source;
comment on view report.points_by_day is
  'Points that were granted, reversed, released, spent and adjusted, by business day.';
comment on column report.points_by_day.day is 'The business day on which they were booked.';
comment on column report.points_by_day.type is 'The type of the rows of the bill.';
comment on column report.points_by_day.source is 'What they come from.';
comment on column report.points_by_day.bill_rows is 'How many rows of the bill.';
comment on column report.points_by_day.frozen_points is 'By how much the frozen points of all members changed.';
comment on column report.points_by_day.available_points is 'By how much the available points of all members changed.';

create view report.releases as
select r.release_date as day, r.users as members, r.points, r.started_at, r.finished_at from app.release_runs as r;
comment on view report.releases is 'Daily releases of frozen points.';
comment on column report.releases.day is 'The business day on which the release was due.';
comment on column report.releases.members is 'How many members got points.';
comment on column report.releases.points is 'How many points were released.';
comment on column report.releases.started_at is 'When it began.';
comment on column report.releases.finished_at is 'When it was complete; null: it is not.';

create view report.withdrawals as
select w.id as withdrawal_id, w.withdrawal_no, w.uid, w.method, w.amount, w.fee, w.tax, w.state, w.batch_id,
  w.add_time as requested_at, w.approved_at, w.ended_at,
  (w.ended_at at time zone s.time_zone)::date as ended_day, w.held_accepted
from app.withdrawals as w cross join app.settings as s;
comment on view report.withdrawals is 'Withdrawals of commission, without accounts and reasons.';
comment on column report.withdrawals.withdrawal_id is 'The id of the withdrawal.';
comment on column report.withdrawals.withdrawal_no is 'The number that people see.';
comment on column report.withdrawals.uid is 'The number of the member.';
comment on column report.withdrawals.method is 'bank, alipay or wechat.';
comment on column report.withdrawals.amount is 'What was taken from the balance. Money.';
comment on column report.withdrawals.fee is 'What the store keeps as its fee. Money.';
comment on column report.withdrawals.tax is 'What was withheld as tax. Money.';
comment on column report.withdrawals.state is 'requested, approved, paying, paid, refused, failed or cancelled.';
comment on column report.withdrawals.batch_id is 'The batch in which it was paid.';
comment on column report.withdrawals.requested_at is 'When it was requested.';
comment on column report.withdrawals.approved_at is 'When it was approved.';
comment on column report.withdrawals.ended_at is 'When it was paid, or ended otherwise.';
comment on column report.withdrawals.ended_day is 'The business day of that.';
comment on column report.withdrawals.held_accepted is
  'What refund requests held of it when it was approved in spite of that; null: nothing. Money.';

create view report.products as
select p.id as product_id, p.title, p.price, p.freight, p.is_queue_goods, p.is_show as is_on_sale,
  p.is_del as is_deleted, p.stock, p.category_id, c.title as category,
  p.add_time as added_at
from app.products as p left join app.product_categories as c on c.id = p.category_id;
comment on view report.products is 'Products, also those that were deleted.';
comment on column report.products.product_id is 'The id of the product.';
comment on column report.products.title is 'What it is called.';
comment on column report.products.price is 'The price. Money.';
comment on column report.products.freight is 'The freight. Money.';
comment on column report.products.is_queue_goods is 'Whether it pays commission.';
comment on column report.products.is_on_sale is 'Whether it is on sale.';
comment on column report.products.is_deleted is 'Whether it was deleted.';
comment on column report.products.stock is 'The units that are left; null: not limited.';
comment on column report.products.category_id is 'The id of its category.';
comment on column report.products.category is 'What its category is called.';
comment on column report.products.added_at is 'When it was added.';

create view report.days as
select d.day, d.orders, d.queue_orders, d.paid, d.refunded, d.queue_revenue, d.commission, d.points_frozen, d.members
from app.day_sums as d;
comment on view report.days is
  'Figures of business days that ended more than 24 hours ago, as the reports of the console have them.';
comment on column report.days.day is 'The business day.';
comment on column report.days.orders is 'Orders that were paid.';
comment on column report.days.queue_orders is 'Those with goods that pay commission.';
comment on column report.days.paid is 'What was paid. Money.';
comment on column report.days.refunded is 'What was refunded. Money.';
comment on column report.days.queue_revenue is
  'What was paid for goods that pay commission, less what was refunded of them. Money.';
comment on column report.days.commission is 'Commission of orders, less reversals. Money.';
comment on column report.days.points_frozen is 'Points that orders granted, less reversals.';
comment on column report.days.members is 'Members who joined.';

create view report.months as
select m.month, m.begins_at, m.ends_at, m.closed_at, m.sums from app.closed_months as m;
comment on view report.months is 'Closed months with the sums that they were closed with.';
comment on column report.months.month is 'The first day of the month.';
comment on column report.months.begins_at is 'When it began.';
comment on column report.months.ends_at is 'When it ended.';
comment on column report.months.closed_at is 'When it was closed.';
comment on column report.months.sums is 'Its sums, as GET /adminapi/month has them.';

grant select on all tables in schema report to store_analyst;

-- A role can lift its own timeouts and catch a cancellation, so the session ends. A lock that it keeps could stop a job
-- of the store, and a large object, which everybody may create in Postgres, fills the disk.
-- Idempotent: what has ended is not there any more.
create or replace function app.end_long_reports(p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  select count(*) filter (where pg_terminate_backend(a.pid)) into v_ended
  from pg_stat_activity as a cross join app.settings as s
  where a.usename = 'store_analyst' and a.datname = current_database() and (
    a.xact_start < p_now - make_interval(mins => s.analyst_minutes)
    or exists (select from pg_locks as l where l.pid = a.pid and l.locktype = 'advisory')
  );
  perform lo_unlink(o.oid) from pg_largeobject_metadata as o where o.lomowner = 'store_analyst'::regrole;
  return v_ended;
end
$$;

comment on function app.end_long_reports is
  'Ends the sessions of analysts that hold an advisory lock, or whose transaction has lasted longer than '
  'app.settings.analyst_minutes. Removes their large objects, and returns how many sessions ended. A scheduled job.';
