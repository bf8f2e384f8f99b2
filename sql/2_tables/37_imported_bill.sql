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
  'Bill rows of the previous system, as they were, for questions about the past. They are outside the ledger: no balance depends on '
  'them. Read-only; only the titles and notes of a deleted account are emptied.';
comment on column app.imported_bill.source is 'The file that the row comes from.';
comment on column app.imported_bill.is_income is 'Whether the row added the amount; null if the previous system did not say.';

create index imported_bill_uid_idx on app.imported_bill (uid, add_time);

alter table app.imported_bill enable row level security;
create policy admins_read_imported_bill on app.imported_bill for select to store_admin, service_role using (true);
grant select on app.imported_bill to store_admin, service_role;
