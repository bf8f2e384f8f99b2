create table app.users (
  uid bigint generated always as identity (start with 10001) primary key,
  auth_id uuid unique references auth.users (id) on delete set null,
  nickname text not null,
  phone text,
  spread_uid bigint references app.users (uid),
  spread_time timestamptz,
  spread_position bigint not null default nextval('app.positions'),
  agent_level smallint not null default 0 references app.agent_levels (grade),
  is_held boolean not null default false,
  no_assess boolean not null default false,
  add_time timestamptz not null default now(),
  avatar text,
  constraint nickname_is_a_short_text check (char_length(nickname) <= 64 and app.is_visible(nickname)),
  constraint phone_is_a_short_text check (char_length(phone) between 1 and 32),
  constraint avatar_is_an_address check (app.is_web_address(avatar) and char_length(avatar) <= 512),
  constraint nobody_refers_themselves check (spread_uid <> uid),
  constraint spread_time_iff_spread check ((spread_uid is null) = (spread_time is null))
);
comment on column app.users.spread_position is 'Position in app.positions at which the member got their referrer.';
comment on column app.users.is_held is 'The member does not rise by tasks until an administrator ends the hold.';
comment on table app.users is
  'Members and their referrers. uid is the number that people see and share; auth_id is the Supabase Auth account.';
comment on column app.users.spread_uid is 'The referrer.';
comment on column app.users.no_assess is 'The orders of the member count for nobody''s tasks (R9).';

create index users_spread_uid_idx on app.users (spread_uid, uid);
-- For app.find_orders.
create index users_nickname_idx on app.users (lower(nickname) text_pattern_ops);
create index users_agent_level_idx on app.users (agent_level) where agent_level > 0;
-- For app.level_review.
create index users_with_a_level_idx on app.users (uid) where agent_level > 0;

alter table app.users enable row level security;
grant select on app.users to authenticated, store_admin, service_role;
