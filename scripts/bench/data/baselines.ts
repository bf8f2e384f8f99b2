/** Pays the next order through the store, with one call. */
export const PAY =
  "select (app.pay_order(nextval('bench.next_order'), 'bench', 'paid-' || currval('bench.next_order'), null)).id;";

/** Writes the rows of a payment with one statement without logic. */
export const WRITE_PAYMENT = `
with paid as (
  update app.orders set state = 'paid', plan_version = 1, pay_type = 'bench', pay_ref = 'paid-' || id, paid_at = clock_timestamp()
  where id = (select nextval('bench.next_order'))
  returning id, uid, pay_price
),
told as (
  insert into app.events (era, type, version, subject, subject_id, uid, payload, cause, add_time)
  select 1, 'order.paid', 1, 'order', id, uid, jsonb_build_object('pay_price', pay_price::text), 'job', clock_timestamp() from paid
)
insert into app.settlement_jobs (order_id, run_after, created_at) select id, clock_timestamp(), clock_timestamp() from paid;`;

/** Pays the next order and settles like the background of a request that has paid. */
export const PAY_AND_SETTLE = `${PAY}\ncall bench.settle_like_requests();`;

/** Settles the next order through the store, with one call. */
export const SETTLE = "select app.settle_order(nextval('bench.next_order'), clock_timestamp());";

/** The number of jobs that the scheduled sweep settles in one transaction. */
export const BATCH = 50;

/** Settles a batch through the store, with one call. */
export const SETTLE_BATCH = `select app.run_settlement_jobs(${BATCH});`;

/**
 * Writes the rows of the next batch (of one or more orders) with one statement without logic. The recorded rows are
 * read from schema bench. Members are found by key and updated by uid, like the locks of the store: for a batch, a join
 * alone would read all members.
 */
export const WRITE_BATCH = `
with n as materialized (
  select * from bench.batches where batch = (select nextval('bench.next_batch'))
),
settlements as (
  insert into app.settlements select r.* from bench.settlements as r where r.order_id = any ((select orders from n)::bigint[])
),
maturities as (
  insert into app.commission_maturities select r.* from bench.maturities as r where r.order_id = any ((select orders from n)::bigint[])
),
bill as (
  insert into app.user_bill select r.* from bench.bill as r where r.order_id = any ((select orders from n)::bigint[])
),
changes as (
  insert into app.level_changes overriding system value
  select r.* from bench.level_changes as r where r.order_id = any ((select orders from n)::bigint[])
),
told as (
  insert into app.events (era, type, version, subject, subject_id, uid, payload, cause, cause_id, add_time)
  select r.era, r.type, r.version, r.subject, r.subject_id, r.uid, r.payload, r.cause, r.cause_id, r.add_time
  from bench.events as r where r.cause_id = any ((select orders from n)::bigint[])
),
levels as (
  update app.users as u set agent_level = r.to_level
  from (
    select uid, max(to_level) as to_level from bench.level_changes where order_id = any ((select orders from n)::bigint[]) group by uid
  ) as r
  where u.uid = r.uid
),
balances as (
  update app.user_balances as b
  set brokerage_price = b.brokerage_price + r.brokerage, total_brokerage = b.total_brokerage + r.brokerage,
      frozen_points = b.frozen_points + r.frozen_points, total_points_earned = b.total_points_earned + r.total_points,
      own_orders = b.own_orders + r.own_orders, direct_orders = b.direct_orders + r.direct_orders,
      umbrella_orders = b.umbrella_orders + r.umbrella_orders, direct_members = b.direct_members + r.direct_members,
      umbrella_members = b.umbrella_members + r.umbrella_members, total_places = b.total_places + r.places,
      cycle_no = r.cycle_no, cycle_plan_version = r.cycle_plan_version, cycle_is_open = r.cycle_is_open
  from bench.balances as r
  where r.batch = (select batch from n) and b.uid = r.uid
    and b.uid = any (array(select uid from bench.balances where batch = (select batch from n)))
)
delete from app.settlement_jobs where order_id = any ((select orders from n)::bigint[]);`;
