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
  new_uid bigint,
  rank integer,
  claim_phone text,
  claim_unionid text
);
comment on table app.staged_members is
  'Members of a running import, as text, with the line of the file. new_uid is the uid in this store; rank puts referrers before '
  'those whom they refer. claim_phone and claim_unionid are the ids by which the member can be claimed. Empty between imports.';

create index staged_members_uid_idx on app.staged_members (uid);
create index staged_members_referrer_idx on app.staged_members (referrer);
create index staged_members_rank_idx on app.staged_members (rank);

alter table app.staged_members enable row level security;
