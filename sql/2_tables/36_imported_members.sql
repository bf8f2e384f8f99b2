create table app.imported_members (
  old_uid bigint primary key,
  uid bigint not null unique references app.users (uid),
  phone text,
  unionid text,
  imported_at timestamptz not null,
  claimed_at timestamptz,
  claimed_by text,
  constraint texts_are_short check (char_length(phone) between 1 and 32 and char_length(unionid) between 1 and 64),
  constraint claimed_by_is_known check (claimed_by in ('openid', 'unionid', 'phone', 'administrator')),
  constraint claimed_by_iff_claimed check ((claimed_at is null) = (claimed_by is null))
);
comment on table app.imported_members is
  'The uid that an imported member had in the previous system, and what a person must prove to claim the member at a sign-in. A '
  'row makes a second import of the member a no-op. Personal: no client role can read it.';
comment on column app.imported_members.phone is
  'With country code and without "+", as the Auth server stores numbers. Null if the number does not belong to one member only.';
comment on column app.imported_members.claimed_at is 'When an account claimed the member; null until then.';

create unique index imported_members_phone_is_claimed_once on app.imported_members (phone) where phone is not null;
create unique index imported_members_unionid_is_claimed_once on app.imported_members (unionid) where unionid is not null;

alter table app.imported_members enable row level security;
