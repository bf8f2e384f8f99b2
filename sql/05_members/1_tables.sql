-- Members, their balances, addresses and used quotas, administrators, accounts at WeChat, posters, and changes that the
-- team totals wait for.

create table app.users (
  uid bigint generated always as identity (start with 10001) primary key,
  auth_id uuid unique references auth.users (id) on delete set null,
  nickname text not null,
  phone text,
  spread_uid bigint references app.users (uid),
  spread_time timestamptz,
  spread_position bigint not null default nextval('app.positions'),
  agent_level smallint not null default 0,
  is_held boolean not null default false,
  no_assess boolean not null default false,
  add_time timestamptz not null default now(),
  avatar text,
  share_code uuid not null default gen_random_uuid(),
  nickname_in_doubt boolean not null default false,
  left_at timestamptz,
  left_position bigint,
  constraint left_at_has_a_position check ((left_at is null) = (left_position is null)),
  constraint nickname_is_a_short_text check (char_length(nickname) <= 64 and app.is_line(nickname)),
  constraint phone_is_a_short_text check (char_length(phone) between 1 and 32),
  constraint avatar_is_an_address check (app.is_web_address(avatar) and char_length(avatar) <= 512),
  constraint nobody_refers_themselves check (spread_uid <> uid),
  constraint spread_time_iff_spread check ((spread_uid is null) = (spread_time is null))
);
comment on column app.users.spread_position is 'Position in app.positions at which the member got their referrer.';
comment on column app.users.is_held is 'The member does not rise by tasks until an administrator ends the hold.';
comment on table app.users is
  'Members and their referrers. People see and share the uid; auth_id is the Supabase Auth account.';
comment on column app.users.spread_uid is 'The referrer.';
comment on column app.users.share_code is
  'Stands beside the uid in the share links of the member. Who knows it can ask for the nickname.';
comment on column app.users.nickname_in_doubt is 'WeChat wants a person to look at the nickname.';
comment on column app.users.left_at is
  'When the account was deleted or removed; from then on the member earns nothing. Null also for unclaimed imported '
  'members.';
comment on column app.users.left_position is 'Position in app.positions from which the member earns nothing.';
comment on column app.users.no_assess is 'The orders of the member count for nobody''s tasks (R9).';

create index users_spread_uid_idx on app.users (spread_uid, uid);
-- For app.find_orders and app.search_members.
create index users_nickname_idx on app.users (lower(nickname) text_pattern_ops);
-- For api.find_contact.
create index users_phone_idx on app.users (phone) where phone is not null;
create index users_agent_level_idx on app.users (agent_level) where agent_level > 0;
-- For app.level_review.
create index users_with_a_level_idx on app.users (uid) where agent_level > 0;
-- For app.sum_between: new members are at the end of the table.
create index users_add_time_idx on app.users using brin (add_time);

alter table app.users enable row level security;
grant select on app.users to authenticated, store_admin, service_role;

-- A narrow row apart from app.users, because it changes often. It is "the referrer's row" of R10: a transaction locks
-- it before it changes it or decides from it.
-- With no index but the primary key, and with free space in every page for a second version of each row, updates stay
-- HOT: the release changes all rows of a page in one transaction.
create table app.user_balances (
  uid bigint primary key references app.users (uid),
  brokerage_price numeric(14,2) not null default 0,
  frozen_points numeric(18,4) not null default 0,
  available_points numeric(18,4) not null default 0,
  total_points_earned numeric(18,4) not null default 0,
  total_brokerage numeric(14,2) not null default 0,
  total_places integer not null default 0,
  cycle_no integer not null default 0,
  cycle_plan_version integer,
  cycle_is_open boolean not null default false,
  own_orders integer not null default 0,
  direct_orders integer not null default 0,
  umbrella_orders integer not null default 0,
  direct_members integer not null default 0,
  umbrella_members integer not null default 0,
  constraint frozen_points_are_not_negative check (frozen_points >= 0),
  constraint counters_are_not_negative check (
    least(own_orders, direct_orders, umbrella_orders, direct_members, umbrella_members, total_places, cycle_no) >= 0
  ),
  constraint a_cycle_has_a_plan check ((cycle_no = 0) = (cycle_plan_version is null)),
  constraint only_an_opened_cycle_is_open check (cycle_no > 0 or not cycle_is_open)
) with (fillfactor = 45);
comment on table app.user_balances is
  'Balances, which equal those of the member''s last bill row, task counts (not at the top grade), and the open cycle.';
