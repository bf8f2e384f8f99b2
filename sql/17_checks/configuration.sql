-- The configuration check: plan, levels, schedule, access, addresses.

create or replace function app.verify_levels()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with levels as (
    select l.*, row_number() over (order by l.grade) - 1 as expected_grade,
      lag(l.direct_points) over (order by l.grade) as direct_below,
      lag(l.umbrella_points) over (order by l.grade) as umbrella_below
    from app.agent_levels as l
  ),
  targets as (
    select t.*, lag(t.target) over (partition by t.type order by t.grade) as target_below
    from app.agent_level_tasks as t
  )
  select 'grades_are_contiguous', case when bool_and(l.grade = l.expected_grade) then 'ok' else 'error' end, 'levels',
    format('%s grades, 0 to %s', count(*), max(l.grade)), 'Number the grades 0, 1, 2 and so on.'
  from levels as l
  union all
  select 'points_do_not_fall', case when count(*) = 0 then 'ok' else 'error' end, 'levels',
    coalesce('points fall at grade ' || string_agg(l.grade::text, ', ' order by l.grade), 'points rise with the grade'),
    'Give each grade at least the points of the grade below it.'
  from levels as l where l.direct_points < l.direct_below or l.umbrella_points < l.umbrella_below
  union all
  select 'levels_have_tasks', case when count(*) = 0 then 'ok' else 'error' end, 'levels',
    coalesce('no tasks at grade ' || string_agg(l.grade::text, ', ' order by l.grade), 'every grade above 0 has tasks'),
    'Members reach a grade without tasks only if an administrator sets it. Give it tasks or switch it off.'
  from levels as l
  where l.grade > 0 and l.is_active and not exists (select from app.agent_level_tasks as t where t.grade = l.grade)
  union all
  select 'targets_do_not_fall', case when count(*) = 0 then 'ok' else 'error' end, 'tasks',
    coalesce(
      'targets fall: ' || string_agg(format('%s at grade %s', t.type, t.grade), ', ' order by t.grade, t.type),
      'targets rise with the grade'
    ),
    'Give each grade at least the targets of the grade below it.'
  from targets as t where t.target < t.target_below
$$;

comment on function app.verify_levels is
  'Checks the level and task settings: contiguous grades, points and targets that do not fall, tasks for every active '
  'grade.';

create or replace function app.depth_words(p_depth jsonb)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when jsonb_typeof(p_depth) = 'null' then 'without a limit'
    when p_depth = '0' then 'none'
    else format('up to depth %s', p_depth)
  end
$$;

comment on function app.depth_words is 'Returns a depth of app.plan_reach in words.';

create or replace function app.verify_plan()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with worst as (
    select p.version, p.people_per_cycle, p.payout_cap, w.*
    from app.commission_plans as p cross join lateral app.worst_order(p, app.levels_json()) as w
    where p.version = app.active_plan_version()
  )
  select 'plan_is_in_force', case when count(*) = 1 then 'ok' else 'error' end, 'plan',
    coalesce(format('version %s, %s people per cycle', max(w.version), max(w.people_per_cycle)), 'no plan'),
    'Save a commission plan.'
  from worst as w
  union all
  select 'money_is_within_the_base',
    case when w.commission <= app.round_down(w.price * w.payout_cap, app.money_decimals()) then 'ok' else 'error' end,
    'plan',
    format('at most %s of %s per unit (%s %%)', w.commission, w.price, trim_scale(w.ratio * 100)),
    'Lower the ratios or the payout cap.'
  from worst as w
  union all
  select 'points_per_order', 'ok', 'plan',
    format('at most %s points per unit: %s with the commission, %s by level',
      trim_scale(w.points), trim_scale(w.commission_points), trim_scale(w.level_points)),
    'If this is more than intended, lower the points of the levels or points_per_brokerage.'
  from worst as w
  union all
  select 'plan_stays_within_the_depth', case when (r.reach -> 'is_deeper')::boolean then 'hint' else 'ok' end, 'plan',
    format(
      'commission %s, points by level %s; the settings say %s', app.depth_words(r.reach -> 'commission'),
      app.depth_words(r.reach -> 'points'),
      r.reach ->> 'network_depth'
    ),
    'The page about the network has the figures. What applies to the store is the decision of its owner: lower max_depth, or set another depth.'
  from app.commission_plans as p cross join lateral app.plan_reach(p, app.levels_json()) as r (reach)
  where p.version = app.active_plan_version()
  union all
  select 'queue_goods_are_on_sale', case when count(*) > 0 then 'ok' else 'warning' end, 'products',
    format('%s queue goods on sale', count(*)), 'Flag at least one product on sale as queue goods.'
  from app.products as g where g.is_queue_goods and g.is_show and not g.is_del
  union all
  select 'article_pool', case when count(*) > 0 then 'ok' else 'warning' end, 'articles',
    format('%s articles for the sign-in gate', count(*)),
    'Publish an article in the sign-in category, or members sign in without reading.'
  from app.articles as a
  join app.article_categories as c on c.id = a.cid and c.is_sign_in_ad and not c.hidden and not c.is_del
  where a.status = 1 and a.is_del = 0 and a.hidden = 0
