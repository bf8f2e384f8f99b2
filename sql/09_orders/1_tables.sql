-- Orders, their lines, refunds, and the settlement jobs of paid orders.

create sequence app.order_no_seq;
comment on sequence app.order_no_seq is 'The last digits of app.orders.order_no.';

create table app.orders (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  uid bigint not null references app.users (uid),
  referrer_uid bigint references app.users (uid),
  state text not null default 'unpaid',
  total_price numeric(14,2) not null,
  discount numeric(14,2) not null default 0,
  freight numeric(14,2) not null default 0,
  paid_by_points numeric(14,2) not null default 0,
  points_spent numeric(18,4) not null default 0,
  points_left numeric(18,4) not null default 0,
  pay_price numeric(14,2) not null,
  has_queue_goods boolean not null,
  queue_base numeric(14,2) not null,
  queue_units integer not null,
  below_minimum boolean not null default false,
  refund_status smallint not null default 0,
  plan_version integer references app.commission_plans (version),
  pay_type text,
  pay_ref text,
  paid_at timestamptz,
  delivered_at timestamptz,
  received_at timestamptz,
  cancelled_at timestamptz,
  is_expired boolean not null default false,
  address jsonb,
  remark text not null default '',
  add_time timestamptz not null default now(),
  is_imported boolean not null default false,
  constraint state_is_known check (state in ('unpaid', 'paid', 'delivered', 'received', 'cancelled')),
  constraint amounts_are_not_negative check (
    least(total_price, discount, freight, paid_by_points, pay_price, queue_base) >= 0 and queue_units >= 0
  ),
  constraint pay_price_is_total_less_discount_and_points_plus_freight check (
    pay_price = total_price - discount - paid_by_points + freight
  ),
  constraint points_are_spent_iff_they_pay check ((points_spent > 0) = (paid_by_points > 0)),
  constraint points_left_are_within_points_spent check (points_left between 0 and points_spent),
  constraint a_cancelled_order_has_returned_its_points check (state <> 'cancelled' or points_left = 0),
  constraint queue_base_needs_queue_goods check (has_queue_goods or (queue_base = 0 and queue_units = 0)),
  constraint only_a_paid_order_with_queue_goods_is_below_the_minimum check (
    not below_minimum or (paid_at is not null and has_queue_goods)
  ),
  constraint nobody_refers_their_own_order check (referrer_uid <> uid),
  constraint refund_status_is_known check (refund_status between 0 and 3),
  constraint only_a_paid_order_has_a_refund check (refund_status = 0 or paid_at is not null),
  constraint paid_at_iff_paid check ((paid_at is not null) = (state in ('paid', 'delivered', 'received'))),
  constraint payment_details_iff_paid check (
    (paid_at is null) = (pay_type is null) and (paid_at is null) = (pay_ref is null)
      and (paid_at is null) = (plan_version is null)
  ),
  constraint delivered_at_needs_payment check (delivered_at is null or paid_at is not null),
  constraint an_imported_order_is_never_unpaid check (not is_imported or state <> 'unpaid'),
  constraint received_at_iff_received check ((received_at is not null) = (state = 'received')),
  constraint cancelled_at_iff_cancelled check ((cancelled_at is not null) = (state = 'cancelled')),
  constraint only_a_cancelled_order_has_expired check (not is_expired or state = 'cancelled'),
  constraint address_is_complete check (app.is_address(address)),
  constraint remark_is_a_short_text check (char_length(remark) <= 500 and app.is_text(remark))
);
comment on table app.orders is 'Orders of members.';
comment on column app.orders.referrer_uid is 'The buyer''s referrer when the order was made.';
comment on column app.orders.paid_by_points is
  'The part of the price that points paid. pay_price is the part in money.';
comment on column app.orders.points_spent is 'The points taken when the order was placed.';
comment on column app.orders.points_left is 'What is left of points_spent after refunds; 0 if the order was cancelled.';
comment on column app.orders.queue_base is
  'What refunds have left of the price of the queue goods, after discounts and without freight.';
comment on column app.orders.queue_units is 'The units of queue goods that refunds have left.';
comment on column app.orders.below_minimum is
  'The base at payment was below minimum_base of the plan: the order pays nobody and counts for no task.';