comment on column app.user_balances.brokerage_price is 'Current balance of commission.';
comment on column app.user_balances.total_points_earned is 'Sum of all granted points, less reversals.';
comment on column app.user_balances.total_brokerage is 'Sum of all commission, less reversals.';
comment on column app.user_balances.total_places is 'Places taken in all cycles, less places freed.';

alter table app.user_balances enable row level security;
grant select on app.user_balances to authenticated, store_admin, service_role;

create table app.no_assess_changes (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  from_value boolean not null,
  to_value boolean not null,
  changed_by uuid,
  position bigint not null default nextval('app.positions'),
  add_time timestamptz not null,
  constraint the_flag_changes check (from_value <> to_value)
);
comment on table app.no_assess_changes is 'Changes of the no-assess flag (R9), by the Auth account changed_by.';

create index no_assess_changes_uid_idx on app.no_assess_changes (uid, id);

alter table app.no_assess_changes enable row level security;
create policy admins_read_no_assess_changes on app.no_assess_changes for select to store_admin, service_role
  using (true);
grant select on app.no_assess_changes to store_admin, service_role;

create table app.spread_changes (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  from_uid bigint references app.users (uid),
  from_time timestamptz,
  from_position bigint,
  to_uid bigint not null references app.users (uid),
  reason text not null,
  changed_by uuid,
  position bigint not null,
  add_time timestamptz not null,
  constraint time_and_position_iff_from_uid check (num_nonnulls(from_uid, from_time, from_position) in (0, 3)),
  constraint the_referrer_changes check (from_uid is distinct from to_uid),
  constraint reason_is_a_short_text check (
    app.is_visible(reason) and char_length(reason) between 1 and 500 and app.is_text(reason)
  )
);
comment on table app.spread_changes is
  'Referrers that administrators have set or corrected, by the Auth account changed_by (docs/decisions/0179).';
comment on column app.spread_changes.from_time is
  'When the member had got the replaced referrer; from_position is its position.';
comment on column app.spread_changes.position is 'That of the new referrer in app.users.spread_position.';

create index spread_changes_uid_idx on app.spread_changes (uid, id);
-- For app.use_of_member.
create index spread_changes_from_uid_idx on app.spread_changes (from_uid) where from_uid is not null;

-- The reason is forgotten with the member.
create trigger spread_changes_are_never_changed before update of id, uid, from_uid, from_time, from_position, to_uid,
  changed_by, position, add_time or delete on app.spread_changes
  for each row execute function app.reject_change();
create trigger spread_changes_are_never_emptied before truncate on app.spread_changes
  for each statement execute function app.reject_change();

alter table app.spread_changes enable row level security;
create policy admins_read_spread_changes on app.spread_changes for select to store_admin, service_role using (true);
grant select on app.spread_changes to store_admin, service_role;

create table app.posters (
  uid bigint references app.users (uid),
  product_id bigint default 0,
  token uuid not null unique,
  fingerprint text not null,
  share_url text not null,
  code_source text,
  code bytea,
  retry_at timestamptz,
  image bytea,
  drawing_until timestamptz,
  made_at timestamptz not null,
  primary key (uid, product_id),
  constraint a_code_has_a_source check (code is null or code_source is not null),
  constraint pictures_are_small check (octet_length(code) <= 307200 and octet_length(image) <= 307200)
);
comment on table app.posters is
  'The current share posters of each member, of the store and of products. Who knows the token can see the picture. A '
  'changed picture gets a new token.';
comment on column app.posters.product_id is 'The product that the poster shows, or 0 for that of the store.';
comment on column app.posters.code is
  'The mini-program code as an image; null: the poster shows a QR code of share_url.';