$$;

comment on function app.verify_plan is
  'Checks the plan in force (app.worst_order, app.plan_reach), and that there are queue goods on sale and articles '
  'for the sign-in gate.';

create or replace function app.verify_runs()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'cron_job_is_healthy',
    case when j.dead > 0 or j.is_late then 'error' when j.import_since is not null then 'warning' else 'ok' end,
    'settlement jobs',
    case when j.import_since is null
      then format(
        '%s waiting, %s failed, oldest waiting since %s', j.waiting, j.dead, coalesce(app.utc(j.waiting_since), 'none')
      )
      else format(
        '%s waiting for the import that began at %s and is unfinished', j.waiting, app.utc(j.import_since)
      ) end,
    case when j.import_since is null
      then 'See the settlement jobs for errors. If none has failed, check that pg_cron is running.'
      else 'Continue the import with npm run import, or end it: npm run import -- --abandon' end
  from app.settlement_job_state(clock_timestamp()) as j
  union all
  select
    'cron_job_is_healthy',
      case when min(r.started_at) < clock_timestamp() - make_interval(days => 1) then 'error' else 'ok' end,
      'runs that were cut',
    format('%s to be continued, oldest of %s', count(*), coalesce(app.utc(min(r.started_at)), 'none')),
    'They are continued every five minutes. If they are cut again and again, raise the statement_timeout of the role postgres.'
  from app.job_runs as r join app.scheduled_jobs as s on s.name = r.job and s.is_active
  where r.cut_at is not null and r.ended_at is null and r.completed_at is null
$$;

comment on function app.verify_runs is
  'Checks that no settlement job is dead or late and no cut run of an active job is left for a day.';

