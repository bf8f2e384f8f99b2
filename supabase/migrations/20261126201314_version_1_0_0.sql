-- Generated from sql/ by `npm run migration:fold`; do not edit.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

SET local check_function_bodies = off;

DROP VIEW "report"."commissions";

DROP VIEW "report"."points_by_day";

DROP VIEW "report"."bill";

DROP FUNCTION "app"."add_deliveries"(app.events[], bigint[], timestamp WITH time zone);

DROP FUNCTION "app"."bill_since"(timestamp WITH time zone);

DROP FUNCTION "app"."digest_of_part"(regclass);

DROP FUNCTION "app"."divide_release"(date, integer);

DROP FUNCTION "app"."end_batch"(bigint);

DROP FUNCTION "app"."hold_months"(text, timestamp WITH time zone);

DROP FUNCTION "app"."leaves_query"(timestamp WITH time zone, timestamp WITH time zone);

DROP FUNCTION "app"."reject_archived_time"(text, timestamp WITH time zone);

CREATE TABLE "app"."changed_orders" (
  "id"         bigint NOT NULL,
  "uid"        bigint NOT NULL,
  "earner_uid" bigint,
  "reconcile"  bigint NOT NULL,
  CONSTRAINT "changed_orders_pkey" PRIMARY KEY (id)
);

ALTER TABLE "app"."changed_orders"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "app"."compacted_months" (
  "month"         date                     NOT NULL,
  "state"         text                     NOT NULL DEFAULT 'prepared'::text,
  "bill_rows"     bigint,
  "bill_digest"   numeric,
  "log_rows"      bigint,
  "log_digest"    numeric,
  "releases"      bigint,
  "runs"          bigint,
  "first_bill_id" bigint,
  "last_bill_id"  bigint,
  "kept"          bigint,
  "first_kept"    bigint,
  "checked_at"    timestamp with time zone,
  "compacted_at"  timestamp with time zone,
  CONSTRAINT "compacted_months_pkey" PRIMARY KEY (month),
  CONSTRAINT "month_is_its_first_day" CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  CONSTRAINT "state_is_known" CHECK ((state = ANY (ARRAY['prepared'::text, 'built'::text, 'compacted'::text, 'expanding'::text]))),
  CONSTRAINT "what_was_built_is_counted" CHECK (((state = 'prepared'::text) OR (num_nulls(bill_rows, bill_digest, log_rows, log_digest, releases, runs, kept) = 0)))
);

ALTER TABLE "app"."compacted_months"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "app"."compacted_releases" (
  "uid"              bigint                   NOT NULL,
  "first_time"       timestamp with time zone NOT NULL,
  "last_time"        timestamp with time zone NOT NULL,
  "bill_id"          bigint                   NOT NULL,
  "log_id"           bigint                   NOT NULL,
  "first_day"        date                     NOT NULL,
  "brokerage"        numeric(14,2)            NOT NULL,
  "frozen_before"    numeric(18,4)            NOT NULL,
  "available_before" numeric(18,4)            NOT NULL,
  "frozen_after"     numeric(18,4)            NOT NULL,
  "steps"            integer[]                NOT NULL
) PARTITION BY RANGE (first_time);

ALTER TABLE "app"."compacted_releases"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "app"."schema_versions" (
  "version"    text                     NOT NULL,
  "applied_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "schema_versions_pkey" PRIMARY KEY (VERSION),
  CONSTRAINT "version_is_three_numbers" CHECK ((version ~ '^\d{1,4}\.\d{1,4}\.\d{1,4}$'::text))
);

ALTER TABLE "app"."schema_versions"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "archive"."points_release_log" (
  "id"             bigint                   NOT NULL,
  "uid"            bigint                   NOT NULL,
  "release_date"   date                     NOT NULL,
  "frozen_before"  numeric(18,4)            NOT NULL,
  "release_points" numeric(18,4)            NOT NULL,
  "frozen_after"   numeric(18,4)            NOT NULL,
  "add_time"       timestamp with time zone NOT NULL
) PARTITION BY RANGE (release_date);

ALTER TABLE "archive"."points_release_log"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "archive"."user_bill" (
  "id"              bigint                   NOT NULL,
  "uid"             bigint                   NOT NULL,
  "type"            text                     NOT NULL,
  "source"          text                     NOT NULL,
  "brokerage_delta" numeric(14,2)            NOT NULL,
  "frozen_delta"    numeric(18,4)            NOT NULL,
  "available_delta" numeric(18,4)            NOT NULL,
  "brokerage_after" numeric(14,2)            NOT NULL,
  "frozen_after"    numeric(18,4)            NOT NULL,
  "available_after" numeric(18,4)            NOT NULL,
  "order_id"        bigint,
  "basis"           numeric(18,4),
  "rate"            numeric(18,5),
  "agent_level"     smallint,
  "passed_on"       numeric(18,4),
  "reverses_id"     bigint,
  "withdrawal_id"   bigint,
  "adjustment_id"   bigint,
  "add_time"        timestamp with time zone NOT NULL
) PARTITION BY RANGE (add_time);

ALTER TABLE "archive"."user_bill"
  ENABLE ROW LEVEL SECURITY;

ALTER TABLE "app"."archived_months"
  ADD COLUMN "moved_at" timestamp WITH time zone;

ALTER TABLE "app"."webhooks"
  ADD COLUMN "since_era" integer;

ALTER TABLE "app"."webhooks"
  ADD COLUMN "since" pg_snapshot;

