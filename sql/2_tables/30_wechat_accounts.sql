create table app.wechat_accounts (
  appid text not null,
  openid text not null,
  unionid text,
  auth_id uuid not null default gen_random_uuid(),
  -- Not built from the openid: the Auth server ignores the case of addresses. Who knows the address can invalidate a sign-in.
  email text not null default 'wechat-' || gen_random_uuid() || '@users.invalid',
  sign_in_id uuid,
  sign_in_until timestamptz,
  add_time timestamptz not null default now(),
  primary key (appid, openid),
  constraint each_has_its_own_account unique (auth_id),
  constraint ids_are_short_texts check (
    char_length(appid) between 1 and 64 and char_length(openid) between 1 and 64 and char_length(unionid) between 1 and 64
  ),
  constraint a_sign_in_ends check ((sign_in_id is null) = (sign_in_until is null))
);
comment on table app.wechat_accounts is
  'The Auth account of each WeChat user of an app. Secret: no client role can read it. A row is written before the account is created, '
  'and reserves its id.';
comment on column app.wechat_accounts.auth_id is 'The id of the Auth account, which does not exist before the first sign-in is complete.';
comment on column app.wechat_accounts.email is 'The email address with which the Auth account is created. It receives no mail.';
comment on column app.wechat_accounts.sign_in_id is 'The sign-in in progress. There is one at a time, because each new link of the Auth server invalidates the one before.';
comment on column app.wechat_accounts.sign_in_until is 'When another sign-in may begin, even if the one in progress was not closed.';

alter table app.wechat_accounts enable row level security;