create or replace function app.verify_schedule()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    return query select
      'cron_job_is_healthy', case s.state when 'ok' then 'ok' else 'error' end, 'pg_cron',
      case s.state
        when 'ok' then 'another scheduler runs the jobs'
        else 'pg_cron is not installed in this database, so no scheduled job runs'
      end,
      'Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()'
    from app.scheduler_state(clock_timestamp()) as s (state);
  else
    return query execute $query$
      select
        'cron_job_is_healthy',
        case
          when j.jobid is null or not j.active or l.name is not null or j.schedule <> all (e.schedules)
            or j.command <> s.command then 'error'
          when d.status = 'failed' and not exists (
            select from app.job_runs as r
            where r.job = s.name and r.started_at >= d.start_time and coalesce(r.ended_at, r.completed_at) is not null
          ) then 'error'
          else 'ok'
        end,
        n.name,
        case
          when j.jobid is null and s.is_active then 'not scheduled'
          when j.jobid is null or not j.active then 'switched off'
          when j.schedule <> all (e.schedules) then format(
            'pg_cron has %s (UTC), the schedule of the store says %s', j.schedule, e.schedules[1]
          )
          when j.command <> s.command then format('pg_cron runs another command: %s', j.command)
          when l.name is not null then format(
            '%s (UTC), late, last run: %s', j.schedule, coalesce(app.utc(l.last_run), 'not yet')
          )
          else format('%s (UTC), last run: %s', j.schedule, coalesce(d.status, 'not yet'))
        end,
        case
          when not s.is_active then 'Switch the job on in the schedule.'
          when j.jobid is null or not j.active or j.schedule <> all (e.schedules) or j.command <> s.command
            then 'Run as the owner of the store: select app.apply_schedule()'
          else 'See the schedule page or cron.job_run_details for the error of the last run.'
        end
      from app.scheduled_jobs as s
      cross join lateral (
        select array_agg(
          app.cron_in_utc(s.schedule, t.time_zone, clock_timestamp() - make_interval(hours => o.hours)) order by o.hours
        ) as schedules
        from app.settings as t cross join (values (0), (2)) as o (hours)
      ) as e
      cross join lateral app.cron_names(s) as n (name)
      left join cron.job as j on j.jobname = n.name
      left join app.late_jobs(clock_timestamp()) as l on l.name = n.name
      left join lateral (
        select r.status, r.start_time from cron.job_run_details as r
        where r.jobid = j.jobid and r.end_time is not null order by r.runid desc limit 1
      ) as d on true
      where s.is_active or s.name in (
        'fsgx_release_frozen_points', 'settle_waiting_orders', 'expire_orders', 'receive_delivered_orders',
        'reconcile_bill',
        'continue_unfinished_runs', 'ensure_month_partitions', 'check_manifest', 'delete_due_accounts'
      )
      order by s.rank, n.name
    $query$;
  end if;
  return query select r.check_id, r.severity, r.subject, r.message, r.hint from app.verify_runs() as r;
end
$$;

comment on function app.verify_schedule is
  'Checks that the essential scheduled jobs are switched on, that pg_cron runs every active job as the schedule says, '
  'and that none is late or has failed (also app.verify_runs). Another scheduler may replace pg_cron.';

create or replace function app.verify_clock()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'cron_job_is_healthy', case c.state when 'ok' then 'ok' else 'error' end, 'clock',
    case c.state
      when 'ok' then 'right, as far as is known'
      when 'doubtful' then 'more than six hours ahead of the last heartbeat of the scheduler, so no points are released'
      else 'more than five minutes away from the clock of an edge function'
    end,
    'Check the time of the database server. If it is right, run as the owner of the store: select app.confirm_clock()'
  from app.clock_state(clock_timestamp()) as c (state)
$$;

comment on function app.verify_clock is 'Checks that the clock is trusted and that no second clock disagrees with it.';

-- The reason is in sql/1_schema/03_temporary_objects.sql.
create or replace function app.verify_access()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'clients_create_nothing_temporary',
    case when t.roles is null then 'ok' else 'warning' end,
    'database',
    case
      when t.roles is null then 'no client role can create temporary objects'
      else format('can create temporary objects: %s', t.roles)
    end,
    format('Run as the owner of the database: revoke temporary on database %I from public', current_database())
  from (
    select string_agg(r.rolname, ', ' order by r.rolname) as roles
    from pg_catalog.pg_roles as r
    where r.rolname in ('anon', 'authenticated', 'store_admin', 'store_key', 'service_role', 'store_api')
      and has_database_privilege(r.oid, current_database(), 'temporary')
  ) as t
$$;

comment on function app.verify_access is 'Checks that no client role can create temporary objects.';

create or replace function app.verify_machine_keys()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'machine_keys', case when k.names is null then 'ok' else 'warning' end, 'machine keys',
    case
      when k.names is null then 'every key has an owner whose roles allow its scopes, and works for more than 30 days'
      else format(
        'stop within 30 days or have stopped with their owner (date), or have lost scopes with their owner''s role (scopes): %s',
        k.names
      )
    end,
    'Hand a key of somebody who left, is blocked or has another role over to an administrator who may do what it does, or make a new one; replace one that expires. Revoke what nothing uses.'
  from (
    select string_agg(
      format('%s (%s)', m.name, concat_ws('; ', s.stops_on, s.lost)), ', ' order by app.key_ends_at(m), m.id
    ) as names
    from app.machine_keys as m
    cross join lateral (select app.key_state(m, clock_timestamp()) as state) as k
    cross join lateral (
      select
        case
          when k.state = 'blocked'
            or app.key_ends_at(m) < clock_timestamp() + interval '30 days' then to_char(
              app.key_ends_at(m), 'YYYY-MM-DD'
            )
        end as stops_on,
        case when k.state = 'active' then nullif(array_to_string(app.lost_scopes(m), ', '), '') end as lost
    ) as s
    where k.state in ('active', 'blocked') and (s.stops_on is not null or s.lost is not null)
  ) as k