comment on column app.orders.refund_status is '0 none, 1 requested, 2 refunded, 3 partly refunded (R8).';
comment on column app.orders.is_expired is 'Whether the order was cancelled because it was not paid in time.';
comment on column app.orders.address is 'The delivery address, copied when the order was placed (app.is_address).';
comment on column app.orders.remark is 'What the buyer wrote to the store.';
comment on column app.orders.plan_version is
  'The plan in force at payment, which settles the order; for an imported order, at the import.';
comment on column app.orders.is_imported is
  'The order was placed in the previous system. It counts like any other and pays nobody.';

-- One payment reference pays one order.
create unique index orders_payment_is_used_once on app.orders (pay_type, pay_ref) where pay_ref is not null;
create index orders_uid_idx on app.orders (uid, id);
-- For the foreign key: claims delete members.
create index orders_referrer_uid_idx on app.orders (referrer_uid) where referrer_uid is not null;
-- For app.limit_unpaid_orders and app.expired_orders. With an index of its own by age, the former would read all unpaid
-- orders of the store by that one until the table has been analysed.
create index orders_unpaid_idx on app.orders (uid, add_time) where state = 'unpaid';
-- For app.orders_to_receive.
create index orders_delivered_idx on app.orders (delivered_at) where state = 'delivered';
-- For app.find_orders, which searches by the end of the number.
create index orders_end_of_number_idx on app.orders (reverse(order_no) text_pattern_ops);
-- For api.get_orders_to_ship and app.waiting_items, which counts them for an administrator.
create index orders_to_ship_idx on app.orders (paid_at, id) include (uid) where state = 'paid' and refund_status <> 2;
-- For app.overview_days, and for app.paid_orders, which reads pages by the time of payment.
create index orders_paid_at_idx on app.orders (paid_at, id) where paid_at is not null;
-- For app.forget_expired_orders.
create index orders_expired_idx on app.orders (cancelled_at, id) where is_expired and points_spent = 0;
-- For R4, which needs the earliest reported order of a member.
create index orders_reported_idx on app.orders (uid, paid_at)
  where paid_at is not null and queue_units > 0 and refund_status <> 2 and not below_minimum;
-- For app.orders_since: what happened lately is at the end of the table.
create index orders_times_idx on app.orders using brin (add_time, paid_at, delivered_at, received_at, cancelled_at);

alter table app.orders enable row level security;
grant select on app.orders to authenticated, store_admin, service_role;

create table app.order_lines (
  id bigint generated always as identity primary key,
  order_id bigint not null references app.orders (id),
  product_id bigint not null references app.products (id),
  title text not null,
  price numeric(14,2) not null,
  quantity integer not null,
  discount numeric(14,2) not null default 0,
  paid_by_points numeric(14,2) not null default 0,
  points numeric(18,4) not null default 0,
  paid numeric(14,2) not null,
  is_queue_goods boolean not null,
  refunded_quantity integer not null default 0,
  stock_taken integer not null default 0,
  constraint quantity_is_between_1_and_9999 check (quantity between 1 and 9999),
  constraint price_is_not_negative check (price >= 0),
  constraint discount_is_within_the_price check (discount between 0 and price * quantity),
  constraint paid_is_price_times_quantity_less_discount_and_points check (
    paid = price * quantity - discount - paid_by_points
  ),
  constraint paid_by_points_is_within_the_price check (paid_by_points >= 0 and paid >= 0),
  constraint points_are_taken_iff_they_pay check (points >= 0 and (points > 0) = (paid_by_points > 0)),
  constraint queue_goods_are_never_paid_by_points check (not is_queue_goods or paid_by_points = 0),
  constraint refunded_quantity_is_within_quantity check (refunded_quantity between 0 and quantity),
  constraint stock_taken_is_within_quantity check (stock_taken between 0 and quantity)
);
comment on table app.order_lines is
  'Lines of an order. Title, price and the queue-goods flag are copied from the product when the order is made.';
comment on column app.order_lines.paid_by_points is 'What points paid of the line.';
comment on column app.order_lines.points is 'The points taken for the line.';
comment on column app.order_lines.paid is
  'The price in money: price times quantity less discount and paid_by_points, without freight.';