comment on column app.posters.image is 'The poster as PNG. Null until it is drawn, and again after 30 days.';
comment on column app.posters.drawing_until is
  'When another drawing may begin, even if none was stored; null: at once.';
comment on column app.posters.made_at is 'When the poster last changed or was last drawn.';

-- For app.forget_old_records.
create index posters_with_picture_idx on app.posters (made_at) where image is not null;

alter table app.posters enable row level security;
create policy admins_read_posters on app.posters for select to store_admin, service_role using (true);
grant select on app.posters to store_admin, service_role;

create table app.wechat_tokens (
  appid text,
  kind text,
  token text,
  expires_at timestamptz not null,
  asking_until timestamptz,
  primary key (appid, kind),
  constraint kind_is_known check (kind in ('access_token', 'jsapi_ticket')),
  constraint texts_are_short check (char_length(appid) <= 64 and char_length(token) <= 1024)
);
comment on table app.wechat_tokens is
  'Access tokens of WeChat apps, and tickets that sign pages in WeChat. Secret: no client role can read them.';
comment on column app.wechat_tokens.token is 'Null: WeChat gave none, and is not asked again before expires_at.';
comment on column app.wechat_tokens.asking_until is
  'When another request may ask WeChat, even if none was saved; null: at once.';

alter table app.wechat_tokens enable row level security;

create table app.administrators (
  auth_id uuid primary key references auth.users (id) on delete cascade,
  roles text[] not null default '{owner}',
  added_at timestamptz not null,
  added_by uuid,
  name text,
  factors_removed_at timestamptz,
  constraint every_role_is_known check (cardinality(roles) > 0 and roles <@ '{owner, finance, service, content}'),
  constraint name_is_a_short_text check (char_length(name) <= 64 and app.is_line(name))
);
comment on table app.administrators is 'Administrators by Auth account. app.require_admin reads it at each request.';
comment on column app.administrators.name is 'What other administrators see, before the nickname of a member.';
comment on column app.administrators.factors_removed_at is
  'When the second factors of the account were last removed. What a token proved before no longer counts.';
comment on column app.administrators.added_by is 'Who invited the administrator; null: the owner of the database.';

alter table app.administrators enable row level security;
create policy admins_read_administrators on app.administrators for select to store_admin, service_role using (true);
grant select on app.administrators to store_admin, service_role;

create table app.factor_removals (
  auth_id uuid primary key references app.administrators (auth_id) on delete cascade,
  asked_by uuid not null,
  asked_at timestamptz not null,
  constraint nobody_asks_for_themselves check (asked_by <> auth_id)
);
comment on table app.factor_removals is
  'Administrators who have lost their second factor, and the owner who asked to remove it. Another owner confirms it '
  'within seven days.';

alter table app.factor_removals enable row level security;
create policy admins_read_factor_removals on app.factor_removals for select to store_admin, service_role using (true);
grant select on app.factor_removals to store_admin, service_role;

-- No foreign keys: a key can be handed over for 30 days after its owner has left, and the action log names it always.
create table app.machine_keys (
  id bigint generated always as identity primary key,
  name text not null,
  hash bytea not null,
  scopes text[] not null,
  calls_per_hour integer not null,
  owner uuid not null,
  owner_left_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint name_is_a_short_text check (char_length(name) <= 64 and app.is_line(name)),
  constraint hash_is_a_sha256 check (octet_length(hash) = 32),
  constraint every_scope_is_of_an_area check (
    cardinality(scopes) > 0 and array_to_string(scopes, ' ') ~ '^([a-z]+:(read|write)( |$))+$'
  ),
  constraint calls_are_limited check (calls_per_hour between 1 and 100000),
  constraint it_expires_within_two_years check (
    expires_at > created_at and expires_at <= created_at + interval '2 years'
  )
);
comment on table app.machine_keys is
  'Keys with which programs call the administration API, as their owner and within their scopes, also those that '
  'stopped working. Secret: no client role can read them.';
