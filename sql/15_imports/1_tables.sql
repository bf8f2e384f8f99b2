-- What is kept of imported members, products and bills.

create table app.imported_members (
  old_uid bigint primary key,
  uid bigint not null unique references app.users (uid),
  phone text,
  unionid text,
  imported_at timestamptz not null,
  claimed_at timestamptz,
  claimed_by text,
  constraint texts_are_short check (
    char_length(phone) >= 1 and char_length(phone) <= 32 and char_length(unionid) between 1 and 64
  ),
  constraint claimed_by_is_known check (claimed_by in ('openid', 'unionid', 'phone', 'administrator')),
  constraint claimed_by_iff_claimed check ((claimed_at is null) = (claimed_by is null))
);
comment on table app.imported_members is
  'The uid that an imported member had in the previous system, and what a person must prove to claim the member. A row '
  'prevents a second import. Personal: no client role can read it.';
comment on column app.imported_members.phone is
  'With country code and without "+", as Auth stores numbers. Null if it does not belong to one member only.';
comment on column app.imported_members.claimed_at is 'When an account claimed the member; null until then.';

create unique index imported_members_phone_is_claimed_once on app.imported_members (phone) where phone is not null;
create unique index imported_members_unionid_is_claimed_once on app.imported_members (unionid)
  where unionid is not null;

alter table app.imported_members enable row level security;

create table app.imported_products (
  old_id text primary key,
  product_id bigint not null unique references app.products (id),
  constraint old_id_is_a_short_text check (char_length(old_id) between 1 and 64)
);
comment on table app.imported_products is
  'The id that an imported product had in the previous system. A row prevents a second import.';

alter table app.imported_products enable row level security;
create policy admins_read_imported_products on app.imported_products for select to store_admin, service_role
  using (true);
grant select on app.imported_products to store_admin, service_role;

create table app.imported_bill (
  source text not null,
  old_id text not null,
  uid bigint not null references app.users (uid),
  type text not null,
  title text not null,
  is_income boolean,
  amount numeric(18,4) not null,
  balance numeric(18,4),
  order_ref text,
  add_time timestamptz,
  note text not null default '',
  primary key (source, old_id),
  constraint texts_are_short check (
    greatest(char_length(source), char_length(old_id), char_length(type), char_length(order_ref)) <= 128
    and greatest(char_length(title), char_length(note)) <= 1000
  )
);
comment on table app.imported_bill is
  'Bill rows of the previous system, as they were, outside the ledger: no balance depends on them. Only the titles and '
  'notes of a deleted account are emptied.';
comment on column app.imported_bill.source is 'The file that the row comes from.';
comment on column app.imported_bill.is_income is
  'Whether the row added the amount; null if the previous system did not say.';

create index imported_bill_uid_idx on app.imported_bill (uid, add_time);

alter table app.imported_bill enable row level security;
create policy admins_read_imported_bill on app.imported_bill for select to store_admin, service_role using (true);
grant select on app.imported_bill to store_admin, service_role;

create table app.imported_openids (
  openid text primary key,
  appid text,
  uid bigint not null references app.imported_members (uid),
  constraint ids_are_short_texts check (
    char_length(openid) >= 1 and char_length(openid) <= 64 and char_length(appid) between 1 and 64
  )
);
comment on table app.imported_openids is
  'WeChat ids of imported members, by which they are claimed. Personal: no client role can read it.';
comment on column app.imported_openids.appid is 'The app that the openid belongs to; null: any app of this store.';

create index imported_openids_uid_idx on app.imported_openids (uid);

alter table app.imported_openids enable row level security;

-- Rows of these tables are never changed (see app.reject_change).
-- Everything but title and note, which are emptied when the account is deleted (app.forget_person).
create trigger imported_bill_rows_are_never_changed
  before update of source, old_id, uid, type, is_income, amount, balance, order_ref,
  add_time or delete on app.imported_bill
  for each row execute function app.reject_change();
create trigger imported_bill_is_never_emptied before truncate on app.imported_bill
  for each statement execute function app.reject_change();
