-- The share poster of a member, as it was asked for last. Whoever knows the token may see the picture: it shows nothing that
-- is not meant to be shared, and a picture that changes gets a new one.
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
  'Share posters: code is the mini-program code (null: a QR code of share_url is drawn), image the PNG once it was drawn. image may be emptied at any time.';

alter table app.posters enable row level security;
create policy admins_read_posters on app.posters for select to store_admin, service_role using (true);
grant select on app.posters to store_admin, service_role;

-- The access token of a WeChat app, shared by all instances of the edge functions.
create table app.wechat_tokens (
  appid text primary key,
  access_token text not null,
  expires_at timestamptz not null,
  constraint texts_are_short check (char_length(appid) <= 64 and char_length(access_token) <= 1024)
);
comment on table app.wechat_tokens is 'Access tokens of WeChat, until they expire. Secret: no client role reads them.';

alter table app.wechat_tokens enable row level security;
