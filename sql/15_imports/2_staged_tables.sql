-- Rows of the files of an import before they are checked and written.

create unlogged table app.staged_bill (
  line integer not null,
  source text,
  id text,
  uid text,
  type text,
  title text,
  is_income text,
  amount text,
  balance text,
  order_ref text,
  happened_at text,
  note text
);
comment on table app.staged_bill is
  'Bill rows of a running import, as text, with the line of the file. Empty between imports.';

create index staged_bill_line_idx on app.staged_bill (source, line);

alter table app.staged_bill enable row level security;

create unlogged table app.staged_members (
  line integer not null,
  uid text,
  nickname text,
  avatar text,
  phone text,
  unionid text,
  referrer text,
  referred_at text,
  joined_at text,
  level text,
  level_held text,
  no_assess text,
  commission text,
  frozen_points text,
  available_points text,
  places text,
  is_claimable text,
  new_uid bigint,
  rank integer,
  claim_phone text,
  claim_unionid text
);
comment on table app.staged_members is
  'Members of a running import, as text, with the line of the file. new_uid is the uid in this store; rank puts '
  'referrers before those whom they refer. By claim_phone and claim_unionid the member can be claimed. Empty between '
  'imports.';

create index staged_members_uid_idx on app.staged_members (uid);
create index staged_members_referrer_idx on app.staged_members (referrer);
create index staged_members_rank_idx on app.staged_members (rank);

alter table app.staged_members enable row level security;

create unlogged table app.staged_openids (
  line integer not null,
  uid text,
  openid text,
  appid text,
  is_claim boolean
);
comment on table app.staged_openids is
  'WeChat ids of members of a running import, as text, with the line of the file, and whether the member can be '
  'claimed by them. Empty between imports.';

create index staged_openids_uid_idx on app.staged_openids (uid);

alter table app.staged_openids enable row level security;

create unlogged table app.staged_order_lines (
  line integer not null,
  order_no text,
  line_no text,
  product_id text,
  title text,
  price text,
  quantity text,
  discount text,
  is_queue_goods text
);
comment on table app.staged_order_lines is
  'Lines of orders of a running import, as text, with the line of the file. Empty between imports.';

create index staged_order_lines_order_no_idx on app.staged_order_lines (order_no);

alter table app.staged_order_lines enable row level security;

create unlogged table app.staged_orders (
  line integer not null,
  order_no text,
  uid text,
  referrer text,
  state text,
  total_price text,
  discount text,
  freight text,
  pay_price text,
  placed_at text,
  paid_at text,
  delivered_at text,
  received_at text,
  cancelled_at text,
  pay_type text,
  pay_ref text,
  carrier text,
  tracking_no text,
  receiver_name text,
  receiver_phone text,
  region text,
  street text,
  remark text
);
comment on table app.staged_orders is
  'Orders of a running import, as text, with the line of the file. Empty between imports.';

create index staged_orders_order_no_idx on app.staged_orders (order_no);
create index staged_orders_line_idx on app.staged_orders (line);

alter table app.staged_orders enable row level security;

create unlogged table app.staged_products (
  line integer not null,
  id text,
  title text,
  price text,
  freight text,
  is_queue_goods text,
  is_show text,
  stock text,
  description text,
  added_at text
);
comment on table app.staged_products is
  'Products of a running import, as text, with the line of the file. Empty between imports.';

create index staged_products_id_idx on app.staged_products (id);

alter table app.staged_products enable row level security;

create unlogged table app.staged_refunds (
  line integer not null,
  order_no text,
  refund_no text,
  line_no text,
  quantity text,
  state text,
  refunded_at text,
  reason text
);
comment on table app.staged_refunds is
  'Refunds of a running import, as text, with the line of the file. Empty between imports.';

create index staged_refunds_order_no_idx on app.staged_refunds (order_no);

alter table app.staged_refunds enable row level security;
