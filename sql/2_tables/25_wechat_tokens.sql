create table app.wechat_tokens (
  appid text primary key,
  access_token text not null,
  expires_at timestamptz not null,
  constraint texts_are_short check (char_length(appid) <= 64 and char_length(access_token) <= 1024)
);
comment on table app.wechat_tokens is
  'Access tokens of WeChat apps, shared by all instances of the edge functions until they expire. Secret: no client role can '
  'read them.';

alter table app.wechat_tokens enable row level security;
