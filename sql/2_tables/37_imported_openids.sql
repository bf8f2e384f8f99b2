create table app.imported_openids (
  openid text primary key,
  appid text,
  uid bigint not null references app.imported_members (uid),
  constraint ids_are_short_texts check (char_length(openid) between 1 and 64 and char_length(appid) between 1 and 64)
);
comment on table app.imported_openids is
  'WeChat ids of imported members, by which they are claimed. Personal: no client role can read it.';
comment on column app.imported_openids.appid is 'The app that the openid belongs to; null: any app of this store.';

create index imported_openids_uid_idx on app.imported_openids (uid);

alter table app.imported_openids enable row level security;
