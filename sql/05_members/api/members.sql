-- What clients may call about a member as a whole: account, assets, members above.

create or replace function app.member_json(p_uid bigint, p_at timestamptz, p_now timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user app.users;
  v_balances app.user_balances;
begin
  if p_at is null then
    select u.* into v_user from app.users as u where u.uid = p_uid;
    select b.* into v_balances from app.user_balances as b where b.uid = p_uid;
  else
    v_user := app.member_at(p_uid, p_at);
    v_balances := app.balances_at(p_uid, p_at);
  end if;
  if v_user.uid is null then
    perform app.fail('user_not_found');
  end if;
  return app.user_json(v_user, v_balances) || app.checked_avatar(v_user.avatar) || jsonb_build_object(
    'as_of', app.utc(p_at),
    'referrer',
    (
      select jsonb_build_object('uid', r.uid, 'nickname', r.nickname) from app.users as r
      where r.uid = v_user.spread_uid
    ),
    'accounts', app.accounts_json(v_balances, p_now, p_at),
    'deletion', (
      select jsonb_build_object(
        'asked_at', app.utc(d.asked_at), 'due_at', app.utc(d.due_at), 'done_at',
        case when p_at is null or d.done_at < p_at then app.utc(d.done_at) end
      )
      from app.account_deletions as d where d.uid = p_uid and (p_at is null or d.asked_at < p_at)
    )
  ) || case
    when p_at is null then jsonb_build_object(
      'next_level', app.next_level_json(v_user, v_balances), 'progress',
      (select p from app.brokerage_progress(p_uid, p_now) as p), 'team', app.team_json(p_uid)
    )
    else jsonb_build_object(
      'next_level', null, 'progress', app.progress_at(v_balances, p_at), 'team', null, 'agent_level_name',
      app.level_name_at(v_user.agent_level, p_at)
    )
  end;
end
$$;

comment on function app.member_json is
  'Returns one member with referrer, commission cycle, tasks of the next level, team totals, accounts and deletion. '
  'Null is now; at p_at, there are no tasks and no team totals.';

-- Security definer: client roles may not read app.imported_members.
create or replace function api.admin_get_user(p_uid bigint, p_as_of timestamptz default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.member_json(p_uid, app.past_time(p_as_of, clock_timestamp()), clock_timestamp());
end
$$;

comment on function api.admin_get_user is
  'Returns one member as they are now, or were at p_as_of (app.member_json). Serves GET /adminapi/user/{uid}.';

grant execute on function api.admin_get_user(bigint, timestamptz) to store_admin;

create or replace function api.admin_get_users(
  p_search text default null, p_agent_level smallint default null, p_no_assess boolean default null,
  p_spread_uid bigint default null, p_sort text default '-uid', p_page integer default 1, p_limit integer default 20,
  p_has_left boolean default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
  v_sort record;
  v_result jsonb;
begin
  perform app.require_admin();
  if p_search is not null and app.search_number(p_search) is null and not app.may_search_names() then
    perform app.fail('forbidden', 'Without the scope personal:read, members are found by their uid only.');
  end if;
  v_skip := app.check_page(p_page, p_limit);
  v_sort := app.check_sort(
    p_sort, '{uid, add_time, frozen_points, available_points, total_points_earned, brokerage_price}'
  );
  -- A plan for the filters and the sort of the call: sorted by uid, it is an index scan that stops after the rows of
  -- the page. The count does not read balances, of which every member has a row.
  execute format($sql$
    with given as not materialized (
      select $3 as search, $4 as may_search_names, $5 as agent_level, $6 as no_assess, $7 as spread_uid,
        $8 as has_left, $9 as idle
    ), matching as not materialized (
      select u.uid, u.add_time
      from app.users as u cross join given as g
      where (
          g.search is null or u.uid::text = g.search
          or g.may_search_names and position(lower(g.search) in lower(u.nickname)) > 0
        )
        and (g.agent_level is null or u.agent_level = g.agent_level)
        and (g.no_assess is null or u.no_assess = g.no_assess)
        and (g.spread_uid is null or u.spread_uid = g.spread_uid)
        and (g.has_left is null or (u.left_at is not null) = g.has_left) and u.uid <> all (g.idle)
    )
    select app.list_json(
      jsonb_agg(app.user_json(u, b) order by l.%1$I %2$s, l.uid %2$s), (select count(*) from matching)
    )
    from (
      select m.uid, m.add_time, b.frozen_points, b.available_points, b.total_points_earned, b.brokerage_price
      from matching as m join app.user_balances as b on b.uid = m.uid order by %1$I %2$s, uid %2$s offset $1 limit $2
    ) as l
    join app.users as u on u.uid = l.uid
    join app.user_balances as b on b.uid = l.uid
  $sql$, v_sort.key, v_sort.direction)
  into v_result
  using v_skip, p_limit, p_search, app.may_search_names(), p_agent_level, p_no_assess, p_spread_uid, p_has_left,
    app.idle_administrators();
  return v_result;
end
$$;

comment on function api.admin_get_users is
  'Returns one page of the members without app.idle_administrators. p_search is a uid, or a part of the nickname '
  '(app.may_search_names). A leading - of p_sort is descending. Serves GET /adminapi/user.';

grant execute on function api.admin_get_users(
  text, smallint, boolean, bigint, text, integer, integer, boolean
) to store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level
-- security, every table would look up the caller again (decision 0024). PL/pgSQL instead of SQL, so that the session
-- caches the query plans (decision 0007). Generic query plans, because choosing the partition of the day at planning
-- time takes longer than reading it. A variable holds the day, so that the partitions of other months are pruned before
-- they are opened.
create or replace function api.get_assets_overview()
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_uid bigint := app.require_uid();
  v_now timestamptz := clock_timestamp();
  v_time_zone text := (select s.time_zone from app.settings as s);
  v_today date := app.local_day(v_now, v_time_zone);
  v_overview json;
begin
  select json_build_object(
    'brokerage_price', b.brokerage_price::text,
    'frozen_points', trim_scale(b.frozen_points),
    'available_points', trim_scale(b.available_points),
    'today_release', trim_scale(coalesce(
      (select g.release_points from app.releases(v_today, v_today) as g where g.uid = u.uid),
      case
        when exists (
          select from app.release_runs as r where r.release_date = v_today and r.finished_at is not null
        ) then 0
        else app.release_amount(b.frozen_points)
      end
    )),
    'total_points_earned', trim_scale(b.total_points_earned),
    'agent_level', u.agent_level,
    'agent_level_name', l.name,
    'progress', p,
    'withdrawable', m.withdrawable::text,
    'held_by_refunds', m.held_by_refunds::text,
    'maturing', m.maturing::text,
    'maturing_after_receipt', m.after_receipt::text,
    'matures', m.matures
  )
  into v_overview
  from app.users as u
  join app.user_balances as b on b.uid = u.uid
  join app.agent_levels as l on l.grade = u.agent_level
  cross join lateral app.brokerage_progress(u.uid, v_now) as p
  cross join lateral app.maturity(u.uid, b.brokerage_price, v_now, v_time_zone) as m
  where u.uid = v_uid;
  return v_overview;
end
$$;

comment on function api.get_assets_overview is
  'Returns the caller''s balances, level and commission cycle, and when the commission can be withdrawn. today_release '
  'is what today''s release gave, or will give. Serves GET /api/hjf/assets/overview.';

grant execute on function api.get_assets_overview() to authenticated, store_admin;

-- Security definer: client roles may not execute app.get_upline.
create or replace function api.get_upline(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return (
    with matching as materialized (select a.depth, a.uid from app.get_upline(p_uid) as a)
    select app.list_json(jsonb_agg(jsonb_build_object(
      'depth', l.depth, 'uid', l.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', g.name,
      'no_assess', u.no_assess, 'left_at', app.utc(u.left_at)
    ) order by l.depth), (select count(*) from matching))
    from (select m.* from matching as m order by m.depth offset v_skip limit p_limit) as l
    join app.users as u on u.uid = l.uid
    join app.agent_levels as g on g.grade = u.agent_level
  );
end
$$;

comment on function api.get_upline is
  'Returns one page of a member''s upline, nearest first. Serves GET /adminapi/user/{uid}/upline.';

grant execute on function api.get_upline(bigint, integer, integer) to store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level
-- security, every table would look up the caller again (decision 0024). PL/pgSQL instead of SQL, so that the session
-- caches the query plan (decision 0007).
create or replace function api.get_me()
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid constant bigint := app.require_uid();
  v_member json;
begin
  select json_build_object(
    'uid', u.uid, 'nickname', u.nickname, 'avatar', app.shown_avatar(u.avatar), 'spread_uid', u.spread_uid,
    'share_code', u.share_code,
    'agent_level', u.agent_level, 'agent_level_name', l.name, 'no_assess', u.no_assess, 'add_time', app.utc(u.add_time)
  )
  into v_member
  from app.users as u join app.agent_levels as l on l.grade = u.agent_level
  where u.uid = v_uid;
  return v_member;
end
$$;

comment on function api.get_me is 'Returns the member who calls. Serves GET /api/user.';

grant execute on function api.get_me() to authenticated, store_admin;

-- Locks: the count of the caller's changes, the member.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_me(p_nickname text default null, p_avatar text default null)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_nickname constant text := app.visible_text(p_nickname);
  v_constraint text;
begin
  perform app.use_quota(v_uid, 'profile_change', clock_timestamp());
  perform app.refuse_words(p_nickname, '/nickname');
  update app.users as u
  set nickname = case when p_nickname is null then u.nickname else v_nickname end,
      nickname_in_doubt = u.nickname_in_doubt and (p_nickname is null or v_nickname = u.nickname),
      avatar = case when p_avatar is null then u.avatar else nullif(p_avatar, '') end
  where u.uid = v_uid;
  if p_avatar <> '' and app.shown_avatar(p_avatar) is null then
    perform app.fail(
      'invalid_argument',
      format(
        'The picture must be on one of these sites: %s.',
        (select string_agg(distinct o, ', ' order by o) from unnest(app.avatar_origins()) as o)
      ),
      '/avatar'
    );
  end if;
  perform app.queue_text_check('nickname', v_uid, v_uid, v_nickname, clock_timestamp());
  return api.get_me();
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_me is
  'Changes nickname and avatar of the caller and returns the member. Null leaves a value as it is; an empty avatar '
  'removes it. Serves PUT /api/user.';

grant execute on function api.set_me(text, text) to authenticated, store_admin;

-- Locks: the member, then the picture.
-- Idempotent: a doubt that is dismissed stays dismissed.
create or replace function api.dismiss_member_doubt(
  p_uid bigint, p_nickname text default null, p_avatar text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user app.users;
  v_is_nickname boolean;
  v_is_avatar boolean;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  select u.* into v_user from app.users as u where u.uid = p_uid for no key update;
  if not found then
    perform app.fail('user_not_found');
  end if;
  v_is_nickname := v_user.nickname_in_doubt and coalesce(v_user.nickname = p_nickname, false);
  v_is_avatar := coalesce(v_user.avatar = p_avatar, false) and app.is_picture_in_doubt(v_user.avatar);
  update app.users as u set nickname_in_doubt = false where u.uid = p_uid and v_is_nickname;
  update app.pictures as p set content_check = null
  where p.id in (select i.id from app.pictures_in(v_user.avatar) as i (id)) and v_is_avatar;
  perform app.record_action(
    'dismiss_member_doubt', 'member', p_uid::text,
    jsonb_build_object('nickname_in_doubt', v_is_nickname, 'avatar_in_doubt', v_is_avatar),
    '{"nickname_in_doubt": false, "avatar_in_doubt": false}'
  );
  return api.admin_get_user(p_uid);
end
$$;

comment on function api.dismiss_member_doubt is
  'Dismisses the doubt about p_nickname or p_avatar, if the member still has it, and returns the member '
  '(api.admin_get_user). Serves PUT /adminapi/user/{uid}/doubt/dismiss.';

grant execute on function api.dismiss_member_doubt(bigint, text, text) to store_admin;