comment on column app.order_lines.stock_taken is
  'Units that the line took from a limited stock and has not given back.';

create index order_lines_order_id_idx on app.order_lines (order_id);
create index order_lines_product_id_idx on app.order_lines (product_id);

alter table app.order_lines enable row level security;
grant select on app.order_lines to authenticated, store_admin, service_role;

create table app.settlement_jobs (
  order_id bigint primary key references app.orders (id),
  state text not null default 'waiting',
  attempts smallint not null default 0,
  run_after timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  constraint state_is_known check (state in ('waiting', 'dead')),
  constraint attempts_are_not_negative check (attempts >= 0)
);
comment on table app.settlement_jobs is
  'Paid orders that wait for their settlement (R2). The transaction that pays writes the job, the one that settles '
  'deletes it.';
comment on column app.settlement_jobs.state is
  'waiting, or dead: only an administrator retries it (see app.postpone_job).';

create index settlement_jobs_due_idx on app.settlement_jobs (run_after, order_id) where state = 'waiting';
create index settlement_jobs_dead_idx on app.settlement_jobs (order_id) where state = 'dead';

alter table app.settlement_jobs enable row level security;
create policy admins_read_jobs on app.settlement_jobs for select to store_admin, service_role using (true);
grant select on app.settlement_jobs to store_admin, service_role;

create table app.refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null references app.orders (id),
  state text not null,
  refund_ref text,
  reason text not null default '',
  amount numeric(14,2) not null,
  points numeric(18,4) not null default 0,
  created_at timestamptz not null,
  decided_at timestamptz,
  position bigint not null default nextval('app.positions'),
  decided_position bigint,
  names_units boolean not null default false,
  return_address jsonb,
  return_asked_at timestamptz,
  return_carrier text,
  return_carrier_code text,
  return_tracking_no text,
  return_sent_at timestamptz,
  return_received_at timestamptz,
  reason_check text,
  freight numeric(14,2) not null default 0,
  named jsonb,
  refusal_reason text not null default '',
  constraint reason_check_is_known check (reason_check in ('review', 'risky')),
  constraint state_is_known check (state in ('requested', 'refused', 'taken_back', 'refunded', 'partly_refunded')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'requested')),
  constraint decided_position_iff_decided check ((decided_position is null) = (state = 'requested')),
  constraint reason_is_a_short_text check (char_length(reason) <= 500 and app.is_text(reason)),
  constraint refusal_reason_is_a_short_text check (char_length(refusal_reason) <= 500 and app.is_text(refusal_reason)),
  constraint refusal_reason_only_if_refused check (refusal_reason = '' or state = 'refused'),
  constraint refund_ref_is_a_short_text check (app.is_line(refund_ref) and char_length(refund_ref) between 1 and 128),
  constraint amount_is_not_negative check (amount >= 0),
  constraint freight_is_part_of_the_amount check (freight between 0 and amount),
  constraint points_are_not_negative check (points >= 0),
  constraint return_address_is_complete check (app.is_address(return_address)),
  constraint return_address_iff_goods_are_asked_for check ((return_address is null) = (return_asked_at is null)),
  constraint goods_return_only_if_they_are_asked_for check (
    return_asked_at is not null or num_nonnulls(return_sent_at, return_received_at) = 0
  ),
  constraint a_return_parcel_was_sent check (
    return_sent_at is not null or num_nonnulls(return_carrier, return_carrier_code, return_tracking_no) = 0
  ),
  constraint return_carrier_is_a_short_text check (char_length(return_carrier) <= 64 and app.is_line(return_carrier)),
  constraint return_tracking_no_is_a_short_text check (
    char_length(return_tracking_no) <= 64 and app.is_line(return_tracking_no)
  )
);
comment on table app.refunds is
  'Refunds of orders. A request of a buyer is answered in its own row: refunded, partly_refunded, refused, or '
  'taken_back by the buyer. A refund without a request begins as refunded.';
comment on column app.refunds.reason_check is
  'WeChat''s verdict on the reason: review (a person should look at it) or risky; null: none.';
