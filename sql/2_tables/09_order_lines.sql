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
  constraint paid_is_price_times_quantity_less_discount_and_points check (paid = price * quantity - discount - paid_by_points),
  constraint paid_by_points_is_within_the_price check (paid_by_points >= 0 and paid >= 0),
  constraint points_are_taken_iff_they_pay check (points >= 0 and (points > 0) = (paid_by_points > 0)),
  constraint queue_goods_are_never_paid_by_points check (not is_queue_goods or paid_by_points = 0),
  constraint refunded_quantity_is_within_quantity check (refunded_quantity between 0 and quantity),
  constraint stock_taken_is_within_quantity check (stock_taken between 0 and quantity)
);
comment on table app.order_lines is
  'Lines of an order. Title, price and the queue-goods flag are copied from the product when the order is made.';
comment on column app.order_lines.paid_by_points is 'What points paid of the line.';
comment on column app.order_lines.points is 'The points that were taken for the line.';
comment on column app.order_lines.paid is 'Price times quantity less discount and less what points paid, without freight.';
comment on column app.order_lines.stock_taken is
  'Units that the line took from a limited stock and has not given back.';

create index order_lines_order_id_idx on app.order_lines (order_id);
create index order_lines_product_id_idx on app.order_lines (product_id);

alter table app.order_lines enable row level security;
grant select on app.order_lines to authenticated, store_admin, service_role;