comment on column app.machine_keys.hash is 'SHA-256 of the secret.';
comment on column app.machine_keys.scopes is 'Scopes of app.key_scopes. They never change.';
comment on column app.machine_keys.owner is 'The administrator as whom the key counts.';
comment on column app.machine_keys.owner_left_at is
  'When the owner stopped being an administrator. Null if the owner is one, or somebody has taken the key over.';
comment on column app.machine_keys.last_used_at is 'When it was last used, to the minute.';

create index machine_keys_owner_idx on app.machine_keys (owner);

alter table app.machine_keys enable row level security;

-- By address, not by account: the mail creates the account if there is none, and no call of the Auth server is part of
-- a transaction.
create table app.invitations (
  id bigint generated always as identity primary key,
  email text not null unique,
  roles text[] not null,
  name text,
  invited_by uuid not null,
  invited_at timestamptz not null,
  constraint email_is_an_address check (
    char_length(email) <= 255 and email = lower(email) and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'
    and app.is_line(email)
  ),
  constraint every_role_is_known check (cardinality(roles) > 0 and roles <@ '{owner, finance, service, content}'),
  constraint name_is_a_short_text check (char_length(name) <= 64 and app.is_line(name))
);
comment on table app.invitations is
  'Who was invited to become an administrator and has not proved the address yet (app.accept_invitation). A row gives '
  'no right. No client role can read it.';

alter table app.invitations enable row level security;

create table app.decided_alone (
  auth_id uuid not null,
  kind text not null,
  day date not null,
  money numeric(18,2) not null default 0,
  points numeric(22,4) not null default 0,
  limit_money numeric(14,2),
  limit_points numeric(18,4),
  primary key (auth_id, kind),
  constraint kind_is_known check (kind in ('adjustment', 'offline_payment', 'withdrawal')),
  constraint sums_are_not_negative check (money >= 0 and points >= 0)
);
comment on table app.decided_alone is
  'How much each administrator has decided alone on their last business day with a decision, by kind '
  '(app.decide_alone).';
comment on column app.decided_alone.limit_money is
  'The limit of the day to which the last decision was held, as limit_points; null before the first one.';

alter table app.decided_alone enable row level security;
create policy admins_read_decided_alone on app.decided_alone for select to store_admin, service_role using (true);
grant select on app.decided_alone to store_admin, service_role;

-- No foreign key: it would lock the member, whom a deletion locks before the poster. Updates stay HOT, as those of
-- app.user_balances do.
create table app.used_quotas (
  uid bigint not null,
  kind text not null,
  began_at timestamptz not null,
  used integer not null,
  primary key (uid, kind),
  constraint kind_is_known check (
    kind in (
      'order', 'cancellation', 'key', 'profile_change', 'poster', 'mail', 'export', 'refund_picture', 'real_name',
      'free_order'
    )
  ),
  constraint used_is_positive check (used > 0)
) with (fillfactor = 70);
comment on table app.used_quotas is
  'How often each member did what within the hour that began with the first time (app.use_quota). Rows stay after the '
  'hour.';

alter table app.used_quotas enable row level security;
create policy admins_read_used_quotas on app.used_quotas for select to store_admin, service_role using (true);
grant select on app.used_quotas to store_admin, service_role;

-- Not by account: who is counted has none yet. Hashes, because nobody reads the numbers.
create table app.hourly_counts (
  what bytea primary key,
  began_at timestamptz not null,
  count integer not null,
  constraint what_is_a_hash check (octet_length(what) = 32),
  constraint count_is_positive check (count > 0)
);
comment on table app.hourly_counts is
  'How often what was done within the hour that began with the first time, such as sign-in codes for a phone number '
  'and calls of a machine key (app.count_within_hour).';
comment on column app.hourly_counts.what is 'SHA-256 of the kind, and the number or address.';

create index hourly_counts_began_at_idx on app.hourly_counts (began_at);

alter table app.hourly_counts enable row level security;

create table app.unproved_passwords (
  auth_id uuid primary key references auth.users (id) on delete cascade,
  address_since timestamptz not null default '-infinity',
  is_proved boolean not null default false
);
comment on table app.unproved_passwords is
  'Accounts whose password may be that of a stranger, from before anybody confirmed the present email address. A '
  'password that is set by a link to that address ends this. No client role can read it.';
