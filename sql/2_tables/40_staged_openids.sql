create unlogged table app.staged_openids (
  line integer not null,
  uid text,
  openid text,
  appid text,
  is_claim boolean
);
comment on table app.staged_openids is
  'WeChat ids of members of a running import, as text, with the line of the file, and whether the member can be claimed by it. Empty between imports.';

create index staged_openids_uid_idx on app.staged_openids (uid);

alter table app.staged_openids enable row level security;