$$;

comment on function app.verify_machine_keys is
  'Checks that every machine key has an owner whose roles allow its scopes, and more than 30 days left. Names the '
  'others with their last day or lost scopes.';

create or replace function app.verify_money()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'two_people_decide', case count(*) when 0 then 'warning' when 1 then 'hint' else 'ok' end, 'administrators',
    format('%s with the role owner or finance may act', count(*)),
    'If there is a second person, give them the role finance: npm run admin -- add <email> --roles finance. Until then, one person approves withdrawals and pays them.'
  from (
    select distinct a.auth_id
    from app.administrators as a
    join auth.users as u on u.id = a.auth_id
    join app.role_areas() as r on r.role = any (a.roles)
    where 'money' = any (r.areas) and app.is_active_administrator(u)
  ) as m
  union all
  select
    'second_factors', case when count(*) filter (where not p.has_one) = 0 then 'ok' else 'warning' end,
      'administrators',
    format('without a second factor, of those who need one: %s of %s', count(*) filter (where not p.has_one), count(*)),
    'Until then, whoever has their password can set one up. Ask them to do it in the console, in the menu of their account.'
  from (
    select app.has_factor(a.auth_id) as has_one
    from app.administrators as a join auth.users as u on u.id = a.auth_id cross join app.settings as s
    where app.is_active_administrator(u)
      and exists (select from app.role_areas() as r where r.role = any (a.roles) and r.areas && s.second_factor_areas)
  ) as p
  union all
  select
    'commission_is_held_for_refunds', case when p.holding_days >= s.refund_window_days then 'ok' else 'warning' end,
      'plan',
    format(
      'commission can be withdrawn %s days after receipt, orders are refunded for %s days', p.holding_days,
      s.refund_window_days
    ),
    'A refund after the withdrawal leaves the member with a debt. Raise the holding time of the plan, or lower the refund window in the settings.'
  from app.commission_plans as p cross join app.settings as s
  where p.version = app.active_plan_version()
$$;

comment on function app.verify_money is
  'Checks that two people may decide about money (one: a hint), that everybody who needs a second factor has one, and '
  'that commission can be withdrawn only after the refund window.';

-- A store is in production if its functions have reported an address of the project that is not a loopback address.
create or replace function app.verify_addresses()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with project as (
    select coalesce(not app.is_loopback_address(f.project_url), false) as is_production,
      coalesce(app.is_loopback_address(f.project_url), false) as is_local,
      f.functions_url
    from (values (true)) as one (id) left join app.function_settings as f on f.id = one.id
  ),
  addresses as (
    select 'share_address' as check_id, 'share page' as subject, 1 as total,
      app.is_loopback_address(s.h5_share_url)::integer as lost,
      s.h5_share_url as example,
      'Set the share link URL on the settings page of the console: the address of the H5 app.' as hint
    from app.settings as s
    union all
    select 'logo_address', 'logo', 1, app.is_loopback_address(s.logo)::integer, s.logo,
      'Set the logo on the settings page of the console: an address that everyone can open.'
    from app.settings as s where s.logo is not null
    union all
    select 'product_pictures', 'products', count(*)::integer,
      count(*) filter (where app.is_loopback_address(i.image))::integer,
      min(i.image) filter (where app.is_loopback_address(i.image)),
      'Give the products pictures with addresses that everyone can open.'
    from app.products as g cross join lateral unnest(g.images) as i (image)
    where not g.is_del
    having count(*) > 0
    union all
    select 'functions_address', 'edge functions', 1, app.is_loopback_address(p.functions_url)::integer, p.functions_url,
      'Remove the variable STORE_FUNCTIONS_URL of the edge functions, or set it to their public address.'
    from project as p where p.functions_url is not null
  )
  select a.check_id,
    case when a.lost = 0 or p.is_local then 'ok' when p.is_production then 'error' else 'warning' end,
    a.subject,
    case
      when a.lost = 0 then format('%s addresses, none of which leads to a local machine', a.total)
      when p.is_local then format('leads to the local stack: %s', a.example)
      else format('leads to a local machine, which nobody else can reach: %s', a.example)
    end,
    a.hint
  from addresses as a cross join project as p
  union all
  select 'share_link', case when s.h5_share_url = a.address then 'ok' else 'error' end, 'share links',
    case
      when s.h5_share_url = a.address then 'share links name their member'
      else format('share links lose their member: %s', s.h5_share_url)
    end,
    format('Set the share link URL on the settings page of the console to %s', coalesce(a.address, 'https://…/h5'))
  from app.settings as s cross join app.share_address(s.h5_share_url) as a (address)