comment on column app.unproved_passwords.is_proved is
  'The password was proved since, but the account had a phone number then, which may be that of the stranger.';
comment on column app.unproved_passwords.address_since is
  'When the address replaced another one. Sessions and links from before prove nothing.';

alter table app.unproved_passwords enable row level security;

-- Beside the amounts of the consent, nothing of the person.
create table app.account_deletions (
  uid bigint primary key references app.users (uid) on delete cascade,
  auth_id uuid,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  brokerage numeric(14,2) not null,
  frozen_points numeric(18,4) not null,
  available_points numeric(18,4) not null,
  done_at timestamptz,
  constraint it_is_due_within_15_days check (due_at > asked_at and due_at <= asked_at + interval '15 days'),
  constraint what_is_given_up_is_not_negative check (least(brokerage, frozen_points, available_points) >= 0),
  constraint an_account_that_is_not_deleted_is_known check (done_at is not null or auth_id is not null)
);
comment on table app.account_deletions is
  'Members who have asked for the deletion of their account: waiting until due_at, and done. A deletion that is taken '
  'back has no row.';
comment on column app.account_deletions.auth_id is
  'The account. Null once the last step is done: its entries in the log of the Auth server are gone.';
comment on column app.account_deletions.brokerage is 'The commission that the member confirmed to give up.';
comment on column app.account_deletions.done_at is
  'When the account was deleted, also on the Auth server; null: the deletion waits.';

create index account_deletions_unfinished_idx on app.account_deletions (due_at) where auth_id is not null;

alter table app.account_deletions enable row level security;
create policy admins_read_account_deletions on app.account_deletions for select to store_admin, service_role
  using (true);
grant select on app.account_deletions to store_admin, service_role;

create table app.person_requests (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  kind text not null,
  channel text not null,
  note text not null default '',
  received_at timestamptz not null,
  due_at timestamptz not null,
  state text not null default 'open',
  answer text not null default '',
  recorded_by uuid,
  closed_by uuid,
  closed_at timestamptz,
  constraint kind_is_known check (kind in ('copy', 'correction', 'deletion')),
  constraint channel_is_known check (channel in ('app', 'administrator')),
  constraint state_is_known check (state in ('open', 'done', 'refused', 'lapsed')),
  constraint closed_at_iff_it_is_not_open check ((closed_at is null) = (state = 'open')),
  constraint it_is_due_after_it_was_received check (due_at > received_at),
  constraint only_an_administrator_records_for_others check (recorded_by is null or channel = 'administrator'),
  constraint whoever_closed_it_answered check (
    closed_by is null or state in ('done', 'refused') and app.is_visible(answer)
  ),
  constraint a_refusal_is_that_of_an_administrator check (state <> 'refused' or closed_by is not null),
  constraint texts_are_short check (
    greatest(char_length(note), char_length(answer)) <= 500 and app.is_text(note) and app.is_text(answer)
  )
);
comment on table app.person_requests is
  'Requests of members for a copy, a correction or the deletion of their personal data, also those that they fulfil '
  'alone. Never deleted. What was asked, and a final answer, stay until the account is deleted.';
comment on column app.person_requests.uid is
  'Changes only when the member becomes an imported one (app.give_imported_member).';
comment on column app.person_requests.channel is
  'app: by the member. administrator: recorded for a member who wrote or called.';
comment on column app.person_requests.note is 'What is asked for. Emptied when the account is deleted.';
comment on column app.person_requests.state is
  'open, done, refused, or lapsed: the member kept the account, lost it before an answer to another request, or '
  'claimed an imported member.';
comment on column app.person_requests.answer is
  'What was done, or why it was refused. Members read it. app.forgotten_text() once the account is deleted.';
comment on column app.person_requests.recorded_by is 'The Auth account of the administrator who recorded it.';
comment on column app.person_requests.closed_by is
  'The Auth account of the administrator who answered; null: the member did it alone.';

