create table app.posters (
  uid bigint primary key references app.users (uid),
  token uuid not null unique,
  fingerprint text not null,
  share_url text not null,
  code_source text,
  code bytea,
  retry_at timestamptz,
  image bytea,
  made_at timestamptz not null,
  constraint a_code_has_a_source check (code is null or code_source is not null),
  constraint pictures_are_small check (octet_length(code) <= 307200 and octet_length(image) <= 307200)
);
comment on table app.posters is
  'The current share poster of each member. Anyone who knows the token can see the picture, which shows nothing private. A '
  'changed picture gets a new token.';
comment on column app.posters.code is 'The mini-program code as an image; null: the poster shows a QR code of share_url.';
comment on column app.posters.image is 'The poster as PNG, null until it is drawn. Can be set to null at any time.';

alter table app.posters enable row level security;
create policy admins_read_posters on app.posters for select to store_admin, service_role using (true);
grant select on app.posters to store_admin, service_role;