CREATE OR REPLACE FUNCTION api.admin_get_system_metadata (
  p_version text,
  p_runtime text,
  p_commit  text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_migration text;
begin
  perform app.require_admin();
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select max(version) from supabase_migrations.schema_migrations' into v_migration;
  end if;
  return api.get_system_metadata(p_version, p_commit) || api.get_health() || jsonb_build_object(
    'runtime', p_runtime, 'database_version', current_setting('server_version'), 'migration', v_migration, 'archive_server', app.other_server_state()
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.admin_get_users (
  p_search      text     DEFAULT NULL::text,
  p_agent_level smallint DEFAULT NULL::smallint,
  p_no_assess   boolean  DEFAULT NULL::boolean,
  p_spread_uid  bigint   DEFAULT NULL::bigint,
  p_sort        text     DEFAULT '-uid'::text,
  p_page        integer  DEFAULT 1,
  p_limit       integer  DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_skip bigint;
  v_idle bigint[];
  v_sort record;
  v_result jsonb;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  v_idle := app.idle_administrators();
  v_sort := app.check_sort(p_sort, '{uid, add_time, frozen_points, available_points, total_points_earned, brokerage_price}');
  -- A plan for the filters and the sort of the call: sorted by uid, it is an index scan that stops after the rows of the page. The count does not read
  -- balances, of which every member has a row.
  execute format($sql$
    with matching as not materialized (
      select u.uid, u.add_time
      from app.users as u
      where ($1 is null or u.uid::text = $1 or position(lower($1) in lower(u.nickname)) > 0)
        and ($2 is null or u.agent_level = $2) and ($3 is null or u.no_assess = $3) and ($4 is null or u.spread_uid = $4)
        and u.uid <> all ($5)
    )
    select app.list_json(jsonb_agg(app.user_json(u, b) order by l.%1$I %2$s, l.uid %2$s), (select count(*) from matching))
    from (
      select m.uid, m.add_time, b.frozen_points, b.available_points, b.total_points_earned, b.brokerage_price
      from matching as m join app.user_balances as b on b.uid = m.uid order by %1$I %2$s, uid %2$s offset $6 limit $7
    ) as l
    join app.users as u on u.uid = l.uid
    join app.user_balances as b on b.uid = l.uid
  $sql$, v_sort.key, v_sort.direction)
  into v_result
  using p_search, p_agent_level, p_no_assess, p_spread_uid, v_idle, v_skip, p_limit;
  return v_result;
end
$function$;

CREATE OR REPLACE FUNCTION api.create_webhook (
  p_url         text,
  p_description text,
  p_types       jsonb,
  p_salt        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_now constant timestamptz := clock_timestamp();
  v_webhook app.webhooks;
begin
  perform app.require_admin('keys');
  perform app.require_second_factor();
  perform app.check_webhook(p_url, p_description);
  if coalesce(p_salt, '') !~ '^[0-9a-f]{32}$' then
    perform app.fail('invalid_argument', 'The salt of the secret has 32 hexadecimal digits.', '/salt');
  elsif (select count(*) from app.webhooks) >= 50 then
    perform app.fail('invalid_argument', 'A store has at most 50 webhooks. Delete one that nobody uses.');
  end if;
  perform app.lock_webhook_position();
  insert into app.webhooks (url, description, types, salt, salted_at, created_by, created_at, since_era, since)
  values (p_url, p_description, app.webhook_types(p_types), p_salt, v_now, auth.uid(), v_now, (app.current_era()).era, pg_current_snapshot())
  returning * into v_webhook;
  perform app.record_action(
    'create_webhook', 'webhook', v_webhook.id::text, null, app.webhook_record(v_webhook) - '{url, description}'::text[]
  );
  return app.webhook_json(v_webhook);
end
$function$;

CREATE OR REPLACE FUNCTION api.get_actions (
  p_function    text                     DEFAULT NULL::text,
  p_target_type text                     DEFAULT NULL::text,
  p_target_id   text                     DEFAULT NULL::text,
  p_actor       uuid                     DEFAULT NULL::uuid,
  p_from        timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_to          timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_page        integer                  DEFAULT 1,
  p_limit       integer                  DEFAULT 20,
  p_cursor      text                     DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_position record;
  v_result jsonb;
begin
  perform app.require_admin();
  perform app.reach_months('admin_actions', p_from, p_to);
  -- For what the orders of the actions have paid.
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  v_position := app.list_position(p_page, p_limit, p_cursor);
  -- A plan for the filters of the call.
  execute $sql$
    with matching as not materialized (
      select a.* from app.admin_actions as a
      where ($1 is null or a.function = $1) and ($2 is null or a.target_type = $2) and ($3 is null or a.target_id = $3)
        and ($4 is null or a.actor = $4) and ($5 is null or a.add_time >= $5) and ($6 is null or a.add_time < $6)
    )
    select app.archived_log_json(
      jsonb_agg(jsonb_build_object(
        'id', l.id, 'actor', app.actor_json(l.actor), 'machine_key', app.key_name_json(l.machine_key), 'function', l.function, 'target_type', l.target_type, 'target_id', l.target_id,
        'subject', app.action_subject_json(l.target_type, l.target_id),
        'from', l.from_value, 'to', l.to_value, 'actor_earned', app.actor_earned_json(l.actor, l.target_type, l.target_id),
        'request_id', l.request_id, 'add_time', app.utc(l.add_time)
      ) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), $10, 'admin_actions'
    )
    from (
      select m.* from matching as m where (m.add_time, m.id) < ($7, $8) order by m.add_time desc, m.id desc offset $9 limit $10
    ) as l
  $sql$
  into v_result
  using p_function, p_target_type, p_target_id, p_actor, p_from, p_to, v_position.add_time, v_position.id, v_position.skip, p_limit;
  return v_result;
end
$function$;

CREATE OR REPLACE FUNCTION api.get_assets_overview()
  RETURNS json
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
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
        when exists (select from app.release_runs as r where r.release_date = v_today and r.finished_at is not null) then 0
        else app.release_amount(b.frozen_points)
      end
    )),
    'total_points_earned', trim_scale(b.total_points_earned),
    'agent_level', u.agent_level,
    'agent_level_name', l.name,
    'progress', p,
    'withdrawable', m.withdrawable::text,
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
  where u.auth_id = auth.uid();
  if not found then
    perform app.require_uid();
  end if;
  return v_overview;
end
$function$;

CREATE OR REPLACE FUNCTION api.get_bill_rows (
  p_uid         bigint                   DEFAULT NULL::bigint,
  p_type        text                     DEFAULT NULL::text,
  p_source      text                     DEFAULT NULL::text,
  p_balance     text                     DEFAULT 'brokerage'::text,
  p_min_amount  numeric                  DEFAULT NULL::numeric,
  p_max_amount  numeric                  DEFAULT NULL::numeric,
  p_from        timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_to          timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_page        integer                  DEFAULT 1,
  p_limit       integer                  DEFAULT 20,
  p_cursor      text                     DEFAULT NULL::text,
  p_earned_from timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_earned_to   timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_agent_level smallint                 DEFAULT NULL::smallint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_most constant integer := 100001;
  v_has_amount constant boolean := num_nonnulls(p_min_amount, p_max_amount) > 0;
  v_is_earned constant boolean := num_nonnulls(p_earned_from, p_earned_to) > 0;
  v_from constant timestamptz := greatest(p_from, p_earned_from);
  v_matching constant text := $sql$
    select b.* from app.bill(%s, $6) as b
    where ($1 is null or b.uid = $1) and ($2 is null or b.type = $2) and ($3 is null or b.source = $3) and ($4 or b.source <> 'release')
      and ($8 is null or abs(case $7 when 'brokerage' then b.brokerage_delta when 'frozen_points' then b.frozen_delta else b.available_delta end) between $8 and $9)
      and (not $15 or b.order_id is not null and app.is_earned(b.type))
      and ($16 is null or exists (select from app.users as u where u.uid = b.uid and u.agent_level = $16))
  $sql$;
  v_position record;
  v_window record;
  v_begin timestamptz;
  v_since timestamptz;
  v_result jsonb;
begin
  perform app.require_admin();
  if p_balance is null or p_balance not in ('brokerage', 'frozen_points', 'available_points') then
    perform app.fail('invalid_argument', 'The balance is brokerage, frozen_points or available_points.');
  elsif least(p_min_amount, p_max_amount) < 0 then
    perform app.fail('invalid_argument', 'Amounts are searched for without their sign.');
  end if;
  v_window := app.bill_window(p_uid, p_agent_level, p_type, p_source, v_has_amount, p_balance, v_is_earned, v_from, least(p_to, p_earned_to), now());
  perform app.reach_months('user_bill', v_from, least(p_to, p_earned_to));
  v_position := app.list_position(p_page, p_limit, p_cursor);
  v_begin := greatest(v_window.from_time, case when v_from is null then app.archived_until('user_bill') end);
  for v_since in
    select s.at from app.steps_back(v_begin, least(v_window.to_time, v_position.add_time)) as s (at)
    where s.at = v_begin or (p_uid is null and v_window.has_releases) order by s.at desc
  loop
    -- A plan for the filters of the call, which finds the index without releases.
    execute format($sql$
      select app.log_json(
        jsonb_agg(app.admin_bill_json(l) order by l.add_time desc, l.id desc), (select count(*) from (select from (%s) as m limit $14) as c),
        array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), $13
      )
      from (
        select m.* from (%s) as m where (m.add_time, m.id) < ($10, $11) order by m.add_time desc, m.id desc offset $12 limit $13
      ) as l
    $sql$, format(v_matching, '$5'), format(v_matching, '$17'))
    into v_result
    using p_uid, p_type, p_source, v_window.has_releases, v_begin, v_window.to_time, p_balance,
      case when v_has_amount then greatest(p_min_amount, 0.0001) end, coalesce(p_max_amount, 'infinity'),
      v_position.add_time, v_position.id, v_position.skip, p_limit, v_most, v_is_earned, p_agent_level, v_since;
    exit when v_result ->> 'next_cursor' is not null;
  end loop;
  return v_result || jsonb_build_object(
    'archived_until', app.utc(nullif(app.archived_until('user_bill'), '-infinity')),
    'searched_from', case when v_window.is_limited then app.utc(v_window.from_time) end
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_month_earnings (
  p_month text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_uid bigint := app.require_uid();
  v_time_zone text := (select s.time_zone from app.settings as s);
  v_month text := coalesce(p_month, to_char(app.month_of(clock_timestamp()), 'YYYY-MM'));
  v_first date := app.month_start(v_month);
  v_last date := (v_first + interval '1 month - 1 day')::date;
  v_bounds record;
begin
  select m.begins_at, m.ends_at into v_bounds from app.month_bounds(v_first) as m;
  perform app.reach_months('user_bill', v_bounds.begins_at, v_bounds.ends_at);
  return (
    with earned as (
      -- A month that was closed in another time zone has its bounds, so its rows can lie outside of its days by hours.
      select greatest(v_first, least(v_last, app.local_day(l.add_time, v_time_zone))) as day, sum(l.brokerage_delta) as commission,
        sum(l.frozen_delta + l.available_delta) as points
      -- With `offset 0`, the rows of the member are found before others are left out: a plan made while the month was empty would read the index of
      -- all rows with an order.
      from (select b.* from app.bill(v_bounds.begins_at, v_bounds.ends_at) as b where b.uid = v_uid offset 0) as l
      where l.order_id is not null and app.is_earned(l.type)
      group by 1
    )
    select jsonb_build_object(
      'month', v_month, 'commission', coalesce(sum(e.commission), 0.00)::text, 'points', trim_scale(coalesce(sum(e.points), 0)),
      'days', jsonb_agg(jsonb_build_object(
        'day', n.at::date, 'commission', coalesce(e.commission, 0.00)::text, 'points', trim_scale(coalesce(e.points, 0))
      ) order by n.at),
      'months', (select coalesce(jsonb_agg(m.month order by m.month desc), '[]') from app.months_with_rows(v_uid) as m (month))
    )
    from generate_series(v_first::timestamp, v_last::timestamp, interval '1 day') as n (at) left join earned as e on e.day = n.at::date
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_places (
  p_uid   bigint,
  p_page  integer DEFAULT 1,
  p_limit integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return (
    with matching as not materialized (
      select t.* from app.taken_places as t where t.earner_uid = p_uid and t.place_freed_at is null
    )
    select app.list_json(jsonb_agg(jsonb_build_object(
      'cycle_no', l.cycle_no, 'place', l.place, 'cycle_plan_version', l.cycle_plan_version, 'order_id', l.order_id,
      'uid', s.uid, 'nickname', (select u.nickname from app.users as u where u.uid = s.uid), 'base', s.base::text, 'ratio', trim_scale(s.rate), 'commission', coalesce(c.amount_left, s.commission)::text,
      'commission_at_settlement', s.commission::text, 'commission_points', trim_scale(coalesce(b.points, s.commission_points)),
      'commission_points_at_settlement', trim_scale(s.commission_points), 'settled_at', app.utc(s.settled_at)
    ) order by l.cycle_no desc, l.place desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.cycle_no desc, m.place desc offset v_skip limit p_limit) as l
    left join app.settlements as s on s.order_id = l.order_id
    left join app.commission_maturities as c on c.order_id = l.order_id
    left join lateral (
      select sum(r.frozen_delta + r.available_delta) as points
      -- Of the table: what an archived order pays does not change.
      from app.user_bill as r where r.order_id = l.order_id and r.uid = p_uid and r.source = 'cycle' and r.brokerage_delta = 0
    ) as b on true
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_release_log (
  p_uid       bigint  DEFAULT NULL::bigint,
  p_date_from date    DEFAULT NULL::date,
  p_date_to   date    DEFAULT NULL::date,
  p_page      integer DEFAULT 1,
  p_limit     integer DEFAULT 20,
  p_cursor    text    DEFAULT NULL::text
)
  RETURNS json
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_position record;
  v_from date := coalesce(p_date_from, app.first_release_day());
  v_to date := coalesce(p_date_to, 'infinity');
  v_rows app.points_release_log[];
  v_count bigint;
  v_users bigint;
  v_points numeric;
  v_since timestamptz;
begin
  perform app.require_admin();
  perform app.reach_months('points_release_log', p_date_from::timestamp at time zone 'UTC', (p_date_to + 1)::timestamp at time zone 'UTC');
  v_position := app.list_position(p_page, p_limit, p_cursor);
  if p_uid is null then
    for v_since in select s.at from app.steps_back('-infinity', v_position.add_time) as s (at) order by s.at desc loop
      v_rows := array(
        select g from app.releases(v_from, v_to, v_since) as g
        where (g.add_time, g.id) < (v_position.add_time, v_position.id)
        order by g.add_time desc, g.id desc offset v_position.skip limit p_limit
      );
      exit when cardinality(v_rows) = p_limit;
    end loop;
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0) into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between coalesce(p_date_from, '-infinity') and v_to;
  else
    v_rows := array(
      -- With `offset 0`, the rows of the member are found before they are sorted: a plan made while a month was empty would read all of it by time.
      select m.g
      from (select g from app.releases(v_from, v_to) as g where g.uid = p_uid offset 0) as m
      where ((m.g).add_time, (m.g).id) < (v_position.add_time, v_position.id)
      order by (m.g).add_time desc, (m.g).id desc offset v_position.skip limit p_limit
    );
    select count(*), least(count(*), 1), coalesce(sum(g.release_points), 0) into v_count, v_users, v_points
    from app.releases(v_from, v_to) as g
    where g.uid = p_uid;
  end if;

  return (
    -- A subquery for each nickname: with a join, the generic query plan would read all members, since it does not know how few rows
    -- v_rows has.
    select json_build_object(
      'list', coalesce(json_agg(
        app.release_json(l, (select u.nickname from app.users as u where u.uid = l.uid)) order by l.add_time desc, l.id desc
      ), '[]'),
      'count', v_count,
      'next_cursor', app.make_cursor((v_rows[p_limit]).add_time, (v_rows[p_limit]).id),
      'archived_until', app.utc(nullif(app.archived_until('points_release_log'), '-infinity')),
      'statistics', json_build_object(
        'total_released', trim_scale(v_points), 'users', v_users,
        'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
      )
    )
    from unnest(v_rows) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.replay_webhook (
  p_id     bigint,
  p_from   timestamp with time zone,
  p_to     timestamp with time zone,
  p_events integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_now constant timestamptz := clock_timestamp();
  v_webhook app.webhooks;
  v_events app.events[];
begin
  perform app.require_admin('keys');
  v_webhook := app.lock_webhook(p_id);
  v_events := array(select e from app.replayed_events(v_webhook, p_from, p_to) as e order by e.era, e.xid, e.id);
  if p_events is distinct from cardinality(v_events) then
    perform app.fail('changed_meanwhile', format('These are %s events.', cardinality(v_events)));
  end if;
  update app.webhook_deliveries as d set state = 'waiting', ended_at = null, began_at = null, run_after = v_now
  from unnest(v_events) as e
  where d.webhook_id = p_id and d.kind = 'event' and (d.era, d.xid, d.event_id) = (e.era, e.xid, e.id) and d.state <> 'waiting';
  perform app.add_deliveries(v_events, array[p_id], true, v_now);
  perform app.record_action(
    'replay_webhook', 'webhook', p_id::text, null, jsonb_build_object('from', app.utc(p_from), 'to', app.utc(p_to), 'events', p_events)
  );
  return jsonb_build_object('events', p_events);
end
$function$;

CREATE OR REPLACE FUNCTION app.actor_earned_json (
  p_actor       uuid,
  p_target_type text,
  p_target_id   text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object('commission', sum(b.brokerage_delta)::text, 'points', trim_scale(sum(b.frozen_delta + b.available_delta))) as earned
  from app.users as u
  -- Of the table: archived orders follow.
  join app.user_bill as b on b.uid = u.uid
  where p_target_type = 'order' and app.is_earned(b.type) and u.auth_id = p_actor and b.order_id = case when p_target_type = 'order' then p_target_id::bigint end
  having count(*) > 0
  union all
  select '{"commission": null, "points": null}'
  from app.users as u
  where u.auth_id = p_actor and p_target_type = 'order' and app.is_order_archived(case when p_target_type = 'order' then p_target_id::bigint end)
  -- What is known comes before nulls.
  order by earned desc
  limit 1
$function$;

CREATE OR REPLACE FUNCTION app.add_deliveries (
  p_events   app.events[],
  p_webhooks bigint[],
  p_earlier  boolean,
  p_now      timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  insert into app.webhook_deliveries (webhook_id, kind, era, xid, event_id, type, subject, subject_id, message_id, body, run_after, created_at)
  select w.id, 'event', e.era, e.xid, e.id, e.type, e.subject, e.subject_id, app.event_cursor(e), app.webhook_body(e.type, e.add_time, app.event_json(e)),
    app.subject_due(w.id, e.subject, e.subject_id, p_now), p_now
  from unnest(p_events) as e join app.webhooks as w on w.id = any (p_webhooks) and e.type = any (w.types)
  where p_earlier or (e.era < w.since_era or e.era = w.since_era and pg_visible_in_snapshot(e.xid, w.since)) is not true
  order by e.era, e.xid, e.id, w.id
  on conflict (webhook_id, era, xid, event_id, kind) do nothing
$function$;

CREATE OR REPLACE FUNCTION app.admin_bill_json (
  p_row app.user_bill
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select app.bill_json(p_row) || jsonb_build_object(
    'nickname', (select u.nickname from app.users as u where u.uid = p_row.uid),
    'reversed_by', (
      select coalesce(jsonb_agg(r.id order by r.id), '[]')
      from app.bill(p_row.add_time, 'infinity') as r where p_row.order_id is not null and r.order_id = p_row.order_id and r.reverses_id = p_row.id
    )
  )
$function$;

CREATE OR REPLACE FUNCTION app.archive_month (
  p_table text,
  p_month date,
  p_now   timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_part regclass;
  v_name text := app.name_of_part(p_table, p_month);
  v_bounds record := app.part_bounds(p_table, p_month);
  v_obstacle text;
  v_digest record;
begin
  -- Only archiving takes this lock, so nobody else queues behind it.
  perform set_config('lock_timeout', '10s', true);
  lock table app.archived_months in share row exclusive mode;
  if exists (select from app.archived_months as a where a.table_name = p_table and a.month = p_month) then
    return false;
  end if;
  v_obstacle := app.archive_obstacle(p_table, p_month, p_now);
  if v_obstacle is not null then
    perform app.fail('invalid_argument', format('The month %s of app.%s cannot be archived: %s.', to_char(p_month, 'YYYY-MM'), p_table, v_obstacle));
  end if;
  v_part := app.month_part(p_table, p_month);
  if p_table = 'admin_actions' then
    -- Nothing closes a month of actions: a transaction that began in it may still add a row.
    execute format('lock table %s in share mode', v_part);
  end if;
  perform set_config('lock_timeout', '100ms', true);
  v_digest := app.digest_of_rows(format('select * from %s', v_part));
  if p_table = 'user_bill' then
    perform app.add_archived_sums(v_part, 1);
  end if;
  for v_try in 1..40 loop
    begin
      if app.has_long_reader(v_part) then
        raise lock_not_available using message = format('another transaction is reading the month %s of app.%I', to_char(p_month, 'YYYY-MM'), p_table);
      end if;
      perform app.lock_structure() where p_table = 'user_bill';
      perform app.lock_for_partition(format('app.%I', p_table)::regclass, false);
      -- A refund may have been requested since.
      if p_table = 'user_bill' and app.has_refund_request(v_part) then
        perform app.fail('invalid_argument', format('The month %s cannot be archived: a refund was requested meanwhile.', to_char(p_month, 'YYYY-MM')));
      end if;
      execute format('alter table app.%I detach partition %s', p_table, v_part);
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  -- A late release may have begun since. It holds the months until its record is committed (app.reject_archived_release).
  if p_table <> 'admin_actions' and exists (select from app.unreleased_days((p_month + interval '1 month')::date - 1)) then
    perform app.fail('invalid_argument', format('The month %s cannot be archived: a release has begun meanwhile.', to_char(p_month, 'YYYY-MM')));
  end if;
  execute format('alter table app.%I set schema archive', v_name);
  execute format('create trigger archived_rows_are_never_changed before update or delete on archive.%I for each row execute function app.reject_change()', v_name);
  -- Without the constraint, Postgres would read the month under the locks.
  if p_table <> 'admin_actions' and exists (select from pg_constraint as c where c.conrelid = v_part and c.conname = 'it_is_in_its_month') then
    execute format('alter table archive.%I attach partition archive.%I for values from (%L) to (%L)', p_table, v_name, v_bounds.lower, v_bounds.upper);
  end if;
  insert into app.archived_months (table_name, month, ends_at, row_count, digest, archived_at)
  values (p_table, p_month, greatest((p_month + interval '1 month') at time zone 'UTC', v_digest.last_time + interval '1 microsecond'), v_digest.row_count, v_digest.digest, p_now);
  perform app.record_action('archive_month', 'month', to_char(p_month, 'YYYY-MM'), null, jsonb_build_object('table', p_table, 'rows', v_digest.row_count));
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.archive_obstacle (
  p_table text,
  p_month date,
  p_now   timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_part regclass := app.month_part(p_table, p_month);
  v_window interval := (select s.refund_window_days from app.settings as s) * interval '1 day';
  v_bounds record := app.part_bounds(p_table, p_month);
  v_ends_at timestamptz := (p_month + interval '1 month') at time zone 'UTC';
  v_is_behind boolean;
  v_unreleased date;
  v_open bigint;
begin
  if v_part is null then
    return 'it has no partition of its own';
  elsif app.oldest_part(p_table) <> p_month then
    return format('%s is older and not archived', to_char(app.oldest_part(p_table), 'YYYY-MM'));
  elsif v_ends_at > p_now - v_window then
    return format('it ended less than %s days ago', extract(day from v_window));
  end if;
  execute format('select exists (select from app.%I as t where t.%I < %L)', p_table || '_default', v_bounds.key, v_bounds.upper) into v_is_behind;
  if v_is_behind then
    return 'the default partition has rows that are as old';
  elsif p_table = 'admin_actions' then
    return null;
  elsif exists (select from app.compacted_months as c where c.month = p_month) then
    return 'its releases are compacted: npm run expand';
  end if;
  execute format('select greatest(max(t.add_time), %L) >= %L from %s as t', v_ends_at, app.carried_until() + interval '1 microsecond', v_part) into v_is_behind;
  if v_is_behind then
    return 'the nightly reconciliation has not proved it as a closed month';
  end if;
  v_unreleased := (select min(u.day) from app.unreleased_days((p_month + interval '1 month')::date - 1) as u (day));
  if v_unreleased is not null then
    return format('the release of %s is not finished', v_unreleased);
  elsif p_table = 'points_release_log' then
    return null;
  end if;
  v_open := app.open_order_of_part(v_part, p_now - v_window, p_now);
  if v_open is not null then
    return format('order %s is open, can be refunded, or has commission that matures', v_open);
  end if;
  execute format('select min(w.id) from %s as l join app.withdrawals as w on w.id = l.withdrawal_id where w.ended_at is null', v_part) into v_open;
  return case when v_open is not null then format('withdrawal %s is open', v_open) end;
end
$function$;

CREATE OR REPLACE FUNCTION app.archive_part (
  p_table text,
  p_month date
)
  RETURNS regclass
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select i.inhrelid::regclass
  from pg_inherits as i
  where i.inhparent = to_regclass(format('archive.%I', p_table))
    and i.inhrelid in (app.month_part(p_table, p_month, 'archive'), to_regclass(format('archive.%I', app.name_of_part(p_table, p_month, 'moved'))))
$function$;

CREATE OR REPLACE FUNCTION app.attach_month (
  p_table text,
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_name text := app.name_of_part(p_table, p_month);
  v_bounds record := app.part_bounds(p_table, p_month);
  v_digest record;
begin
  if exists (select from app.archived_months as a where a.table_name = p_table and a.month > p_month) then
    perform app.fail('invalid_argument', format('%s is not the last archived month of app.%s.', to_char(p_month, 'YYYY-MM'), p_table));
  elsif v_archived.moved_at is not null then
    perform app.fail('invalid_argument', format('The rows of %s are on the other server. Bring them back first.', to_char(p_month, 'YYYY-MM')));
  elsif v_part is null then
    perform app.fail('invalid_argument', format('There is no table archive.%s. Restore its dump first.', v_name));
  end if;
  v_digest := app.digest_of_rows(format('select * from %s', v_part));
  perform app.require_archived_rows(v_archived, v_digest.row_count, v_digest.digest);
  perform app.bound_month(v_part, p_table, p_month);
  delete from app.archived_months as a where a.table_name = p_table and a.month = p_month;
  if p_table = 'user_bill' then
    perform app.add_archived_sums(v_part, -1);
  end if;
  for v_try in 1..40 loop
    begin
      perform app.lock_for_partition(format('app.%I', p_table)::regclass, true);
      -- The table itself, because a read must see the month either archived or attached (app.hold_months).
      execute format('lock table only app.%I, only app.%I in access exclusive mode', p_table, p_table || '_default');
      if app.archive_part(p_table, p_month) is not null then
        execute format('alter table archive.%I detach partition %s', p_table, v_part);
      end if;
      execute format('drop trigger if exists archived_rows_are_never_changed on %s', v_part);
      execute format('alter table archive.%I set schema app', v_name);
      execute format('alter table app.%I attach partition app.%I for values from (%L) to (%L)', p_table, v_name, v_bounds.lower, v_bounds.upper);
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  perform app.record_action('attach_month', 'month', to_char(p_month, 'YYYY-MM'), jsonb_build_object('table', p_table, 'rows', v_digest.row_count), null);
end
$function$;

CREATE OR REPLACE FUNCTION app.balances_query (
  p_at timestamp with time zone
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case when p_at is null then
    'select b.uid, b.brokerage_price as brokerage, b.frozen_points as frozen, b.available_points as available from app.user_balances as b'
  else $sql$
    select b.uid, coalesce(f.brokerage, l.brokerage, b.brokerage_price) as brokerage, coalesce(f.frozen, l.frozen, b.frozen_points) as frozen,
      coalesce(f.available, l.available, b.available_points) as available
    from app.user_balances as b
    left join lateral (
      select r.uid, r.brokerage_after - r.brokerage_delta as brokerage, r.frozen_after - r.frozen_delta as frozen, r.available_after - r.available_delta as available
      from app.bill($1, $2) as r where r.uid = b.uid order by r.add_time, r.id limit 1
    ) as f on true
    left join lateral (
      select r.brokerage_after - r.brokerage_delta as brokerage, r.frozen_after - r.frozen_delta as frozen, r.available_after - r.available_delta as available
      from app.bill($2, 'infinity') as r where f.uid is null and r.uid = b.uid order by r.add_time, r.id limit 1
    ) as l on true
  $sql$ end
$function$;

CREATE OR REPLACE FUNCTION app.balances_until (
  p_uid   bigint,
  p_until timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_archived timestamptz := app.archived_until('user_bill');
  v_balances record;
begin
  if p_until < v_archived then
    perform app.reach_months('user_bill', p_until, null);
    select coalesce(r.brokerage_after - r.brokerage_delta, b.brokerage_price) as brokerage, coalesce(r.frozen_after - r.frozen_delta, b.frozen_points) as frozen,
      coalesce(r.available_after - r.available_delta, b.available_points) as available
    into v_balances
    from app.user_balances as b
    left join lateral (
      select l.* from app.bill(p_until, 'infinity') as l where l.uid = p_uid order by l.add_time, l.id limit 1
    ) as r on true
    where b.uid = p_uid;
  else
    select coalesce(r.brokerage_after, a.brokerage, 0.00) as brokerage, coalesce(r.frozen_after, a.frozen, 0) as frozen, coalesce(r.available_after, a.available, 0) as available
    into v_balances
    from (select p_uid as uid) as m
    left join lateral (
      select b.brokerage_after, b.frozen_after, b.available_after from app.bill(v_archived, p_until) as b
      where b.uid = p_uid
      order by b.add_time desc, b.id desc
      limit 1
    ) as r on true
    left join app.archived_balances as a on a.uid = m.uid;
  end if;
  return jsonb_build_object(
    'brokerage_price', v_balances.brokerage::text, 'frozen_points', trim_scale(v_balances.frozen), 'available_points', trim_scale(v_balances.available)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.begin_reconcile (
  p_run bigint
)
  RETURNS bigint
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_sessions constant integer := (select s.night_sessions from app.settings as s);
  v_since constant timestamptz := app.carried_until();
  v_id bigint;
begin
  perform from app.scheduled_jobs as j where j.name = 'reconcile_bill' for update;
  update app.reconcile_runs as r
  set cuts = greatest(r.cuts, app.cuts_of('reconcile_bill', r.id::text))
  where r.id = (select u.id from app.reconcile_runs as u where u.finished_at is null order by u.id limit 1)
  returning r.id into v_id;
  if v_id is null then
    if v_sessions > 1 and exists (select from app.reconcile_runs as r where r.started_at > clock_timestamp() - interval '1 minute') then
      return null;
    end if;
    insert into app.reconcile_runs as r (started_at, since, carried_until)
    values (clock_timestamp(), v_since, app.closed_until(v_since))
    returning r.id into v_id;
    delete from app.changed_orders as c where c.reconcile < v_id;
    insert into app.changed_orders (id, uid, earner_uid, reconcile)
    select o.id, o.uid, s.earner_uid, v_id
    from app.orders_since(v_since) as c (id) join app.orders as o on o.id = c.id left join app.settlements as s on s.order_id = o.id
    where v_since > '-infinity';
    perform app.divide_reconcile(v_id, 2 * v_sessions) where v_sessions > 1;
  end if;
  perform app.begin_part(p_run, v_id::text);
  return v_id;
end
$function$;

CREATE OR REPLACE FUNCTION app.begin_release (
  p_release_date date,
  p_is_named     boolean,
  p_now          timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  insert into app.release_runs as r (release_date, started_at, is_named_only) values (p_release_date, p_now, p_is_named) on conflict (release_date) do nothing;
  if found then
    perform app.divide_release(p_release_date, s.night_sessions) from app.settings as s;
    return;
  end if;
  update app.release_runs as r
  set is_named_only = r.is_named_only and (p_is_named or p_release_date <> app.business_day(p_now)),
      cuts = case
        when r.finished_at is null then greatest(r.cuts, app.cuts_of('fsgx_release_frozen_points', r.release_date::text))
        else r.cuts
      end
  where r.release_date = p_release_date;
end
$function$;

CREATE OR REPLACE FUNCTION app.bill (
  p_from timestamp with time zone,
  p_to   timestamp with time zone
)
  RETURNS SETOF app.user_bill
  LANGUAGE sql
  STABLE
  PARALLEL SAFE
  AS $function$
  select a.*
  from (
    select b.* from app.user_bill as b
    union all
    select r.* from archive.user_bill as r
    union all
    select b.*
    from app.compacted_releases as c cross join lateral app.bill_of_run(c) as b
    where c.first_time < p_to and c.last_time >= p_from and c.first_time > p_from - interval '32 days'
  ) as a
  where a.add_time >= p_from and a.add_time < p_to
$function$;

CREATE OR REPLACE FUNCTION app.bill_lines (
  p_uid    bigint,
  p_from   timestamp with time zone,
  p_to     timestamp with time zone,
  p_cursor text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_most constant integer := 1000;
  v_after record := app.line_position(p_cursor);
  v_from timestamptz := greatest(coalesce(p_from, '-infinity'), v_after.add_time);
  v_to timestamptz := coalesce(p_to, 'infinity');
  v_zone text := (select s.time_zone from app.settings as s);
  v_rows app.user_bill[];
begin
  perform app.reach_months('user_bill', coalesce(p_from, '-infinity'), p_to);
  if p_uid is null then
    v_rows := array(
      select b from app.bill(v_from, v_to) as b
      where (b.add_time, b.id) > (v_after.add_time, v_after.id)
      order by b.add_time, b.id limit v_most
    );
  else
    v_rows := array(
      select b from app.bill(v_from, v_to) as b
      where b.uid = p_uid and (b.add_time, b.id) > (v_after.add_time, v_after.id)
      order by b.add_time, b.id limit v_most
    );
  end if;
  return jsonb_build_object(
    'lines', (select coalesce(jsonb_agg(app.bill_line(r, v_zone) order by r.add_time, r.id), '[]') from unnest(v_rows) as r),
    'next_cursor', case when cardinality(v_rows) = v_most then app.make_cursor((v_rows[v_most]).add_time, (v_rows[v_most]).id) end
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.bill_of_run (
  p_run app.compacted_releases
)
  RETURNS SETOF app.user_bill
  LANGUAGE sql
  STABLE
  PARALLEL SAFE
  AS $function$
  select
    r.bill_id, p_run.uid, 'frozen_points_release', 'release', 0::numeric(14,2), (-r.amount)::numeric(18,4), r.amount::numeric(18,4), p_run.brokerage,
    r.frozen_after::numeric(18,4), r.available_after::numeric(18,4), null::bigint, r.frozen_before::numeric(18,4), r.rate::numeric(18,5), null::smallint,
    null::numeric(18,4), null::bigint, null::bigint, null::bigint, r.add_time
  from app.releases_of_run(p_run) as r
$function$;

CREATE OR REPLACE FUNCTION app.bill_page (
  p_uid    bigint,
  p_type   text,
  p_from   timestamp with time zone,
  p_to     timestamp with time zone,
  p_page   integer,
  p_limit  integer,
  p_cursor text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_position record := app.list_position(p_page, p_limit, p_cursor);
  v_from timestamptz := coalesce(p_from, app.archived_until('user_bill'));
  v_to timestamptz := coalesce(p_to, 'infinity');
begin
  perform app.reach_months('user_bill', p_from, p_to);
  return (
    with matching as not materialized (
      select b.* from app.bill(v_from, v_to) as b where b.uid = p_uid and (p_type is null or b.type = p_type)
    )
    select app.archived_log_json(
      jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), p_limit, 'user_bill'
    )
    from (
      select m.* from matching as m where (m.add_time, m.id) < (v_position.add_time, v_position.id)
      order by m.add_time desc, m.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.bill_row (
  p_id bigint
)
  RETURNS app.user_bill
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
begin
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  return coalesce((select b from app.user_bill as b where b.id = p_id), (
    select b
    from app.compacted_months as m
    join app.compacted_releases as c
      on c.first_time >= m.month::timestamp at time zone 'UTC' and c.first_time < (m.month + interval '1 month') at time zone 'UTC'
    cross join lateral app.bill_of_run(c) as b
    where p_id between m.first_bill_id and m.last_bill_id and app.is_in_run(c, p_id) and b.id = p_id
  ));
end
$function$;

CREATE OR REPLACE FUNCTION app.bill_sums (
  p_from timestamp with time zone,
  p_to   timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'type', s.type, 'source', s.source, 'rows', s.rows, 'brokerage', s.brokerage::text,
    'frozen_points', trim_scale(s.frozen), 'available_points', trim_scale(s.available)
  ) order by s.type collate "C", s.source collate "C"), '[]')
  from (
    select
      b.type, b.source, count(*) as rows, sum(b.brokerage_delta) as brokerage, sum(b.frozen_delta) as frozen,
      sum(b.available_delta) as available
    from app.bill(p_from, p_to) as b
    group by b.type, b.source
  ) as s
$function$;

CREATE OR REPLACE FUNCTION app.bound_month (
  p_part  regclass,
  p_table text,
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_bounds record := app.part_bounds(p_table, p_month);
begin
  if not exists (select from pg_constraint as c where c.conrelid = p_part and c.conname = 'it_is_in_its_month') then
    execute format('alter table %s add constraint it_is_in_its_month check (%I >= %L and %I < %L)', p_part, v_bounds.key, v_bounds.lower, v_bounds.key, v_bounds.upper);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.build_compaction (
  p_month date
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
declare
  v_runs text := format('archive.%I', app.name_of_part('compacted_releases', p_month, 'runs'));
  v_rest text;
  v_table text;
  v_before record;
  v_rest_digest record;
  v_expanded record;
  v_bounds record := app.part_bounds('user_bill', p_month);
begin
  perform app.lock_compaction();
  if not exists (select from app.compacted_months as c where c.month = p_month and c.state = 'prepared') then
    return false;
  end if;
  execute format('create table %s (like app.compacted_releases including all)', v_runs);
  execute format('alter table %s enable row level security', v_runs);
  -- Named as that of app.compacted_releases, which partitions do not inherit.
  execute format('create trigger compacted_releases_are_never_emptied before truncate on %s for each statement execute function app.reject_change()', v_runs);
  perform app.build_runs(p_month);
  execute format('alter table %s add constraint it_is_in_its_month check (first_time >= %L and first_time < %L)', v_runs, v_bounds.lower, v_bounds.upper);
  execute format('analyze %s', v_runs);
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    v_rest := app.create_part(v_table, p_month, 'rest');
    execute format(
      'insert into %s select t.* from %s as t where not exists (select from (%s) as r where r.id = t.id and r.add_time = t.add_time) order by t.add_time, t.id',
      v_rest, app.month_part(v_table, p_month), app.expanded_query(v_table, p_month)
    );
    v_before := app.digest_of_rows(format('select * from %s', app.month_part(v_table, p_month)));
    v_rest_digest := app.digest_of_rows(format('select * from %s', v_rest));
    v_expanded := app.digest_of_rows(app.expanded_query(v_table, p_month));
    if (v_before.row_count, v_before.digest) <> (v_rest_digest.row_count + v_expanded.row_count, v_rest_digest.digest + v_expanded.digest) then
      raise exception using errcode = 'data_corrupted', message = format(
        'The compacted month %s of app.%I is not what it was: %s rows before, %s and %s now', to_char(p_month, 'YYYY-MM'), v_table, v_before.row_count,
        v_rest_digest.row_count, v_expanded.row_count
      );
    end if;
    if v_table = 'user_bill' then
      update app.compacted_months as c set bill_rows = v_before.row_count, bill_digest = v_before.digest where c.month = p_month;
    else
      update app.compacted_months as c set log_rows = v_before.row_count, log_digest = v_before.digest, releases = v_expanded.row_count where c.month = p_month;
    end if;
  end loop;
  execute format($sql$
    update app.compacted_months as c
    set state = 'built', runs = (select count(*) from %s), first_bill_id = i.first, last_bill_id = i.last, kept = k.number, first_kept = k.first
    from (select min(r.id) as first, max(r.id) as last from (%s) as r) as i, (
      select count(*) as number, min(b.id) as first
      from archive.%I as b join archive.%I as l on l.uid = b.uid and l.add_time = b.add_time and l.frozen_after = b.frozen_after where b.source = 'release'
    ) as k
    where c.month = $1
  $sql$, v_runs, app.expanded_query('user_bill', p_month), app.name_of_part('user_bill', p_month, 'rest'), app.name_of_part('points_release_log', p_month, 'rest')) using p_month;
  perform app.constrain_part('points_release_log', p_month, 'rest');
  perform app.constrain_part('user_bill', p_month, 'rest');
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.build_expansion (
  p_month date
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
declare
  v_month app.compacted_months;
  v_table text;
  v_whole text;
  v_digest record;
  v_is_same boolean;
begin
  perform app.lock_compaction();
  select c.* into v_month from app.compacted_months as c where c.month = p_month;
  if v_month.state is null then
    perform app.fail('invalid_argument', format('The releases of %s are not compacted.', to_char(p_month, 'YYYY-MM')));
  elsif v_month.state in ('prepared', 'built') then
    perform app.give_up_compaction(p_month);
    return false;
  elsif v_month.state = 'expanding' then
    return false;
  end if;
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    v_whole := app.create_part(v_table, p_month, 'whole');
    execute format(
      'insert into %s select a.* from (select t.* from %s as t union all %s) as a order by a.add_time, a.id',
      v_whole, app.month_part(v_table, p_month), app.expanded_query(v_table, p_month)
    );
    v_digest := app.digest_of_rows(format('select * from %s', v_whole));
    v_is_same := case v_table
      when 'user_bill' then (v_digest.row_count, v_digest.digest) = (v_month.bill_rows, v_month.bill_digest)
      else (v_digest.row_count, v_digest.digest) = (v_month.log_rows, v_month.log_digest)
    end;
    if not v_is_same then
      raise exception using errcode = 'data_corrupted', message = format(
        'The month %s of app.%I is not what was compacted: it has %s rows with digest %s now', to_char(p_month, 'YYYY-MM'), v_table, v_digest.row_count, v_digest.digest
      );
    end if;
  end loop;
  perform app.constrain_part('points_release_log', p_month, 'whole');
  perform app.constrain_part('user_bill', p_month, 'whole');
  update app.compacted_months as c set state = 'expanding', checked_at = null where c.month = p_month;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.build_runs (
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
begin
  execute format($sql$
    insert into archive.%I (uid, first_time, last_time, bill_id, log_id, first_day, brokerage, frozen_before, available_before, frozen_after, steps)
    with releases as (
      select
        l.uid, l.release_date as day, b.add_time, b.id as bill_id, l.id as log_id, b.brokerage_after as brokerage, l.frozen_before, l.frozen_after,
        b.available_after - b.available_delta as available_before, b.available_after
      from %s as b join %s as l on l.uid = b.uid and l.add_time = b.add_time and l.frozen_after = b.frozen_after
      where b.source = 'release' and b.add_time >= $1 and b.add_time < $2
        and l.release_points = app.release_amount(l.frozen_before) and b.available_delta = l.release_points
        and (b.basis, b.rate) = (l.frozen_before, app.release_rate()) and num_nonnulls(b.agent_level, b.passed_on) = 0
        and abs(l.release_date - (b.add_time at time zone 'UTC')::date) <= 1
    ), steps as (
      select r.*, r.bill_id - lag(r.bill_id) over w as bill_step, r.log_id - lag(r.log_id) over w as log_step,
        (extract(epoch from r.add_time - lag(r.add_time) over w) * 1000000)::bigint - 86400000000 as time_step,
        (r.day - 1, r.brokerage, r.frozen_before, r.available_before)
          = (lag(r.day) over w, lag(r.brokerage) over w, lag(r.frozen_after) over w, lag(r.available_after) over w) as is_next
      from releases as r
      window w as (partition by r.uid order by r.add_time, r.bill_id)
    ), followed as (
      select s.*, coalesce(s.is_next and greatest(abs(s.bill_step), abs(s.log_step), abs(s.time_step)) <= 2147483647, false) as follows from steps as s
    ), numbered as (
      select f.*, count(*) filter (where not f.follows) over (partition by f.uid order by f.add_time, f.bill_id) as run from followed as f
    )
    select
      n.uid, min(n.add_time), max(n.add_time), min(n.bill_id) filter (where not n.follows), min(n.log_id) filter (where not n.follows), min(n.day), min(n.brokerage),
      max(n.frozen_before), min(n.available_before), min(n.frozen_after),
      coalesce(array_agg(array[n.bill_step, n.log_step, n.time_step]::integer[] order by n.day) filter (where n.follows), '{}')
    from numbered as n
    group by n.uid, n.run
    order by n.uid, n.run
  $sql$, app.name_of_part('compacted_releases', p_month, 'runs'), app.month_part('user_bill', p_month), app.month_part('points_release_log', p_month))
  using (app.month_bounds(p_month)).begins_at, (app.month_bounds(p_month)).ends_at;
end
$function$;

CREATE OR REPLACE FUNCTION app.carry_balances (
  p_from  bigint,
  p_to    bigint,
  p_since timestamp with time zone,
  p_until timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
begin
  insert into app.carried_balances as c (uid, carried_until, brokerage, frozen, available, commission, points)
  select
    l.uid, p_until, sum(l.brokerage_delta), sum(l.frozen_delta), sum(l.available_delta),
    coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0),
    coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0)
  from app.bill(p_since, p_until) as l
  where l.uid between p_from and p_to
  group by l.uid
  order by l.uid
  on conflict (uid) do update
  set carried_until = excluded.carried_until, brokerage = c.brokerage + excluded.brokerage, frozen = c.frozen + excluded.frozen,
      available = c.available + excluded.available, commission = c.commission + excluded.commission, points = c.points + excluded.points
  where c.carried_until < excluded.carried_until;
end
$function$;

CREATE OR REPLACE FUNCTION app.catalogue_of_rules()
  RETURNS TABLE (
    kind       text,
    name       text,
    definition text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with relations as (
    select c.oid, c.relnamespace, r.root, r.is_month, count(*) filter (where r.is_month) over (partition by r.root) as months
    from pg_class as c
    cross join lateral (select coalesce(pg_partition_root(c.oid), c.oid) as root, c.relispartition and c.relname !~ '_default$' as is_month) as r
    where c.relkind in ('r', 'p', 'v', 'f')
  )
  select 'trigger', format('%s.%I', r.root::regclass, g.tgname), concat_ws(' ',
    string_agg(distinct regexp_replace(pg_get_triggerdef(g.oid), '^CREATE (CONSTRAINT )?TRIGGER (\S+) (.*) ON \S+ (.*)$', '\1\3 \4'), '; '),
    case when bool_or(g.tgenabled <> 'O') then '(' || string_agg(distinct case g.tgenabled when 'D' then 'switched off' when 'R' then 'for replicas only' when 'A' then 'always' end, ', ') || ')' end,
    case when count(*) filter (where r.is_month) not in (0, max(r.months)) then '(not on every month)' end
  )
  from pg_trigger as g join relations as r on r.oid = g.tgrelid join pg_proc as p on p.oid = g.tgfoid
  where not g.tgisinternal and (r.relnamespace = 'app'::regnamespace or p.pronamespace = 'app'::regnamespace and r.relnamespace <> 'archive'::regnamespace)
  group by r.root, g.tgname
  union all
  select 'policy', format('%s.%I', p.polrelid::regclass, p.polname), concat_ws(' ',
    case when p.polpermissive then 'permissive' else 'restrictive' end,
    case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    'to', (select string_agg(case u.id when 0 then 'public' else u.id::regrole::text end, ', ' order by u.id::regrole::text) from unnest(p.polroles) as u (id)),
    'using ' || pg_get_expr(p.polqual, p.polrelid), 'with check ' || pg_get_expr(p.polwithcheck, p.polrelid)
  )
  from pg_policy as p join relations as r on r.oid = p.polrelid where r.relnamespace = 'app'::regnamespace
  union all
  -- Of a view of one table, Postgres from 16 on prints the columns without its name.
  select 'view', v.oid::regclass::text, concat_ws(' ',
    case when d.text ~ '\mJOIN\M' then d.text else regexp_replace(d.text, '\m[a-z]\.', '', 'g') end,
    'with ' || array_to_string(v.reloptions, ', '), case when v.relowner <> n.nspowner then 'of another owner' end
  )
  from pg_class as v join pg_namespace as n on n.oid = v.relnamespace cross join lateral pg_get_viewdef(v.oid) as d (text) where n.nspname in ('app', 'api', 'report') and v.relkind in ('v', 'm')
  union all
  select 'rule', format('%s.%I', w.ev_class::regclass, w.rulename), pg_get_ruledef(w.oid)
  from pg_rewrite as w join relations as r on r.oid = w.ev_class
  where r.relnamespace = 'app'::regnamespace and w.rulename <> '_RETURN'
  union all
  select 'setting', concat_ws(' ',
    'of', coalesce(nullif(s.setrole, 0)::regrole::text, 'every role'), case when s.setdatabase <> 0 then 'in this database' end
  ), c.setting
  from pg_db_role_setting as s cross join unnest(s.setconfig) as c (setting)
  where c.setting like 'session_replication_role=%'
    and s.setdatabase in (0, (select d.oid from pg_database as d where d.datname = current_database()))
  union all
  -- What this session began with: also what alter system, the configuration file or the start of the server says.
  select 'setting', 'at the beginning of a session', format('%s=%s', s.name, s.reset_val)
  from pg_settings as s where s.name = 'session_replication_role' and s.reset_val <> s.boot_val
$function$;

CREATE OR REPLACE FUNCTION app.check_archived_months()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_archived app.archived_months;
  v_digest record;
begin
  for v_archived in select a.* from app.archived_months as a order by a.table_name, a.month loop
    check_name := 'archived_month_is_as_archived';
    subject := v_archived.table_name || to_char(v_archived.month, ' YYYY-MM');
    expected := format('%s rows with digest %s', v_archived.row_count, v_archived.digest);
    begin
      if v_archived.moved_at is not null then
        v_digest := app.other_digest(v_archived);
      else
        continue when app.month_part(v_archived.table_name, v_archived.month, 'archive') is null;
        v_digest := app.digest_of_rows(format('select * from %s', app.month_part(v_archived.table_name, v_archived.month, 'archive')));
      end if;
      actual := format('%s rows with digest %s', v_digest.row_count, v_digest.digest);
    exception when others then
      -- The other server is away, too slow or has lost the month. What it says is for operators.
      actual := format('not read: %s', sqlerrm);
    end;
    if actual <> expected then
      return next;
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_imported_members()
  RETURNS TABLE (
    severity text,
    file     text,
    line     integer,
    name     text,
    finding  text,
    value    text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
  with members as materialized (
    select s.*, i.uid as known_uid
    from app.staged_members as s join app.imported_members as i on i.old_uid = s.uid::bigint
  ),
  openings as materialized (
    -- Of the table: opening balances that are archived are left out below.
    select b.* from app.user_bill as b where b.type = 'opening_balance' and b.uid in (select m.known_uid from members as m)
  ),
  levels as (
    select l.uid, l.to_level from app.level_changes as l where l.reason = 'imported' and l.uid in (select m.known_uid from members as m)
  )
  select 'warning', 'members', m.line, t.name, 'differs from what was imported before, and is not imported again', format('%s (imported: %s)', t.value, t.known)
  from members as m
  left join openings as b on b.uid = m.known_uid
  left join levels as l on l.uid = m.known_uid
  left join app.opening_cycles as c on c.uid = m.known_uid
  cross join lateral (values
    ('commission', coalesce(m.commission::numeric, 0), coalesce(b.brokerage_delta, 0)),
    ('frozen_points', coalesce(m.frozen_points::numeric, 0), coalesce(trim_scale(b.frozen_delta), 0)),
    ('available_points', coalesce(m.available_points::numeric, 0), coalesce(trim_scale(b.available_delta), 0)),
    ('level', coalesce(m.level::numeric, 0), coalesce(l.to_level, 0)),
    ('places', coalesce(m.places::numeric, 0), coalesce(c.places, 0))
  ) as t (name, value, known)
  -- If an opening balance is archived, there is nothing to compare with.
  where t.value <> t.known and not (t.name in ('commission', 'frozen_points', 'available_points') and m.known_uid in (
    select a.uid from app.archived_balances as a where a.opening_balances > 0
  ))
$function$;

CREATE OR REPLACE FUNCTION app.check_parts (
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_constraint record;
begin
  for v_constraint in
    select c.conrelid::regclass as part, c.conname as name
    from app.compacted_months as m
    cross join unnest('{points_release_log, user_bill}'::text[]) as t (name)
    join pg_constraint as c
      on c.conrelid = to_regclass(format('archive.%I', app.name_of_part(t.name, p_month, case m.state when 'built' then 'rest' when 'expanding' then 'whole' end)))
    where m.month = p_month and c.contype = 'f' and not c.convalidated
    order by t.name, c.conname
  loop
    execute format('alter table %s validate constraint %I', v_constraint.part, v_constraint.name);
  end loop;
  update app.compacted_months as c set checked_at = clock_timestamp() where c.month = p_month and c.checked_at is null;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_sources (
  p_from timestamp with time zone,
  p_to   timestamp with time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_from is null or p_to is null or p_from >= p_to or p_to > p_from + make_interval(days => app.most_source_days(), hours => 1) then
    perform app.fail('invalid_argument', format('from is before to, and at most %s days before it.', app.most_source_days()));
  end if;
  return app.unreachable_until('user_bill', p_from, p_to) is null;
end
$function$;

CREATE OR REPLACE FUNCTION app.closed_until (
  p_since timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_until timestamptz := p_since;
  v_month app.closed_months;
begin
  for v_month in select c.* from app.closed_months as c where c.ends_at > p_since order by c.begins_at loop
    exit when v_month.begins_at > v_until and exists (select from app.bill(v_until, v_month.begins_at) as b);
    v_until := greatest(v_until, v_month.ends_at);
  end loop;
  return nullif(v_until, p_since);
end
$function$;

CREATE OR REPLACE FUNCTION app.commission_since (
  p_uid  bigint,
  p_from timestamp with time zone
)
  RETURNS numeric
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_archived timestamptz := app.archived_until('user_bill');
begin
  perform app.hold_months('user_bill', v_archived);
  return (
    select b.brokerage_price - coalesce((
      select l.brokerage_after from app.bill(v_archived, p_from) as l
      where l.uid = p_uid
      order by l.add_time desc, l.id desc
      limit 1
    ), (
      select a.brokerage from app.archived_balances as a where a.uid = p_uid
    ), (
      select l.brokerage_after from (
        select f.type, f.brokerage_after from app.user_bill as f where f.uid = p_uid order by f.add_time, f.id limit 1
      ) as l
      where l.type = 'opening_balance'
    ), 0) + coalesce((
      select sum(w.amount * ((w.add_time >= p_from)::integer - (app.is_returned(w.state) and w.ended_at >= p_from)::integer))
      from app.withdrawals as w where w.uid = p_uid
    ), 0) - coalesce((
      select sum(a.brokerage_delta) from app.adjustments as a where a.uid = p_uid and a.state = 'booked' and a.decided_at >= p_from
    ), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.compaction_obstacle (
  p_month date,
  p_now   timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_unreleased date;
begin
  if exists (select from app.archived_months as a where a.month = p_month and a.table_name in ('points_release_log', 'user_bill')) then
    return 'it is archived';
  elsif app.month_part('user_bill', p_month) is null or app.month_part('points_release_log', p_month) is null then
    return 'the bill or the release log has no partition of it';
  elsif not exists (select from app.month_seals as s where s.month = p_month) then
    return 'it is not sealed';
  elsif (p_month + interval '1 month') at time zone 'UTC' > p_now - interval '1 day' then
    return 'it ended less than a day ago';
  end if;
  v_unreleased := (select min(u.day) from app.unreleased_days((p_month + interval '1 month')::date - 1) as u (day));
  return case when v_unreleased is not null then format('the release of %s is not finished', v_unreleased) end;
end
$function$;

CREATE OR REPLACE FUNCTION app.constrain_part (
  p_table text,
  p_month date,
  p_what  text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_name text := format('archive.%I', app.name_of_part(p_table, p_month, p_what));
  v_constraint record;
begin
  for v_constraint in
    select c.conname as name, pg_get_constraintdef(c.oid) || case when c.contype = 'f' then ' not valid' else '' end as definition
    from pg_constraint as c
    where c.conrelid = app.month_part(p_table, p_month) and c.contype in ('c', 'f')
      and (p_what = 'rest' or c.conname <> 'it_takes_no_more_rows')
      and not exists (select from pg_constraint as o where o.conrelid = v_name::regclass and o.conname = c.conname)
    order by c.conname
  loop
    execute format('alter table %s add constraint %I %s', v_name, v_constraint.name, v_constraint.definition);
  end loop;
  execute format('analyze %s', v_name);
end
$function$;

CREATE OR REPLACE FUNCTION app.copy_month (
  p_table text,
  p_month date
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_name text := app.name_of_part(p_table, p_month);
  v_moved text := app.name_of_part(p_table, p_month, 'moved');
  v_columns text;
  v_digest record;
begin
  if v_archived.moved_at is not null then
    return false;
  elsif p_table = 'admin_actions' then
    perform app.fail('invalid_argument', 'Months of the action log are not moved.');
  elsif v_part is null then
    perform app.fail('invalid_argument', format('There is no table archive.%s. Restore its dump first.', v_name));
  end if;
  perform app.require_other_server();
  v_digest := app.other_digest(v_archived);
  if (v_digest.row_count, v_digest.digest) <> (v_archived.row_count, v_archived.digest) then
    perform app.fail('invalid_argument', format(
      'The other server has a table %s with other rows. If no store reads them, delete the row %s of archive.months there.', v_name, v_name
    ));
  end if;
  v_columns := (
    select string_agg(format('%I %s %s', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end), ', ' order by a.attnum)
    from pg_attribute as a where a.attrelid = v_part and a.attnum > 0 and not a.attisdropped
  );
  execute format('create foreign table if not exists archive.%I (%s) server archive_server options (schema_name ''archive'', table_name %L)', v_moved, v_columns, v_name);
  if v_digest.row_count is not null then
    return true;
  end if;
  execute format('insert into %s (name, columns) values ($1, $2)', app.other_table('other_months')) using v_name, v_columns;
  perform app.copy_rows(v_part, format('archive.%I', v_moved)::regclass, p_table, p_month);
  -- The same as here. Nothing there needs them to be unique.
  execute format('update %s as m set indexes = $2 where m.name = $1', app.other_table('other_months')) using v_name, array(
    select substring(pg_get_indexdef(i.indexrelid) from ' (USING .*)$') from pg_index as i where i.indrelid = v_part order by i.indexrelid
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.copy_month_back (
  p_table text,
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_digest record;
begin
  if v_part is null then
    perform app.create_month_table(p_table, p_month, 'archive', app.name_of_part(p_table, p_month));
    v_part := app.month_part(p_table, p_month, 'archive');
    perform app.lift_other_limit();
    perform app.copy_rows(app.archive_part(p_table, p_month), v_part, p_table, p_month);
    if p_table = 'user_bill' then
      perform app.forbid_late_rows_of(v_part, p_month);
    end if;
    execute format('create trigger archived_rows_are_never_changed before update or delete on %s for each row execute function app.reject_change()', v_part);
  end if;
  v_digest := app.digest_of_rows(format('select * from %s', v_part));
  perform app.require_archived_rows(v_archived, v_digest.row_count, v_digest.digest);
end
$function$;

CREATE OR REPLACE FUNCTION app.copy_rows (
  p_from  regclass,
  p_to    regclass,
  p_table text,
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET "TimeZone" TO 'UTC'
  AS $function$
declare
  v_key text := (app.part_bounds(p_table, p_month)).key;
  v_day date;
  v_rows bigint;
begin
  for v_day in select g::date from generate_series(p_month::timestamp, p_month + interval '1 month' - interval '1 day', interval '1 day') as g order by g loop
    execute format('insert into %1$s select t.* from %2$s as t where t.%3$I >= %4$L and t.%3$I < %5$L', p_to, p_from, v_key, v_day, v_day + 1);
    get diagnostics v_rows = row_count;
    raise notice '% %: % rows are copied', p_table, v_day, v_rows;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.create_month_partition (
  p_table text,
  p_month date
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_parent regclass := format('app.%I', p_table)::regclass;
  v_name text := app.name_of_part(p_table, p_month);
  v_bounds record := app.part_bounds(p_table, p_month);
begin
  if to_regclass(format('app.%I', v_name)) is not null or exists (select from app.archived_months as a where a.table_name = p_table and a.month = p_month) then
    return true;
  end if;
  perform app.lock_for_partition(v_parent, false);
  execute format('lock table app.%I in access exclusive mode', p_table || '_default');
  perform app.create_month_table(p_table, p_month, 'app', v_name);
  if p_table = 'user_bill' then
    perform app.forbid_late_rows_of(format('app.%I', v_name)::regclass, p_month);
  end if;
  execute format('alter table %s attach partition app.%I for values from (%L) to (%L)', v_parent, v_name, v_bounds.lower, v_bounds.upper);
  return true;
exception
  when lock_not_available then
    return false;
  when check_violation then
    raise notice 'app.% stays in the default partition', v_name;
    return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.create_month_table (
  p_table  text,
  p_month  date,
  p_schema text,
  p_name   text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  execute format('create table %I.%I (like app.%I including all)', p_schema, p_name, p_table);
  execute format('alter table %I.%I enable row level security', p_schema, p_name);
  execute format('create trigger it_is_never_emptied before truncate on %I.%I for each statement execute function app.reject_change()', p_schema, p_name);
  perform app.bound_month(format('%I.%I', p_schema, p_name)::regclass, p_table, p_month);
end
$function$;

CREATE OR REPLACE FUNCTION app.create_part (
  p_table text,
  p_month date,
  p_what  text
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_name text := app.name_of_part(p_table, p_month, p_what);
begin
  perform app.create_month_table(p_table, p_month, 'archive', v_name);
  return format('archive.%I', v_name);
end
$function$;

CREATE OR REPLACE FUNCTION app.decide_real_name (
  p_name   app.real_names,
  p_state  text,
  p_reason text,
  p_by     uuid,
  p_now    timestamp with time zone
)
  RETURNS app.real_names
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_name app.real_names := p_name;
begin
  if p_name.state <> p_state then
    update app.real_names as r set state = p_state, reason = p_reason, decided_by = p_by, decided_at = p_now where r.id = p_name.id returning r.* into v_name;
    perform app.write_event('name.' || p_state, v_name.uid, v_name.uid, '{}', p_now);
  end if;
  perform app.finish_outbox('real_name_check', p_name.id::text);
  return v_name;
end
$function$;

CREATE OR REPLACE FUNCTION app.digest_of_rows (
  p_query text,
  OUT     row_count bigint,
  OUT     digest numeric,
  OUT     last_time timestamp with time zone
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET "TimeZone" TO 'UTC'
  SET "DateStyle" TO 'ISO'
  SET jit TO 'off'
  AS $function$
begin
  execute format('select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0), max(t.add_time) from (%s) as t', p_query)
  into row_count, digest, last_time;
end
$function$;

CREATE OR REPLACE FUNCTION app.divide_reconcile (
  p_id     bigint,
  p_ranges integer
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_since timestamptz := (select r.since from app.reconcile_runs as r where r.id = p_id);
  v_of_members double precision := app.sample_percent('app.users');
  v_of_orders double precision := app.sample_percent('app.orders');
begin
  insert into app.reconcile_ranges (reconcile, keys, first_key, last_key, next_key)
  select p_id, l.keys, l.first_key, l.last_key, l.first_key
  from (
    select e.keys, e.last_key, coalesce(lag(e.last_key) over (partition by e.keys order by e.last_key) + 1, 0) as first_key
    from (
      select p.keys, max(p.key) as last_key
      from (
        select k.keys, k.key, ntile(p_ranges) over (partition by k.keys order by k.key) as part
        from (
          select 'members' as keys, u.uid as key from app.users as u tablesample system (v_of_members)
          union all
          select 'orders', o.id from app.orders as o tablesample system (v_of_orders) where v_since = '-infinity'
          union all
          select 'orders', c.id from app.changed_orders as c where v_since > '-infinity'
        ) as k
      ) as p
      where p.part < p_ranges
      group by p.keys, p.part
      union all
      select a.keys, 9223372036854775807 from unnest('{members, orders, others}'::text[]) as a (keys)
    ) as e
  ) as l
  order by l.keys, l.last_key;
end
$function$;

CREATE OR REPLACE FUNCTION app.divide_release (
  p_release_date date,
  p_sessions     integer,
  p_most         integer DEFAULT 250000
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_percent double precision := app.sample_percent('app.user_balances');
  v_uids bigint[] := array(
    select b.uid from app.user_balances as b tablesample system (v_percent) where app.release_amount(b.frozen_points) > 0 order by b.uid
  );
  v_ranges integer := greatest(p_sessions, ceil(cardinality(v_uids) * 100 / v_percent / p_most)::integer);
begin
  insert into app.release_ranges (release_date, last_uid, after_uid)
  select p_release_date, l.last_uid, lag(l.last_uid, 1, 0::bigint) over (order by l.last_uid)
  from (
    select u.uid as last_uid
    from unnest(v_uids) with ordinality as u (uid, place)
    join generate_series(1, v_ranges - 1) as n (number) on u.place = ceil(n.number * cardinality(v_uids)::numeric / v_ranges)
    union
    select 9223372036854775807
  ) as l
  where v_ranges > 1
  order by l.last_uid;
end
$function$;

CREATE OR REPLACE FUNCTION app.drop_originals (
  p_month date
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_table text;
  v_name text;
  v_dropped boolean := false;
begin
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    v_name := format('archive.%I', app.name_of_part(v_table, p_month, 'original'));
    if to_regclass(v_name) is not null then
      perform app.lock_for_partition(format('app.%I', v_table)::regclass, true);
      execute format('drop table %s', v_name);
      v_dropped := true;
    end if;
  end loop;
  return v_dropped;
end
$function$;

CREATE OR REPLACE FUNCTION app.earnings_of_member (
  p_uid bigint
)
  RETURNS app.earnings_of_pair[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
begin
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  -- Row order: a set.
  return array(
    select (
      o.referrer_uid, p_uid, sum(b.brokerage_delta), coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'cycle'), 0),
      coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'direct'), 0),
      coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'umbrella'), 0)
    )::app.earnings_of_pair
    -- With `offset 0`, the rows of the member are found before others are left out (see api.get_month_earnings). Of the table: only releases can stand elsewhere.
    from (select l.* from app.user_bill as l where l.uid = p_uid offset 0) as b join app.orders as o on o.id = b.order_id
    where b.source in ('cycle', 'direct', 'umbrella')
    group by o.referrer_uid
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.earnings_since (
  p_from timestamp with time zone
)
  RETURNS app.earnings_of_pair[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  SET jit TO 'off'
  AS $function$
begin
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  -- Row order: a set.
  return array(
    select (
      o.referrer_uid, b.uid, sum(b.commission), sum(b.cycle), sum(b.direct), sum(b.umbrella)
    )::app.earnings_of_pair
    from (
      select
        l.order_id, l.uid, sum(l.brokerage_delta) as commission, coalesce(sum(l.frozen_delta + l.available_delta) filter (where l.source = 'cycle'), 0) as cycle,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where l.source = 'direct'), 0) as direct,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where l.source = 'umbrella'), 0) as umbrella
      from app.bill(p_from, 'infinity') as l
      where l.order_id is not null and l.source in ('cycle', 'direct', 'umbrella')
      group by l.order_id, l.uid
    ) as b
    join app.orders as o on o.id = b.order_id
    group by o.referrer_uid, b.uid
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.end_batch (
  p_run     bigint,
  p_batches integer DEFAULT 1
)
  RETURNS integer
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  update app.job_runs as r
  set batches = r.batches + p_batches,
    halvings = case when l.is_none or clock_timestamp() - transaction_timestamp() < l.duration / 4 then greatest(r.halvings - 1, 0) else r.halvings end
  from (
    select s.duration, s.duration = interval '0' as is_none from (select current_setting('statement_timeout')::interval as duration) as s
  ) as l
  where r.id = p_run
  returning greatest(r.usual_batch >> r.halvings, 1)
$function$;

CREATE OR REPLACE FUNCTION app.exchange_compacted (
  p_month date,
  p_now   timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_table text;
begin
  perform app.lock_compaction();
  if not exists (select from app.compacted_months as c where c.month = p_month and c.state = 'built') then
    return false;
  end if;
  perform app.exchange_parts(p_month, 'rest', 'original', true);
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    execute format(
      'create trigger archived_rows_are_never_changed before update or delete on archive.%I for each row execute function app.reject_change()',
      app.name_of_part(v_table, p_month, 'original')
    );
  end loop;
  update app.compacted_months as c set state = 'compacted', compacted_at = p_now where c.month = p_month;
  perform app.record_action('compact_month', 'month', to_char(p_month, 'YYYY-MM'), null, (
    select jsonb_build_object('releases', c.releases, 'runs', c.runs, 'kept', c.kept) from app.compacted_months as c where c.month = p_month
  ));
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.exchange_expanded (
  p_month date
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_month app.compacted_months;
  v_table text;
begin
  perform app.lock_compaction();
  select c.* into v_month from app.compacted_months as c where c.month = p_month and c.state = 'expanding';
  if not found then
    return false;
  end if;
  perform app.exchange_parts(p_month, 'whole', 'rest', false);
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    execute format('drop table archive.%I', app.name_of_part(v_table, p_month, 'rest'));
  end loop;
  perform app.drop_originals(p_month);
  delete from app.compacted_months as c where c.month = p_month;
  perform app.record_action('expand_month', 'month', to_char(p_month, 'YYYY-MM'), jsonb_build_object('releases', v_month.releases, 'runs', v_month.runs, 'kept', v_month.kept), null);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.exchange_parts (
  p_month   date,
  p_in      text,
  p_out     text,
  p_runs_in boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_checked_at timestamptz := (select c.checked_at from app.compacted_months as c where c.month = p_month);
  v_runs text := app.name_of_part('compacted_releases', p_month);
  v_table text;
  v_part text;
  v_bounds record;
begin
  for v_try in 1..40 loop
    begin
      if app.has_older_transaction(v_checked_at) then
        raise lock_not_available using message = format('a transaction that began before %s goes on', app.utc(v_checked_at));
      end if;
      lock table only app.compacted_releases in access exclusive mode;
      foreach v_table in array '{points_release_log, user_bill}'::text[] loop
        v_part := app.name_of_part(v_table, p_month);
        v_bounds := app.part_bounds(v_table, p_month);
        perform app.lock_for_partition(format('app.%I', v_table)::regclass, true);
        execute format('lock table only app.%I, only app.%I in access exclusive mode', v_table, v_table || '_default');
        execute format('alter table app.%I detach partition app.%I', v_table, v_part);
        execute format('alter table app.%I rename to %I', v_part, v_part || '_' || p_out);
        execute format('alter table app.%I set schema archive', v_part || '_' || p_out);
        execute format('alter table archive.%I rename to %I', v_part || '_' || p_in, v_part);
        execute format('alter table archive.%I set schema app', v_part);
        if v_table = 'user_bill' then
          -- A month that has days in it may have been closed since it was built.
          perform app.forbid_late_rows_of(format('app.%I', v_part)::regclass, p_month);
        end if;
        execute format('alter table app.%I attach partition app.%I for values from (%L) to (%L)', v_table, v_part, v_bounds.lower, v_bounds.upper);
      end loop;
      v_bounds := app.part_bounds('user_bill', p_month);
      if p_runs_in then
        execute format('alter table archive.%I rename to %I', v_runs || '_runs', v_runs);
        execute format('alter table archive.%I set schema app', v_runs);
        execute format('alter table app.compacted_releases attach partition app.%I for values from (%L) to (%L)', v_runs, v_bounds.lower, v_bounds.upper);
      else
        execute format('alter table app.compacted_releases detach partition app.%I', v_runs);
        execute format('drop table app.%I', v_runs);
      end if;
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.expanded_query (
  p_table text,
  p_month date
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select format(
    'select r.* from %s as c cross join lateral app.%I(row(c.*)::app.compacted_releases) as r',
    coalesce(app.month_part('compacted_releases', p_month)::text, format('archive.%I', app.name_of_part('compacted_releases', p_month, 'runs'))),
    case p_table when 'user_bill' then 'bill_of_run' else 'log_of_run' end
  )
$function$;

CREATE OR REPLACE FUNCTION app.explain_order (
  p_order_id bigint,
  p_limit    integer DEFAULT 200
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_order app.orders;
  v_settlement app.settlements;
  v_job app.settlement_jobs;
  v_again record;
  v_result jsonb;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  select j.* into v_job from app.settlement_jobs as j where j.order_id = p_order_id;
  v_result := jsonb_build_object(
    'order_id', p_order_id, 'state', coalesce(v_settlement.state, v_job.state, 'none'), 'uid', v_order.uid,
    'referrer_uid', v_order.referrer_uid, 'order_plan_version', v_order.plan_version, 'paid_at', app.utc(v_order.paid_at)
  );
  if v_settlement.order_id is null then
    return v_result;
  end if;
  perform app.reach_months('user_bill', case when v_settlement.state <> 'imported' then v_settlement.settled_at end, null);
  v_again := app.decide_again(v_settlement);
  return v_result || jsonb_build_object(
    'base', v_settlement.base::text, 'units', v_settlement.units, 'settled_at', app.utc(v_settlement.settled_at),
    'level_version', v_settlement.level_version, 'upline_depth', cardinality(v_again.grants),
    'cycle', app.explain_cycle(v_settlement, v_again.settlement, v_again.grants, p_limit),
    'levels', app.explain_levels(v_settlement, v_again.grants, p_limit),
    'matches_the_books', not exists (select from app.settlement_differences(v_settlement)),
    'bill', coalesce((
      select jsonb_agg(app.bill_json(b) order by b.id) from app.bill(v_order.add_time, 'infinity') as b where b.order_id = p_order_id
    ), '[]'),
    'level_changes', coalesce((
      select jsonb_agg(jsonb_build_object('uid', c.uid, 'from_level', c.from_level, 'to_level', c.to_level) order by c.id)
      from app.level_changes as c where c.order_id = p_order_id
    ), '[]')
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.export_member (
  p_uid    bigint,
  p_cursor text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_most constant integer := 1000;
  v_bill constant text := format('app.bill(%L, ''infinity'')', app.archived_until('user_bill'));
  v_releases constant text := format('app.releases(%L, ''infinity'')', app.first_release_day());
  v_number integer := 0;
  v_after bigint := 0;
  v_section record;
  v_some text[];
  v_last bigint;
  v_lines text[] := array[]::text[];
begin
  perform app.require_user(p_uid);
  perform app.hold_months(m.name, app.archived_until(m.name)) from unnest('{points_release_log, user_bill}'::text[]) as m (name);
  if p_cursor is null then
    v_lines := array[jsonb_build_object('table', 'auth.users', 'record', app.account_json(p_uid))::text];
  else
    begin
      v_number := split_part(p_cursor, '_', 1)::integer;
      v_after := split_part(p_cursor, '_', 2)::bigint;
    exception when others then
      perform app.fail('invalid_argument', 'cursor was not returned by this export.');
    end;
  end if;
  for v_section in select * from app.member_sections() as m where m.number >= v_number order by m.number loop
    execute format(
      'select array_agg(jsonb_build_object(''table'', %L, ''record'', r.record)::text order by r.key), max(r.key) from ('
      'select k.key, k.record from (select %s as key, to_jsonb(t) - %L::text[] as record from %s as t where %s) as k '
      'where k.key > $2 order by k.key limit $3) as r',
      v_section.source, v_section.key, v_section.hidden,
      case v_section.source when 'app.user_bill' then v_bill when 'app.points_release_log' then v_releases else v_section.source end, v_section.condition
    )
    into v_some, v_last
    using p_uid, case when v_section.number = v_number then v_after else 0 end, v_most - cardinality(v_lines);
    v_lines := v_lines || coalesce(v_some, '{}');
    if cardinality(v_lines) = v_most then
      return jsonb_build_object('lines', v_lines, 'next_cursor', v_section.number || '_' || v_last);
    end if;
  end loop;
  return jsonb_build_object('lines', v_lines, 'next_cursor', null);
end
$function$;

CREATE OR REPLACE FUNCTION app.first_steps()
  RETURNS TABLE (
    step    text,
    is_done boolean
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select t.step, t.is_done
  from app.settings as s
  cross join lateral (values
    ('identity', s.site_name <> 'Store' and s.logo is not null),
    ('product', exists (select from app.products as p where p.is_show and not p.is_del and p.is_queue_goods)),
    ('article', exists (
      select from app.article_pool as p join app.article_categories as c on c.id = p.cid where c.is_sign_in_ad and not c.hidden
    )),
    ('payment', (
      select o.id from app.orders as o where o.paid_at >= s.lifecycle_from and not o.is_imported order by o.paid_at desc, o.id desc limit 1
    ) is not null),
    ('share', not app.is_loopback_address(s.h5_share_url)),
    ('withdrawals', exists (select from app.withdrawals) or exists (
      select from app.admin_actions as a
      where a.function = 'set_settings' and a.to_value ?| '{withdrawal_minimum, withdrawal_maximum, withdrawal_fee_rate, withdrawal_methods}'
    )),
    ('colleague', exists (select from app.administrators offset 1) or exists (select from app.invitations)),
    ('order', (
      select o.id from app.orders as o
      where o.paid_at >= s.lifecycle_from and o.delivered_at is not null and not o.is_imported order by o.paid_at desc, o.id desc limit 1
    ) is not null)
  ) as t (step, is_done)
$function$;

CREATE OR REPLACE FUNCTION app.follow_events (
  p_now   timestamp with time zone,
  p_limit integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_position app.webhook_position := app.lock_webhook_position();
  v_webhooks bigint[];
  v_events app.events[];
  v_last app.events;
begin
  -- In one statement, so that no event falls between the webhook that did not exist and the position.
  update app.webhook_position set (era, xid, event_id) = (select c.era, pg_snapshot_xmin(pg_current_snapshot()), 0 from app.current_era() as c)
  where not exists (select from app.webhooks as w where w.state = 'on');
  if found then
    return 0;
  end if;
  -- The webhooks after the events: one that was made or switched on meanwhile, as while this waits for a lock, misses none that is read here.
  v_events := array(select e from app.events_after(v_position.era, v_position.xid, v_position.event_id, p_limit) as e order by e.era, e.xid, e.id);
  v_webhooks := array(select w.id from app.webhooks as w where w.state = 'on' order by w.id for key share);
  if cardinality(v_events) > 0 then
    perform app.add_deliveries(v_events, v_webhooks, false, p_now);
    v_last := v_events[cardinality(v_events)];
    update app.webhook_position set era = v_last.era, xid = v_last.xid, event_id = v_last.id where id;
  end if;
  return cardinality(v_events);
end
$function$;

CREATE OR REPLACE FUNCTION app.forbid_late_rows_of (
  p_partition regclass,
  p_month     date
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select app.forbid_late_rows(p_partition, c.month, c.begins_at, c.ends_at)
  from app.closed_months as c
  where c.begins_at < (p_month + interval '1 month') at time zone 'UTC' and c.ends_at > p_month::timestamp at time zone 'UTC'
$function$;

CREATE OR REPLACE FUNCTION app.forget_copy (
  p_table text,
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  execute format('delete from %s as m where m.name = $1', app.other_table('other_months')) using app.name_of_part(p_table, p_month);
end
$function$;

CREATE OR REPLACE FUNCTION app.frozen_until (
  p_uid   bigint,
  p_until timestamp with time zone
)
  RETURNS numeric
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_from timestamptz;
  v_frozen numeric;
begin
  for v_from in select s.at from app.steps_back(app.archived_until('user_bill'), p_until) as s (at) order by s.at desc loop
    v_frozen := (
      select b.frozen_after from app.bill(v_from, p_until) as b
      where b.uid = p_uid
      order by b.add_time desc, b.id desc
      limit 1
    );
    exit when v_frozen is not null;
  end loop;
  return coalesce(v_frozen, (select a.frozen from app.archived_balances as a where a.uid = p_uid), 0);
end
$function$;

CREATE OR REPLACE FUNCTION app.give_up_compaction (
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_table text;
begin
  for v_try in 1..40 loop
    begin
      foreach v_table in array '{points_release_log, user_bill}'::text[] loop
        perform app.lock_for_partition(format('app.%I', v_table)::regclass, true);
        execute format('drop table if exists archive.%I', app.name_of_part(v_table, p_month, 'rest'));
        execute format('alter table app.%I drop constraint it_takes_no_more_rows', app.name_of_part(v_table, p_month));
      end loop;
      execute format('drop table if exists archive.%I', app.name_of_part('compacted_releases', p_month, 'runs'));
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  delete from app.compacted_months as c where c.month = p_month;
end
$function$;

CREATE OR REPLACE FUNCTION app.has_older_transaction (
  p_at timestamp with time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  -- As in app.has_long_reader.
  perform pg_stat_clear_snapshot();
  return exists (
    select from pg_stat_activity as a
    where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid() and a.xact_start <= p_at
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.health_json (
  p_now timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'status', case
      when j.dead > 0 or j.is_late or s.state <> 'ok' or c.state <> 'ok' or g.state = 'broken' then 'degraded'
      else 'ok'
    end,
    'waiting_jobs', j.waiting, 'dead_jobs', j.dead, 'due_since', app.utc(j.waiting_since), 'import_since', app.utc(j.import_since), 'scheduler', s.state, 'clock', c.state,
    'guarantees', g.state, 'webhooks', app.webhook_route(), 'schema_version', app.schema_version(),
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
  from app.settlement_job_state(p_now) as j
  cross join app.scheduler_state(p_now) as s (state)
  cross join app.clock_state(p_now) as c (state)
  cross join lateral (
    select coalesce((select case when m.differences = 0 then 'ok' else 'broken' end from app.manifest_checks as m), 'unchecked') as state
  ) as g
$function$;

CREATE OR REPLACE FUNCTION app.hold_months (
  p_table text,
  p_until timestamp with time zone,
  p_moved date[]                   DEFAULT NULL::date[]
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  execute format('lock table only app.%I in access share mode', p_table);
  if p_moved is not null then
    execute format('lock table only archive.%I in access share mode', p_table);
  end if;
  if app.archived_until(p_table) <> p_until or app.moved_months(p_table) <> p_moved then
    raise serialization_failure using message = format('months of app.%I were archived, attached or moved meanwhile', p_table);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.is_in_run (
  p_run     app.compacted_releases,
  p_bill_id bigint
)
  RETURNS boolean
  LANGUAGE plpgsql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_steps integer[] := p_run.steps;
  v_id bigint := p_run.bill_id;
begin
  for i in 1..coalesce(array_length(v_steps, 1), 0) loop
    exit when v_id >= p_bill_id;
    v_id := v_id + v_steps[i][1];
  end loop;
  return v_id = p_bill_id;
end
$function$;

CREATE OR REPLACE FUNCTION app.journal_bill (
  p_from   timestamp with time zone,
  p_to     timestamp with time zone,
  p_cursor text,
  p_limit  integer
)
  RETURNS TABLE (
    cursor text,
    entry  jsonb
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_after record := app.line_position(p_cursor);
  v_from timestamptz := greatest(p_from, v_after.add_time);
  v_zone text := (select s.time_zone from app.settings as s);
begin
  return query
    select app.make_cursor(b.add_time, b.id), app.journal_entry(
      'B' || b.id, app.local_time(b.add_time, v_zone), b.type, b.uid,
      app.journal_postings(b.uid, app.journal_counter(b.type), b.brokerage_delta, b.frozen_delta, b.available_delta),
      b.order_id, b.withdrawal_id, b.adjustment_id
    )
    from app.bill(v_from, p_to) as b
    where (b.add_time, b.id) > (v_after.add_time, v_after.id)
    order by b.add_time, b.id limit p_limit;
end
$function$;

CREATE OR REPLACE FUNCTION app.journal_chunk (
  p_month  text,
  p_part   text,
  p_cursor text,
  p_limit  integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_bounds record := app.month_bounds(app.month_start(p_month));
  v_entries jsonb[];
  v_cursors text[];
begin
  -- What follows the month says what the balances were.
  perform app.reach_months('user_bill', v_bounds.begins_at, null);
  case p_part
    when 'bill' then
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality) into v_entries, v_cursors
      from app.journal_bill(v_bounds.begins_at, v_bounds.ends_at, p_cursor, p_limit) with ordinality as e (cursor, entry, ordinality);
    when 'payouts' then
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality) into v_entries, v_cursors
      from app.journal_payouts(v_bounds.begins_at, v_bounds.ends_at, p_cursor, p_limit) with ordinality as e (cursor, entry, ordinality);
    else
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality) into v_entries, v_cursors
      from app.journal_balances(p_part, case p_part when 'opening' then v_bounds.begins_at else v_bounds.ends_at end, p_cursor, p_limit)
        with ordinality as e (cursor, entry, ordinality);
  end case;
  return jsonb_build_object(
    'entries', coalesce(to_jsonb(v_entries), '[]'), 'next_cursor', case when cardinality(v_cursors) = p_limit then v_cursors[p_limit] end
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.journal_members (
  p_at     timestamp with time zone,
  p_is_end boolean,
  p_after  bigint,
  p_limit  integer
)
  RETURNS TABLE (
    uid       bigint,
    brokerage numeric,
    frozen    numeric,
    available numeric
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_archived timestamptz := app.archived_until('user_bill');
begin
  if p_is_end or p_at < v_archived then
    return query
      select b.uid, coalesce(r.brokerage_after - r.brokerage_delta, b.brokerage_price), coalesce(r.frozen_after - r.frozen_delta, b.frozen_points),
        coalesce(r.available_after - r.available_delta, b.available_points)
      from app.user_balances as b
      left join lateral (
        select l.* from app.bill(p_at, 'infinity') as l where l.uid = b.uid order by l.add_time, l.id limit 1
      ) as r on true
      where b.uid > p_after order by b.uid limit p_limit;
  else
    return query
      select b.uid, coalesce(r.brokerage_after, a.brokerage, 0.00), coalesce(r.frozen_after, a.frozen, 0.0000), coalesce(r.available_after, a.available, 0.0000)
      from app.user_balances as b
      left join lateral (
        select l.* from app.bill(v_archived, p_at) as l where l.uid = b.uid order by l.add_time desc, l.id desc limit 1
      ) as r on true
      left join app.archived_balances as a on a.uid = b.uid
      where b.uid > p_after order by b.uid limit p_limit;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.key_ranges (
  p_keys  text,
  p_since timestamp with time zone,
  p_from  bigint,
  p_to    bigint
)
  RETURNS TABLE (
    first bigint,
    last  bigint
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_gap constant bigint := 100;
begin
  if p_since > '-infinity' and p_keys = 'orders' then
    return query
      select 0::bigint, 0::bigint where p_from = 0
      union all
      select min(i.id), max(i.id)
      from (
        select g.id, count(*) filter (where g.gap > v_gap) over (order by g.id) as island
        from (select c.id, c.id - lag(c.id) over (order by c.id) as gap from app.changed_orders as c where c.id between p_from and p_to) as g
      ) as i
      group by i.island;
  elsif p_since > '-infinity' and p_keys in ('days', 'months') then
    return query select greatest(p_from, app.business_day(p_since) - date '2000-01-01'), p_to;
  else
    return query select p_from, p_to;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.leaves (
  p_from timestamp with time zone,
  p_to   timestamp with time zone
)
  RETURNS TABLE (
    add_time timestamp with time zone,
    id       bigint,
    uid      bigint,
    text     text
  )
  LANGUAGE sql
  STABLE
  PARALLEL SAFE
  AS $function$
  select b.add_time, b.id, b.uid, app.leaf_text(row(b.*)::app.user_bill) from app.bill(p_from, p_to) as b
$function$;

CREATE OR REPLACE FUNCTION app.liabilities_json (
  p_at  timestamp with time zone,
  p_now timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'as_of', app.utc(coalesce(p_at, p_now)), 'owed', t.owed::text, 'withdrawable', t.withdrawable::text, 'maturing', t.maturing::text,
    'maturing_after_receipt', t.after_receipt::text, 'reserved', t.reserved::text,
    'debts', (t.debts_covered + t.debts_uncovered)::text, 'debts_covered', t.debts_covered::text, 'debts_uncovered', t.debts_uncovered::text, 'members_in_debt', t.debtors,
    'matures', (
      select coalesce(jsonb_agg(jsonb_build_object('date', d.day, 'amount', d.amount::text) order by d.day), '[]')
      from (
        select app.business_day(m.matures_at) as day, sum(m.amount) as amount
        from app.maturing_at(p_at, p_now) as m where m.matures_at is not null group by 1
      ) as d
    ),
    'tax', (
      select jsonb_build_object(
        'month', to_char(m.month, 'YYYY-MM'), 'withheld', coalesce(sum(x.tax) filter (where x.month = m.month), 0.00)::text,
        'withheld_last_month', coalesce(sum(x.tax) filter (where x.month < m.month), 0.00)::text
      )
      from (select app.month_of(coalesce(p_at, p_now)) as month) as m
      left join app.tax_withholdings as x on x.month between (m.month - interval '1 month')::date and m.month and (p_at is null or x.add_time < p_at)
      group by m.month
    ),
    'points', jsonb_build_object(
      'frozen', trim_scale(t.frozen), 'available', trim_scale(t.available), 'negative', trim_scale(t.negative),
      'members_below_zero', t.negative_members, 'release', app.forecast_of(t.releasing, t.released_members)
    )
  )
  from app.owed_totals(p_at, p_now) as t
$function$;

CREATE OR REPLACE FUNCTION app.lift_other_limit()
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  execute format('select u.statement_timeout from %s as u', app.other_table('other_unlimited'));
end
$function$;

CREATE OR REPLACE FUNCTION app.load_refund (
  p_order        app.orders,
  p_items        app.refund_item[],
  p_is_requested boolean,
  p_locks        boolean           DEFAULT true
)
  RETURNS app.refund_facts
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_facts app.refund_facts;
begin
  v_facts.before := p_order;
  v_facts.after := app.order_with_refund(p_order, p_items, p_is_requested);
  v_facts.settlement := (select s from app.settlements as s where s.order_id = p_order.id);
  v_facts.state := app.load_state(
    array[p_order.uid],
    p_with_cycles => array(
      -- With `offset 0`, the rows of the order are found before they are sorted; of the table, as in app.remaining_grants.
      select l.uid from (select b.uid from app.user_bill as b where b.order_id = p_order.id offset 0) as l
      union
      select p_order.uid where p_order.points_left > 0
      union
      select s.earner_uid from app.settlements as s where s.order_id = p_order.id and s.earner_uid is not null
      order by uid
    ),
    p_locks => p_locks
  );
  v_facts.grants := array(select g from app.remaining_grants(p_order.id) as g order by g.bill_id);
  return v_facts;
end
$function$;

CREATE OR REPLACE FUNCTION app.lock_archived_month (
  p_table text,
  p_month date
)
  RETURNS app.archived_months
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_archived app.archived_months;
begin
  perform set_config('lock_timeout', '10s', true);
  lock table app.archived_months in share row exclusive mode;
  perform set_config('lock_timeout', '100ms', true);
  select a.* into v_archived from app.archived_months as a where a.table_name = p_table and a.month = p_month;
  if not found then
    perform app.fail('invalid_argument', format('%s of app.%s is not archived.', to_char(p_month, 'YYYY-MM'), p_table));
  end if;
  return v_archived;
end
$function$;

CREATE OR REPLACE FUNCTION app.lock_compaction()
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '10s'
  AS $function$
begin
  lock table app.archived_months, app.compacted_months in share row exclusive mode;
end
$function$;

CREATE OR REPLACE FUNCTION app.lock_webhook_position()
  RETURNS app.webhook_position
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_position app.webhook_position;
begin
  insert into app.webhook_position (era, xid, event_id)
  select c.era, pg_snapshot_xmin(pg_current_snapshot()), 0 from app.current_era() as c
  on conflict do nothing;
  select p.* into v_position from app.webhook_position as p for update;
  return v_position;
end
$function$;

CREATE OR REPLACE FUNCTION app.log_of_run (
  p_run app.compacted_releases
)
  RETURNS SETOF app.points_release_log
  LANGUAGE sql
  STABLE
  PARALLEL SAFE
  AS $function$
  select r.log_id, p_run.uid, r.release_date, r.frozen_before::numeric(18,4), r.amount::numeric(18,4), r.frozen_after::numeric(18,4), r.add_time
  from app.releases_of_run(p_run) as r
$function$;

CREATE OR REPLACE FUNCTION app.member_figures (
  p_by   text,
  p_from timestamp with time zone,
  p_to   timestamp with time zone
)
  RETURNS TABLE (
    uid           bigint,
    orders        bigint,
    paid          numeric,
    refunded      numeric,
    commission    numeric,
    points_frozen numeric
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return query
    select m.uid, count(m.paid), coalesce(sum(m.paid), 0.00), coalesce(sum(m.refunded), 0.00), coalesce(sum(m.commission), 0.00), coalesce(sum(m.points), 0)
    from (
      select case p_by when 'buyer' then o.uid else o.referrer_uid end as uid, o.pay_price as paid, null::numeric as refunded, null::numeric as commission, null::numeric as points
      from app.orders as o where o.paid_at >= p_from and o.paid_at < p_to
      union all
      select case p_by when 'buyer' then o.uid else o.referrer_uid end, null, f.amount, null, null
      from app.refunded_lines(p_from, p_to) as f join app.orders as o on o.id = f.order_id
      union all
      select b.uid, null, null, b.brokerage_delta, b.frozen_delta + b.available_delta
      from app.bill(p_from, p_to) as b where b.source <> 'release' and b.order_id is not null and app.is_earned(b.type)
    ) as m
    where m.uid is not null
    group by m.uid;
end
$function$;

CREATE OR REPLACE FUNCTION app.month_part (
  p_table  text,
  p_month  date,
  p_schema text DEFAULT 'app'::text
)
  RETURNS regclass
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select to_regclass(format('%I.%I', p_schema, app.name_of_part(p_table, p_month)))
$function$;

CREATE OR REPLACE FUNCTION app.months_with_rows (
  p_uid bigint
)
  RETURNS SETOF text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_from timestamptz := app.archived_until('user_bill');
  v_time timestamptz;
  v_month date;
begin
  loop
    v_time := least(
      (select b.add_time from app.user_bill as b where b.uid = p_uid and b.add_time >= v_from order by b.add_time, b.id limit 1),
      (
        select greatest(c.first_time, v_from) from app.compacted_releases as c
        where c.uid = p_uid and c.last_time >= v_from and c.first_time > v_from - interval '32 days' order by c.first_time limit 1
      )
    );
    exit when v_time is null;
    v_month := app.month_of(v_time);
    return next to_char(v_month, 'YYYY-MM');
    v_from := (app.month_bounds(v_month)).ends_at;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.moved_months (
  p_table text
)
  RETURNS date[]
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(array_agg(a.month order by a.month), '{}') from app.archived_months as a where a.table_name = p_table and a.moved_at is not null
$function$;

CREATE OR REPLACE FUNCTION app.name_of_part (
  p_table text,
  p_month date,
  p_what  text DEFAULT NULL::text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select concat_ws('_', p_table, to_char(p_month, 'YYYYMM'), p_what)
$function$;

CREATE OR REPLACE FUNCTION app.next_keys (
  p_keys  text,
  p_from  bigint,
  p_batch integer,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS bigint
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_limit integer := greatest(p_batch / case p_keys when 'sample' then 500 when 'days' then 2000 when 'months' then 50000 else 1 end, 1);
  v_keys bigint[];
begin
  case p_keys
    when 'members' then
      v_keys := array(select u.uid from app.users as u where u.uid >= p_from order by u.uid limit v_limit);
    when 'orders' then
      if p_since > '-infinity' then
        v_keys := array(select c.id from app.changed_orders as c where c.id >= p_from order by c.id limit v_limit);
      else
        v_keys := array(select o.id from app.orders as o where o.id >= p_from order by o.id limit v_limit);
      end if;
    when 'days' then
      v_keys := array(
        select r.release_date - date '2000-01-01' from app.release_runs as r
        where r.release_date >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by r.release_date limit v_limit
      );
    when 'months' then
      v_keys := array(select c.month - date '2000-01-01' from app.closed_months as c where c.month >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by c.month limit v_limit);
    else
      v_keys := array(select n.key from generate_series(greatest(p_from, 1), app.sample_size(), 1) as n (key) order by n.key limit v_limit);
  end case;
  return case when cardinality(v_keys) < v_limit then 9223372036854775807 else v_keys[v_limit] end;
end
$function$;

CREATE OR REPLACE FUNCTION app.next_month_to_compact (
  p_now timestamp with time zone
)
  RETURNS date
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select min(s.month)
  from app.month_seals as s left join app.compacted_months as c on c.month = s.month
  where c.state in ('prepared', 'built') or c.month is null and app.compaction_obstacle(s.month, p_now) is null
$function$;

CREATE OR REPLACE FUNCTION app.notice_types()
  RETURNS TABLE (
    type  text,
    topic text
  )
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  ROWS 31
  AS $function$
  values
    ('order.paid', 'orders'), ('order.shipped', 'orders'), ('order.parcel_added', 'orders'), ('order.received', 'orders'),
    ('order.expiring', 'orders'), ('order.expired', 'orders'), ('order.cancelled', 'orders'),
    ('refund.requested', 'refunds'), ('refund.refunded', 'refunds'), ('refund.refused', 'refunds'), ('refund.return_requested', 'refunds'),
    ('refund.return_sent', 'refunds'), ('refund.return_received', 'refunds'),
    ('commission.earned', 'commission'), ('commission.reversed', 'commission'), ('commission.matured', 'commission'),
    ('withdrawal.requested', 'withdrawals'), ('withdrawal.approved', 'withdrawals'), ('withdrawal.paid', 'withdrawals'),
    ('withdrawal.failed', 'withdrawals'), ('withdrawal.refused', 'withdrawals'), ('adjustment.booked', 'withdrawals'),
    ('member.referred', 'team'), ('level.reached', 'team'), ('profile.nickname_replaced', 'team'), ('profile.avatar_removed', 'team'),
    ('person.request_done', 'team'), ('person.request_refused', 'team'), ('name.checked', 'withdrawals'), ('name.refused', 'withdrawals'), ('points.released', 'points')
$function$;

CREATE OR REPLACE FUNCTION app.orders_since (
  p_since timestamp with time zone
)
  RETURNS SETOF bigint
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  SET enable_seqscan TO 'off'
  AS $function$
begin
  return query
    select o.id from app.orders as o
    where o.add_time >= p_since or o.paid_at >= p_since or o.delivered_at >= p_since or o.received_at >= p_since or o.cancelled_at >= p_since
    union
    select s.order_id from app.settlements as s where s.settled_at >= p_since
    union
    select r.order_id from app.refunds as r where r.created_at >= p_since or r.decided_at >= p_since
    union
    select a.order_id from app.payment_attempts as a where a.add_time >= p_since or a.ended_at >= p_since;
end
$function$;

CREATE OR REPLACE FUNCTION app.original_days()
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select 14
$function$;

CREATE OR REPLACE FUNCTION app.other_digest (
  p_archived app.archived_months,
  OUT        row_count bigint,
  OUT        digest numeric
)
  RETURNS record
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.lift_other_limit();
  execute format('select d.row_count, d.digest from %s as d where d.name = $1', app.other_table('other_digests')) into row_count, digest
  using app.name_of_part(p_archived.table_name, p_archived.month);
end
$function$;

CREATE OR REPLACE FUNCTION app.other_server_script()
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select $sql$create schema if not exists archive;
$sql$ || (
    select string_agg(replace(pg_get_functiondef(p.oid), 'FUNCTION app.', 'FUNCTION archive.') || ';', E'\n' order by p.proname)
    from pg_proc as p where p.oid in ('app.digest_of_rows(text)'::regprocedure, 'app.sorted_words()'::regprocedure)
  ) || $sql$
create table if not exists archive.months (name text primary key, columns text not null, indexes text[]);
create or replace function archive.keep_table() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_index text;
begin
  if tg_op = 'DELETE' then
    execute format('drop table archive.%I', old.name);
  elsif tg_op = 'INSERT' then
    execute format('create table archive.%I (%s)', new.name, new.columns);
  else
    foreach v_index in array new.indexes loop
      execute format('create index on archive.%I %s', new.name, v_index);
    end loop;
    execute format('analyze archive.%I', new.name);
  end if;
  return coalesce(new, old);
end
$$;
create or replace trigger it_has_a_table before insert or update or delete on archive.months for each row execute function archive.keep_table();
create or replace view archive.digests as
  select m.name, d.row_count, d.digest from archive.months as m cross join lateral archive.digest_of_rows(format('select * from archive.%I', m.name)) as d;
create or replace view archive.server as
  select current_setting('server_version') as version, archive.sorted_words() as sorted_words, hashtextextended('archive', 0) as hash;
create or replace view archive.unlimited as select set_config('statement_timeout', '0', true) as statement_timeout;
$sql$
$function$;

CREATE OR REPLACE FUNCTION app.other_server_state()
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if to_regclass('archive.other_server') is null then
    return 'off';
  end if;
  perform app.require_other_server();
  return 'ok';
exception when others then
  return 'unreachable';
end
$function$;

CREATE OR REPLACE FUNCTION app.other_table (
  p_name text
)
  RETURNS regclass
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_table regclass := to_regclass(format('archive.%I', p_name));
begin
  if v_table is null then
    perform app.fail('invalid_argument', 'No other server for archived months is named.');
  end if;
  return v_table;
end
$function$;

CREATE OR REPLACE FUNCTION app.overview_days (
  p_today date,
  p_days  integer
)
  RETURNS TABLE (
    day             date,
    orders          bigint,
    queue_orders    bigint,
    queue_revenue   numeric,
    commission      numeric,
    points_frozen   numeric,
    points_released numeric
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_first date := p_today - p_days + 1;
  v_zone text := (select s.time_zone from app.settings as s);
  v_from timestamptz := app.local_day_begins(v_first, v_zone);
begin
  perform app.reach_months('user_bill', v_from, null);
  return query
    with refunded as materialized (
      select app.local_day(f.paid_at, v_zone) as paid_day, app.local_day(f.decided_at, v_zone) as day, f.amount
      from app.refunded_lines(v_from) as f where f.is_queue_goods
    ), sold as (
      select app.local_day(o.paid_at, v_zone) as day, count(*) as orders, count(*) filter (where o.has_queue_goods) as queue_orders,
        sum(o.queue_base) as queue_revenue
      from app.orders as o where o.paid_at >= v_from group by 1
    ), returned as (
      select m.day, sum(m.amount) as amount
      from (select f.paid_day as day, f.amount from refunded as f union all select f.day, -f.amount from refunded as f) as m group by m.day
    ), booked as (
      select app.local_day(b.add_time, v_zone) as day, sum(b.brokerage_delta) as commission,
        sum(b.frozen_delta + b.available_delta) as points
      from app.bill(v_from, 'infinity') as b where b.source <> 'release' and b.order_id is not null and app.is_earned(b.type) group by 1
    )
    select d.day, coalesce(s.orders, 0), coalesce(s.queue_orders, 0), coalesce(s.queue_revenue, 0.00) + coalesce(t.amount, 0.00), coalesce(b.commission, 0.00),
      coalesce(b.points, 0), coalesce(r.points, 0)
    from (select v_first + n.number as day from generate_series(0, p_days - 1) as n (number)) as d
    left join sold as s on s.day = d.day
    left join returned as t on t.day = d.day
    left join booked as b on b.day = d.day
    left join app.release_runs as r on r.release_date = d.day
    order by d.day;
end
$function$;

CREATE OR REPLACE FUNCTION app.owed_at (
  p_at    timestamp with time zone,
  p_now   timestamp with time zone,
  p_after bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    uid           bigint,
    owed          numeric,
    withdrawable  numeric,
    maturing      numeric,
    after_receipt numeric,
    next_maturity timestamp with time zone,
    reserved      numeric,
    frozen        numeric,
    available     numeric
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return query execute format($sql$
    with balances as (
      %s
      where b.uid > $4 and b.uid <= $5
    ), maturing as (
      select m.uid, sum(m.amount) as amount, coalesce(sum(m.amount) filter (where m.matures_at is null), 0.00) as after_receipt, min(m.matures_at) as next
      from app.maturing_at($1, $3, $4, $5) as m group by m.uid
    ), reserved as (
      select w.uid, sum(w.amount) as amount
      from app.withdrawals as w
      where w.uid > $4 and w.uid <= $5 and (w.ended_at is null or w.ended_at >= $1) and ($1 is null or w.add_time < $1)
      group by w.uid
    )
    select
      b.uid, greatest(b.brokerage, 0.00) + coalesce(r.amount, 0), b.brokerage - coalesce(m.amount, 0), coalesce(m.amount, 0.00),
      coalesce(m.after_receipt, 0.00), m.next, coalesce(r.amount, 0.00), b.frozen, b.available
    from balances as b
    left join maturing as m on m.uid = b.uid
    left join reserved as r on r.uid = b.uid
  $sql$, app.balances_query(p_at)) using p_at, p_at + interval '31 days', p_now, p_after, p_to;
end
$function$;

CREATE OR REPLACE FUNCTION app.owed_totals (
  p_at  timestamp with time zone,
  p_now timestamp with time zone,
  OUT   owed numeric,
  OUT   withdrawable numeric,
  OUT   maturing numeric,
  OUT   after_receipt numeric,
  OUT   reserved numeric,
  OUT   debts_covered numeric,
  OUT   debts_uncovered numeric,
  OUT   debtors bigint,
  OUT   frozen numeric,
  OUT   available numeric,
  OUT   negative numeric,
  OUT   negative_members bigint,
  OUT   releasing numeric,
  OUT   released_members bigint
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_balance numeric;
  v_in_debt bigint;
begin
  execute format($sql$
    select
      coalesce(sum(b.brokerage) filter (where b.brokerage > 0), 0.00), coalesce(-sum(b.brokerage) filter (where b.brokerage < 0), 0.00),
      count(*) filter (where b.brokerage < 0), coalesce(sum(b.frozen), 0), coalesce(sum(b.available) filter (where b.available > 0), 0),
      coalesce(-sum(b.available) filter (where b.available < 0), 0), count(*) filter (where b.available < 0),
      coalesce(sum(b.frozen) filter (where app.release_amount(b.frozen) > 0), 0), count(*) filter (where app.release_amount(b.frozen) > 0)
    from (%s) as b
  $sql$, app.balances_query(p_at))
  into v_balance, debts_uncovered, debtors, frozen, available, negative, negative_members, releasing, released_members
  using p_at, p_at + interval '31 days';
  execute format($sql$
    select
      coalesce(sum(m.amount), 0.00), coalesce(sum(m.after_receipt), 0.00), coalesce(sum(greatest(m.amount - greatest(b.brokerage, 0.00), 0.00)), 0.00),
      count(*) filter (where b.brokerage >= 0 and b.brokerage < m.amount)
    from (
      select t.uid, sum(t.amount) as amount, sum(t.amount) filter (where t.matures_at is null) as after_receipt
      from app.maturing_at($1, $3) as t group by t.uid
    ) as m
    join (%s) as b on b.uid = m.uid
  $sql$, app.balances_query(p_at))
  into maturing, after_receipt, debts_covered, v_in_debt
  using p_at, p_at + interval '31 days', p_now;
  reserved := coalesce((
    select sum(w.amount) from app.withdrawals as w where (w.ended_at is null or w.ended_at >= p_at) and (p_at is null or w.add_time < p_at)
  ), 0.00);
  owed := v_balance + reserved;
  withdrawable := v_balance - maturing + debts_covered;
  debtors := debtors + v_in_debt;
end
$function$;

CREATE OR REPLACE FUNCTION app.past_time (
  p_as_of timestamp with time zone,
  p_now   timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_as_of is null then
    return null;
  elsif p_as_of > p_now or p_as_of < '2000-01-01T00:00:00Z' then
    perform app.fail('invalid_argument', 'as_of is between the year 2000 and now.');
  elsif exists (select from app.users) and not exists (
    select from app.users as u
    where u.add_time < p_as_of and not exists (select from app.imported_members as i where i.uid = u.uid and i.imported_at >= p_as_of)
  ) then
    perform app.fail('invalid_argument', 'The store had no members at the time of as_of.');
  end if;
  perform app.reach_months('user_bill', p_as_of, null);
  return p_as_of;
end
$function$;

CREATE OR REPLACE FUNCTION app.personal_fields (
  p_function text
)
  RETURNS text[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select array[
    'nickname', 'referrer_nickname', 'avatar', 'phone', 'address', 'remark', 'account', 'account_no', 'holder', 'bank', 'return_carrier', 'return_tracking_no',
    'last_problem'
  ] || case when p_function <> 'get_settlement' then array['reason'] end
    || case when p_function = 'get_signals' then array['name', 'number'] end
$function$;

CREATE OR REPLACE FUNCTION app.prepare_compaction (
  p_month date,
  p_now   timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_obstacle text;
  v_table text;
begin
  perform app.lock_compaction();
  if exists (select from app.compacted_months as c where c.month = p_month) then
    return false;
  end if;
  v_obstacle := app.compaction_obstacle(p_month, p_now);
  if v_obstacle is not null then
    perform app.fail('invalid_argument', format('The releases of %s cannot be compacted: %s.', to_char(p_month, 'YYYY-MM'), v_obstacle));
  end if;
  for v_try in 1..40 loop
    begin
      -- A late release holds them until its record is committed (app.reject_archived_release).
      lock table only app.user_bill, only app.points_release_log in access exclusive mode;
      foreach v_table in array '{points_release_log, user_bill}'::text[] loop
        execute format(
          'alter table app.%I add constraint it_takes_no_more_rows check (app.reject_late_row(%L)) not valid',
          app.name_of_part(v_table, p_month), to_char(p_month, 'YYYY-MM')
        );
      end loop;
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  v_obstacle := app.compaction_obstacle(p_month, p_now);
  if v_obstacle is not null then
    perform app.fail('invalid_argument', format('The releases of %s cannot be compacted: %s.', to_char(p_month, 'YYYY-MM'), v_obstacle));
  end if;
  insert into app.compacted_months (month) values (p_month);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.reach_months (
  p_table text,
  p_from  timestamp with time zone,
  p_to    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_until timestamptz := app.unreachable_until(p_table, p_from, p_to);
begin
  if v_until is not null then
    perform app.fail('month_archived', format('Rows before %s are archived.', app.utc(v_until)));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_adjustments (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'));
begin
  return query
    with booked as (
      select
        l.adjustment_id as id, min(l.uid) as uid, count(*) as rows, sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available, min(l.add_time) as booked_at
      from app.bill(v_since, 'infinity') as l
      where l.uid between p_from and p_to and l.adjustment_id is not null
      group by l.adjustment_id
    ),
    stated as (
      select a.id, a.uid, 1::bigint as rows, a.brokerage_delta as brokerage, a.frozen_delta as frozen, a.available_delta as available, a.decided_at as booked_at
      from app.adjustments as a
      where a.uid between p_from and p_to and a.decided_at >= v_since and a.state = 'booked'
    )
    select
      'adjustment_equals_its_bill_row', format('adjustment %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.brokerage, s.frozen, s.available, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.booked_at)),
      concat_ws(' ', b.brokerage, b.frozen, b.available, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.booked_at))
    from stated as s
    full join booked as b on b.id = s.id
    where (s.uid, s.rows, s.brokerage, s.frozen, s.available, s.booked_at)
      is distinct from (b.uid, b.rows, b.brokerage, b.frozen, b.available, b.booked_at);
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_amounts (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'));
begin
  return query
    select
      'amount_is_basis_times_rate', format('bill %s', l.id), e.amount::text, a.amount::text
    from app.bill(v_since, 'infinity') as l
    cross join lateral (
      select case l.type when 'brokerage' then l.brokerage_delta when 'points_spent' then -l.available_delta else greatest(l.frozen_delta, l.available_delta) end as amount
    ) as a
    cross join lateral (
      select app.grant_amount(l.type, l.basis, l.rate) as amount
    ) as e
    where l.uid between p_from and p_to and l.reverses_id is null and a.amount <> e.amount;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_balances (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'));
begin
  return query
    with booked as materialized (
      select
        -- The last row is that with the highest id, and ids differ. A second look at the bill would cost as much as the sums.
        l.uid, max(array[l.id, l.brokerage_after, l.frozen_after, l.available_after]) as last,
        sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available,
        coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0) as commission,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0) as points
      from app.bill(v_since, 'infinity') as l
      where l.uid between p_from and p_to
      group by l.uid
    ),
    sums as (
      select
        uid, coalesce(b.brokerage, 0) + coalesce(c.brokerage, 0) as brokerage, coalesce(b.frozen, 0) + coalesce(c.frozen, 0) as frozen,
        coalesce(b.available, 0) + coalesce(c.available, 0) as available, coalesce(b.commission, 0) + coalesce(c.commission, 0) as commission,
        coalesce(b.points, 0) + coalesce(c.points, 0) as points
      from booked as b
      full join (
        select t.uid, t.brokerage, t.frozen, t.available, t.commission, t.points
        from app.carried_balances as t where t.uid between p_from and p_to and p_since > '-infinity'
        union all
        select t.uid, t.brokerage, t.frozen, t.available, t.commission, t.points
        from app.archived_balances as t where t.uid between p_from and p_to and p_since = '-infinity'
      ) as c using (uid)
    )
    select
      'balance_equals_bill', format('uid %s', b.uid),
      format(
        '%s %s %s earned %s and %s', coalesce(s.brokerage, 0), coalesce(s.frozen, 0), coalesce(s.available, 0), coalesce(s.commission, 0), coalesce(s.points, 0)
      ),
      format('%s %s %s earned %s and %s', b.brokerage_price, b.frozen_points, b.available_points, b.total_brokerage, b.total_points_earned)
    from app.user_balances as b
    left join sums as s on s.uid = b.uid
    where b.uid between p_from and p_to and (b.brokerage_price, b.total_brokerage, b.frozen_points, b.available_points, b.total_points_earned)
      is distinct from (
        coalesce(s.brokerage, 0), coalesce(s.commission, 0), coalesce(s.frozen, 0), coalesce(s.available, 0), coalesce(s.points, 0)
      )
    union all
    select
      'balance_equals_last_bill_row', format('uid %s', s.uid),
      format('%s %s %s', s.last[2], s.last[3], s.last[4]),
      format('%s %s %s', b.brokerage_price, b.frozen_points, b.available_points)
    from booked as s
    join app.user_balances as b on b.uid = s.uid
    where (s.last[2], s.last[3], s.last[4]) <> (b.brokerage_price, b.frozen_points, b.available_points);
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_counters (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  SET jit TO 'off'
  AS $function$
begin
  return query
    with recursive top as materialized (select app.top_grade() as grade),
    ranged as materialized (
      -- The members, and everyone who passes something on to them.
      select u.uid, u.spread_uid, u.agent_level < g.grade as is_kept, u.no_assess
      from app.users as u cross join top as g
      where u.uid between p_from and p_to or u.spread_uid between p_from and p_to
    ),
    -- Members at the top grade who pass on to one of the members what they receive. Each costs lookups; a join would read all members
    -- and orders of the store for every slice, because the planner expects far more of them than there are.
    passing as (
      select m.uid
      from ranged as m join ranged as r on r.uid = m.spread_uid and r.uid between p_from and p_to
      where not m.is_kept and r.is_kept
      union
      select d.uid
      from passing as p
      cross join top as g
      cross join lateral (select u.uid, u.agent_level from app.users as u where u.spread_uid = p.uid offset 0) as d
      where d.agent_level >= g.grade
    ),
    looked_at as materialized (
      select m.uid, m.spread_uid, m.is_kept, m.no_assess from ranged as m
      union
      select d.uid, d.spread_uid, d.agent_level < g.grade, d.no_assess
      from passing as p
      cross join top as g
      cross join lateral (select u.* from app.users as u where u.spread_uid = p.uid offset 0) as d
    ),
    members as materialized (
      select
        b.uid, u.spread_uid, u.is_kept,
        b.own_orders, r.orders as own_recount, case when u.no_assess then 0 else r.orders end as assessed,
        b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members
      from looked_at as u
      cross join lateral (select k.* from app.user_balances as k where k.uid = u.uid offset 0) as b
      cross join lateral (
        select
          case
            when p_since > '-infinity' and not exists (select from app.changed_orders as c where c.uid = b.uid) then b.own_orders
            else (
              select count(*)::integer
              from app.orders as o join app.settlements as s on s.order_id = o.id and s.state in ('settled', 'imported')
              where o.uid = b.uid and app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
            )
          end as orders
      ) as r
    ),
    handed as (
      select
        m.spread_uid as uid, sum(m.assessed) as direct_orders, count(*) filter (where m.assessed > 0) as direct_members,
        sum(m.assessed + case when m.is_kept then m.umbrella_orders else 0 end) as orders,
        sum((m.assessed > 0)::integer + case when m.is_kept then m.umbrella_members else 0 end) as members
      from members as m
      where m.spread_uid is not null
      group by m.spread_uid
    ),
    handed_on as (
      select h.uid, h.orders, h.members from handed as h join members as m on m.uid = h.uid where not m.is_kept and (h.orders, h.members) <> (0, 0)
      union all
      select m.spread_uid, p.orders, p.members
      from handed_on as p join members as m on m.uid = p.uid
      where not m.is_kept and m.spread_uid is not null
    ),
    passed as (
      select p.uid, sum(p.orders) as orders, sum(p.members) as members
      from handed_on as p join members as m on m.uid = p.uid
      where m.is_kept
      group by p.uid
    ),
    counters as (
      select
        m.uid, m.is_kept, m.own_orders, m.own_recount,
        array[m.direct_orders, m.umbrella_orders, m.direct_members, m.umbrella_members]::bigint[] as kept,
        array[
          coalesce(h.direct_orders, 0), coalesce(h.orders, 0) + coalesce(p.orders, 0),
          coalesce(h.direct_members, 0), coalesce(h.members, 0) + coalesce(p.members, 0)
        ]::bigint[] as recount
      from members as m
      left join handed as h on h.uid = m.uid
      left join passed as p on p.uid = m.uid
      where m.uid between p_from and p_to
    )
    select 'counters_equal_recount', format('uid %s', k.uid), array_to_string(k.recount, ' '), array_to_string(k.kept, ' ')
    from counters as k where k.is_kept and k.kept <> k.recount
    union all
    select 'own_orders_equal_recount', format('uid %s', k.uid), k.own_recount::text, k.own_orders::text
    from counters as k where k.own_orders <> k.own_recount;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_cycles (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
begin
  return query
    with members as materialized (
      select b.* from app.user_balances as b
      where b.uid between p_from and p_to and (p_since = '-infinity' or exists (select from app.changed_orders as c where c.earner_uid = b.uid))
    ),
    places as materialized (
      select s.*, o.queue_base as base_left
      from app.taken_places as s
      left join app.orders as o on o.id = s.order_id
      where s.earner_uid between p_from and p_to and (p_since = '-infinity' or exists (select from app.changed_orders as c where c.earner_uid = s.earner_uid))
    ),
    cycles as materialized (
      select
        p.earner_uid as uid, p.cycle_no, min(p.cycle_plan_version) as plan_version, max(p.cycle_plan_version) as greatest_version,
        count(*) filter (where p.place_freed_at is null) as taken, max(p.place) as greatest_place,
        count(distinct p.place) filter (where p.place_freed_at is null) as different,
        lead(p.cycle_no) over (partition by p.earner_uid order by p.cycle_no) as next_no
      from places as p
      group by p.earner_uid, p.cycle_no
    ),
    last_cycles as (
      select c.uid, c.cycle_no, c.plan_version, c.taken < v.people_per_cycle as is_open
      from cycles as c
      join app.commission_plans as v on v.version = c.plan_version
      where c.next_no is null
    ),
    reported as (
      -- Orders that made their buyer eligible (R4), and the position at which a refund left nothing of them.
      select o.uid, o.paid_at, max(case when o.refund_status = 2 or o.queue_units = 0 then r.ended_position end) as ended_position,
        bool_or(o.refund_status <> 2 and o.queue_units > 0) as stands
      from app.orders as o
      left join (
        select f.order_id, max(f.decided_position) as ended_position from app.refunds as f where f.state = 'refunded' group by f.order_id
      ) as r on r.order_id = o.id
      where o.uid in (select p.earner_uid from places as p) and o.paid_at is not null and o.has_queue_goods and not o.below_minimum
      group by o.uid, o.paid_at
    )
    select
      'places_equal_settlements', format('uid %s', b.uid), coalesce(t.places, 0)::text, b.total_places::text
    from members as b
    left join (select c.uid, sum(c.taken) as places from cycles as c group by c.uid) as t on t.uid = b.uid
    where b.total_places <> coalesce(t.places, 0)
    union all
    select
      'cycle_equals_settlements', format('uid %s', b.uid),
      concat_ws(' ', coalesce(l.cycle_no, 0), 'plan', l.plan_version, case when l.is_open then 'open' else 'closed' end),
      concat_ws(' ', b.cycle_no, 'plan', b.cycle_plan_version, case when b.cycle_is_open then 'open' else 'closed' end)
    from members as b
    left join last_cycles as l on l.uid = b.uid
    where (b.cycle_no, b.cycle_plan_version, b.cycle_is_open)
      is distinct from (coalesce(l.cycle_no, 0), l.plan_version, coalesce(l.is_open, false))
    union all
    select
      'cycle_has_its_places', format('cycle %s of uid %s', c.cycle_no, c.uid),
      format('plan %s, places up to %s, next cycle %s', c.plan_version, v.people_per_cycle, c.cycle_no + 1),
      concat_ws(' ', 'plan', c.greatest_version, 'places up to', c.greatest_place, 'taken', c.taken, 'next cycle', c.next_no)
    from cycles as c
    join app.commission_plans as v on v.version = c.plan_version
    where c.plan_version <> c.greatest_version or c.greatest_place > v.people_per_cycle or c.different <> c.taken
      or (c.next_no is not null and (c.next_no <> c.cycle_no + 1 or c.taken <> v.people_per_cycle))
    union all
    select
      'freed_place_equals_refunds', format('order %s', p.order_id),
      format('%s left', p.base_left), coalesce(format('freed %s', app.utc(p.place_freed_at)), 'not freed')
    from places as p
    left join last_cycles as l on l.uid = p.earner_uid and l.cycle_no = p.cycle_no and l.is_open
    where (p.place_freed_at is null and p.base_left = 0 and l.uid is not null)
      or (p.place_freed_at is not null and (p.base_left > 0 or not exists (
        select from app.refunds as r
        where r.order_id = p.order_id and r.state = 'refunded' and r.decided_position = p.place_freed_position
          and r.decided_at = p.place_freed_at
      )))
    union all
    select
      'earner_had_a_reported_order', format('order %s', p.order_id),
      format('an order of uid %s paid by then', p.earner_uid), format('eligible since %s', app.utc(p.eligible_since))
    from places as p
    join app.orders as o on o.id = p.order_id
    left join reported as e on e.uid = p.earner_uid and e.paid_at = p.eligible_since
    where e.uid is null or p.eligible_since > o.paid_at or not (e.stands or e.ended_position > p.position);
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_grants (
  p_from bigint DEFAULT 0,
  p_to   bigint DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_archived timestamptz := app.archived_until('user_bill');
begin
  return query
    with grants as materialized (
      select l.* from app.bill(v_archived, 'infinity') as l where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    ),
    reversed as (
      select l.reverses_id, sum(l.brokerage_delta + l.frozen_delta + l.available_delta) as amount
      from app.bill(v_archived, 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is not null
      group by l.reverses_id
    )
    select
      'grant_has_its_settlement', format('bill %s of order %s', g.id, g.order_id),
      concat_ws(' ', coalesce(s.state, 'no settlement'), s.reason, app.utc(s.settled_at), case when g.source = 'cycle' then s.earner_uid end),
      concat_ws(' ', g.source, app.utc(g.add_time), g.uid)
    from grants as g
    left join app.settlements as s on s.order_id = g.order_id
    where s.order_id is null or s.settled_at <> g.add_time
      or (g.source = 'cycle' and s.earner_uid is distinct from g.uid)
      or s.reason in ('refunded', 'below_minimum', 'zero_base', 'no_referrer', 'imported')
    union all
    select
      'order_grants_each_kind_once', format('order %s', g.order_id), '1',
      format('%s of %s %s of uid %s', count(*), g.source, g.type, g.uid)
    from grants as g
    group by g.order_id, g.uid, g.type, g.source
    having count(*) > 1
    union all
    select
      'remaining_grant_equals_what_is_left', format('bill %s of order %s', g.id, g.order_id), a.amount::text, t.remaining::text
    from grants as g
    join app.orders as o on o.id = g.order_id
    join app.settlements as s on s.order_id = g.order_id
    left join reversed as r on r.reverses_id = g.id
    cross join lateral (
      select app.grant_amount(g.type, app.basis_left(g.type, g.source, o.queue_base, o.queue_units, s.rate), g.rate) as amount
    ) as a
    cross join lateral (select g.brokerage_delta + g.frozen_delta + coalesce(r.amount, 0) as remaining) as t
    where t.remaining <> a.amount;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_maturities (
  p_from bigint DEFAULT 0,
  p_to   bigint DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_archived timestamptz := app.archived_until('user_bill');
begin
  return query
    with due as (
      select
        s.order_id, s.earner_uid as uid, app.matures_at(o.received_at, s.settled_at, p.holding_days) as matures_at,
        s.commission + coalesce(sum(l.brokerage_delta), 0) as amount_left
      from app.settlements as s
      join app.orders as o on o.id = s.order_id
      join app.commission_plans as p on p.version = s.order_plan_version
      left join app.bill(v_archived, 'infinity') as l on l.order_id = s.order_id and l.type = 'brokerage_reversal'
      where s.order_id between p_from and p_to and s.commission > 0 and s.settled_at >= v_archived
      group by s.order_id, o.received_at, p.holding_days
    )
    select
      'maturity_equals_its_settlement', format('order %s', coalesce(d.order_id, m.order_id)),
      concat_ws(' ', d.amount_left, 'of uid', d.uid, 'at', app.utc(d.matures_at)),
      concat_ws(' ', m.amount_left, 'of uid', m.uid, 'at', app.utc(m.matures_at))
    from due as d
    full join (
      -- Without those of archived orders (see app.is_order_archived, which would be called for every row).
      select t.* from app.commission_maturities as t
      where t.order_id between p_from and p_to and not exists (
        select from app.settlements as a where a.order_id = t.order_id and a.state <> 'imported' and a.settled_at < v_archived
      )
    ) as m on m.order_id = d.order_id
    where (d.uid, d.amount_left, d.matures_at) is distinct from (m.uid, m.amount_left, m.matures_at);
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_payments (
  p_from bigint DEFAULT 0,
  p_to   bigint DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
begin
  return query
    select 'paid_attempt_is_booked', format('payment %s', a.attempt_no), 'an order that it paid, or a notification that asks for attention', 'neither'
    from app.payment_attempts as a
    where a.order_id between p_from and p_to and a.state = 'paid'
      and not exists (select from app.orders as o where o.id = a.order_id and o.pay_type = a.provider and o.pay_ref = a.pay_ref)
      and not exists (
        select from app.payment_notifications as n
        where n.order_id = a.order_id and n.provider = a.provider and n.pay_ref = a.pay_ref and n.outcome = 'attention'
      )
    union all
    select 'open_attempt_is_to_be_closed', format('payment %s', a.attempt_no), 'a row of the outbox', 'none'
    from app.payment_attempts as a
    where a.order_id between p_from and p_to and a.state = 'open' and not exists (select from app.outbox as b where b.kind = 'close_payment' and b.key = a.attempt_no)
    union all
    select 'order_is_paid_by_one_attempt', format('order %s', a.order_id), 'one', count(*)::text
    from app.payment_attempts as a
    join app.orders as o on o.id = a.order_id and o.pay_type = a.provider and o.pay_ref = a.pay_ref
    where a.order_id between p_from and p_to and a.state = 'paid'
    group by a.order_id
    having count(*) > 1
    union all
    select 'outbox_row_has_not_failed', format('%s %s', b.kind, b.key), 'done', format('failed after %s attempts', b.attempts)
    from app.outbox as b
    where b.state = 'failed' and b.lane = 'calls' and p_from = 0;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_points (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'));
begin
  return query
    with events as (
      select o.id as order_id, o.uid, o.add_time as at, -o.points_spent as points, o.paid_by_points as money
      from app.orders as o where o.uid between p_from and p_to and o.points_spent > 0
      union all
      select o.id, o.uid, o.cancelled_at, o.points_spent, null
      from app.orders as o where o.uid between p_from and p_to and o.points_spent > 0 and o.state = 'cancelled'
      union all
      select o.id, o.uid, r.decided_at, sum(r.points), null
      from app.refunds as r join app.orders as o on o.id = r.order_id
      where o.uid between p_from and p_to and r.state = 'refunded' and r.points > 0
      group by o.id, r.decided_at
    ),
    stated as (select e.* from events as e where e.at >= v_since),
    booked as (
      select
        l.order_id, l.uid, l.add_time as at, sum(l.available_delta) as points,
        sum(l.basis) as money
      from app.bill(v_since, 'infinity') as l
      where l.uid between p_from and p_to and l.source = 'checkout'
      group by l.order_id, l.uid, l.type, l.add_time
    )
    select
      'points_are_booked_as_they_were_used', format('order %s', coalesce(s.order_id, b.order_id)),
      concat_ws(' ', s.points, 'of uid', s.uid, 'for', s.money, app.utc(s.at)), concat_ws(' ', b.points, 'of uid', b.uid, 'for', b.money, app.utc(b.at))
    from stated as s
    full join booked as b on b.order_id = s.order_id and b.uid = s.uid and b.at = s.at and sign(b.points) = sign(s.points)
    where (s.points, s.money) is distinct from (b.points, b.money);

  return query
    -- Not materialized, so that the planner knows how many there are.
    with members as not materialized (
      select b.* from app.user_balances as b
      where b.uid between p_from and p_to and (
        p_since = '-infinity'
        or b.uid in (select l.uid from app.bill(v_since, 'infinity') as l where l.uid between p_from and p_to and l.source in ('checkout', 'adjustment'))
      )
    ),
    spent as (
      select o.uid, sum(o.points_left) as points from app.orders as o where o.uid in (select m.uid from members as m) and o.points_left > 0 group by o.uid
    ),
    adjusted as (
      select a.uid, sum(a.frozen_delta + a.available_delta) as points
      from app.adjustments as a where a.uid between p_from and p_to and a.state = 'booked' group by a.uid
    )
    select
      'points_are_all_accounted_for', format('uid %s', b.uid),
      concat_ws(' ', b.total_points_earned, 'earned', coalesce(a.points, 0), 'adjusted'),
      concat_ws(' ', b.frozen_points, 'frozen', b.available_points, 'available', coalesce(s.points, 0), 'spent')
    from members as b
    left join spent as s on s.uid = b.uid
    left join adjusted as a on a.uid = b.uid
    where b.total_points_earned + coalesce(a.points, 0) <> b.frozen_points + b.available_points + coalesce(s.points, 0);
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_release_runs (
  p_from bigint DEFAULT 0,
  p_to   bigint DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_first date := app.first_release_day();
  v_is_running boolean := exists (
    select from app.job_runs as r where r.job = 'fsgx_release_frozen_points' and r.started_at > now() - interval '1 day' and app.is_running(r)
  );
begin
  return query
    select
      'release_run_equals_log', format('business day %s', coalesce(r.release_date, l.release_date)),
      format('%s users %s points', coalesce(l.users, 0), coalesce(l.points, 0)),
      format('%s users %s points', coalesce(r.users, 0), coalesce(r.points, 0))
    from (
      -- The sums of an unfinished day in ranges are those of its ranges.
      select d.release_date, coalesce(g.users, d.users) as users, coalesce(g.points, d.points) as points
      from app.release_runs as d
      left join lateral (
        select sum(o.users) as users, sum(o.points) as points from app.release_ranges as o where o.release_date = d.release_date and d.finished_at is null
      ) as g on true
    ) as r
    full join (
      select g.release_date, count(*) as users, sum(g.release_points) as points
      from app.releases(greatest(app.day_of_key(p_from), v_first), app.day_of_key(p_to)) as g
      group by g.release_date
    ) as l on l.release_date = r.release_date
    where coalesce(r.release_date, l.release_date) between greatest(app.day_of_key(p_from), v_first) and app.day_of_key(p_to)
      and (coalesce(r.users, 0), coalesce(r.points, 0)) <> (coalesce(l.users, 0), coalesce(l.points, 0))
    union all
    select
      'release_day_is_finished', format('business day %s', r.release_date), 'finished',
      concat_ws(': ', format('unfinished, %s failures, %s runs cut', r.failures, r.cuts), r.last_error)
    from app.release_runs as r
    where r.release_date between app.day_of_key(p_from) and app.day_of_key(p_to) and r.finished_at is null and r.release_date < app.business_day(now())
      and not v_is_running
    union all
    select 'release_day_has_come', format('business day %s', r.release_date), format('at most %s', t.today), 'released'
    from app.release_runs as r cross join app.business_day(clock_timestamp() + app.clock_tolerance()) as t (today)
    where r.release_date between app.day_of_key(p_from) and app.day_of_key(p_to) and r.release_date > t.today;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_releases (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'), app.archived_until('points_release_log'));
begin
  return query
    -- The row of the log and the row of the bill are written together and state the balance after it, which tells apart the rows of a
    -- member who was released for several days at once.
    select
      'release_equals_bill', format('uid %s', coalesce(g.uid, b.uid)),
      coalesce(format('business day %s: %s of %s at %s', g.release_date, g.release_points, g.frozen_before, app.utc(g.add_time)), 'nothing'),
      coalesce(format('bill %s: %s = %s x %s at %s', b.id, b.available_delta, b.basis, b.rate, app.utc(b.add_time)), 'nothing')
    from (select l.* from app.releases(app.first_release_day(), 'infinity', v_since) as l where l.uid between p_from and p_to) as g
    full join (
      select l.* from app.bill(v_since, 'infinity') as l where l.uid between p_from and p_to and l.type = 'frozen_points_release'
    ) as b
      on b.uid = g.uid and b.add_time = g.add_time and b.frozen_after = g.frozen_after
    where g.release_points is distinct from b.available_delta or b.basis > g.frozen_before or b.rate <> app.release_rate();
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_reversals (
  p_from bigint DEFAULT 0,
  p_to   bigint DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_archived timestamptz := app.archived_until('user_bill');
begin
  return query
    with reversals as materialized (
      select
        l.*, case l.type when 'brokerage_reversal' then 'brokerage' else 'frozen_points_brokerage' end as reversed_type,
        sum(l.brokerage_delta + l.frozen_delta + l.available_delta) over (partition by l.reverses_id order by l.id) as reversed
      from app.bill(v_archived, 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is not null and not app.is_order_archived(l.order_id)
    ),
    grants as materialized (
      select l.* from app.bill(v_archived, 'infinity') as l where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    )
    select
      'reversal_equals_what_it_reverses', format('bill %s of order %s', r.id, r.order_id),
      case when g.id is null then 'a grant' else concat_ws(' ', 'order', g.order_id, g.type, g.source, 'of uid', g.uid, 'rate', g.rate, 'level', g.agent_level) end,
      concat_ws(' ', 'order', r.order_id, r.reversed_type, r.source, 'of uid', r.uid, 'rate', r.rate, 'level', r.agent_level)
    from reversals as r
    left join grants as g on g.id = r.reverses_id
    where (g.order_id, g.type, g.source, g.uid, g.rate, g.agent_level)
      is distinct from (r.order_id, r.reversed_type, r.source, r.uid, r.rate, r.agent_level)
    union all
    select
      'reversal_leaves_basis_times_rate', format('bill %s of order %s', r.id, r.order_id),
      a.remaining::text, (g.brokerage_delta + g.frozen_delta + r.reversed)::text
    from reversals as r
    join grants as g on g.id = r.reverses_id
    cross join lateral (select app.grant_amount(g.type, r.basis, g.rate) as remaining) as a
    where g.brokerage_delta + g.frozen_delta + r.reversed is distinct from a.remaining
    union all
    select 'reversal_has_its_refund', format('bill %s of order %s', r.id, r.order_id), 'a refund', app.utc(r.add_time)::text
    from reversals as r
    where not exists (
      select from app.refunds as f where f.order_id = r.order_id and f.state = 'refunded' and f.decided_at = r.add_time
    );
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_settlements (
  p_from bigint DEFAULT 0,
  p_to   bigint DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_archived timestamptz := app.archived_until('user_bill');
  v_first timestamptz;
  v_last timestamptz;
begin
  -- The orders of a batch have the same time, so a block range index finds those outside of the slice.
  select min(s.settled_at), max(s.settled_at) into v_first, v_last from app.settlements as s where s.order_id between p_from and p_to and s.batch is not null;
  return query
    select 'paid_order_has_settlement_or_job', format('order %s', o.id), 'one of them', 'neither'
    from app.orders as o
    join app.commission_plans as p on p.version = o.plan_version
    where o.id between p_from and p_to and o.paid_at is not null
      and (o.is_imported or (o.has_queue_goods and (p.brokerage_timing = 'on_pay' or o.state = 'received')))
      and not exists (select from app.settlements as s where s.order_id = o.id)
      and not exists (select from app.settlement_jobs as j where j.order_id = o.id)
    union all
    select 'settled_order_has_no_job', format('order %s', j.order_id), 'no job', j.state
    from app.settlement_jobs as j
    where j.order_id between p_from and p_to and exists (select from app.settlements as s where s.order_id = j.order_id)
    union all
    select
      'batch_is_in_the_sequence_of_payments', format('order %s', b.order_id),
      format('settled as number %s of batch %s', b.by_payment, b.first), format('settled as number %s of batch %s', b.by_position, b.batch)
    from (
      select
        s.order_id, s.batch, row_number() over payments as by_payment, row_number() over positions as by_position,
        first_value(s.order_id) over positions as first
      from app.settlements as s
      join app.orders as o on o.id = s.order_id
      where s.settled_at between v_first and v_last and s.batch in (
        -- Batches of more than one order.
        select n.batch from app.settlements as n where n.settled_at between v_first and v_last and n.batch <> n.order_id
      )
      window payments as (partition by s.batch order by o.paid_at, o.id), positions as (partition by s.batch order by s.position)
    ) as b
    where b.order_id between p_from and p_to and (b.by_payment <> b.by_position or b.batch <> b.first)
    union all
    select
      'commission_equals_bill', format('order %s', s.order_id),
      format('%s %s', s.commission, s.commission_points),
      format('%s %s', coalesce(l.commission, 0), coalesce(l.points, 0))
    from app.settlements as s
    left join (
      select b.order_id, sum(b.brokerage_delta) as commission, sum(b.frozen_delta) as points
      from app.bill(v_archived, 'infinity') as b
      where b.order_id between p_from and p_to and b.source = 'cycle' and b.reverses_id is null
      group by b.order_id
    ) as l on l.order_id = s.order_id
    where s.order_id between p_from and p_to and s.settled_at >= v_archived and (s.commission, s.commission_points) <> (coalesce(l.commission, 0), coalesce(l.points, 0));
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_team_totals (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  SET jit TO 'off'
  AS $function$
begin
  return query
    with sums as (
      select
        t.spread_uid as uid, count(*) as direct_members, sum(t.own_orders) as direct_orders, sum(t.umbrella_members + 1) as umbrella_members,
        sum(t.umbrella_orders + t.own_orders) as umbrella_orders
      from app.team_totals as t
      where t.spread_uid between p_from and p_to
      group by t.spread_uid
    ),
    totals as (
      select
        t.uid, array[t.direct_members, t.direct_orders, t.umbrella_members, t.umbrella_orders]::bigint[] as kept,
        array[
          coalesce(s.direct_members, 0), coalesce(s.direct_orders, 0), coalesce(s.umbrella_members, 0), coalesce(s.umbrella_orders, 0)
        ]::bigint[] as recount
      from app.team_totals as t left join sums as s on s.uid = t.uid
      where t.uid between p_from and p_to
    ),
    orders as (
      select o.uid, count(*) as orders
      from app.orders as o
      where o.uid between p_from and p_to and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
        and (p_since = '-infinity' or exists (select from app.changed_orders as c where c.uid = o.uid))
      group by o.uid
    ),
    copies as (
      select
        u.uid, concat_ws(
          ' ', coalesce(u.spread_uid, 0),
          case
            when p_since = '-infinity' or exists (select from app.changed_orders as c where c.uid = u.uid) then coalesce(o.orders, 0)
            else coalesce(t.own_orders, 0)
          end
        ) as present,
        concat_ws(' ', coalesce(t.spread_uid, 0), coalesce(t.own_orders, 0)) as copied
      from app.users as u
      left join orders as o on o.uid = u.uid
      left join app.team_totals as t on t.uid = u.uid and t.uid between p_from and p_to
      where u.uid between p_from and p_to
    )
    select 'team_totals_equal_recount', format('uid %s', t.uid), array_to_string(t.recount, ' '), array_to_string(t.kept, ' ')
    from totals as t where t.kept <> t.recount
    union all
    select 'team_totals_follow_members', format('uid %s', c.uid), c.present, c.copied
    from copies as c where c.present <> c.copied and c.uid not in (select q.uid from app.team_changes as q);
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_times (
  p_from bigint DEFAULT 0,
  p_to   bigint DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_latest timestamptz := clock_timestamp() + app.clock_tolerance();
begin
  return query
    with later (uid, thing, at) as (
      select b.uid, 'bill row', b.add_time from app.bill(v_latest, 'infinity') as b where b.uid between p_from and p_to and b.add_time > v_latest
      union all
      select o.uid, 'order', greatest(
        o.add_time, o.paid_at, o.delivered_at, o.received_at, o.cancelled_at,
        (select s.settled_at from app.settlements as s where s.order_id = o.id),
        (select max(greatest(r.created_at, r.decided_at)) from app.refunds as r where r.order_id = o.id),
        (select max(greatest(a.add_time, a.ended_at)) from app.payment_attempts as a where a.order_id = o.id)
      )
      from app.orders_since(v_latest) as n (id) join app.orders as o on o.id = n.id
      where o.uid between p_from and p_to
      union all
      select w.uid, 'withdrawal', t.at
      from app.withdrawals as w cross join lateral (select greatest(w.add_time, w.approved_at, w.paying_at, w.ended_at) as at) as t
      where w.uid between p_from and p_to and t.at > v_latest
      union all
      select d.uid, 'adjustment', t.at
      from app.adjustments as d cross join lateral (select greatest(d.add_time, d.decided_at) as at) as t
      where d.uid between p_from and p_to and t.at > v_latest
    ), counted as (
      select l.uid, l.thing, count(*) as number, max(l.at) as latest from later as l group by l.uid, l.thing
    )
    select
      'no_row_is_from_the_future', format('uid %s', c.uid), format('nothing after %s', app.utc(v_latest)),
      format('%s; the latest of %s', string_agg(format('%s: %s', c.thing, c.number), ', ' order by c.thing), app.utc(max(c.latest)))
    from counted as c
    group by c.uid;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_withdrawals (
  p_from  bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'));
begin
  return query
    with booked as (
      select l.withdrawal_id as id, l.type, min(l.uid) as uid, sum(l.brokerage_delta) as amount, count(*) as rows, max(l.add_time) as at
      from app.bill(v_since, 'infinity') as l
      where l.uid between p_from and p_to and l.withdrawal_id is not null
      group by l.withdrawal_id, l.type
    ),
    stated as (
      select w.id, 'withdrawal' as type, w.uid, -w.amount as amount, 1::bigint as rows, w.add_time as at
      from app.withdrawals as w
      where w.uid between p_from and p_to and w.add_time >= v_since
      union all
      select w.id, 'withdrawal_returned', w.uid, w.amount, 1, w.ended_at
      from app.withdrawals as w
      where w.uid between p_from and p_to and w.ended_at >= v_since and app.is_returned(w.state)
    )
    select
      'withdrawal_equals_its_bill_rows', format('withdrawal %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.type, s.amount, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.at)),
      concat_ws(' ', b.type, b.amount, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.at))
    from stated as s
    full join booked as b on b.id = s.id and b.type = s.type
    where (s.uid, s.amount, s.rows, s.at) is distinct from (b.uid, b.amount, b.rows, b.at);
end
$function$;

CREATE OR REPLACE FUNCTION app.reject_archived_release (
  p_business_day date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  lock table only app.user_bill, only app.points_release_log in access share mode;
  if p_business_day < app.first_release_day() or app.release_until(p_business_day) < app.archived_until('user_bill') then
    perform app.fail('month_archived', format('The bill rows or releases of %s are archived.', p_business_day));
  elsif exists (select from app.compacted_months as c where c.month = date_trunc('month', p_business_day::timestamp)::date) then
    perform app.fail('month_archived', format('The releases of the month of %s are compacted.', p_business_day));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.release_candidates (
  p_release_date date,
  p_after_uid    bigint,
  p_limit        integer,
  p_last_uid     bigint  DEFAULT '9223372036854775807'::bigint
)
  RETURNS bigint[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
begin
  return array(
    select b.uid
    from app.user_balances as b
    where b.uid > p_after_uid and b.uid <= p_last_uid and app.release_amount(b.frozen_points) > 0
      -- With `offset 0`, it is no join but one lookup in the log for each member. A join would look up the day and compare all of its releases with each
      -- member if it was planned while the log of the month was empty. A day that is released is still in the table.
      and not exists (select from app.points_release_log as l where l.uid = b.uid and l.release_date = p_release_date offset 0)
    order by b.uid
    limit p_limit
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.release_members (
  p_release_date date,
  p_uids         bigint[],
  p_now          timestamp with time zone,
  p_until        timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  OUT            users integer,
  OUT            points numeric,
  OUT            skipped bigint[]
)
  RETURNS record
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_mergejoin TO 'off'
  SET enable_hashjoin TO 'off'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_uids bigint[];
  v_frozen numeric[];
  v_now timestamptz;
  v_is_late boolean;
begin
  select array_agg(l.uid order by l.uid), array_agg(l.frozen_points order by l.uid) into v_uids, v_frozen
  from (select b.uid, b.frozen_points from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update skip locked) as l;
  skipped := '{}';
  if cardinality(v_uids) is distinct from cardinality(p_uids) then
    skipped := array(select c.uid from unnest(p_uids) as c (uid) except select l.uid from unnest(v_uids) as l (uid) order by 1);
  end if;
  -- After the lock, so that the rows of a member are dated in the order in which they are booked.
  v_now := coalesce(p_now, clock_timestamp());
  v_is_late := v_now >= p_until;

  -- Materialized, so that the balance at p_until and the amount are computed once for each member.
  with due as materialized (
    select l.uid, l.frozen_points, case when v_is_late then least(l.frozen_points, app.frozen_until(l.uid, p_until)) else l.frozen_points end as basis
    from unnest(v_uids, v_frozen) as l (uid, frozen_points)
    -- Of the table, as in app.release_candidates.
    where l.uid not in (select g.uid from app.points_release_log as g where g.uid = any (v_uids) and g.release_date = p_release_date)
  ),
  amounts as materialized (select d.uid, d.frozen_points, d.basis, app.release_amount(d.basis) as amount from due as d),
  moved as (
    update app.user_balances as b
    set frozen_points = b.frozen_points - a.amount, available_points = b.available_points + a.amount
    from amounts as a
    where b.uid = a.uid and a.amount > 0
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points, a.frozen_points as frozen_before, a.basis, a.amount
  ),
  logged as (
    insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
    select m.uid, p_release_date, m.frozen_before, m.amount, m.frozen_points, v_now from moved as m order by m.uid
  ),
  billed as (
    insert into app.user_bill (
      uid, type, source, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, basis, rate, add_time
    )
    select
      m.uid, 'frozen_points_release', 'release', -m.amount, m.amount, m.brokerage_price, m.frozen_points, m.available_points, m.basis,
      app.release_rate(), v_now
    from moved as m
    order by m.uid
  )
  select count(*)::integer, coalesce(sum(m.amount), 0) into users, points from moved as m;
end
$function$;

CREATE OR REPLACE FUNCTION app.release_of (
  p_uid   bigint,
  p_event app.events
)
  RETURNS numeric
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select l.release_points
  from app.releases(
    case p_event.type when 'points.released' then greatest(to_date(p_event.subject_id::text, 'YYYYMMDD'), app.first_release_day()) end,
    case p_event.type when 'points.released' then to_date(p_event.subject_id::text, 'YYYYMMDD') end
  ) as l
  where l.uid = p_uid
$function$;

CREATE OR REPLACE FUNCTION app.releases (
  p_from  date,
  p_to    date,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS SETOF app.points_release_log
  LANGUAGE sql
  STABLE
  PARALLEL SAFE
  AS $function$
  select a.*
  from (
    select l.* from app.points_release_log as l
    union all
    select r.* from archive.points_release_log as r
    union all
    select l.*
    from app.compacted_releases as c cross join lateral app.log_of_run(c) as l
    -- The business day of a release and the time at which it was made are less than two days apart.
    where c.last_time >= p_since and c.first_time > p_since - interval '32 days' and c.first_day <= p_to and c.first_day > p_from - 32
      and c.first_time > p_from::timestamp at time zone 'UTC' - interval '34 days' and c.first_time < p_to::timestamp at time zone 'UTC' + interval '2 days'
  ) as a
  where a.release_date between p_from and p_to and (p_since = '-infinity' or a.add_time >= p_since)
$function$;

CREATE OR REPLACE FUNCTION app.releases_of_run (
  p_run app.compacted_releases
)
  RETURNS TABLE (
    bill_id         bigint,
    log_id          bigint,
    release_date    date,
    add_time        timestamp with time zone,
    frozen_before   numeric,
    rate            numeric,
    amount          numeric,
    frozen_after    numeric,
    available_after numeric
  )
  LANGUAGE plpgsql
  STABLE
  PARALLEL SAFE
  ROWS 30
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_steps integer[] := p_run.steps;
begin
  bill_id := p_run.bill_id;
  log_id := p_run.log_id;
  release_date := p_run.first_day;
  add_time := p_run.first_time;
  frozen_after := p_run.frozen_before;
  available_after := p_run.available_before;
  rate := app.release_rate();
  for i in 0..coalesce(array_length(v_steps, 1), 0) loop
    if i > 0 then
      bill_id := bill_id + v_steps[i][1];
      log_id := log_id + v_steps[i][2];
      release_date := release_date + 1;
      add_time := add_time + interval '24 hours' + v_steps[i][3] * interval '1 microsecond';
    end if;
    frozen_before := frozen_after;
    amount := app.release_amount(frozen_before);
    frozen_after := frozen_before - amount;
    available_after := available_after + amount;
    return next;
  end loop;
  if (frozen_after, add_time) <> (p_run.frozen_after, p_run.last_time) then
    raise exception using errcode = 'data_corrupted', message = format('the releases of uid %s from %s on do not follow', p_run.uid, p_run.first_day);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_archived_rows (
  p_archived  app.archived_months,
  p_row_count bigint,
  p_digest    numeric
)
  RETURNS void
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if (p_row_count, p_digest) is distinct from (p_archived.row_count, p_archived.digest) then
    raise exception using errcode = 'data_corrupted', message = format(
      'the rows of %s %s are not what was archived: %s rows with digest %s then, %s with %s now',
      p_archived.table_name, to_char(p_archived.month, 'YYYY-MM'), p_archived.row_count, p_archived.digest, p_row_count, p_digest
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_monthly_table (
  p_table text
)
  RETURNS void
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_table is null or not p_table = any (app.monthly_tables()) then
    perform app.fail('invalid_argument', format('The tables with months are %s.', array_to_string(app.monthly_tables(), ', ')));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_other_server()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_version text;
  v_words text;
  v_hash bigint;
begin
  execute format('select o.version, o.sorted_words, o.hash from %s as o', app.other_table('other_server')) into v_version, v_words, v_hash;
  if (v_words, v_hash) is distinct from (app.sorted_words(), hashtextextended('archive', 0)) then
    perform app.fail('invalid_argument', format('The other server, Postgres %s, sorts text or computes digests in another way.', v_version));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.run_test_cycle (
  p_now timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_hashjoin TO 'off'
  SET enable_mergejoin TO 'off'
  AS $function$
declare
  v_plan app.commission_plans;
  v_product bigint;
  v_uid bigint := app.create_test_member(null);
  v_buyers integer;
  v_order_id bigint;
  v_before app.user_balances;
  v_after app.user_balances;
  v_results jsonb;
begin
  select p.* into v_plan from app.commission_plans as p where p.version = app.active_plan_version();
  v_buyers := v_plan.people_per_cycle + 1;
  insert into app.products (title, price, is_queue_goods) values ('Configuration check', 1000, true) returning id into v_product;
  perform app.run_test_order(v_uid, v_product, p_now);
  for i in 1..v_buyers loop
    select b.* into v_before from app.user_balances as b where b.uid = v_uid;
    v_order_id := app.run_test_order(app.create_test_member(v_uid), v_product, p_now);
  end loop;
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  v_results := jsonb_build_array(
    jsonb_build_object('subject', 'commission over a cycle and its wrap-around', 'actual', v_after.brokerage_price::text, 'expected', (
      select sum(trunc(1000 * v_plan.tier_ratios[(i - 1) % v_plan.people_per_cycle + 1], 2))::numeric(14,2)::text from generate_series(1, v_buyers) as i
    )),
    jsonb_build_object('subject', 'orders and members counted', 'expected', format('%s orders %s members', v_buyers, v_buyers),
      'actual', (select format('%s orders %s members', c.umbrella_orders, c.direct_members) from app.count_downline(v_uid) as c)),
    jsonb_build_object('subject', 'stored counts equal the recount', 'expected', null, 'actual', (
      select string_agg(r.subject, ', ' order by r.subject) from app.reconcile_counters(v_uid, v_uid) as r
    )),
    jsonb_build_object('subject', 'points equal the bill', 'actual', v_after.frozen_points::text, 'expected', (
      select coalesce(sum(l.frozen_delta), 0)::numeric(18,4)::text from app.user_bill as l where l.uid = v_uid
    )),
    jsonb_build_object('subject', 'level reached', 'actual', (select u.agent_level::text from app.users as u where u.uid = v_uid),
      'expected', app.level_by_tasks(v_after)::text)
  );

  perform app.refund_order(v_order_id, null, null, p_now);
  v_results := v_results || jsonb_build_object('subject', 'refund of the last order', 'expected', v_before.brokerage_price::text,
    'actual', (select b.brokerage_price::text from app.user_balances as b where b.uid = v_uid));

  select b.* into v_before from app.user_balances as b where b.uid = v_uid;
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  -- The rate of R11 a second time, so that the check does not trust app.release_rate.
  return v_results || jsonb_build_object('subject', 'release of a day, run twice',
    'expected', trunc(v_before.frozen_points * 0.0004, 4)::text, 'actual', v_after.available_points::text);
end
$function$;

CREATE OR REPLACE FUNCTION app.schema_version()
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select v.version from app.schema_versions as v order by string_to_array(v.version, '.')::integer[] desc limit 1
$function$;

CREATE OR REPLACE FUNCTION app.set_other_server (
  p_server   jsonb,
  p_user     text,
  p_password text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_options jsonb := jsonb_build_object(
    'connect_timeout', '2', 'keep_connections', 'off', 'options', '-c statement_timeout=5s -c idle_in_transaction_session_timeout=0 -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3',
    'tcp_user_timeout', '5000', 'keepalives_idle', '5', 'keepalives_interval', '2', 'keepalives_count', '3', 'fetch_size', '1000', 'batch_size', '1000'
  ) || p_server;
  v_old text[] := (select coalesce(s.srvoptions, '{}') from pg_foreign_server as s where s.srvname = 'archive_server');
  v_missing text;
begin
  if v_old is null then
    create extension if not exists postgres_fdw with schema extensions;
    create server archive_server foreign data wrapper postgres_fdw;
    create foreign table archive.other_months (name text not null, columns text not null, indexes text[]) server archive_server options (schema_name 'archive', table_name 'months');
    create foreign table archive.other_digests (name text, row_count bigint, digest numeric) server archive_server options (schema_name 'archive', table_name 'digests');
    create foreign table archive.other_server (version text, sorted_words text, hash bigint) server archive_server options (schema_name 'archive', table_name 'server');
    create foreign table archive.other_unlimited (statement_timeout text) server archive_server options (schema_name 'archive', table_name 'unlimited');
  end if;
  execute (
    select 'alter server archive_server options (' || string_agg(concat_ws(' ', o.verb, quote_ident(o.name), quote_literal(o.value)), ', ' order by o.name) || ')'
    from (
      select case when e.value is null then 'drop' when d.name is null then 'add' else 'set' end as verb, coalesce(e.key, d.name) as name, e.value
      from jsonb_each_text(v_options) as e full join (select split_part(u.option, '=', 1) as name from unnest(v_old) as u (option)) as d on d.name = e.key
    ) as o
  );
  drop user mapping if exists for public server archive_server;
  execute format('create user mapping for public server archive_server options (user %L, password %L)', p_user, p_password);
  perform app.require_other_server();
  execute format($sql$
    select min(p.name)
    from app.archived_months as a cross join lateral app.name_of_part(a.table_name, a.month) as p (name)
    where a.moved_at is not null and p.name not in (select m.name from %s as m)
  $sql$, app.other_table('other_months')) into v_missing;
  if v_missing is not null then
    perform app.fail('invalid_argument', format('The other server does not have %s, which was moved. Copy the database of the former one first.', v_missing));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.settlement_differences (
  p_settlement app.settlements
)
  RETURNS TABLE (
    subject  text,
    expected text,
    actual   text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
begin
  return query
  with again as materialized (select d.settlement as s, d.grants from app.decide_again(p_settlement) as d),
  decided as (
    select e.*, row_number() over (partition by e.uid, e.type, e.source order by e.ordinality) as ordinal
    from again as a cross join lateral unnest(
      app.settlement_entries(array[a.s], a.grants, app.load_plans(array[(a.s).cycle_plan_version]))
    ) with ordinality as e
  ),
  booked as (
    -- Numbered, so that a second row of the same kind has nothing to be compared with.
    select l.*, row_number() over (partition by l.uid, l.type, l.source order by l.id) as ordinal
    -- With `offset 0`, the rows of the order are found before they are numbered: a plan made while a month was empty would read all of it by member.
    from (select b.* from app.bill(p_settlement.settled_at, 'infinity') as b where b.order_id = p_settlement.order_id offset 0) as l
    where l.reverses_id is null and app.is_earned(l.type)
  )
  select
    'settlement', concat_ws(' ', (a.s).earner_uid, (a.s).reason, (a.s).cycle_no, (a.s).place, (a.s).rate, (a.s).commission, (a.s).commission_points),
    concat_ws(
      ' ', p_settlement.earner_uid, p_settlement.reason, p_settlement.cycle_no, p_settlement.place, p_settlement.rate,
      p_settlement.commission, p_settlement.commission_points
    )
  from again as a
  where ((a.s).earner_uid, (a.s).reason, (a.s).cycle_no, (a.s).place, (a.s).rate, (a.s).commission, (a.s).commission_points)
    is distinct from (
      p_settlement.earner_uid, p_settlement.reason, p_settlement.cycle_no, p_settlement.place, p_settlement.rate,
      p_settlement.commission, p_settlement.commission_points
    )
  union all
  select
    format('%s of uid %s', coalesce(d.source, b.source), coalesce(d.uid, b.uid)),
    coalesce(nullif(concat_ws(' ', d.brokerage_delta + d.frozen_delta, 'level ' || d.agent_level, 'passed on ' || d.passed_on), ''), 'nothing'),
    coalesce(nullif(concat_ws(' ', b.brokerage_delta + b.frozen_delta, 'level ' || b.agent_level, 'passed on ' || b.passed_on), ''), 'nothing')
  from decided as d
  full join booked as b on b.uid = d.uid and b.type = d.type and b.source = d.source and b.ordinal = d.ordinal
  where (d.brokerage_delta, d.frozen_delta, d.basis, d.rate, d.agent_level, d.passed_on)
    is distinct from (b.brokerage_delta, b.frozen_delta, b.basis, b.rate, b.agent_level, b.passed_on);
end
$function$;

CREATE OR REPLACE FUNCTION app.show_month (
  p_table text,
  p_month date
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_part regclass := app.month_part(p_table, p_month, 'archive');
  v_bounds record := app.part_bounds(p_table, p_month);
  v_digest record;
begin
  if p_table = 'admin_actions' or v_part is null or app.archive_part(p_table, p_month) is not null then
    return false;
  end if;
  v_digest := app.digest_of_rows(format('select * from %s', v_part));
  perform app.require_archived_rows(v_archived, v_digest.row_count, v_digest.digest);
  perform app.bound_month(v_part, p_table, p_month);
  execute format('alter table archive.%I attach partition %s for values from (%L) to (%L)', p_table, v_part, v_bounds.lower, v_bounds.upper);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.simulated_entries (
  p_orders  app.simulated_order[],
  p_amounts app.simulated_amount[],
  p_to      timestamp with time zone
)
  RETURNS TABLE (
    side         text,
    uid          bigint,
    order_id     bigint,
    referrer_uid bigint,
    money        numeric,
    points       numeric
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_nestloop TO 'on'
  SET jit TO 'off'
  AS $function$
  select 'simulated', a.uid, a.order_id, o.referrer_uid, coalesce(a.money, 0.00), coalesce(a.points, 0)
  from unnest(p_amounts) as a join unnest(p_orders) as o on o.order_id = a.order_id
  union all
  select 'paid', l.uid, l.order_id, o.referrer_uid, l.brokerage_delta, l.frozen_delta + l.available_delta
  from unnest(p_orders) as o join app.user_bill as l on l.order_id = o.order_id and l.add_time < p_to
  where app.is_earned(l.type)
$function$;

CREATE OR REPLACE FUNCTION app.sorted_words()
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select string_agg(w, ' ' order by w) from unnest('{ab, a_b, a-b, aB, B, b, z, 10, 9, _}'::text[]) as w
$function$;

CREATE OR REPLACE FUNCTION app.statement_json (
  p_uid   bigint,
  p_month text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_month text := coalesce(p_month, to_char(app.month_of(now()), 'YYYY-MM'));
  v_from timestamptz;
  v_to timestamptz;
begin
  select m.begins_at, m.ends_at into v_from, v_to from app.month_bounds(app.month_start(v_month)) as m;
  perform app.reach_months('user_bill', v_from, v_to);
  return jsonb_build_object(
    'month', v_month, 'from', app.utc(v_from), 'to', app.utc(v_to),
    'opening', app.balances_until(p_uid, v_from), 'closing', app.balances_until(p_uid, v_to),
    'sums', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'type', s.type, 'source', s.source, 'rows', s.rows, 'brokerage', s.brokerage::text,
        'frozen_points', trim_scale(s.frozen), 'available_points', trim_scale(s.available)
      ) order by s.type, s.source), '[]')
      from (
        select
          b.type, b.source, count(*) as rows, sum(b.brokerage_delta) as brokerage, sum(b.frozen_delta) as frozen, sum(b.available_delta) as available
        from app.bill(v_from, v_to) as b
        where b.uid = p_uid
        group by b.type, b.source
      ) as s
    ),
    'months', (select coalesce(jsonb_agg(m.month order by m.month desc), '[]') from app.months_with_rows(p_uid) as m (month)),
    'archived_until', app.utc(nullif(app.archived_until('user_bill'), '-infinity')),
    'seal', app.seal_json(app.month_start(v_month))
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.steps_back (
  p_from  timestamp with time zone,
  p_until timestamp with time zone
)
  RETURNS SETOF timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select s.at
  from (select (c.month + interval '1 month') at time zone 'UTC' as at from app.compacted_months as c union select p_from) as s
  where s.at = p_from or (s.at > p_from and s.at < p_until)
  order by s.at desc
$function$;

CREATE OR REPLACE FUNCTION app.sum_between (
  p_bounds timestamp with time zone[]
)
  RETURNS TABLE (
    number        integer,
    orders        bigint,
    queue_orders  bigint,
    paid          numeric,
    refunded      numeric,
    queue_revenue numeric,
    commission    numeric,
    points_frozen numeric,
    members       bigint
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_from timestamptz := p_bounds[1];
  v_to timestamptz := p_bounds[cardinality(p_bounds)];
  v_archived timestamptz := app.archived_until('user_bill');
  -- The bill has nothing before its oldest month.
  v_first timestamptz := (select min(a.month)::timestamp at time zone 'UTC' from app.archived_months as a where a.table_name = 'user_bill');
begin
  perform app.hold_months('user_bill', v_archived);
  return query
    with sold as (
      select width_bucket(o.paid_at, p_bounds) as number, count(*) as orders, count(*) filter (where o.has_queue_goods) as queue_orders,
        sum(o.pay_price) as paid, sum(q.paid) as queue_paid
      from app.orders as o
      left join lateral (select sum(l.paid) as paid from app.order_lines as l where l.order_id = o.id and l.is_queue_goods) as q on o.has_queue_goods
      where o.paid_at >= v_from and o.paid_at < v_to group by 1
    ), returned as (
      select width_bucket(f.decided_at, p_bounds) as number, sum(f.amount) as amount, sum(f.amount) filter (where f.is_queue_goods) as queue_amount
      from app.refunded_lines(v_from, v_to) as f group by 1
    ), booked as (
      select width_bucket(b.add_time, p_bounds) as number, sum(b.brokerage_delta) as commission, sum(b.frozen_delta + b.available_delta) as points
      from app.bill(greatest(v_from, v_archived), v_to) as b
      where b.source <> 'release' and b.order_id is not null and app.is_earned(b.type) group by 1
    ), joined as (
      select width_bucket(u.add_time, p_bounds) as number, count(*) as members from app.users as u where u.add_time >= v_from and u.add_time < v_to group by 1
    )
    select n.number, coalesce(s.orders, 0), coalesce(s.queue_orders, 0), coalesce(s.paid, 0.00), coalesce(r.amount, 0.00),
      coalesce(s.queue_paid, 0.00) - coalesce(r.queue_amount, 0.00),
      case when w.is_whole then coalesce(b.commission, 0.00) end, case when w.is_whole then coalesce(b.points, 0) end, coalesce(j.members, 0)
    from generate_series(1, cardinality(p_bounds) - 1) as n (number)
    cross join lateral (select p_bounds[n.number] >= v_archived or p_bounds[n.number + 1] <= v_first as is_whole) as w
    left join sold as s on s.number = n.number
    left join returned as r on r.number = n.number
    left join booked as b on b.number = n.number
    left join joined as j on j.number = n.number;
end
$function$;

CREATE OR REPLACE FUNCTION app.swap_part (
  p_table text,
  p_month date,
  p_new   text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_read regclass := app.archive_part(p_table, p_month);
  v_old regclass := coalesce(v_read, app.month_part(p_table, p_month, 'archive'));
  v_bounds record := app.part_bounds(p_table, p_month);
begin
  for v_try in 1..40 loop
    begin
      if app.has_long_reader(v_old) then
        raise lock_not_available using message = format('another transaction is reading the month %s of archive.%I', to_char(p_month, 'YYYY-MM'), p_table);
      end if;
      if v_read is not null then
        execute format('alter table archive.%I detach partition %s', p_table, v_read);
      end if;
      execute format('alter table archive.%I attach partition archive.%I for values from (%L) to (%L)', p_table, p_new, v_bounds.lower, v_bounds.upper);
      execute format('drop %s %s', case when exists (select from pg_foreign_table as f where f.ftrelid = v_old) then 'foreign table' else 'table' end, v_old);
      return;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.team_order_json (
  p_uid      bigint,
  p_can_rise boolean,
  p_order    app.orders
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_settled_at timestamptz := (select s.settled_at from app.settlements as s where s.order_id = p_order.id);
  v_from timestamptz := greatest(v_settled_at, app.archived_until('user_bill'));
begin
  return (
    select jsonb_build_object(
      'order_id', p_order.id, 'uid', u.uid, 'nickname', u.nickname, 'avatar', app.shown_avatar(u.avatar), 'is_direct', u.spread_uid = p_uid,
      'paid_at', app.utc(p_order.paid_at), 'settled_at', app.utc(v_settled_at), 'base', p_order.queue_base::text,
      'units', p_order.queue_units, 'refund_status', p_order.refund_status, 'counts', c.counts,
      'commission', case when not c.is_archived then e.commission::text end, 'points', case when not c.is_archived then trim_scale(e.points) end
    )
    from app.users as u
    cross join lateral (
      select p_can_rise and not u.no_assess and app.is_counted(p_order.queue_units, p_order.refund_status, p_order.below_minimum) as counts,
        app.is_order_archived(p_order.id) as is_archived
    ) as c
    cross join lateral (
      select
        coalesce(sum(l.brokerage_delta), 0.00) as commission, coalesce(sum(l.frozen_delta + l.available_delta), 0) as points,
        count(*) as rows
      from app.bill(v_from, 'infinity') as l
      where l.order_id = p_order.id and l.uid = p_uid
    ) as e
    where u.uid = p_order.uid and v_settled_at is not null and (c.counts or e.rows > 0 or c.is_archived)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.tree_of_month (
  p_month  date,
  p_secret bytea,
  p_uid    bigint,
  OUT      row_count bigint,
  OUT      root bytea,
  OUT      proofs jsonb
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_bounds record := app.month_bounds(p_month);
  v_inner bytea := app.hmac_pad(p_secret, 54);
  v_outer bytea := app.hmac_pad(p_secret, 92);
  v_halves bytea[] := array[]::bytea[];
  v_places bigint[] := array[]::bigint[];
  v_paths text[] := array[]::text[];
  v_rows jsonb[] := array[]::jsonb[];
  v_last bigint;
  v_level integer;
  v_size bigint;
  v_start bigint;
  v_node bytea;
  v_uid bigint;
  v_text text;
  v_salt bytea;
begin
  perform app.reach_months('user_bill', v_bounds.begins_at, v_bounds.ends_at);
  row_count := 0;
  for v_uid, v_text, v_salt, v_node in execute $sql$
    select s.uid, s.text, s.salt, sha256('\x00' || s.salt || convert_to(s.text, 'UTF8')) as hash
    from (select l.*, sha256($2 || sha256($1 || convert_to(l.id::text, 'UTF8'))) as salt from app.leaves($3, $4) as l order by l.add_time, l.id offset 0) as s
  $sql$ using v_inner, v_outer, v_bounds.begins_at, v_bounds.ends_at loop
    row_count := row_count + 1;
    if v_uid = p_uid then
      v_last := row_count;
      v_places := v_places || row_count;
      v_paths := v_paths || ''::text;
      v_rows := v_rows || jsonb_build_object('place', row_count - 1, 'salt', encode(v_salt, 'hex'), 'text', v_text);
    end if;
    v_level := 1;
    v_size := 1;
    while row_count & v_size = 0 loop
      if v_last > row_count - 2 * v_size then
        v_paths := app.extend_paths(v_paths, v_places, row_count - 2 * v_size, row_count - v_size, v_halves[v_level], v_node);
      end if;
      v_node := sha256('\x01' || v_halves[v_level] || v_node);
      v_level := v_level + 1;
      v_size := 2 * v_size;
    end loop;
    v_halves[v_level] := v_node;
  end loop;
  for v_level in 1..cardinality(v_halves) loop
    v_size := 1::bigint << (v_level - 1);
    continue when row_count & v_size = 0;
    v_start := row_count / (2 * v_size) * 2 * v_size;
    if root is null then
      root := v_halves[v_level];
    else
      v_paths := app.extend_paths(v_paths, v_places, v_start, v_start + v_size, v_halves[v_level], root);
      root := sha256('\x01' || v_halves[v_level] || root);
    end if;
  end loop;
  root := coalesce(root, sha256(''));
  proofs := (
    select coalesce(jsonb_agg(r.of_row || jsonb_build_object('path', to_jsonb(string_to_array(ltrim(r.path), ' '))) order by r.ordinality), '[]')
    from unnest(v_rows, v_paths) with ordinality as r (of_row, path, ordinality)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.unreachable_until (
  p_table text,
  p_from  timestamp with time zone,
  p_to    timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_until timestamptz := app.archived_until(p_table);
begin
  perform app.hold_months(p_table, v_until, case when p_from < v_until and p_table <> 'admin_actions' then app.moved_months(p_table) end);
  return (
    select max((a.month + interval '1 month') at time zone 'UTC')
    from app.archived_months as a
    where a.table_name = p_table and (a.month + interval '1 month') at time zone 'UTC' > p_from
      and a.month::timestamp at time zone 'UTC' < coalesce(p_to, 'infinity') and app.archive_part(p_table, a.month) is null
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.use_copy (
  p_table text,
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
  v_digest record;
begin
  if v_archived.moved_at is not null then
    return;
  end if;
  v_digest := app.other_digest(v_archived);
  perform app.require_archived_rows(v_archived, v_digest.row_count, v_digest.digest);
  update app.archived_months as a set moved_at = clock_timestamp() where a.table_name = p_table and a.month = p_month;
  perform app.record_action('move_month', 'month', to_char(p_month, 'YYYY-MM'), null, jsonb_build_object('table', p_table, 'rows', v_digest.row_count));
  perform app.swap_part(p_table, p_month, app.name_of_part(p_table, p_month, 'moved'));
end
$function$;

CREATE OR REPLACE FUNCTION app.use_copy_here (
  p_table text,
  p_month date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_archived app.archived_months := app.lock_archived_month(p_table, p_month);
begin
  if v_archived.moved_at is null then
    return;
  end if;
  update app.archived_months as a set moved_at = null where a.table_name = p_table and a.month = p_month;
  perform app.record_action('bring_back_month', 'month', to_char(p_month, 'YYYY-MM'), jsonb_build_object('table', p_table, 'rows', v_archived.row_count), null);
  perform app.swap_part(p_table, p_month, app.name_of_part(p_table, p_month));
end
$function$;

CREATE OR REPLACE FUNCTION report.releases_of_run (
  p_run app.compacted_releases
)
  RETURNS SETOF app.user_bill
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select b.* from app.bill_of_run(p_run) as b
$function$;

CREATE OR REPLACE PROCEDURE app.archive_due_months()
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_run record := app.begin_run('archive_due_months', 1);
  v_table pg_catalog.text;
  v_month pg_catalog.date;
begin
  commit;
  foreach v_table in array app.monthly_tables() loop
    loop
      v_month := app.oldest_part(v_table);
      exit when v_month is null or app.archive_obstacle(v_table, v_month, pg_catalog.clock_timestamp()) is not null;
      perform app.archive_month(v_table, v_month);
      perform app.end_batch(v_run.id);
      commit;
      perform app.show_month(v_table, v_month);
      commit;
      raise notice '% % is archived', v_table, pg_catalog.to_char(v_month, 'YYYY-MM');
    end loop;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.attach_months (
  IN p_table text,
  IN p_from text
)
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_first pg_catalog.date := app.month_start(p_from);
  v_month pg_catalog.date;
begin
  perform app.require_monthly_table(p_table);
  loop
    select pg_catalog.max(a.month) into v_month from app.archived_months as a where a.table_name = p_table and a.month >= v_first;
    exit when v_month is null;
    perform app.attach_month(p_table, v_month);
    commit;
    raise notice '% % is attached', p_table, pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.bring_back_months (
  IN p_table text,
  IN p_from text
)
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_first pg_catalog.date := app.month_start(p_from);
  v_month pg_catalog.date;
begin
  perform app.require_monthly_table(p_table);
  loop
    select pg_catalog.max(a.month) into v_month from app.archived_months as a where a.table_name = p_table and a.month >= v_first and a.moved_at is not null;
    exit when v_month is null;
    perform app.copy_month_back(p_table, v_month);
    commit;
    perform app.use_copy_here(p_table, v_month);
    commit;
    perform app.forget_copy(p_table, v_month);
    commit;
    raise notice '% % is here again', p_table, pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.compact_due_months()
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_run record := app.begin_run('compact_due_months', 1);
  v_month pg_catalog.date;
begin
  commit;
  loop
    v_month := app.next_month_to_compact(pg_catalog.clock_timestamp());
    exit when v_month is null;
    call app.compact_month(v_month);
    perform app.end_batch(v_run.id);
    commit;
    raise notice '% is compacted', pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
  for v_month in
    select c.month from app.compacted_months as c
    where c.state = 'compacted' and c.compacted_at < pg_catalog.clock_timestamp() - app.original_days() * interval '1 day' order by c.month
  loop
    for v_try in 1..40 loop
      begin
        perform app.drop_originals(v_month);
        exit;
      exception when lock_not_available then
        if v_try = 40 then
          raise;
        end if;
        perform pg_catalog.pg_sleep(0.05 + 0.1 * pg_catalog.random());
      end;
    end loop;
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.compact_month (
  IN p_month date
)
  LANGUAGE plpgsql
  AS $procedure$
begin
  perform app.prepare_compaction(p_month);
  commit;
  perform app.build_compaction(p_month);
  commit;
  perform app.check_parts(p_month);
  commit;
  perform app.exchange_compacted(p_month);
  commit;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.continue_unfinished_runs()
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_run record;
begin
  perform app.mark_cut_runs();
  commit;
  for v_run in select u.job, u.from_day, u.to_day from app.unfinished_runs() with ordinality as u order by u.ordinality loop
    case v_run.job
      when 'fsgx_release_frozen_points' then call app.release_frozen_points(v_run.from_day);
      when 'settle_waiting_orders' then call app.drain_settlement_jobs();
      when 'expire_orders' then call app.expire_orders();
      when 'receive_delivered_orders' then call app.receive_delivered_orders();
      when 'sum_team_totals' then call app.sum_team_totals();
      when 'sum_days' then call app.sum_days();
      when 'reconcile_bill' then call app.record_reconcile();
      when 'ensure_month_partitions' then call app.ensure_month_partitions(v_run.from_day, v_run.to_day);
      when 'forget_idempotency_keys' then call app.forget_idempotency_keys();
      when 'archive_due_months' then call app.archive_due_months();
      when 'compact_due_months' then call app.compact_due_months();
      when 'purge_old_records' then call app.purge_old_records();
      when 'purge_cron_history' then call app.purge_cron_history();
      when 'write_due_events' then call app.write_due_events();
      when 'delete_due_accounts' then call app.delete_due_accounts();
      when 'tell_notices' then call app.tell_notices();
      when 'write_deliveries' then call app.write_deliveries();
    end case;
  end loop;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.expand_month (
  IN p_month date
)
  LANGUAGE plpgsql
  AS $procedure$
begin
  perform app.build_expansion(p_month);
  commit;
  perform app.check_parts(p_month);
  commit;
  perform app.exchange_expanded(p_month);
  commit;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.move_months (
  IN p_table text,
  IN p_until text
)
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_last pg_catalog.date := app.month_start(p_until);
  v_month pg_catalog.date;
begin
  perform app.require_monthly_table(p_table);
  loop
    select pg_catalog.min(a.month) into v_month
    from app.archived_months as a
    where a.table_name = p_table and a.month <= v_last and a.moved_at is null and app.month_part(p_table, a.month, 'archive') is not null;
    exit when v_month is null;
    perform app.copy_month(p_table, v_month);
    commit;
    perform app.use_copy(p_table, v_month);
    commit;
    raise notice '% % is on the other server', p_table, pg_catalog.to_char(v_month, 'YYYY-MM');
  end loop;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.visit_members (
  IN    p_release_date date,
  IN    p_range app.release_ranges,
  IN    p_now timestamp with time zone,
  IN    p_run bigint,
  INOUT p_batch integer,
  INOUT p_waits boolean,
  INOUT p_failures integer
)
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_until pg_catalog.timestamptz := app.release_until(p_release_date);
  v_uid bigint;
  v_uids bigint[] := array[coalesce(p_range.after_uid, 0)];
  v_skipped bigint[] := array[]::bigint[];
  v_again bigint[];
  v_done record;
  v_batches integer := 0;
  v_counted integer := 0;
begin
  p_failures := 0;
  loop
    v_uids := app.release_candidates(
      p_release_date, v_uids[pg_catalog.cardinality(v_uids)], p_batch, coalesce(p_range.last_uid, 9223372036854775807)
    );
    exit when pg_catalog.cardinality(v_uids) = 0;
    v_done := app.release_chunk(p_release_date, v_uids, p_now, v_until, p_range.last_uid);
    p_failures := p_failures + v_done.failures;
    v_skipped := v_skipped || v_done.skipped;
    perform app.advance_range(p_release_date, p_range.last_uid, v_uids[pg_catalog.cardinality(v_uids)])
    where p_range.last_uid is not null and p_failures = 0 and pg_catalog.cardinality(v_skipped) = 0;
    v_batches := v_batches + 1;
    if v_counted = 0 or v_batches - v_counted = 100 then
      p_batch := app.end_batch(p_run, v_batches - v_counted);
      v_counted := v_batches;
    end if;
    commit;
  end loop;
  perform app.end_batch(p_run, v_batches - v_counted) where v_batches > v_counted;

  for v_try in 1..20 loop
    exit when pg_catalog.cardinality(v_skipped) = 0;
    perform pg_catalog.pg_sleep(0.02) where v_try > 1;
    v_again := '{}';
    while pg_catalog.cardinality(v_skipped) > 0 loop
      v_done := app.release_chunk(p_release_date, v_skipped[1:p_batch], p_now, v_until, p_range.last_uid);
      p_failures := p_failures + v_done.failures;
      v_again := v_again || v_done.skipped;
      v_skipped := v_skipped[p_batch + 1:];
      p_batch := app.end_batch(p_run);
      commit;
    end loop;
    v_skipped := v_again;
  end loop;

  foreach v_uid in array v_skipped loop
    p_waits := p_waits and app.wait_for_balance(v_uid);
    v_done := app.release_chunk(p_release_date, array[v_uid], p_now, v_until, p_range.last_uid);
    p_failures := p_failures + v_done.failures + pg_catalog.cardinality(v_done.skipped);
    perform app.note_release_failure(p_release_date, v_uid, 'another transaction holds the row') where pg_catalog.cardinality(v_done.skipped) > 0;
    commit;
  end loop;
end
$procedure$;

CREATE VIEW "report"."bill" AS  SELECT b.id AS bill_id,
    b.uid,
    b.type,
    b.source,
    b.order_id,
    b.withdrawal_id,
    b.brokerage_delta AS commission,
    b.frozen_delta AS frozen_points,
    b.available_delta AS available_points,
    b.basis,
    b.rate,
    b.agent_level AS level,
    b.reverses_id AS reverses_bill_id,
    b.add_time AS booked_at,
    ((b.add_time AT TIME ZONE s.time_zone))::date AS booked_day
   FROM (( SELECT l.id,
            l.uid,
            l.type,
            l.source,
            l.order_id,
            l.withdrawal_id,
            l.brokerage_delta,
            l.frozen_delta,
            l.available_delta,
            l.basis,
            l.rate,
            l.agent_level,
            l.reverses_id,
            l.add_time
           FROM app.user_bill l
        UNION ALL
         SELECT r.id,
            c.uid,
            r.type,
            r.source,
            r.order_id,
            r.withdrawal_id,
            r.brokerage_delta,
            r.frozen_delta,
            r.available_delta,
            r.basis,
            r.rate,
            r.agent_level,
            r.reverses_id,
            r.add_time
           FROM (app.compacted_releases c
             CROSS JOIN LATERAL report.releases_of_run(c.*) r(id, uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, order_id, basis, rate, agent_level, passed_on, reverses_id, withdrawal_id, adjustment_id, add_time))) b
     CROSS JOIN app.settings s);

CREATE VIEW "report"."commissions" AS  SELECT b.bill_id,
    b.uid,
    b.order_id,
    b.type,
    b.commission,
    b.basis,
    b.rate,
    b.reverses_bill_id,
    b.booked_at,
    b.booked_day
   FROM report.bill b
  WHERE (b.type = ANY (ARRAY['brokerage'::text, 'brokerage_reversal'::text]));

CREATE VIEW "report"."points_by_day" AS  SELECT b.booked_day AS day,
    b.type,
    b.source,
    count(*) AS bill_rows,
    sum(b.frozen_points) AS frozen_points,
    sum(b.available_points) AS available_points
   FROM report.bill b
  WHERE ((b.frozen_points <> (0)::numeric) OR (b.available_points <> (0)::numeric))
  GROUP BY b.booked_day, b.type, b.source;

CREATE INDEX changed_orders_earner_uid_idx ON app.changed_orders USING btree (earner_uid)
  WHERE (earner_uid IS NOT NULL);

CREATE INDEX changed_orders_uid_idx ON app.changed_orders USING btree (uid);

CREATE INDEX compacted_releases_uid_idx ON app.compacted_releases USING btree (uid, first_time)
  WITH (fillfactor='100');

CREATE TRIGGER compacted_releases_are_never_changed
  BEFORE DELETE OR UPDATE ON app.compacted_releases
  FOR EACH ROW
  EXECUTE FUNCTION app.reject_change();

CREATE TRIGGER compacted_releases_are_never_emptied
  BEFORE TRUNCATE ON app.compacted_releases
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.reject_change();

CREATE POLICY "admins_read_changed_orders" ON "app"."changed_orders"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

CREATE POLICY "admins_read_compacted_months" ON "app"."compacted_months"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

CREATE POLICY "admins_read_all_compacted_releases" ON "app"."compacted_releases"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

CREATE POLICY "members_read_their_compacted_releases" ON "app"."compacted_releases"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

CREATE POLICY "admins_read_schema_versions" ON "app"."schema_versions"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

CREATE POLICY "admins_read_all_archived_releases" ON "archive"."points_release_log"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

CREATE POLICY "members_read_their_archived_releases" ON "archive"."points_release_log"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

CREATE POLICY "admins_read_all_archived_bills" ON "archive"."user_bill"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

CREATE POLICY "members_read_their_archived_bill" ON "archive"."user_bill"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

COMMENT ON COLUMN "app"."archived_months"."digest" IS 'What app.digest_of_rows returned: the month is attached only if it still does.';

COMMENT ON COLUMN "app"."archived_months"."moved_at" IS 'When its rows were moved to the other server (app.move_months); null: they are not there.';

COMMENT ON COLUMN "app"."changed_orders"."earner_uid" IS 'Whose place the order took.';

COMMENT ON COLUMN "app"."changed_orders"."uid" IS 'The buyer.';

COMMENT ON COLUMN "app"."compacted_months"."bill_rows" IS 'What the month of the bill had before; log_rows, that of the release log. The digests are those of app.digest_of_rows.';

COMMENT ON COLUMN "app"."compacted_months"."checked_at" IS 'When what was built for the state had been committed and checked (app.check_parts).';

COMMENT ON COLUMN "app"."compacted_months"."first_bill_id" IS 'The lowest id of a bill row that stands in a run; last_bill_id, the highest.';

COMMENT ON COLUMN "app"."compacted_months"."kept" IS 'How many releases of the bill stay as they are, because they do not follow; first_kept is the bill row of one of them.';

COMMENT ON COLUMN "app"."compacted_months"."releases" IS 'How many releases stand in runs, and runs, in how many.';

COMMENT ON COLUMN "app"."compacted_releases"."bill_id" IS 'The id of the bill row of the first release; log_id, of its row in the release log.';

COMMENT ON COLUMN "app"."compacted_releases"."brokerage" IS 'The commission of the member, which a release does not change.';

COMMENT ON COLUMN "app"."compacted_releases"."frozen_after" IS 'The frozen points after the last release, by which a run is checked whenever it is read.';

COMMENT ON COLUMN "app"."compacted_releases"."frozen_before" IS 'The frozen points before the first release; available_before, the available ones.';

COMMENT ON COLUMN "app"."compacted_releases"."steps" IS 'From each release to the next one: how much higher the id of its bill row is, how much higher that of its row in the release log, and by how many microseconds more than 24 hours it is later.';

COMMENT ON COLUMN "app"."job_runs"."batches" IS 'Batches that the run has committed. A release that is running has counted them up to the last hundred.';

COMMENT ON COLUMN "app"."schema_versions"."applied_at" IS 'When this store got the version.';

COMMENT ON COLUMN "app"."webhooks"."since" IS 'The transactions that had ended when it was made, of since_era: it gets the events of all others. Null: it was made before this was stored, and gets all.';

COMMENT ON FUNCTION "api"."admin_get_system_metadata"(text, text, text) IS 'Returns the public metadata and health with the versions of runtime, database and schema, and the state of the server of archived months (app.other_server_state). Serves GET /adminapi/system/metadata.';

COMMENT ON FUNCTION "api"."create_webhook"(text, text, jsonb, text) IS 'Makes a webhook that gets the events of p_types that are committed after it, with a salt from which the edge functions make its secret, and returns it (app.webhook_json). Needs a second factor. Serves POST /adminapi/webhook.';

COMMENT ON FUNCTION "api"."get_bill_rows"(bigint, text, text, text, numeric, numeric, timestamp with time zone, timestamp with time zone, integer, integer, text, timestamp
  with time zone, timestamp with time zone, smallint) IS 'Returns one page of the bill of all members, newest first and without archived rows unless a time before them is given, filtered by member, the level that members have now, type, source, time, the size of the change of a balance (app.bill_window limits the time), and whether it is what orders earned, less reversals, in a period, as in app.sum_between. A row that does not change the balance has no such size. Rows are counted up to 100,001. Pages are numbered or follow a cursor. Serves GET /adminapi/bill.';

COMMENT ON FUNCTION "app"."add_deliveries"(app.events[], bigint[], boolean, timestamp with time zone) IS 'Writes the deliveries of events at the webhooks that have chosen their types: of those that were committed after the webhook was made, or with p_earlier of all.';

COMMENT ON FUNCTION "app"."archive_part"(text, date) IS 'Returns the table of an archived month from which its rows are read: a table of this database, or a foreign one. Null if the month cannot be read, because its table was dropped or is not shown (app.show_month), or is of the action log.';

COMMENT ON FUNCTION "app"."balances_query"(timestamp with time zone) IS 'Returns the text of a query for the balances of all members at an instant, or, with p_at null, for those of now. Its parameters are p_at and a time 31 days later.';

COMMENT ON FUNCTION "app"."balances_until"(bigint, timestamp with time zone) IS 'Returns the three balances of a member at p_until: those of their last bill row before it, else what archived rows add up to, else zero. At a time whose rows are archived, those before the first row since. Raises month_archived if such a month cannot be read.';

COMMENT ON FUNCTION "app"."begin_release"(date, boolean, timestamp with time zone) IS 'Records that the release of a business day has started, in ranges if it is divided (app.divide_release), and how many earlier runs were cut. A run for an explicit day (p_is_named) does not make the days after it count as missed, not even if a later run completes it.';

COMMENT ON FUNCTION "app"."bill"(timestamp with time zone, timestamp with time zone) IS 'Returns the rows of the bill from p_from until before p_to, wherever they stand. Statements that by their nature read only rows of the table name it, with the reason.';

COMMENT ON FUNCTION "app"."bill_of_run"(app.compacted_releases) IS 'Returns the bill rows of a run of releases.';

COMMENT ON FUNCTION "app"."bill_page"(bigint, text, timestamp with time zone, timestamp with time zone, integer, integer, text) IS 'Returns one page of a member''s bill as {list, count, next_cursor, archived_until}, newest first, without archived rows unless p_from is before them. The rows can be limited by type and time and paged by number or cursor.';

COMMENT ON FUNCTION "app"."bound_month"(regclass, text, date) IS 'Adds to the table of a month the check constraint that its rows are in it.';

COMMENT ON FUNCTION "app"."build_compaction"(date) IS 'The second step: builds the runs of a month, and what is left of its bill and its release log, beside it, and compares all rows of both with the originals. Raises data_corrupted if one differs. Returns false if the month is not prepared, or built before.';

COMMENT ON FUNCTION "app"."build_expansion"(date) IS 'The first step of expanding a month: builds its bill and its release log with all their rows beside it, and compares them with what was compacted. Raises invalid_argument if it is not compacted, and data_corrupted if its rows differ. Returns false if it was built before, or if its compaction was begun and not finished, which is given up.';

COMMENT ON FUNCTION "app"."build_runs"(date) IS 'Fills the runs of a month from its release rows of bill and log that are dated in the sealed month and have the amount of the rule.';

COMMENT ON FUNCTION "app"."check_archived_months"() IS 'Returns a finding for each archived month whose rows, here or on the other server, are not what was archived, or that the other server does not answer for. Months whose table was dropped are left out.';

COMMENT ON FUNCTION "app"."check_parts"(date) IS 'Validates the foreign keys of what was built, and records when it had been committed: a step of compacting a month and of expanding it.';

COMMENT ON FUNCTION "app"."check_sources"(timestamp with time zone, timestamp with time zone) IS 'Checks the period of a report of products, levels or members, and returns whether the whole bill of it can be read. The hour is for a period in which clocks are put back.';

COMMENT ON FUNCTION "app"."compaction_obstacle"(date, timestamp with time zone) IS 'Returns why the releases of a month cannot be compacted, or null if they can.';

COMMENT ON FUNCTION "app"."constrain_part"(text, date, text) IS 'Gives a table that is to become the partition of a month the constraints of the present one; its foreign keys are not validated.';

COMMENT ON FUNCTION "app"."copy_month"(text, date) IS 'Copies an archived month of the bill or the release log to the other server, with its indexes. Returns false if it was moved before. Its rows are still read here. Raises invalid_argument if that server has other rows by the same name.';

COMMENT ON FUNCTION "app"."copy_month_back"(text, date) IS 'Copies a month from the other server, if it has no table here, and verifies it. Its rows are still read there.';

COMMENT ON FUNCTION "app"."copy_rows"(regclass, regclass, text, date) IS 'Copies the rows of a month from one table to another, with a notice after each day.';

COMMENT ON FUNCTION "app"."create_month_table"(text, date, text, text) IS 'Creates an empty table for a month, with its own row-level security, that can be attached.';

COMMENT ON FUNCTION "app"."create_part"(text, date, text) IS 'Creates an empty table in schema archive that can become the partition of a month, and returns its name.';

COMMENT ON FUNCTION "app"."decide_real_name"(app.real_names, text, text, uuid, timestamp with time zone) IS 'Records that a real name was checked or refused, which the member is told, p_by an administrator or (null) the provider. Whoever decides last is right.';

COMMENT ON FUNCTION "app"."digest_of_rows"(text) IS 'Returns the number of rows of a query that reads a month, a digest that changes with every value of them, and the time of the last one. The digests of two parts add up.';

COMMENT ON FUNCTION "app"."divide_release"(date, integer, integer) IS 'Divides the release of a business day into ranges of uid with about the same number of members who have something to release: one for each session, and more if a range would have more than about p_most. The last one has no end, so that it includes new members. A single range is not recorded.';

COMMENT ON FUNCTION "app"."drop_originals"(date) IS 'Drops the partitions whose place the runs of a compacted month have taken, and returns whether there were any.';

COMMENT ON FUNCTION "app"."end_batch"(bigint, integer) IS 'Counts a batch of a run, or p_batches since the last call, and returns the size of the next one: twice the size, up to the usual one, if the batch took less than a quarter of the statement timeout.';

COMMENT ON FUNCTION "app"."exchange_compacted"(date, timestamp with time zone) IS 'The last step: lets the runs take the place of the releases. The former partitions stay in schema archive for app.original_days. Returns false if the month is not built, or compacted before.';

COMMENT ON FUNCTION "app"."exchange_expanded"(date) IS 'The last step: lets the rows take the place of the runs, which are dropped. Returns false if the month is not built.';

COMMENT ON FUNCTION "app"."exchange_parts"(date, text, text, boolean) IS 'Exchanges the partitions of a month of the bill and of the release log for those that were built, and attaches its runs, or drops them. The former partitions go to schema archive. Waits for transactions that began before the new ones were committed.';

COMMENT ON FUNCTION "app"."expanded_query"(text, date) IS 'Returns the query for the rows of the bill or of the release log that stand in the runs of a month.';

COMMENT ON FUNCTION "app"."follow_events"(timestamp with time zone, integer) IS 'Writes the deliveries of up to p_limit events that have none yet (app.add_deliveries), and returns how many events it has read; fewer than p_limit: all. Events from before a webhook have none at it.';

COMMENT ON FUNCTION "app"."forbid_late_rows_of"(regclass, date) IS 'Adds to the table of a month of the bill, in UTC, the constraints of all closed months that have days in it.';

COMMENT ON FUNCTION "app"."forget_copy"(text, date) IS 'Drops the copy of a month on the other server.';

COMMENT ON FUNCTION "app"."give_up_compaction"(date) IS 'Drops what was built to compact a month that is not compacted yet, and lets it take rows again as a closed month does.';

COMMENT ON FUNCTION "app"."has_older_transaction"(timestamp with time zone) IS 'Returns whether another transaction began at p_at or before.';

COMMENT ON FUNCTION "app"."health_json"(timestamp with time zone) IS 'Returns the health of the background work at p_now: settlement jobs, the scheduler, the clock, whether the database is as installed, how webhooks are reached, the version of the schema, and the last finished release. The status is ok or degraded.';

COMMENT ON FUNCTION "app"."hold_months"(text, timestamp with time zone, date[]) IS 'Makes sure that the caller, a function that is stable, sees each month of a table either attached or archived, and with p_moved, each archived month either here or on the other server. p_until is app.archived_until as the caller sees it, and p_moved, app.moved_months.';

COMMENT ON FUNCTION "app"."is_in_run"(app.compacted_releases, bigint) IS 'Returns whether a run has the bill row with this id.';

COMMENT ON FUNCTION "app"."journal_members"(timestamp with time zone, boolean, bigint, integer) IS 'Returns the balances of the next p_limit members after p_after: at the beginning of a month that is not archived by their last row before it, else by their first row after it, else by what they have now.';

COMMENT ON FUNCTION "app"."leaves"(timestamp with time zone, timestamp with time zone) IS 'Returns the texts of all bill rows from p_from until before p_to in a seal, attached or archived.';

COMMENT ON FUNCTION "app"."lift_other_limit"() IS 'Lets the statements on the other server take as long as they need, until the end of the transaction.';

COMMENT ON FUNCTION "app"."lock_archived_month"(text, date) IS 'Locks the archived months and returns one of them. Raises invalid_argument if it is not archived.';

COMMENT ON FUNCTION "app"."lock_compaction"() IS 'Lets one session at a time archive, compact or expand months.';

COMMENT ON FUNCTION "app"."lock_webhook_position"() IS 'Locks the position up to which deliveries are written, and returns it. The first position is before all transactions that are open.';

COMMENT ON FUNCTION "app"."log_of_run"(app.compacted_releases) IS 'Returns the rows of the release log of a run of releases.';

COMMENT ON FUNCTION "app"."moved_months"(text) IS 'Returns the months of the bill or the release log that are on the other server (app.move_months).';

COMMENT ON FUNCTION "app"."name_of_part"(text, date, text) IS 'Returns the name of the table with a month: without p_what, of the partition; with it, of what stands in schema archive: moved (the foreign table of a month on the other server), and while a month is compacted or expanded original, rest (without the releases that are compacted), runs, whole.';

COMMENT ON FUNCTION "app"."next_month_to_compact"(timestamp with time zone) IS 'Returns the oldest sealed month whose releases can be compacted and are not; null if there is none.';

COMMENT ON FUNCTION "app"."original_days"() IS 'Returns for how many days the rows of a compacted month stay in schema archive as they were, too.';

COMMENT ON FUNCTION "app"."other_digest"(app.archived_months) IS 'Returns the number of rows and the digest of a month that the other server has, as it computes them; null if it has none.';

COMMENT ON FUNCTION "app"."other_server_script"() IS 'Returns the statements that prepare a database of another server for archived months: a table that creates and drops their tables, views of their digests and of what must be alike, and one that lifts the time limit of a transaction. They can be repeated.';

COMMENT ON FUNCTION "app"."other_server_state"() IS 'Asks the other server and returns its state: off (none is named), ok, or unreachable: it does not answer, or not as app.require_other_server needs it. It says nothing about where that server is.';

COMMENT ON FUNCTION "app"."other_table"(text) IS 'Returns a foreign table of the other server by its name. Raises invalid_argument if no server is named.';

COMMENT ON FUNCTION "app"."owed_totals"(timestamp with time zone, timestamp with time zone) IS 'Returns what the store owed all members at p_at, and its parts; with p_at null, what it owes now. Also what members owe: debts are the negative parts of what can be withdrawn, covered as far as they mature; points below zero stand beside the others. releasing: the frozen points of members who have something to release.';

COMMENT ON FUNCTION "app"."personal_fields"(text) IS 'Returns the names of the fields in which what a function of schema api returns holds what people have entered about themselves, or may quote it, as the answers of providers in last_problem do. The reason of a settlement is a word of the store, every other one is a text. name and number of a signal are the ends of those in a document.';

COMMENT ON FUNCTION "app"."prepare_compaction"(date, timestamp with time zone) IS 'The first step of compacting a month: lets it take no more rows. Raises invalid_argument if something prevents it (app.compaction_obstacle). Returns false if it was prepared before.';

COMMENT ON FUNCTION "app"."reach_months"(text, timestamp with time zone, timestamp with time zone) IS 'Raises month_archived if rows of a period are archived and cannot be read (app.unreachable_until), so that nobody mistakes a part for the whole.';

COMMENT ON FUNCTION "app"."reject_archived_release"(date) IS 'Raises month_archived if a business day cannot be released any more, because its month of the bill or of the release log is archived, or its releases are compacted. Null, a run that names no day, is never rejected.';

COMMENT ON FUNCTION "app"."release_of"(bigint, app.events) IS 'Returns what the release of an event gave a member; null if nothing, if the event is no release, or if it is archived.';

COMMENT ON FUNCTION "app"."releases"(date, date, timestamp with time zone) IS 'Returns the rows of the release log of the business days from p_from to p_to, wherever they stand; with p_since, those that were written since then. Statements that by their nature read only rows of the table name it, with the reason.';

COMMENT ON FUNCTION "app"."releases_of_run"(app.compacted_releases) IS 'Returns the releases of a run. Raises data_corrupted if they do not end with the balance and the time with which they ended.';

COMMENT ON FUNCTION "app"."require_archived_rows"(app.archived_months, bigint, numeric) IS 'Raises data_corrupted if the number of rows and the digest of a month are not those that were archived.';

COMMENT ON FUNCTION "app"."require_monthly_table"(text) IS 'Raises invalid_argument unless this is a table of app.monthly_tables().';

COMMENT ON FUNCTION "app"."require_other_server"() IS 'Raises invalid_argument if no other server is named, or if it sorts text or computes digests in another way than this one, as another version may.';

COMMENT ON FUNCTION "app"."schema_version"() IS 'Returns the version of the schema: the last one that changed it. A store of 0.9.0 does not have this function.';

COMMENT ON FUNCTION "app"."set_other_server"(jsonb, text, text) IS 'Names the server for archived months: p_server has options of libpq, at least host, port and dbname, and may change those that limit how long a read waits; p_user owns schema archive there. Raises invalid_argument if that server sorts text or computes digests in another way, or does not have a month that was moved.';

COMMENT ON FUNCTION "app"."show_month"(text, date) IS 'Makes an archived month of the bill or the release log readable whose table is in schema archive, such as one that was restored, if its rows are those that were archived. Returns whether it was not readable before.';

COMMENT ON FUNCTION "app"."sorted_words"() IS 'Returns words as this database sorts them. The other server must sort them alike, because it sorts rows for this one.';

COMMENT ON FUNCTION "app"."steps_back"(timestamp with time zone, timestamp with time zone) IS 'Returns from when on to read rows from p_from until p_until that are listed from their end: the end of each compacted month, the last one first, then p_from. Whoever has enough rows reads no earlier month.';

COMMENT ON FUNCTION "app"."swap_part"(text, date, text) IS 'Reads a month of the archive from another table from now on, which has its rows, and drops the former one.';

COMMENT ON FUNCTION "app"."unreachable_until"(text, timestamp with time zone, timestamp with time zone) IS 'Returns until when rows of the bill, the release log or the action log from p_from until before p_to are archived and cannot be read; null if all can be. With p_from null, nothing that is archived is asked for. A business day of the release log is given as that day in UTC.';

COMMENT ON FUNCTION "app"."use_copy"(text, date) IS 'Verifies the copy of a month on the other server, reads the month from there from now on, and drops its table here.';

COMMENT ON FUNCTION "app"."use_copy_here"(text, date) IS 'Reads a month from its table here from now on, and no longer from the other server.';

COMMENT ON FUNCTION "report"."releases_of_run"(app.compacted_releases) IS 'Returns the bill rows of a run of releases, for report.bill.';

COMMENT ON PROCEDURE "app"."bring_back_months"(text, text) IS 'Brings the months of the bill or the release log from a month (YYYY-MM) on back from the other server, the last one first. Each is copied, verified here, read here, and then dropped there.';

COMMENT ON PROCEDURE "app"."compact_due_months"() IS 'Compacts the releases of sealed months, the oldest first, and drops the originals of those that were compacted app.original_days ago.';

COMMENT ON PROCEDURE "app"."compact_month"(date) IS 'Compacts the releases of a sealed month, in steps with a commit each. p_month is its first day. Raises invalid_argument if something prevents it (app.compaction_obstacle).';

COMMENT ON PROCEDURE "app"."expand_month"(date) IS 'Restores the releases of a compacted month from its runs, in steps with a commit each. p_month is its first day. Raises invalid_argument if it is not compacted.';

COMMENT ON PROCEDURE "app"."move_months"(text, text) IS 'Moves the archived months of the bill or the release log up to a month (YYYY-MM) to the other server, the oldest first. Each is copied, verified there by its digest, read from there, and then dropped here.';

COMMENT ON SCHEMA "archive" IS 'Archived months of the bill, the release log and the action log (app.archive_month).';

COMMENT ON TABLE "app"."changed_orders" IS 'The orders that the last reconciliation looks at, if sums of closed months are carried: those to which anything had happened since then when it began. Every slice looks up its own ones here.';

COMMENT ON TABLE "app"."compacted_months" IS 'Months of the bill and of the release log of which app.compacted_releases has the releases (state compacted), or is about to have them, or to have them no longer (app.compact_months, app.expand_month). A month that is neither has no row.';

COMMENT ON TABLE "app"."compacted_releases" IS 'Runs of releases: what the release log and the bill say about a member on consecutive business days, each following from the one before by app.release_amount. A partition for each compacted month (app.compacted_months), none without. app.bill and app.releases read the rows of a run.';

COMMENT ON TABLE "app"."release_ranges" IS 'The ranges of uid into which the release of a business day was divided when it began (app.divide_release). A day of one session and of at most about 250,000 members has none.';

COMMENT ON TABLE "app"."schema_versions" IS 'The versions that changed the schema, from 1.0.0 on. The migrations of a version add its row; a new store gets all of them at once.';

COMMENT ON TABLE "app"."webhook_position" IS 'The last event whose deliveries are written. At most one row: none before the job runs first or a webhook is made.';

COMMENT ON TABLE "archive"."points_release_log" IS 'The archived months of the release log that can be read, as archive.user_bill those of the bill.';

COMMENT ON TABLE "archive"."user_bill" IS 'The archived months of the bill that can be read: tables that were detached from app.user_bill, or foreign tables for months on the other server.';

COMMENT ON VIEW "report"."bill" IS 'Rows of the bill, by which every balance changed. Months that were archived are not here.';

COMMENT ON VIEW "report"."commissions" IS 'Commission of orders and its reversals: the rows of report.bill of these two types. Their sum by day is that of the overview.';

COMMENT ON VIEW "report"."points_by_day" IS 'Points that were granted, reversed, released, spent and adjusted, by business day.';

REVOKE ALL ON FUNCTION "app"."add_deliveries"(app.events[], bigint[], boolean, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."add_deliveries"(app.events[], bigint[], boolean, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."add_deliveries"(app.events[], bigint[], boolean, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."archive_part"(text, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."archive_part"(text, date) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."archive_part"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."archive_part"(text, date) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."archive_part"(text, date) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."balances_query"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."balances_query"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."balances_query"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."bill"(timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."bill"(timestamp WITH time zone, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."bill"(timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."bill"(timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."bill"(timestamp WITH time zone, timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."bill_of_run"(app.compacted_releases) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."bill_of_run"(app.compacted_releases) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."bill_of_run"(app.compacted_releases) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."bill_of_run"(app.compacted_releases) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."bill_of_run"(app.compacted_releases) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."bound_month"(regclass, text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."bound_month"(regclass, text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."bound_month"(regclass, text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."build_compaction"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."build_compaction"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."build_compaction"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."build_expansion"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."build_expansion"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."build_expansion"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."build_runs"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."build_runs"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."build_runs"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_archived_months"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_archived_months"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_archived_months"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_parts"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_parts"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_parts"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."compaction_obstacle"(date, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."compaction_obstacle"(date, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."compaction_obstacle"(date, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."constrain_part"(text, date, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."constrain_part"(text, date, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."constrain_part"(text, date, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."copy_month"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."copy_month"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."copy_month"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."copy_month_back"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."copy_month_back"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."copy_month_back"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."copy_rows"(regclass, regclass, text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."copy_rows"(regclass, regclass, text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."copy_rows"(regclass, regclass, text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."create_month_table"(text, date, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."create_month_table"(text, date, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."create_month_table"(text, date, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."create_part"(text, date, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."create_part"(text, date, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."create_part"(text, date, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."digest_of_rows"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."digest_of_rows"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."digest_of_rows"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."divide_release"(date, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."divide_release"(date, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."divide_release"(date, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "app"."drop_originals"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."drop_originals"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."drop_originals"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."end_batch"(bigint, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."end_batch"(bigint, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."end_batch"(bigint, integer) TO "postgres";

REVOKE ALL ON FUNCTION "app"."exchange_compacted"(date, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."exchange_compacted"(date, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."exchange_compacted"(date, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."exchange_expanded"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."exchange_expanded"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."exchange_expanded"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."exchange_parts"(date, text, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."exchange_parts"(date, text, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."exchange_parts"(date, text, text, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."expanded_query"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."expanded_query"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."expanded_query"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."forbid_late_rows_of"(regclass, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."forbid_late_rows_of"(regclass, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."forbid_late_rows_of"(regclass, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."forget_copy"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."forget_copy"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."forget_copy"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."give_up_compaction"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."give_up_compaction"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."give_up_compaction"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."has_older_transaction"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."has_older_transaction"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."has_older_transaction"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."hold_months"(text, timestamp WITH time zone, date[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."hold_months"(text, timestamp WITH time zone, date[]) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."hold_months"(text, timestamp WITH time zone, date[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."hold_months"(text, timestamp WITH time zone, date[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."hold_months"(text, timestamp WITH time zone, date[]) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."is_in_run"(app.compacted_releases, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."is_in_run"(app.compacted_releases, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_in_run"(app.compacted_releases, bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_in_run"(app.compacted_releases, bigint) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."leaves"(timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."leaves"(timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."leaves"(timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."lift_other_limit"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."lift_other_limit"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."lift_other_limit"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."lock_archived_month"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."lock_archived_month"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."lock_archived_month"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."lock_compaction"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."lock_compaction"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."lock_compaction"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."lock_webhook_position"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."lock_webhook_position"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."lock_webhook_position"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."log_of_run"(app.compacted_releases) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."log_of_run"(app.compacted_releases) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."log_of_run"(app.compacted_releases) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."log_of_run"(app.compacted_releases) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."moved_months"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."moved_months"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."moved_months"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."moved_months"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."moved_months"(text) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."name_of_part"(text, date, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."name_of_part"(text, date, text) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."name_of_part"(text, date, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."name_of_part"(text, date, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."name_of_part"(text, date, text) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."next_month_to_compact"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."next_month_to_compact"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."next_month_to_compact"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."original_days"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."original_days"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."original_days"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."other_digest"(app.archived_months) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."other_digest"(app.archived_months) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."other_digest"(app.archived_months) TO "postgres";

REVOKE ALL ON FUNCTION "app"."other_server_script"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."other_server_script"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."other_server_script"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."other_server_state"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."other_server_state"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."other_server_state"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."other_table"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."other_table"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."other_table"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."owed_totals"(timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."owed_totals"(timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."owed_totals"(timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."points_decimals"() FROM "authenticated";

GRANT EXECUTE ON FUNCTION "app"."points_decimals"() TO "authenticated";

REVOKE ALL ON FUNCTION "app"."points_decimals"() FROM "store_admin";

GRANT EXECUTE ON FUNCTION "app"."points_decimals"() TO "store_admin";

REVOKE ALL ON FUNCTION "app"."points_decimals"() FROM "store_key";

GRANT EXECUTE ON FUNCTION "app"."points_decimals"() TO "store_key";

REVOKE ALL ON FUNCTION "app"."prepare_compaction"(date, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."prepare_compaction"(date, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."prepare_compaction"(date, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reach_months"(text, timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."reach_months"(text, timestamp WITH time zone, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."reach_months"(text, timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reach_months"(text, timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."reach_months"(text, timestamp WITH time zone, timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."release_amount"(numeric) FROM "authenticated";

GRANT EXECUTE ON FUNCTION "app"."release_amount"(numeric) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."release_amount"(numeric) FROM "store_admin";

GRANT EXECUTE ON FUNCTION "app"."release_amount"(numeric) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."release_amount"(numeric) FROM "store_key";

GRANT EXECUTE ON FUNCTION "app"."release_amount"(numeric) TO "store_key";

REVOKE ALL ON FUNCTION "app"."release_rate"() FROM "authenticated";

GRANT EXECUTE ON FUNCTION "app"."release_rate"() TO "authenticated";

REVOKE ALL ON FUNCTION "app"."release_rate"() FROM "store_admin";

GRANT EXECUTE ON FUNCTION "app"."release_rate"() TO "store_admin";

REVOKE ALL ON FUNCTION "app"."release_rate"() FROM "store_key";

GRANT EXECUTE ON FUNCTION "app"."release_rate"() TO "store_key";

REVOKE ALL ON FUNCTION "app"."releases"(date, date, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."releases"(date, date, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."releases"(date, date, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."releases"(date, date, timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."releases_of_run"(app.compacted_releases) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."releases_of_run"(app.compacted_releases) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."releases_of_run"(app.compacted_releases) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."releases_of_run"(app.compacted_releases) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."releases_of_run"(app.compacted_releases) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."require_archived_rows"(app.archived_months, bigint, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_archived_rows"(app.archived_months, bigint, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_archived_rows"(app.archived_months, bigint, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."require_monthly_table"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_monthly_table"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_monthly_table"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."require_other_server"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_other_server"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_other_server"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."round_down"(numeric, integer) FROM "authenticated";

GRANT EXECUTE ON FUNCTION "app"."round_down"(numeric, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."schema_version"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."schema_version"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."schema_version"() TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."schema_version"() TO "store_api";

REVOKE ALL ON FUNCTION "app"."set_other_server"(jsonb, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."set_other_server"(jsonb, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."set_other_server"(jsonb, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."show_month"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."show_month"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."show_month"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."sorted_words"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."sorted_words"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."sorted_words"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."steps_back"(timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."steps_back"(timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."steps_back"(timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."steps_back"(timestamp WITH time zone, timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."swap_part"(text, date, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."swap_part"(text, date, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."swap_part"(text, date, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."unreachable_until"(text, timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."unreachable_until"(text, timestamp WITH time zone, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."unreachable_until"(text, timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."unreachable_until"(text, timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."unreachable_until"(text, timestamp WITH time zone, timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."use_copy"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."use_copy"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."use_copy"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."use_copy_here"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."use_copy_here"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."use_copy_here"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "report"."releases_of_run"(app.compacted_releases) FROM PUBLIC;

REVOKE ALL ON FUNCTION "report"."releases_of_run"(app.compacted_releases) FROM "postgres";

GRANT EXECUTE ON FUNCTION "report"."releases_of_run"(app.compacted_releases) TO "postgres";

GRANT EXECUTE ON FUNCTION "report"."releases_of_run"(app.compacted_releases) TO "store_analyst";

REVOKE ALL ON PROCEDURE "app"."bring_back_months"(text, text) FROM PUBLIC;

REVOKE ALL ON PROCEDURE "app"."bring_back_months"(text, text) FROM "postgres";

GRANT EXECUTE ON PROCEDURE "app"."bring_back_months"(text, text) TO "postgres";

REVOKE ALL ON PROCEDURE "app"."compact_due_months"() FROM PUBLIC;

REVOKE ALL ON PROCEDURE "app"."compact_due_months"() FROM "postgres";

GRANT EXECUTE ON PROCEDURE "app"."compact_due_months"() TO "postgres";

REVOKE ALL ON PROCEDURE "app"."compact_month"(date) FROM PUBLIC;

REVOKE ALL ON PROCEDURE "app"."compact_month"(date) FROM "postgres";

GRANT EXECUTE ON PROCEDURE "app"."compact_month"(date) TO "postgres";

REVOKE ALL ON PROCEDURE "app"."expand_month"(date) FROM PUBLIC;

REVOKE ALL ON PROCEDURE "app"."expand_month"(date) FROM "postgres";

GRANT EXECUTE ON PROCEDURE "app"."expand_month"(date) TO "postgres";

REVOKE ALL ON PROCEDURE "app"."move_months"(text, text) FROM PUBLIC;

REVOKE ALL ON PROCEDURE "app"."move_months"(text, text) FROM "postgres";

GRANT EXECUTE ON PROCEDURE "app"."move_months"(text, text) TO "postgres";

REVOKE ALL ON SCHEMA "archive" FROM "authenticated";

GRANT USAGE ON SCHEMA "archive" TO "authenticated";

REVOKE ALL ON SCHEMA "archive" FROM "service_role";

GRANT USAGE ON SCHEMA "archive" TO "service_role";

REVOKE ALL ON SCHEMA "archive" FROM "store_admin";

GRANT USAGE ON SCHEMA "archive" TO "store_admin";

REVOKE ALL ON SCHEMA "archive" FROM "store_key";

GRANT USAGE ON SCHEMA "archive" TO "store_key";

GRANT SELECT ON TABLE "app"."changed_orders" TO "service_role", "store_admin", "store_key";

GRANT SELECT ON TABLE "app"."compacted_months" TO "service_role", "store_admin", "store_key";

GRANT SELECT ON TABLE "app"."compacted_releases" TO "authenticated", "service_role", "store_admin", "store_key";

GRANT SELECT ON TABLE "app"."schema_versions" TO "service_role", "store_admin", "store_key";

GRANT SELECT ON TABLE "archive"."points_release_log" TO "authenticated", "service_role", "store_admin", "store_key";

GRANT SELECT ON TABLE "archive"."user_bill" TO "authenticated", "service_role", "store_admin", "store_key";

GRANT SELECT ON TABLE "report"."bill" TO "store_analyst";

GRANT SELECT ON TABLE "report"."commissions" TO "store_analyst";

GRANT SELECT ON TABLE "report"."points_by_day" TO "store_analyst";

comment on column report.bill.available_points is 'By how much the available points changed.';
comment on column report.bill.basis is 'What the rate was applied to.';
comment on column report.bill.bill_id is 'The id of the row.';
comment on column report.bill.booked_at is 'When it was booked.';
comment on column report.bill.booked_day is 'The business day of that.';
comment on column report.bill.commission is 'By how much the balance of commission changed. Money.';
comment on column report.bill.frozen_points is 'By how much the frozen points changed.';
comment on column report.bill.level is 'The grade of the member at that time, where it mattered.';
comment on column report.bill.order_id is 'The order that caused it.';
comment on column report.bill.rate is 'The rate of a grant.';
comment on column report.bill.reverses_bill_id is 'The row that this one reverses.';
comment on column report.bill.source is 'What it comes from: cycle, direct, umbrella, release, import, withdrawal, checkout or adjustment.';
comment on column report.bill.type is 'What it is: docs/glossary.md lists the types.';
comment on column report.bill.uid is 'The number of the member.';
comment on column report.bill.withdrawal_id is 'The withdrawal that caused it.';
comment on column report.commissions.basis is 'What the rate was applied to. Money.';
comment on column report.commissions.bill_id is 'The row of the bill.';
comment on column report.commissions.booked_at is 'When it was booked.';
comment on column report.commissions.booked_day is 'The business day of that.';
comment on column report.commissions.commission is 'What was booked, negative for a reversal. Money.';
comment on column report.commissions.order_id is 'The order.';
comment on column report.commissions.rate is 'The rate.';
comment on column report.commissions.reverses_bill_id is 'The row that a reversal takes back.';
comment on column report.commissions.type is 'brokerage, or brokerage_reversal.';
comment on column report.commissions.uid is 'The number of the member who earned.';
comment on column report.points_by_day.available_points is 'By how much the available points of all members changed.';
comment on column report.points_by_day.bill_rows is 'How many rows of the bill.';
comment on column report.points_by_day.day is 'The business day on which they were booked.';
comment on column report.points_by_day.frozen_points is 'By how much the frozen points of all members changed.';
comment on column report.points_by_day.source is 'What they come from.';
comment on column report.points_by_day.type is 'The type of the rows of the bill.';

delete from app.manifest where (kind, name) in (
  ('function', 'app.add_deliveries(app.events[],bigint[],timestamp with time zone)'),
  ('function', 'app.bill_since(timestamp with time zone)'),
  ('function', 'app.digest_of_part(regclass)'),
  ('function', 'app.divide_release(date,integer)'),
  ('function', 'app.end_batch(bigint)'),
  ('function', 'app.hold_months(text,timestamp with time zone)'),
  ('function', 'app.leaves_query(timestamp with time zone,timestamp with time zone)'),
  ('function', 'app.orders_since(timestamp with time zone)'),
  ('function', 'app.reject_archived_time(text,timestamp with time zone)'),
  ('function', 'app.run_test_cycle(timestamp with time zone)'),
  ('function', 'app.tree_of_month(date,bytea,bigint)'),
  ('privilege', 'execute on function app.bill_since(timestamp with time zone) to authenticated'),
  ('privilege', 'execute on function app.bill_since(timestamp with time zone) to store_admin'),
  ('privilege', 'execute on function app.bill_since(timestamp with time zone) to store_key'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone) to authenticated'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone) to store_admin'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone) to store_key'),
  ('privilege', 'execute on function app.reject_archived_time(text,timestamp with time zone) to authenticated'),
  ('privilege', 'execute on function app.reject_archived_time(text,timestamp with time zone) to store_admin'),
  ('privilege', 'execute on function app.reject_archived_time(text,timestamp with time zone) to store_key'),
  ('view', 'report.bill')
);
insert into app.manifest (kind, name, definition) values
  ('column', 'app.archived_months.moved_at', 'timestamp with time zone'),
  ('column', 'app.changed_orders.earner_uid', 'bigint'),
  ('column', 'app.changed_orders.id', 'bigint not null'),
  ('column', 'app.changed_orders.reconcile', 'bigint not null'),
  ('column', 'app.changed_orders.uid', 'bigint not null'),
  ('column', 'app.compacted_months.bill_digest', 'numeric'),
  ('column', 'app.compacted_months.bill_rows', 'bigint'),
  ('column', 'app.compacted_months.checked_at', 'timestamp with time zone'),
  ('column', 'app.compacted_months.compacted_at', 'timestamp with time zone'),
  ('column', 'app.compacted_months.first_bill_id', 'bigint'),
  ('column', 'app.compacted_months.first_kept', 'bigint'),
  ('column', 'app.compacted_months.kept', 'bigint'),
  ('column', 'app.compacted_months.last_bill_id', 'bigint'),
  ('column', 'app.compacted_months.log_digest', 'numeric'),
  ('column', 'app.compacted_months.log_rows', 'bigint'),
  ('column', 'app.compacted_months.month', 'date not null'),
  ('column', 'app.compacted_months.releases', 'bigint'),
  ('column', 'app.compacted_months.runs', 'bigint'),
  ('column', 'app.compacted_months.state', 'text not null default ''prepared''::text'),
  ('column', 'app.compacted_releases.available_before', 'numeric(18,4) not null'),
  ('column', 'app.compacted_releases.bill_id', 'bigint not null'),
  ('column', 'app.compacted_releases.brokerage', 'numeric(14,2) not null'),
  ('column', 'app.compacted_releases.first_day', 'date not null'),
  ('column', 'app.compacted_releases.first_time', 'timestamp with time zone not null'),
  ('column', 'app.compacted_releases.frozen_after', 'numeric(18,4) not null'),
  ('column', 'app.compacted_releases.frozen_before', 'numeric(18,4) not null'),
  ('column', 'app.compacted_releases.last_time', 'timestamp with time zone not null'),
  ('column', 'app.compacted_releases.log_id', 'bigint not null'),
  ('column', 'app.compacted_releases.steps', 'integer[] not null'),
  ('column', 'app.compacted_releases.uid', 'bigint not null'),
  ('column', 'app.schema_versions.applied_at', 'timestamp with time zone not null default now()'),
  ('column', 'app.schema_versions.version', 'text not null'),
  ('column', 'app.webhooks.since', 'pg_snapshot'),
  ('column', 'app.webhooks.since_era', 'integer'),
  ('constraint', 'app.changed_orders.changed_orders_pkey', 'PRIMARY KEY (id)'),
  ('constraint', 'app.compacted_months.compacted_months_pkey', 'PRIMARY KEY (month)'),
  ('constraint', 'app.compacted_months.month_is_its_first_day', 'CHECK ((EXTRACT(day FROM month) = (1)::numeric))'),
  ('constraint', 'app.compacted_months.state_is_known', 'CHECK ((state = ANY (ARRAY[''prepared''::text, ''built''::text, ''compacted''::text, ''expanding''::text])))'),
  ('constraint', 'app.compacted_months.what_was_built_is_counted', 'CHECK (((state = ''prepared''::text) OR (num_nulls(bill_rows, bill_digest, log_rows, log_digest, releases, runs, kept) = 0)))'),
  ('constraint', 'app.schema_versions.schema_versions_pkey', 'PRIMARY KEY (version)'),
  ('constraint', 'app.schema_versions.version_is_three_numbers', 'CHECK ((version ~ ''^\d{1,4}\.\d{1,4}\.\d{1,4}$''::text))'),
  ('function', 'app.add_deliveries(app.events[],bigint[],boolean,timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.archive_part(text,date)', 'function, returns regclass, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.balances_query(timestamp with time zone)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.bill(timestamp with time zone,timestamp with time zone)', 'function, returns SETOF app.user_bill, stable, with the rights of the caller'),
  ('function', 'app.bill_of_run(app.compacted_releases)', 'function, returns SETOF app.user_bill, stable, with the rights of the caller'),
  ('function', 'app.bound_month(regclass,text,date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.bring_back_months(text,text)', 'procedure, volatile, with the rights of the caller'),
  ('function', 'app.build_compaction(date)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, jit=off'),
  ('function', 'app.build_expansion(date)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, jit=off'),
  ('function', 'app.build_runs(date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, jit=off'),
  ('function', 'app.check_archived_months()', 'function, returns TABLE(check_name text, subject text, expected text, actual text), volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_parts(date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.compact_due_months()', 'procedure, volatile, with the rights of the caller'),
  ('function', 'app.compact_month(date)', 'procedure, volatile, with the rights of the caller'),
  ('function', 'app.compaction_obstacle(date,timestamp with time zone)', 'function, returns text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.constrain_part(text,date,text)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.copy_month(text,date)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.copy_month_back(text,date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.copy_rows(regclass,regclass,text,date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, TimeZone=UTC'),
  ('function', 'app.create_month_table(text,date,text,text)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.create_part(text,date,text)', 'function, returns text, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.digest_of_rows(text)', 'function, returns record, stable, with the rights of the caller, search_path=pg_catalog, pg_temp, TimeZone=UTC, DateStyle=ISO, jit=off'),
  ('function', 'app.divide_release(date,integer,integer)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.drop_originals(date)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'app.end_batch(bigint,integer)', 'function, returns integer, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.exchange_compacted(date,timestamp with time zone)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.exchange_expanded(date)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.exchange_parts(date,text,text,boolean)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'app.expand_month(date)', 'procedure, volatile, with the rights of the caller'),
  ('function', 'app.expanded_query(text,date)', 'function, returns text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.forbid_late_rows_of(regclass,date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.forget_copy(text,date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.give_up_compaction(date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'app.has_older_transaction(timestamp with time zone)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.hold_months(text,timestamp with time zone,date[])', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.is_in_run(app.compacted_releases,bigint)', 'function, returns boolean, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.leaves(timestamp with time zone,timestamp with time zone)', 'function, returns TABLE(add_time timestamp with time zone, id bigint, uid bigint, text text), stable, with the rights of the caller'),
  ('function', 'app.lift_other_limit()', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.lock_archived_month(text,date)', 'function, returns app.archived_months, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.lock_compaction()', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=10s'),
  ('function', 'app.lock_webhook_position()', 'function, returns app.webhook_position, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.log_of_run(app.compacted_releases)', 'function, returns SETOF app.points_release_log, stable, with the rights of the caller'),
  ('function', 'app.move_months(text,text)', 'procedure, volatile, with the rights of the caller'),
  ('function', 'app.moved_months(text)', 'function, returns date[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.name_of_part(text,date,text)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.next_month_to_compact(timestamp with time zone)', 'function, returns date, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.orders_since(timestamp with time zone)', 'function, returns SETOF bigint, stable, with the rights of the caller, search_path=pg_catalog, pg_temp, plan_cache_mode=force_custom_plan, enable_seqscan=off'),
  ('function', 'app.original_days()', 'function, returns integer, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.other_digest(app.archived_months)', 'function, returns record, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.other_server_script()', 'function, returns text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.other_server_state()', 'function, returns text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.other_table(text)', 'function, returns regclass, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.owed_totals(timestamp with time zone,timestamp with time zone)', 'function, returns record, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.prepare_compaction(date,timestamp with time zone)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'app.reach_months(text,timestamp with time zone,timestamp with time zone)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.releases(date,date,timestamp with time zone)', 'function, returns SETOF app.points_release_log, stable, with the rights of the caller'),
  ('function', 'app.releases_of_run(app.compacted_releases)', 'function, returns TABLE(bill_id bigint, log_id bigint, release_date date, add_time timestamp with time zone, frozen_before numeric, rate numeric, amount numeric, frozen_after numeric, available_after numeric), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.require_archived_rows(app.archived_months,bigint,numeric)', 'function, returns void, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.require_monthly_table(text)', 'function, returns void, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.require_other_server()', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.run_test_cycle(timestamp with time zone)', 'function, returns jsonb, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, enable_hashjoin=off, enable_mergejoin=off'),
  ('function', 'app.schema_version()', 'function, returns text, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'app.set_other_server(jsonb,text,text)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.show_month(text,date)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'app.sorted_words()', 'function, returns text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.steps_back(timestamp with time zone,timestamp with time zone)', 'function, returns SETOF timestamp with time zone, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.swap_part(text,date,text)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'app.tree_of_month(date,bytea,bigint)', 'function, returns record, stable, with the rights of the caller, search_path=pg_catalog, pg_temp, enable_seqscan=off, jit=off'),
  ('function', 'app.unreachable_until(text,timestamp with time zone,timestamp with time zone)', 'function, returns timestamp with time zone, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.use_copy(text,date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'app.use_copy_here(text,date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'report.releases_of_run(app.compacted_releases)', 'function, returns SETOF app.user_bill, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('index', 'app.changed_orders_earner_uid_idx', 'CREATE INDEX changed_orders_earner_uid_idx ON app.changed_orders USING btree (earner_uid) WHERE (earner_uid IS NOT NULL)'),
  ('index', 'app.changed_orders_uid_idx', 'CREATE INDEX changed_orders_uid_idx ON app.changed_orders USING btree (uid)'),
  ('index', 'app.compacted_releases_uid_idx', 'CREATE INDEX compacted_releases_uid_idx ON ONLY app.compacted_releases USING btree (uid, first_time) WITH (fillfactor=''100'')'),
  ('policy', 'app.changed_orders.admins_read_changed_orders', 'permissive select to service_role, store_admin, store_key using true'),
  ('policy', 'app.compacted_months.admins_read_compacted_months', 'permissive select to service_role, store_admin, store_key using true'),
  ('policy', 'app.compacted_releases.admins_read_all_compacted_releases', 'permissive select to service_role, store_admin, store_key using true'),
  ('policy', 'app.compacted_releases.members_read_their_compacted_releases', 'permissive select to authenticated using (uid = ( SELECT app.current_uid() AS current_uid))'),
  ('policy', 'app.schema_versions.admins_read_schema_versions', 'permissive select to service_role, store_admin, store_key using true'),
  ('privilege', 'execute on function app.archive_part(text,date) to authenticated', 'granted'),
  ('privilege', 'execute on function app.archive_part(text,date) to store_admin', 'granted'),
  ('privilege', 'execute on function app.archive_part(text,date) to store_key', 'granted'),
  ('privilege', 'execute on function app.bill(timestamp with time zone,timestamp with time zone) to authenticated', 'granted'),
  ('privilege', 'execute on function app.bill(timestamp with time zone,timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.bill(timestamp with time zone,timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function app.bill_of_run(app.compacted_releases) to authenticated', 'granted'),
  ('privilege', 'execute on function app.bill_of_run(app.compacted_releases) to store_admin', 'granted'),
  ('privilege', 'execute on function app.bill_of_run(app.compacted_releases) to store_key', 'granted'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone,date[]) to authenticated', 'granted'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone,date[]) to store_admin', 'granted'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone,date[]) to store_key', 'granted'),
  ('privilege', 'execute on function app.is_in_run(app.compacted_releases,bigint) to store_admin', 'granted'),
  ('privilege', 'execute on function app.is_in_run(app.compacted_releases,bigint) to store_key', 'granted'),
  ('privilege', 'execute on function app.log_of_run(app.compacted_releases) to store_admin', 'granted'),
  ('privilege', 'execute on function app.log_of_run(app.compacted_releases) to store_key', 'granted'),
  ('privilege', 'execute on function app.moved_months(text) to authenticated', 'granted'),
  ('privilege', 'execute on function app.moved_months(text) to store_admin', 'granted'),
  ('privilege', 'execute on function app.moved_months(text) to store_key', 'granted'),
  ('privilege', 'execute on function app.name_of_part(text,date,text) to authenticated', 'granted'),
  ('privilege', 'execute on function app.name_of_part(text,date,text) to store_admin', 'granted'),
  ('privilege', 'execute on function app.name_of_part(text,date,text) to store_key', 'granted'),
  ('privilege', 'execute on function app.points_decimals() to authenticated', 'granted'),
  ('privilege', 'execute on function app.points_decimals() to store_admin', 'granted'),
  ('privilege', 'execute on function app.points_decimals() to store_key', 'granted'),
  ('privilege', 'execute on function app.reach_months(text,timestamp with time zone,timestamp with time zone) to authenticated', 'granted'),
  ('privilege', 'execute on function app.reach_months(text,timestamp with time zone,timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.reach_months(text,timestamp with time zone,timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function app.release_amount(numeric) to authenticated', 'granted'),
  ('privilege', 'execute on function app.release_amount(numeric) to store_admin', 'granted'),
  ('privilege', 'execute on function app.release_amount(numeric) to store_key', 'granted'),
  ('privilege', 'execute on function app.release_rate() to authenticated', 'granted'),
  ('privilege', 'execute on function app.release_rate() to store_admin', 'granted'),
  ('privilege', 'execute on function app.release_rate() to store_key', 'granted'),
  ('privilege', 'execute on function app.releases(date,date,timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.releases(date,date,timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function app.releases_of_run(app.compacted_releases) to authenticated', 'granted'),
  ('privilege', 'execute on function app.releases_of_run(app.compacted_releases) to store_admin', 'granted'),
  ('privilege', 'execute on function app.releases_of_run(app.compacted_releases) to store_key', 'granted'),
  ('privilege', 'execute on function app.round_down(numeric,integer) to authenticated', 'granted'),
  ('privilege', 'execute on function app.schema_version() to store_api', 'granted'),
  ('privilege', 'execute on function app.steps_back(timestamp with time zone,timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.steps_back(timestamp with time zone,timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function app.unreachable_until(text,timestamp with time zone,timestamp with time zone) to authenticated', 'granted'),
  ('privilege', 'execute on function app.unreachable_until(text,timestamp with time zone,timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.unreachable_until(text,timestamp with time zone,timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function report.releases_of_run(app.compacted_releases) to store_analyst', 'granted'),
  ('privilege', 'select on table app.changed_orders to service_role', 'granted'),
  ('privilege', 'select on table app.changed_orders to store_admin', 'granted'),
  ('privilege', 'select on table app.changed_orders to store_key', 'granted'),
  ('privilege', 'select on table app.compacted_months to service_role', 'granted'),
  ('privilege', 'select on table app.compacted_months to store_admin', 'granted'),
  ('privilege', 'select on table app.compacted_months to store_key', 'granted'),
  ('privilege', 'select on table app.compacted_releases to authenticated', 'granted'),
  ('privilege', 'select on table app.compacted_releases to service_role', 'granted'),
  ('privilege', 'select on table app.compacted_releases to store_admin', 'granted'),
  ('privilege', 'select on table app.compacted_releases to store_key', 'granted'),
  ('privilege', 'select on table app.schema_versions to service_role', 'granted'),
  ('privilege', 'select on table app.schema_versions to store_admin', 'granted'),
  ('privilege', 'select on table app.schema_versions to store_key', 'granted'),
  ('privilege', 'select on table archive.points_release_log to authenticated', 'granted'),
  ('privilege', 'select on table archive.points_release_log to service_role', 'granted'),
  ('privilege', 'select on table archive.points_release_log to store_admin', 'granted'),
  ('privilege', 'select on table archive.points_release_log to store_key', 'granted'),
  ('privilege', 'select on table archive.user_bill to authenticated', 'granted'),
  ('privilege', 'select on table archive.user_bill to service_role', 'granted'),
  ('privilege', 'select on table archive.user_bill to store_admin', 'granted'),
  ('privilege', 'select on table archive.user_bill to store_key', 'granted'),
  ('privilege', 'usage on schema archive to authenticated', 'granted'),
  ('privilege', 'usage on schema archive to service_role', 'granted'),
  ('privilege', 'usage on schema archive to store_admin', 'granted'),
  ('privilege', 'usage on schema archive to store_key', 'granted'),
  ('table', 'app.changed_orders', 'row-level security'),
  ('table', 'app.compacted_months', 'row-level security'),
  ('table', 'app.compacted_releases', 'row-level security'),
  ('table', 'app.schema_versions', 'row-level security'),
  ('trigger', 'app.compacted_releases.compacted_releases_are_never_changed', 'BEFORE DELETE OR UPDATE FOR EACH ROW EXECUTE FUNCTION app.reject_change()'),
  ('trigger', 'app.compacted_releases.compacted_releases_are_never_emptied', 'BEFORE TRUNCATE FOR EACH STATEMENT EXECUTE FUNCTION app.reject_change()'),
  ('view', 'report.bill', 'SELECT b.id AS bill_id, b.uid, b.type, b.source, b.order_id, b.withdrawal_id, b.brokerage_delta AS commission, b.frozen_delta AS frozen_points, b.available_delta AS available_points, b.basis, b.rate, b.agent_level AS level, b.reverses_id AS reverses_bill_id, b.add_time AS booked_at, ((b.add_time AT TIME ZONE s.time_zone))::date AS booked_day FROM (( SELECT l.id, l.uid, l.type, l.source, l.order_id, l.withdrawal_id, l.brokerage_delta, l.frozen_delta, l.available_delta, l.basis, l.rate, l.agent_level, l.reverses_id, l.add_time FROM app.user_bill l UNION ALL SELECT r.id, c.uid, r.type, r.source, r.order_id, r.withdrawal_id, r.brokerage_delta, r.frozen_delta, r.available_delta, r.basis, r.rate, r.agent_level, r.reverses_id, r.add_time FROM (app.compacted_releases c CROSS JOIN LATERAL report.releases_of_run(c.*) r(id, uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, order_id, basis, rate, agent_level, passed_on, reverses_id, withdrawal_id, adjustment_id, add_time))) b CROSS JOIN app.settings s);');
