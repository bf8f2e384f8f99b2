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
  carrier text,
  tracking_no text,
  add_time timestamptz not null default now(),
  is_imported boolean not null default false,
  constraint state_is_known check (state in ('unpaid', 'paid', 'delivered', 'received', 'cancelled')),
  constraint amounts_are_not_negative check (least(total_price, discount, freight, paid_by_points, pay_price, queue_base) >= 0 and queue_units >= 0),
  constraint pay_price_is_total_less_discount_and_points_plus_freight check (pay_price = total_price - discount - paid_by_points + freight),
  constraint points_are_spent_iff_they_pay check ((points_spent > 0) = (paid_by_points > 0)),
  constraint points_left_are_within_points_spent check (points_left between 0 and points_spent),
  constraint a_cancelled_order_has_returned_its_points check (state <> 'cancelled' or points_left = 0),
  constraint queue_base_needs_queue_goods check (has_queue_goods or (queue_base = 0 and queue_units = 0)),
  constraint only_a_paid_order_with_queue_goods_is_below_the_minimum check (not below_minimum or (paid_at is not null and has_queue_goods)),
  constraint nobody_refers_their_own_order check (referrer_uid <> uid),
  constraint refund_status_is_known check (refund_status between 0 and 3),
  constraint only_a_paid_order_has_a_refund check (refund_status = 0 or paid_at is not null),
  constraint paid_at_iff_paid check ((paid_at is not null) = (state in ('paid', 'delivered', 'received'))),
  constraint payment_details_iff_paid check (
    (paid_at is null) = (pay_type is null) and (paid_at is null) = (pay_ref is null) and (paid_at is null) = (plan_version is null)
  ),
  constraint delivered_at_needs_payment check (delivered_at is null or paid_at is not null),
  constraint an_imported_order_is_never_unpaid check (not is_imported or state <> 'unpaid'),
  constraint received_at_iff_received check ((received_at is not null) = (state = 'received')),
  constraint cancelled_at_iff_cancelled check ((cancelled_at is not null) = (state = 'cancelled')),
  constraint only_a_cancelled_order_has_expired check (not is_expired or state = 'cancelled'),
  constraint address_is_complete check (app.is_address(address)),
  constraint remark_has_at_most_500_characters check (char_length(remark) <= 500),
  constraint only_a_delivered_order_has_a_carrier check (delivered_at is not null or (carrier is null and tracking_no is null)),
  constraint carrier_is_a_short_text check (char_length(carrier) <= 64 and app.is_visible(carrier)),
  constraint tracking_no_is_a_short_text check (char_length(tracking_no) <= 64 and app.is_visible(tracking_no))
);
comment on table app.orders is 'Orders of members.';
comment on column app.orders.referrer_uid is 'The buyer''s referrer when the order was made.';
comment on column app.orders.paid_by_points is 'What points paid of the price. pay_price is what is left to pay in money.';
comment on column app.orders.points_spent is 'The points that were taken when the order was placed.';
comment on column app.orders.points_left is 'What is left of points_spent after refunds; 0 if the order was cancelled.';
comment on column app.orders.queue_base is
  'What is left of the price of the queue goods, after discounts and refunds and without freight.';
comment on column app.orders.queue_units is 'What is left of the units of queue goods after refunds.';
comment on column app.orders.below_minimum is
  'The base at payment was below minimum_base of the plan: the order pays no commission and no points and counts for no task.';
comment on column app.orders.refund_status is '0 none, 1 requested, 2 refunded, 3 partly refunded (R8).';
comment on column app.orders.is_expired is 'Whether the order was cancelled because it was not paid in time, and not by its buyer.';
comment on column app.orders.address is 'Where the order goes, copied when it was placed (see app.is_address).';
comment on column app.orders.remark is 'What the buyer wrote to the store.';
comment on column app.orders.plan_version is
  'The plan in force at payment, by which the order is settled; for an imported order, the plan in force at the import.';
comment on column app.orders.is_imported is
  'The order was placed in the previous system. It counts like any other order and never pays anybody.';

-- One payment reference pays one order.
create unique index orders_payment_is_used_once on app.orders (pay_type, pay_ref) where pay_ref is not null;
create index orders_uid_idx on app.orders (uid, id);
-- For the foreign key: claims delete members.
create index orders_referrer_uid_idx on app.orders (referrer_uid) where referrer_uid is not null;
-- For app.limit_unpaid_orders.
create index orders_unpaid_idx on app.orders (uid) where state = 'unpaid';
-- For app.expired_orders and app.orders_to_receive.
create index orders_unpaid_age_idx on app.orders (add_time) where state = 'unpaid';
create index orders_delivered_idx on app.orders (delivered_at) where state = 'delivered';
-- For app.find_orders, which searches by the end of the number.
create index orders_end_of_number_idx on app.orders (reverse(order_no) text_pattern_ops);
-- For app.overview_days, and for app.paid_orders, which reads pages in the order of payment.
create index orders_paid_at_idx on app.orders (paid_at, id) where paid_at is not null;
-- For R4, which needs the earliest reported order of a member.
create index orders_reported_idx on app.orders (uid, paid_at) where paid_at is not null and queue_units > 0 and refund_status <> 2 and not below_minimum;
-- For app.orders_since: what happened lately is at the end of the table.
create index orders_times_idx on app.orders using brin (add_time, paid_at, delivered_at, received_at, cancelled_at);

alter table app.orders enable row level security;
grant select on app.orders to authenticated, store_admin, service_role;