create unique index person_requests_one_is_open_of_a_kind on app.person_requests (uid, kind) where state = 'open';
create index person_requests_uid_idx on app.person_requests (uid, id);
-- Open ones, the one that is due first before others, then closed ones, newest first.
create index person_requests_list_idx on app.person_requests (closed_at desc nulls first, due_at, id);

create trigger what_was_asked_and_answered_never_changes before update on app.person_requests
  for each row when (
    to_jsonb(new) - '{uid, note, state, answer, closed_by, closed_at}'::text[]
    <> to_jsonb(old) - '{uid, note, state, answer, closed_by, closed_at}'::text[]
    or new.note not in (old.note, '')
    or old.state <> 'open' and (
      (new.uid, new.note, new.answer) = (old.uid, old.note, old.answer)
        or new.answer not in (old.answer, app.forgotten_text())
      or to_jsonb(new) - '{uid, note, answer}'::text[] <> to_jsonb(old) - '{uid, note, answer}'::text[]
    )
  ) execute function app.reject_change();
create trigger requests_are_never_deleted before delete
  on app.person_requests for each row execute function app.reject_change();
create trigger requests_are_never_emptied before truncate
  on app.person_requests for each statement execute function app.reject_change();

alter table app.person_requests enable row level security;
grant select on app.person_requests to authenticated, store_admin, service_role;

create table app.addresses (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  address jsonb not null,
  is_default boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint address_is_complete check (app.is_address(address))
);
comment on table app.addresses is 'Address books of members. Orders copy the address.';
comment on column app.addresses.address is '{name, phone, region, street} (app.is_address).';

create index addresses_uid_idx on app.addresses (uid);
create unique index addresses_one_default_for_each_member on app.addresses (uid) where is_default;

alter table app.addresses enable row level security;
create policy the_service_reads_all_addresses on app.addresses for select to service_role using (true);
grant select on app.addresses to service_role;

create table app.wechat_accounts (
  appid text not null,
  openid text not null,
  unionid text,
  auth_id uuid not null default gen_random_uuid(),
  -- Not built from the openid: the Auth server ignores the case of addresses. Who knows the address can invalidate a
  -- sign-in.
  email text not null default 'wechat-' || gen_random_uuid() || '@users.invalid',
  sign_in_id uuid,
  sign_in_until timestamptz,
  add_time timestamptz not null default now(),
  primary key (appid, openid),
  constraint each_has_its_own_account unique (auth_id),
  constraint ids_are_short_texts check (
    char_length(appid) >= 1 and char_length(appid) <= 64 and char_length(openid) between 1 and 64
    and char_length(unionid) between 1 and 64
  ),
  constraint a_sign_in_ends check ((sign_in_id is null) = (sign_in_until is null))
);
comment on table app.wechat_accounts is
  'The Auth account of each WeChat user of an app, whose id the row reserves. Secret: no client role can read it.';
comment on column app.wechat_accounts.auth_id is 'The id of the Auth account, which the first sign-in creates.';
comment on column app.wechat_accounts.email is
  'The email address of the Auth account when it is created. It receives no mail.';
comment on column app.wechat_accounts.sign_in_id is
  'The sign-in in progress, one at a time: each link of the Auth server invalidates the one before.';
comment on column app.wechat_accounts.sign_in_until is
  'When another sign-in may begin, even if this one was not closed.';

alter table app.wechat_accounts enable row level security;

-- No key and no index: an insert costs as little as possible, and the job takes rows in any order.
create table app.team_changes (
  uid bigint not null
);
comment on table app.team_changes is
  'Queue of members whose referrer or number of reported orders has changed since app.team_totals was summed, in any '
  'order.';

alter table app.team_changes enable row level security;
create policy admins_read_team_changes on app.team_changes for select to store_admin, service_role using (true);
grant select on app.team_changes to store_admin, service_role;

-- Rows of these tables are never changed (see app.reject_change).
create trigger no_assess_history_is_never_changed before update or delete on app.no_assess_changes
  for each row execute function app.reject_change();
create trigger no_assess_history_is_never_emptied before truncate on app.no_assess_changes
  for each statement execute function app.reject_change();