$$;

comment on function app.verify_addresses is
  'Checks that share links, logo, product pictures and edge functions do not lead to a local machine: an error in '
  'production, ok in a local stack. A share address that hides the member of the link is always an error.';

create or replace function app.verify_function_settings()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with features (subject, variables) as (
    values
      ('WeChat mini program', array['STORE_WECHAT_MINI_APPID', 'STORE_WECHAT_MINI_SECRET']),
      ('WeChat on web pages', array['STORE_WECHAT_H5_APPID', 'STORE_WECHAT_H5_SECRET']),
      ('WeChat Pay', array[
        'STORE_WECHAT_PAY_MCHID', 'STORE_WECHAT_PAY_APPIDS', 'STORE_WECHAT_PAY_API_V3_KEY', 'STORE_WECHAT_PAY_SERIAL',
        'STORE_WECHAT_PAY_PRIVATE_KEY', 'STORE_WECHAT_PAY_PUBLIC_KEYS'
      ]),
      ('messages of the mini program', array['STORE_WECHAT_MINI_PUSH_TOKEN', 'STORE_WECHAT_MINI_PUSH_KEY']),
      ('worker', array['STORE_WORKER_SECRET']),
      ('email to administrators', array['STORE_SMTP_URL', 'STORE_SMTP_FROM', 'STORE_CONSOLE_URL']),
      ('webhooks', array['STORE_WEBHOOK_KEY'])
  ),
  states as (
    select f.subject, s.variables, app.is_loopback_address(s.project_url) as is_local,
      cardinality(f.variables) as wanted, m.names, m.total
    from app.function_settings as s cross join features as f
    cross join lateral (
      select string_agg(v.name, ', ' order by v.position) as names, count(*) as total
      from unnest(f.variables) with ordinality as v (name, position) where v.name <> all (s.variables)
    ) as m
  )
  select 'functions_have_reported', case when s.id is null then 'warning' else 'ok' end, 'edge functions',
    case
      when s.id is null then 'the edge functions have not reported their settings'
      else format('%s, reported %s', s.project_url, app.utc(s.reported_at))
    end,
    'Deploy the edge functions and call GET /api/health. If they run, their log says why they could not report.'
  from (values (true)) as one (id) left join app.function_settings as s on s.id = one.id
  union all
  select 'function_settings',
    case
      when s.total = 0 or (s.total = s.wanted and s.is_local) then 'ok' when s.total < s.wanted then 'error'
      when s.subject in ('email to administrators', 'messages of the mini program', 'webhooks') then 'hint'
        else 'warning'
    end,
    s.subject,
    case
      when s.total = 0 then 'all variables of the edge functions are set'
      when s.total = s.wanted then format('not in use; not set: %s', s.names)
      else format('not set: %s', s.names)
    end,
    case
      when s.subject = 'worker'
        then 'Set the variable as docs/operations.md describes. Without it, refunds and other calls to payment providers wait.'
      else 'Set these variables as functions/README.md describes. If nobody uses this feature, remove all of its variables.'
    end
  from states as s
  union all
  select 'transfers_to_wechat',
    case
      when s.total > 0 then 'error'
      when not s.is_local and 'STORE_WECHAT_PAY_API_URL' <> all (s.variables) then 'warning'
      else 'ok'
    end,
    'withdrawals to WeChat',
    case
      when s.total > 0 then format('not set: %s', s.names)
      when not s.is_local
        and 'STORE_WECHAT_PAY_API_URL' <> all (s.variables) then format('not set: %s', 'STORE_WECHAT_PAY_API_URL')
      else 'all variables of the edge functions are set'
    end,
    'WeChat transfers only at the request of registered addresses: follow docs/deploy.md, "Withdrawals to WeChat", or remove WeChat from the ways to withdraw.'
  from states as s join app.settings as t on 'wechat' = any (t.withdrawal_methods)
  where s.subject = 'WeChat Pay'
  union all
  select 'webhook_route', 'ok', 'webhooks',
    case app.webhook_route()
      when 'proxy' then 'the worker reaches webhooks through the proxy'
      else 'the worker connects to the address of a webhook that it has checked'
    end,
    'Where a proxy decides which addresses can be reached, set STORE_WEBHOOK_PROXY.'
  where app.webhook_route() <> 'off'