comment on column app.refunds.amount is
  'The money that is paid back: units without what points paid, concessions, and freight. For an open request, what it '
  'would pay back, with the freight foreseen when it was made (app.current_freight has that of now).';
comment on column app.refunds.freight is 'The part of amount that is freight.';
comment on column app.refunds.refusal_reason is
  'Why the store refused the request, in words for the buyer; empty: no reason.';
comment on column app.refunds.points is 'The points that the refunded units return to the buyer.';
comment on column app.refunds.named is
  'With a refund_ref: what the caller named, for app.replay_refund. Null for refunds from before 2.0.0.';
comment on column app.refunds.names_units is
  'Whether the caller named the units. Otherwise they are those of the request, or all that was left.';
comment on column app.refunds.return_address is
  'Where the buyer sends the goods, copied from app.settings when they were asked for. Null: they were not.';
comment on column app.refunds.return_carrier is 'The carrier of the return parcel, as the buyer wrote it.';
comment on column app.refunds.return_carrier_code is 'The carrier in the list, if the list had it then.';
comment on column app.refunds.return_sent_at is 'When the buyer entered the return parcel for the first time.';
comment on column app.refunds.return_received_at is 'When an administrator recorded that the goods have arrived.';

create unique index refunds_one_request_at_a_time on app.refunds (order_id) where state = 'requested';
create unique index refunds_ref_is_used_once on app.refunds (order_id, refund_ref);
create index refunds_order_id_idx on app.refunds (order_id, id);
-- For app.orders_since.
create index refunds_times_idx on app.refunds using brin (created_at, decided_at);

alter table app.refunds enable row level security;
grant select on app.refunds to authenticated, store_admin, service_role;

create table app.refund_lines (
  refund_id bigint not null references app.refunds (id),
  line_id bigint not null references app.order_lines (id),
  quantity integer not null,
  asked integer,
  concession numeric(14,2) not null default 0,
  primary key (refund_id, line_id),
  constraint quantity_is_not_negative check (quantity >= 0),
  constraint asked_is_positive check (asked > 0),
  constraint concession_is_not_negative check (concession >= 0),
  constraint units_or_an_amount check (quantity = 0 or concession = 0),
  constraint something_is_named check (quantity > 0 or asked > 0 or concession > 0)
);
comment on table app.refund_lines is 'What a refund names of an order line: units, or an amount.';
comment on column app.refund_lines.quantity is
  'The refunded units; of a request that is open, refused or taken back, the units that it asks for.';
comment on column app.refund_lines.asked is
  'The units that a request asked for. Null without a request, and for requests from before 2.0.0.';
comment on column app.refund_lines.concession is 'An amount of the line that is paid back while its goods are kept.';

create index refund_lines_line_id_idx on app.refund_lines (line_id);

alter table app.refund_lines enable row level security;
grant select on app.refund_lines to authenticated, store_admin, service_role;

create type app.refund_item as (line_id bigint, quantity integer, amount numeric);
comment on type app.refund_item is
  'A line of a refund: units, or an amount that is paid back while the goods are kept. The other one is 0.';

create type app.concession as (amount numeric, units integer);
comment on type app.concession is
  'An amount paid back of an order line while its goods were kept, and the units left of the line then.';

alter table app.user_bill add constraint user_bill_order_id_fkey foreign key (order_id) references app.orders (id);
alter table app.pictures add constraint pictures_refund_id_fkey foreign key (refund_id) references app.refunds (id);

-- Row-level security: members read their own rows, administrators read all rows.
create policy members_read_their_orders on app.orders for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_orders on app.orders for select to store_admin, service_role using (true);

create policy members_read_their_order_lines on app.order_lines for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_order_lines on app.order_lines for select to store_admin, service_role using (true);

create policy members_read_their_refunds on app.refunds for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_refunds on app.refunds for select to store_admin, service_role using (true);

create policy members_read_their_refund_lines on app.refund_lines for select to authenticated
  using (refund_id in (
    select r.id from app.refunds as r join app.orders as o on o.id = r.order_id where o.uid = (select app.current_uid())
  ));
create policy admins_read_all_refund_lines on app.refund_lines for select to store_admin, service_role using (true);