$$;

comment on function app.verify_function_settings is
  'Checks, as reported, that the variables of each feature of the edge functions are all set or none. Withdrawals to '
  'WeChat need theirs, and on a hosted project the address of a relay.';

create or replace function app.verify_real_names()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'real_names', case when n.names is null then 'ok' else 'error' end, 'real names',
    case
      when n.names is null then 'all variables of the edge functions are set'
      else format('not set: %s', n.names)
    end,
    'Set these variables as docs/operations.md, "Real names", describes. Without them nobody can give a real name, and withdrawals that need one are refused.'
  from app.function_settings as s join app.settings as t on t.real_name_from is not null
  cross join lateral (
    select string_agg(v.name, ', ' order by v.position) as names
    from unnest(
      array['STORE_REAL_NAME_KEY', 'STORE_REAL_NAME_INDEX_KEY']
      || case
        when t.real_name_check = 'provider' then array['STORE_REAL_NAME_CHECK_URL', 'STORE_REAL_NAME_CHECK_TOKEN']
      end
    ) with ordinality as v (name, position)
    where v.name <> all (s.variables)
  ) as n
  union all
  select 'real_name_keys', case when k.count = 1 then 'ok' else 'warning' end, 'keys of real names',
    case
      when k.count = 1 then 'every real name has the same keys'
      else format('real names have %s different keys or indexes', k.count)
    end,
    'Finish the replacement of keys by npm run rotate:real-names. If none was meant, members gave real names with a wrong key: keep it, and follow docs/operations.md, "Real names".'
  from (select count(distinct (r.key_id, r.index_key_id)) as count from app.real_names as r) as k
  where k.count > 0
$$;

comment on function app.verify_real_names is
  'Checks that the edge functions have reported what real names need, if the store asks for any, and that all real '
  'names have the same keys.';

create or replace function app.verify_settings()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select * from app.verify_levels()
  union all select * from app.verify_plan()
  union all select * from app.verify_schedule()
  union all select * from app.verify_clock()
  union all select * from app.verify_access()
  union all select * from app.verify_machine_keys()
  union all select * from app.verify_money()
  union all select * from app.verify_manifest()
  union all select * from app.verify_addresses()
  union all select * from app.verify_function_settings()
  union all select * from app.verify_real_names()
  union all select * from app.verify_months()
$$;

comment on function app.verify_settings is
  'Runs all checks of the configuration without test orders. severity is ok, hint (there may be nothing to do), '
  'warning or error.';

create or replace function app.verify_agent_config()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select * from app.verify_settings()
  union all select * from app.verify_end_to_end()
$$;

comment on function app.verify_agent_config is 'Runs app.verify_settings and app.verify_end_to_end.';
