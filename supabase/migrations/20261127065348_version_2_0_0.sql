-- Generated from sql/ by `npm run migration:fold`; do not edit.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

SET local check_function_bodies = off;

COMMENT ON COLUMN "app"."day_sums"."commission" IS NULL;

DROP TRIGGER "keys_outlive_their_owner" ON "app"."administrators";

DROP TRIGGER "what_was_asked_and_answered_never_changes" ON "app"."person_requests";

DROP TRIGGER "tax_allowances_are_never_changed" ON "app"."tax_allowances";

DROP VIEW "report"."commissions";

DROP VIEW "report"."members";

DROP VIEW "report"."order_lines";

DROP VIEW "report"."orders";

DROP VIEW "report"."points_by_day";

DROP VIEW "report"."bill";

DROP VIEW "report"."refunds";

DROP VIEW "report"."withdrawals";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "analyst_minutes_is_between_1_and_120";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "avatar_origins_are_at_most_20_origins";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "colour_has_six_hexadecimal_digits";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "contact_phone_is_a_phone_number";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "contact_wechat_and_hours_are_short_texts";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "every_withdrawal_method_is_known";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "h5_share_url_is_an_address";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "limits_of_one_administrator_are_between_0_and_100_million";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "logo_is_an_address_of_at_most_1000_characters";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "max_unpaid_orders_is_between_1_and_1000";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "network_depth_is_between_1_and_1000";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "network_people_is_between_1_and_a_million";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "night_sessions_are_between_1_and_8";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "offline_payment_days_is_between_1_and_90";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "order_expiry_minutes_is_between_5_and_10080";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "payment_minutes_is_between_5_and_1440";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "payment_query_minutes_are_at_most_ten_between_1_and_1440";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "person_request_days_is_between_1_and_90";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "points_max_share_is_at_least_0_and_below_1";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "points_rate_is_positive";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "poster_design_is_known";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "quotas_are_between_1_and_100000";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "real_name_check_is_known";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "real_name_from_is_positive";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "receipt_days_is_between_1_and_90";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "refund_window_days_is_between_0_and_3650";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "refused_words_are_at_most_500_words";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "return_address_is_complete";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "second_factor_areas_are_known";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "settlement_slots_are_between_0_and_16";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "site_name_is_a_short_text";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "tax_method_is_known";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "transfer_maximum_is_at_least_the_minimum";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "transfer_minimum_is_at_least_1_cent";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "transfer_name_from_is_positive";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "withdrawal_fee_rate_is_at_least_0_and_below_1";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "withdrawal_maximum_is_at_least_the_minimum";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "withdrawal_minimum_is_between_1_cent_and_a_million";

DROP FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text, text, text, timestamp
  WITH time zone, timestamp WITH time zone, timestamp WITH time zone, timestamp WITH time zone, text, bigint);

DROP FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer);

DROP FUNCTION "api"."approve_withdrawal"(bigint);

DROP FUNCTION "api"."create_adjustment"(bigint, text, numeric, numeric, numeric);

DROP FUNCTION "api"."create_withdrawal_batch"(text, jsonb);

DROP FUNCTION "api"."get_level_review"(integer, bigint);

DROP FUNCTION "api"."mark_withdrawal_paid"(bigint, text);

DROP FUNCTION "api"."preview_refund"(bigint, jsonb);

DROP FUNCTION "api"."record_attempt"(bigint, integer, integer, text, text);

DROP FUNCTION "api"."refund_order"(bigint, jsonb, text);

DROP FUNCTION "api"."refuse_refund"(bigint);

DROP FUNCTION
  "api"."set_settings"(text, text, text, integer, integer, jsonb, integer, boolean, integer, integer, text, text, numeric, numeric, numeric, numeric, numeric, numeric, numeric,
  jsonb,
  numeric,
  numeric,
  numeric,
  integer,
  numeric,
  numeric,
  jsonb,
  integer,
  integer, integer, integer, integer, integer, jsonb, text, text, text, text, jsonb, jsonb, integer, integer, text, text, integer, integer, numeric, text, boolean, integer);

DROP FUNCTION "app"."add_archived_sums"(regclass, integer);

DROP FUNCTION "app"."approve_withdrawal"(app.withdrawals, timestamp WITH time zone, uuid);

DROP FUNCTION "app"."archive_obstacle"(text, date, timestamp WITH time zone);

DROP FUNCTION "app"."attach_month"(text, date);

DROP FUNCTION "app"."book_rises"(app.level_rise[], timestamp WITH time zone);

DROP FUNCTION "app"."bound_month"(regclass, text, date);

DROP FUNCTION "app"."check_archived_months"();

DROP FUNCTION "app"."check_sources"(timestamp WITH time zone, timestamp WITH time zone);

DROP FUNCTION "app"."complete_refund"(bigint, app.refund_item[], boolean, text, timestamp WITH time zone);

DROP FUNCTION "app"."copy_month"(text, date);

DROP FUNCTION "app"."copy_month_back"(text, date);

DROP FUNCTION "app"."copy_rows"(regclass, regclass, text, date);

DROP FUNCTION "app"."create_adjustment"(bigint, numeric, numeric, numeric, text, uuid, timestamp WITH time zone);

DROP FUNCTION "app"."create_withdrawal_batch"(text, bigint[], bigint, uuid, timestamp WITH time zone);

DROP FUNCTION "app"."decide_refund"(app.refund_facts);

DROP FUNCTION "app"."digest_of_rows"(text);

DROP FUNCTION "app"."forfeit_balances"(bigint, timestamp WITH time zone);

DROP FUNCTION "app"."forget_copy"(text, date);

DROP FUNCTION "app"."has_refund_request"(regclass);

DROP FUNCTION "app"."insert_refund"(bigint, text, app.refund_item[], boolean, text, text, timestamp WITH time zone);

DROP FUNCTION "app"."level_by_tasks"(app.user_balances);

DROP FUNCTION "app"."lift_other_limit"();

DROP FUNCTION "app"."lock_for_tax"(bigint[]);

DROP FUNCTION "app"."maturity"(bigint, numeric, timestamp WITH time zone, text);

DROP FUNCTION "app"."month_part"(text, date, text);

DROP FUNCTION "app"."move_withdrawal"(app.withdrawals, text, timestamp WITH time zone, text, text);

DROP FUNCTION "app"."name_of_part"(text, date, text);

DROP FUNCTION "app"."named_refund_items"(bigint, jsonb);

DROP FUNCTION "app"."new_tree_change"(text, integer, bigint, integer, integer, integer, boolean, integer, integer, integer, smallint);

DROP FUNCTION "app"."oldest_part"(text);

DROP FUNCTION "app"."open_order_of_part"(regclass, timestamp WITH time zone, timestamp WITH time zone);

DROP FUNCTION "app"."other_server_script"();

DROP FUNCTION "app"."other_table"(text);

DROP FUNCTION "app"."owed_at"(timestamp WITH time zone, timestamp WITH time zone, bigint, bigint);

DROP FUNCTION "app"."owed_totals"(timestamp WITH time zone, timestamp WITH time zone);

DROP FUNCTION "app"."postpone_subject"(app.webhook_deliveries, timestamp WITH time zone);

DROP FUNCTION "app"."preview_refund"(bigint, jsonb, timestamp WITH time zone);

DROP FUNCTION "app"."record_attempt"(bigint, integer, integer, text, text, timestamp WITH time zone);

DROP FUNCTION "app"."refund_items"(bigint, jsonb, boolean);

DROP FUNCTION "app"."refund_order"(bigint, jsonb, text, timestamp WITH time zone);

DROP FUNCTION "app"."refuse_refund"(bigint, timestamp WITH time zone);

DROP FUNCTION "app"."replay_refund"(app.refunds, jsonb);

DROP FUNCTION "app"."require_monthly_table"(text);

DROP FUNCTION "app"."require_other_server"();

DROP FUNCTION "app"."set_administrator_limits"(numeric, numeric, numeric, numeric);

DROP FUNCTION "app"."set_analyst_minutes"(integer);

DROP FUNCTION "app"."set_avatar_origins"(jsonb);

DROP FUNCTION "app"."set_contact"(text, text, text);

DROP FUNCTION "app"."set_network_thresholds"(integer, integer);

DROP FUNCTION "app"."set_night_sessions"(integer, timestamp WITH time zone);

DROP FUNCTION "app"."set_order_times"(integer, integer, boolean, integer, integer, integer, jsonb);

DROP FUNCTION "app"."set_person_request_days"(integer);

DROP FUNCTION "app"."set_points_terms"(numeric, numeric);

DROP FUNCTION "app"."set_poster_design"(text);

DROP FUNCTION "app"."set_quotas"(integer, integer, integer, integer, integer);

DROP FUNCTION "app"."set_real_name_terms"(numeric, text, timestamp WITH time zone);

DROP FUNCTION "app"."set_refused_words"(jsonb);

DROP FUNCTION "app"."set_return_address"(jsonb);

DROP FUNCTION "app"."set_second_factor_areas"(jsonb);

DROP FUNCTION "app"."set_settings"(text, text, text, integer, text, text, timestamp WITH time zone);

DROP FUNCTION "app"."set_settlement_slots"(integer);

DROP FUNCTION "app"."set_tax_terms"(text, text);

DROP FUNCTION "app"."set_transfer_limits"(numeric, numeric, numeric);

DROP FUNCTION "app"."set_withdrawal_terms"(numeric, numeric, numeric, jsonb);

DROP FUNCTION "app"."show_month"(text, date);

DROP FUNCTION "app"."sold_products"(timestamp WITH time zone, timestamp WITH time zone);

DROP FUNCTION "app"."sorted_words"();

DROP FUNCTION "app"."swap_part"(text, date, text);

DROP FUNCTION "app"."use_copy"(text, date);

DROP FUNCTION "app"."use_copy_here"(text, date);

DROP PROCEDURE "app"."attach_months"(text, text);

DROP PROCEDURE "app"."bring_back_months"(text, text);

DROP PROCEDURE "app"."move_months"(text, text);

CREATE TABLE "app"."rule_versions" (
  "version"        smallint                 NOT NULL,
  "position"       bigint                   NOT NULL,
  "in_force_since" timestamp with time zone,
  CONSTRAINT "position_is_not_negative" CHECK (("position" >= 0)),
  CONSTRAINT "rule_versions_pkey" PRIMARY KEY (VERSION),
  CONSTRAINT "version_is_positive" CHECK ((version > 0))
);

ALTER TABLE "app"."rule_versions"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "app"."spread_changes" (
  "id"            bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "uid"           bigint                   NOT NULL,
  "from_uid"      bigint,
  "from_time"     timestamp with time zone,
  "from_position" bigint,
  "to_uid"        bigint                   NOT NULL,
  "reason"        text                     NOT NULL,
  "changed_by"    uuid,
  "position"      bigint                   NOT NULL,
  "add_time"      timestamp with time zone NOT NULL,
  CONSTRAINT "spread_changes_pkey" PRIMARY KEY (id),
  CONSTRAINT "the_referrer_changes" CHECK ((from_uid IS DISTINCT FROM to_uid)),
  CONSTRAINT "time_and_position_iff_from_uid" CHECK ((num_nonnulls(from_uid, from_time, from_position) = ANY (ARRAY[0, 3]))),
  CONSTRAINT "reason_is_a_short_text" CHECK ((app.is_visible(reason) AND ((char_length(reason) >= 1) AND (char_length(reason) <= 500)) AND app.is_text(reason)))
);

ALTER TABLE "app"."spread_changes"
  ENABLE ROW LEVEL SECURITY;

ALTER TABLE "app"."imports"
  ADD COLUMN "finished_position" bigint;

ALTER TABLE "app"."scheduled_jobs"
  ADD COLUMN "times_count_for" text;

ALTER TABLE "app"."scheduled_jobs"
  ADD COLUMN "times_count_from" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "app"."scheduled_jobs"
  ADD COLUMN "tried_at" timestamp WITH time zone;

ALTER TABLE "app"."settings"
  ADD COLUMN "max_unpaid_units" integer NOT NULL DEFAULT 20;

ALTER TABLE "app"."settings"
  ADD COLUMN "max_unpaid_share" numeric(6,5) NOT NULL DEFAULT 0.1;

ALTER TABLE "app"."settings"
  ADD COLUMN "first_order_minutes" integer NOT NULL DEFAULT 30;

CREATE TYPE "app"."concession" AS (
  "amount" numeric,
  "units"  integer
);

CREATE TYPE "app"."request_answer" AS (
  "request_id" bigint,
  "is_answer"  boolean,
  "state"      text
);

CREATE TYPE "app"."spread_line" AS (
  "line_id" bigint,
  "amount"  numeric,
  "kept"    numeric
);

ALTER TYPE "app"."level_rise" ADD ATTRIBUTE "cause" text CASCADE;

ALTER TYPE "app"."level_rise" ADD ATTRIBUTE "ordinal" integer CASCADE;

ALTER TYPE "app"."refund_item" ADD ATTRIBUTE "amount" numeric CASCADE;

ALTER TYPE "app"."remaining_grant" ADD ATTRIBUTE "forfeited_available" numeric CASCADE;

ALTER TYPE "app"."remaining_grant" ADD ATTRIBUTE "forfeited_brokerage" numeric CASCADE;

ALTER TYPE "app"."remaining_grant" ADD ATTRIBUTE "forfeited_frozen" numeric CASCADE;

ALTER TYPE "app"."tree_change" ADD ATTRIBUTE "raises" boolean CASCADE;

ALTER TYPE "app"."tree_member" ADD ATTRIBUTE "has_left" boolean CASCADE;

CREATE OR REPLACE FUNCTION api.add_parcel (
  p_order_id    bigint,
  p_carrier     text,
  p_tracking_no text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before app.orders;
  v_parcels bigint;
  v_order app.orders;
begin
  perform app.require_admin('orders');
  perform app.reject_own_order(p_order_id);
  v_before := app.lock_order(p_order_id);
  v_parcels := (select count(*) from app.parcels as l where l.order_id = p_order_id);
  v_order := app.ship_parcel(p_order_id, p_carrier, p_tracking_no, auth.uid(), null);
  perform app.record_action(
    'add_parcel', 'order', p_order_id::text, jsonb_build_object('state', v_before.state, 'parcels', v_parcels),
    jsonb_build_object(
      'state', v_order.state, 'parcels', (select count(*) from app.parcels as l where l.order_id = p_order_id)
    )
    || (
      select jsonb_build_object('carrier', l.carrier, 'tracking_no', l.tracking_no)
      from app.parcels as l where l.order_id = p_order_id and l.tracking_no = app.tracking_number(p_tracking_no)
    )
  );
  return app.order_json(v_order);
end
$function$;

CREATE OR REPLACE FUNCTION api.admin_get_order (
  p_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders;
  v_left numeric;
begin
  perform app.require_admin();
  select o.* into v_order from app.orders as o where o.id = p_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  v_left := app.price_left(v_order);
  return app.admin_order_json(v_order) || jsonb_build_object(
    'pay_type', v_order.pay_type, 'pay_ref', v_order.pay_ref, 'plan_version', v_order.plan_version, 'refunds',
    app.refunds_json(p_id), 'freight_left', app.freight_left(v_order)::text,
    'refunded', (v_order.pay_price - v_left)::text, 'amount_left', v_left::text,
    'payment_attempts', (
      select coalesce(jsonb_agg(app.attempt_record(a) order by a.id desc), '[]') from app.payment_attempts as a
      where a.order_id = p_id
    ),
    'provider_refunds', (
      select coalesce(jsonb_agg(app.provider_refund_json(r) order by r.id desc), '[]') from app.provider_refunds as r
      where r.order_id = p_id
    ),
    'unclaimed_payments', app.unclaimed_payments_json(p_id),
    'waiting_payment', (
      select jsonb_build_object(
        'marked_by', app.actor_json(w.marked_by), 'pay_ref', w.pay_ref, 'add_time', app.utc(w.add_time)
      )
      from app.waiting_payments as w where w.order_id = p_id and w.refused_at is null and v_order.state = 'unpaid'
    ),
    'refused_payment', (
      select jsonb_build_object(
        'marked_by', app.actor_json(w.marked_by), 'pay_ref', w.pay_ref, 'refused_by', app.actor_json(w.refused_by),
        'refused_at', app.utc(w.refused_at), 'reason', w.reason
      )
      from app.waiting_payments as w where w.order_id = p_id and w.refused_at is not null and v_order.state = 'unpaid'
    ),
    'parcels', (
      select coalesce(
        jsonb_agg(app.parcel_json(l) || jsonb_build_object('shipped_by', app.actor_json(l.shipped_by)) order by l.id),
        '[]'
      )
      from app.parcels as l where l.order_id = p_id
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.admin_get_orders (
  p_uid            bigint                   DEFAULT NULL::bigint,
  p_state          text                     DEFAULT NULL::text,
  p_refund_status  smallint                 DEFAULT NULL::smallint,
  p_order_no       text                     DEFAULT NULL::text,
  p_from           timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_to             timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_page           integer                  DEFAULT 1,
  p_limit          integer                  DEFAULT 20,
  p_cursor         text                     DEFAULT NULL::text,
  p_search         text                     DEFAULT NULL::text,
  p_waiting        text                     DEFAULT NULL::text,
  p_paid_from      timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_paid_to        timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_refunded_from  timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_refunded_to    timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_sort           text                     DEFAULT '-id'::text,
  p_product_id     bigint                   DEFAULT NULL::bigint,
  p_is_queue_goods boolean                  DEFAULT NULL::boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_sort record;
  v_position record;
  v_result jsonb;
begin
  perform app.require_admin();
  v_sort := app.check_sort(p_sort, '{id, paid_at}');
  v_position := app.list_position(p_page, p_limit, p_cursor, v_sort.direction);
  -- A plan for the filters and the sort of the call. An array, so that a search starts from the few orders that it
  -- finds.
  execute format($sql$
    with matching as not materialized (
      select o.* from app.orders as o
      where ($1 is null or o.uid = $1) and ($3 is null or o.refund_status = $3)
        -- The state itself is named as well, for the indexes by it.
        and ($2 is null or (app.shown_state(o.state, o.refund_status) = $2 and ($2 = 'refunded' or o.state = $2)))
        and ($4 is null or o.order_no = $4) and ($5 is null or o.add_time >= $5) and ($6 is null or o.add_time < $6)
        and ($7 is null or o.id = any (array(select f.order_id from app.find_orders($7) as f)))
        and ($8 is null or o.uid is distinct from $13 and case $8
          when 'refund' then o.id = any (array(
            select r.order_id from app.refunds as r
            where app.refund_waits(r.state, r.return_asked_at, r.return_received_at)
          ))
          when 'payment' then o.state = 'unpaid' and o.id = any (array(
            select w.order_id from app.waiting_payments as w where w.refused_at is null and w.marked_by <> $12
          ))
        end)
        and ($14 is null or o.paid_at >= $14) and ($15 is null or o.paid_at < $15)
        and (
          num_nulls($16, $17) = 2
          or o.id = any (array(select f.order_id from app.refunded_amounts(null, $16, $17) as f))
        )
        and (num_nulls($19, $20) = 2 or exists (
          select from app.order_lines as n
          where n.order_id = o.id and ($19 is null or n.product_id = $19) and ($20 is null or n.is_queue_goods = $20)
        ))
        and o.%1$I is not null
    )
    select app.log_json(
      jsonb_agg(app.admin_order_json(l)
      || jsonb_build_object('refunded', coalesce(r.amount, 0.00)::text, 'amount_left', app.price_left(l)::text,
      'return_state', (
        select app.return_state(q.return_asked_at, q.return_sent_at, q.return_received_at) from app.refunds as q
        where q.order_id = l.id and q.state = 'requested'
      )) order by l.%1$I %2$s, l.id %2$s), (select count(*) from matching),
      array_agg(app.make_cursor(l.%4$I, l.id) order by l.%1$I %2$s, l.id %2$s), $11
    )
    from (
      select m.* from matching as m where (m.%1$I, m.id) %3$s (%5$s, $9) order by m.%1$I %2$s, m.id %2$s offset $10
      limit $11
    ) as l
    left join lateral app.refunded_amounts(l.id, $16, $17) as r on true
  $sql$, v_sort.key, v_sort.direction, v_sort.beyond, case v_sort.key when 'id' then 'add_time' else v_sort.key end,
    case v_sort.key when 'id' then '$9' else '$18' end)
  into v_result
  using p_uid, p_state, p_refund_status, p_order_no, p_from, p_to, p_search, p_waiting, v_position.id, v_position.skip,
    p_limit, auth.uid(), app.current_uid(),
    p_paid_from, p_paid_to, p_refunded_from, p_refunded_to, v_position.add_time, p_product_id, p_is_queue_goods;
  return v_result;
end
$function$;

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
    'runtime', p_runtime, 'database_version', current_setting('server_version'), 'migration', v_migration
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
  p_limit       integer  DEFAULT 20,
  p_has_left    boolean  DEFAULT NULL::boolean
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
  if p_search is not null and app.search_number(p_search) is null and not app.may_search_names() then
    perform app.fail('forbidden', 'Without the scope personal:read, members are found by their uid only.');
  end if;
  v_skip := app.check_page(p_page, p_limit);
  v_idle := app.idle_administrators();
  v_sort := app.check_sort(
    p_sort, '{uid, add_time, frozen_points, available_points, total_points_earned, brokerage_price}'
  );
  -- A plan for the filters and the sort of the call: sorted by uid, it is an index scan that stops after the rows of
  -- the page. The count does not read balances, of which every member has a row.
  execute format($sql$
    with matching as not materialized (
      select u.uid, u.add_time
      from app.users as u
      where ($1 is null or u.uid::text = $1 or $8 and position(lower($1) in lower(u.nickname)) > 0)
        and ($2 is null or u.agent_level = $2) and ($3 is null or u.no_assess = $3)
        and ($4 is null or u.spread_uid = $4)
        and u.uid <> all ($5) and ($9 is null or (u.left_at is not null) = $9)
    )
    select app.list_json(
      jsonb_agg(app.user_json(u, b) order by l.%1$I %2$s, l.uid %2$s), (select count(*) from matching)
    )
    from (
      select m.uid, m.add_time, b.frozen_points, b.available_points, b.total_points_earned, b.brokerage_price
      from matching as m join app.user_balances as b on b.uid = m.uid order by %1$I %2$s, uid %2$s offset $6 limit $7
    ) as l
    join app.users as u on u.uid = l.uid
    join app.user_balances as b on b.uid = l.uid
  $sql$, v_sort.key, v_sort.direction)
  into v_result
  using p_search, p_agent_level, p_no_assess, p_spread_uid, v_idle, v_skip, p_limit, app.may_search_names(), p_has_left;
  return v_result;
end
$function$;

CREATE OR REPLACE FUNCTION api.admin_get_withdrawal (
  p_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_withdrawal app.withdrawals;
begin
  perform app.require_admin();
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return app.admin_withdrawal_json(v_withdrawal) || jsonb_build_object(
    'held_orders', app.held_orders_json(v_withdrawal, clock_timestamp()),
    'withdrawable', app.withdrawable(v_withdrawal.uid, clock_timestamp())::text, 'estimated_tax',
    app.estimate_tax(v_withdrawal, clock_timestamp())::text,
    'batch_no', (select b.batch_no from app.withdrawal_batches as b where b.id = v_withdrawal.batch_id),
    'transfer', app.transfer_json(v_withdrawal, clock_timestamp()),
    'payee', (
      select jsonb_build_object('holder', a.holder, 'account_no', a.account_no, 'bank', a.bank)
      from app.payout_accounts as a where a.id = v_withdrawal.account_id and app.may_change('money')
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.approve_withdrawal (
  p_id              bigint,
  p_held_by_refunds numeric DEFAULT NULL::numeric
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  perform app.lock_decided_alone('withdrawal', auth.uid(), clock_timestamp());
  -- Row order: the withdrawal of one id.
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  perform app.lock_balances(array[v_before.uid]);
  v_after := app.approve_withdrawal(v_before, null, auth.uid(), p_held_by_refunds);
  perform app.record_withdrawal_action('approve_withdrawal', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$function$;

CREATE OR REPLACE FUNCTION api.approve_withdrawals (
  p_ids jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_ids bigint[];
  v_id bigint;
  v_before app.withdrawals;
  v_after app.withdrawals;
  v_problem text;
  v_detail text;
  v_field text;
  v_lines jsonb := '[]'::jsonb;
begin
  perform app.require_admin('money');
  v_ids := app.require_ids(p_ids);
  perform app.lock_decided_alone('withdrawal', auth.uid(), clock_timestamp());
  perform from app.withdrawals as w where w.id = any (v_ids) order by w.id for update;
  perform app.lock_balances(array(select w.uid from app.withdrawals as w where w.id = any (v_ids) order by w.uid));
  foreach v_id in array v_ids loop
    v_problem := null;
    begin
      -- Row order: the withdrawal of one id.
      select l.* into v_before from app.lock_withdrawals(array[v_id]) as l;
      v_after := app.approve_withdrawal(v_before, null, auth.uid());
      perform app.record_withdrawal_action('approve_withdrawals', v_before, v_after);
    exception when sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics v_problem = message_text, v_detail = pg_exception_detail, v_field = column_name;
    end;
    v_lines := v_lines || jsonb_build_object(
      'id', v_id, 'withdrawal_no', (select w.withdrawal_no from app.withdrawals as w where w.id = v_id), 'problem',
      v_problem,
      'result',
      case when v_problem is not null then 'rejected' when v_after.state = 'requested' then 'waits' else 'approved' end
    );
  end loop;
  if not jsonb_path_exists(v_lines, '$[*] ? (@.problem == null)') then
    perform app.fail(v_problem, v_detail, v_field);
  end if;
  return jsonb_build_object('lines', v_lines);
end
$function$;

CREATE OR REPLACE FUNCTION api.call_tool (
  p_tool     text,
  p_function text,
  p_args     jsonb DEFAULT '{}'::jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_is_personal boolean;
  v_result jsonb;
begin
  -- What is called is the read, so its scope decides (app.require_key).
  perform set_config('store.called', p_function, true);
  perform app.require_admin(null);
  v_is_personal := app.call_tool(p_tool, p_function, p_args);
  perform set_config('store.withholds', case when v_is_personal then 'off' else 'on' end, true);
  v_result := app.call_api(p_function, p_args);
  return case when v_is_personal then v_result else app.withhold(v_result, app.personal_fields(p_function)) end;
end
$function$;

CREATE OR REPLACE FUNCTION api.create_adjustment (
  p_uid              bigint,
  p_reason           text,
  p_brokerage        numeric DEFAULT NULL::numeric,
  p_frozen_points    numeric DEFAULT NULL::numeric,
  p_available_points numeric DEFAULT NULL::numeric,
  p_kind             text    DEFAULT 'correction'::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_adjustment app.adjustments;
begin
  perform app.require_admin('money');
  perform app.reject_own_member(p_uid);
  v_adjustment := app.create_adjustment(
    p_uid, p_brokerage, p_frozen_points, p_available_points, p_reason, auth.uid(), null, p_kind
  );
  perform app.record_adjustment_action('create_adjustment', null, v_adjustment);
  return app.adjustment_json(v_adjustment);
end
$function$;

CREATE OR REPLACE FUNCTION api.create_order (
  p_items          jsonb,
  p_address_id     bigint  DEFAULT NULL::bigint,
  p_address        jsonb   DEFAULT NULL::jsonb,
  p_remark         text    DEFAULT ''::text,
  p_expected_price numeric DEFAULT NULL::numeric,
  p_use_points     numeric DEFAULT NULL::numeric
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders;
  v_uid bigint := app.require_uid();
  v_address jsonb := p_address;
begin
  perform app.limit_unpaid_orders(v_uid);
  perform app.use_quota(v_uid, 'order', clock_timestamp());
  perform app.reject_discounts(p_items);
  perform app.limit_unpaid_units(v_uid, p_items);
  if p_address_id is not null and p_address is not null then
    perform app.fail('invalid_argument', 'Send either address_id or address, not both.', '/address_id');
  end if;
  if p_address_id is not null then
    v_address := app.own_address(v_uid, p_address_id);
  end if;
  -- A separate statement, so that order_json reads the new order.
  v_order := app.create_order(v_uid, p_items, null, v_address, p_remark, p_expected_price, p_use_points);
  -- Only now is it known what the order costs. The lock of limit_unpaid_orders keeps other orders of the member out.
  perform app.use_quota(v_uid, 'free_order', clock_timestamp()) where v_order.pay_type = 'free';
  return app.order_json(v_order);
end
$function$;

CREATE OR REPLACE FUNCTION api.create_withdrawal_batch (
  p_method          text,
  p_ids             jsonb   DEFAULT NULL::jsonb,
  p_held_by_refunds numeric DEFAULT NULL::numeric,
  p_leaves_out_held boolean DEFAULT false
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_ids bigint[];
  v_batch app.withdrawal_batches;
begin
  perform app.require_admin('money');
  if p_ids is not null then
    v_ids := app.require_ids(p_ids);
    perform from app.lock_withdrawals(v_ids);
  end if;
  v_batch := app.create_withdrawal_batch(
    p_method, v_ids, app.current_uid(), auth.uid(), null, p_held_by_refunds, p_leaves_out_held
  );
  perform app.record_action(
    'create_withdrawal_batch', 'withdrawal_batch', v_batch.id::text, null,
    jsonb_build_object(
      'batch_no', v_batch.batch_no, 'method', v_batch.method, 'withdrawals', v_batch.withdrawals, 'amount',
      v_batch.amount
    )
  );
  return app.withdrawal_batch_json(v_batch);
end
$function$;

CREATE OR REPLACE FUNCTION api.deliver_orders (
  p_ids     jsonb,
  p_carrier text  DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_ids bigint[];
  v_id bigint;
  v_order app.orders;
  v_after app.orders;
  v_result text;
  v_problem text;
  v_lines jsonb := '[]'::jsonb;
begin
  perform app.require_admin('orders');
  v_ids := app.require_ids(p_ids);
  perform from app.orders as o where o.id = any (v_ids) order by o.id for update;
  foreach v_id in array v_ids loop
    v_problem := null;
    begin
      perform app.reject_own_order(v_id);
      v_order := app.lock_order(v_id);
      v_result := case when v_order.delivered_at is null then 'shipped' else 'unchanged' end;
      v_after := v_order;
      if v_result = 'shipped' then
        v_after := app.deliver_order(v_id, null, p_carrier, null, auth.uid());
      end if;
      perform app.record_action(
        'deliver_orders', 'order', v_id::text, jsonb_build_object('state', v_order.state),
        jsonb_build_object('state', v_after.state)
          || case
            when v_result = 'shipped' and p_carrier is not null then jsonb_build_object('carrier', p_carrier)
            else '{}'
          end
      );
    exception when sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics v_problem = message_text;
      v_result := 'rejected';
    end;
    v_lines := v_lines || jsonb_build_object('id', v_id, 'result', v_result, 'problem', v_problem);
  end loop;
  if not jsonb_path_exists(v_lines, '$[*] ? (@.problem == null)') then
    perform app.fail(v_problem);
  end if;
  return jsonb_build_object('lines', v_lines);
end
$function$;

CREATE OR REPLACE FUNCTION api.export_liabilities (
  p_as_of  timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_cursor text                     DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_most constant integer := 1000;
  v_after record;
  v_at timestamptz;
  v_to bigint;
begin
  perform app.require_admin('money');
  v_after := app.line_position(p_cursor);
  v_at := app.past_time(
    case when p_cursor is null then coalesce(p_as_of, clock_timestamp()) else v_after.add_time end, clock_timestamp()
  );
  v_to := (
    select max(c.uid)
    from (select b.uid from app.user_balances as b where b.uid > v_after.id order by b.uid limit v_most) as c
  );
  return (
    select jsonb_build_object(
      'lines', coalesce(jsonb_agg(l.line order by l.uid) filter (where l.line is not null), '[]'),
      'next_cursor',
      case when exists (select from app.user_balances as n where n.uid > v_to) then app.make_cursor(v_at, v_to) end
    )
    from (
      select o.uid, case when greatest(
        o.maturing, o.held_by_refunds, o.reserved, o.frozen, abs(o.withdrawable), abs(o.available), o.left_commission,
        o.left_frozen, o.left_available
      ) > 0 then jsonb_build_object(
        'as_of', app.local_time(v_at, s.time_zone), 'uid', o.uid::text, 'owed', o.owed::text, 'withdrawable',
        o.withdrawable::text, 'held_by_refunds', o.held_by_refunds::text,
        'maturing', o.maturing::text, 'after_receipt', o.after_receipt::text, 'next',
        app.business_day(o.next_maturity)::text,
        'reserved', o.reserved::text, 'frozen', trim_scale(o.frozen)::text, 'available', trim_scale(o.available)::text,
        'left_commission', o.left_commission::text,
        'left_frozen', trim_scale(o.left_frozen)::text, 'left_available', trim_scale(o.left_available)::text
      ) end as line
      from app.owed_at(v_at, v_at, v_after.id, v_to) as o cross join app.settings as s
    ) as l
  );
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
  v_dropped timestamptz;
  v_result jsonb;
begin
  perform app.require_admin();
  v_dropped := app.reach_actions(p_from);
  v_position := app.list_position(p_page, p_limit, p_cursor);
  -- A plan for the filters of the call.
  execute $sql$
    with matching as not materialized (
      select a.* from app.admin_actions as a
      where ($1 is null or a.function = $1) and ($2 is null or a.target_type = $2) and ($3 is null or a.target_id = $3)
        and ($4 is null or a.actor = $4) and ($5 is null or a.add_time >= $5) and ($6 is null or a.add_time < $6)
    )
    select app.log_json(
      jsonb_agg(jsonb_build_object(
        'id', l.id, 'actor', app.actor_json(l.actor), 'machine_key', app.key_name_json(l.machine_key), 'function',
        l.function, 'target_type', l.target_type, 'target_id', l.target_id,
        'subject', app.action_subject_json(l.target_type, l.target_id),
        'from', l.from_value, 'to', l.to_value, 'actor_earned',
        app.actor_earned_json(l.actor, l.target_type, l.target_id),
        'request_id', l.request_id, 'add_time', app.utc(l.add_time)
      ) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), $10
    )
    from (
      select m.* from matching as m where (m.add_time, m.id) < ($7, $8) order by m.add_time desc, m.id desc offset $9
      limit $10
    ) as l
  $sql$
  into v_result
  using p_function, p_target_type, p_target_id, p_actor, p_from, p_to, v_position.add_time, v_position.id,
    v_position.skip, p_limit;
  return v_result || jsonb_build_object('dropped_until', app.utc(nullif(v_dropped, '-infinity')));
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
    where ($1 is null or b.uid = $1) and ($2 is null or b.type = $2) and ($3 is null or b.source = $3)
      and ($4 or b.source <> 'release')
      and (
        $8 is null
        or abs(
          case $7
            when 'brokerage' then b.brokerage_delta
            when 'frozen_points' then b.frozen_delta
            else b.available_delta
          end
        ) between $8 and $9
      )
      and (not $15 or b.order_id is not null and app.is_earned(b.type))
      and ($16 is null or exists (select from app.users as u where u.uid = b.uid and u.agent_level = $16))
  $sql$;
  v_position record;
  v_window record;
  v_since timestamptz;
  v_result jsonb;
begin
  perform app.require_admin();
  if p_balance is null or p_balance not in ('brokerage', 'frozen_points', 'available_points') then
    perform app.fail('invalid_argument', 'The balance is brokerage, frozen_points or available_points.');
  elsif least(p_min_amount, p_max_amount) < 0 then
    perform app.fail('invalid_argument', 'Amounts are searched for without their sign.');
  end if;
  v_window := app.bill_window(
    p_uid, p_agent_level, p_type, p_source, v_has_amount, p_balance, v_is_earned, v_from, least(p_to, p_earned_to),
    now()
  );
  v_position := app.list_position(p_page, p_limit, p_cursor);
  for v_since in
    select s.at from app.steps_back(v_window.from_time, least(v_window.to_time, v_position.add_time)) as s (at)
    where s.at = v_window.from_time or (p_uid is null and v_window.has_releases) order by s.at desc
  loop
    -- A plan for the filters of the call, which finds the index without releases.
    execute format($sql$
      select app.log_json(
        jsonb_agg(app.admin_bill_json(l) order by l.add_time desc, l.id desc),
        (select count(*) from (select from (%s) as m limit $14) as c),
        array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), $13
      )
      from (
        select m.* from (%s) as m where (m.add_time, m.id) < ($10, $11) order by m.add_time desc, m.id desc offset $12
        limit $13
      ) as l
    $sql$, format(v_matching, '$5'), format(v_matching, '$17'))
    into v_result
    using p_uid, p_type, p_source, v_window.has_releases, v_window.from_time, v_window.to_time, p_balance,
      case when v_has_amount then greatest(p_min_amount, 0.0001) end, coalesce(p_max_amount, 'infinity'),
      v_position.add_time, v_position.id, v_position.skip, p_limit, v_most, v_is_earned, p_agent_level, v_since;
    exit when v_result ->> 'next_cursor' is not null;
  end loop;
  return v_result
    || jsonb_build_object('searched_from', case when v_window.is_limited then app.utc(v_window.from_time) end);
end
$function$;

CREATE OR REPLACE FUNCTION api.get_brokerage_progress()
  RETURNS json
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_uid bigint := app.require_uid();
begin
  return app.brokerage_progress(v_uid, clock_timestamp());
end
$function$;

CREATE OR REPLACE FUNCTION api.get_debts (
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
  return (
    with matching as materialized (
      select d.uid, d.brokerage_price, d.maturing, d.maturing - d.brokerage_price as debt
      from app.debts(clock_timestamp()) as d
    )
    select app.list_json(jsonb_agg(jsonb_build_object(
      'uid', l.uid, 'nickname', (select u.nickname from app.users as u where u.uid = l.uid), 'brokerage_price',
      l.brokerage_price::text,
      'maturing', l.maturing::text, 'debt', l.debt::text,
      'open_withdrawal_id', (select w.id from app.withdrawals as w where w.uid = l.uid and w.ended_at is null)
    ) order by l.debt desc, l.uid), (select count(*) from matching))
      || jsonb_build_object('total', (select coalesce(sum(m.debt), 0.00)::text from matching as m))
    from (select m.* from matching as m order by m.debt desc, m.uid offset v_skip limit p_limit) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_level_changes (
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
    with matching as not materialized (select c.* from app.level_changes as c where c.uid = p_uid)
    select app.list_json(jsonb_agg(jsonb_build_object(
      'id', l.id, 'from_level', l.from_level, 'to_level', l.to_level, 'from_hold', l.from_held, 'to_hold', l.to_held,
      'reason', l.reason, 'cause', case when l.reason = 'tasks' then coalesce(l.cause, 'order') end, 'order_id',
      l.order_id, 'changed_by', app.actor_json(l.changed_by), 'add_time', app.utc(l.add_time)
    ) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset v_skip limit p_limit) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_level_review (
  p_limit  integer DEFAULT 20,
  p_cursor bigint  DEFAULT 0,
  p_kind   text    DEFAULT 'fall'::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_admin();
  perform app.check_page(1, p_limit);
  if p_kind is null or p_kind not in ('fall', 'rise') then
    perform app.fail('invalid_argument', 'The review lists who would fall or who would rise.');
  end if;
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(jsonb_build_object(
        'uid', u.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'level_is_held', u.is_held, 'reached_level',
        r.reached_level,
        'missing', case when r.reached_level is not null then (
          select coalesce(
            jsonb_agg(
              jsonb_build_object('agent_level', t.grade, 'type', t.type, 'target', t.target, 'current', c.current)
              order by t.grade, t.type
            ),
            '[]'
          )
          from app.agent_levels as l
          join app.agent_level_tasks as t on t.grade = l.grade
          cross join lateral (select (to_jsonb(r.counts) ->> t.type)::integer as current) as c
          where l.is_active and l.grade > r.reached_level and l.grade <= u.agent_level and c.current < t.target
        ) end
      ) order by u.uid) filter (where r.uid is not null), '[]'),
      'next_cursor', max(r.next_after)
    )
    from (
      select l.* from app.level_review(coalesce(p_cursor, 0), p_limit) as l where p_kind = 'fall'
      union all
      select l.* from app.rise_review(coalesce(p_cursor, 0), p_limit) as l where p_kind = 'rise'
    ) as r
    left join app.users as u on u.uid = r.uid
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_machine_keys()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_admin('keys');
  return (
    select app.list_json(
      jsonb_agg(app.key_json(k) order by app.key_state(k, clock_timestamp()) in ('active', 'blocked') desc, k.id desc),
      count(*)
    )
    from app.machine_keys as k
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_me()
  RETURNS json
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION api.get_member_network (
  p_uid bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_depths jsonb;
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  v_depths := app.depths_json(app.earnings_of_member(p_uid), p_uid);
  return (
    select jsonb_build_object(
      'people', coalesce((select t.umbrella_members from app.team_totals as t where t.uid = p_uid), 0),
      'depth', coalesce(max(d.depth) filter (where d.people > 0), 0), 'depths', v_depths,
      'own_sales', jsonb_build_object(
        'commission',
        trunc(coalesce(sum(d.commission) filter (where d.depth = 1), 0) / nullif(greatest(sum(d.commission), 0), 0), 4),
        'points',
        trunc(coalesce(sum(d.points) filter (where d.depth = 1), 0) / nullif(greatest(sum(d.points), 0), 0), 4)
      ),
      'as_of', (select app.utc(t.as_of) from app.team_totals_as_of as t)
    )
    from (
      select r.*, r.commission_points + r.direct_points + r.umbrella_points as points
      from jsonb_to_recordset(v_depths) as r (
        depth integer, people bigint, commission numeric, commission_points numeric, direct_points numeric,
        umbrella_points numeric
      )
    ) as d
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
  return (
    with earned as (
      -- A month that was closed in another time zone has its bounds, so its rows can lie outside of its days by hours.
      select greatest(v_first, least(v_last, app.local_day(l.add_time, v_time_zone))) as day,
        sum(l.brokerage_delta) as commission,
        sum(l.frozen_delta + l.available_delta) as points
      -- With `offset 0`, the rows of the member are found before others are left out: a plan made while the month was
      -- empty would read the index of all rows with an order.
      from (select b.* from app.bill(v_bounds.begins_at, v_bounds.ends_at) as b where b.uid = v_uid offset 0) as l
      where l.order_id is not null and app.is_earned(l.type)
      group by 1
    )
    select jsonb_build_object(
      'month', v_month, 'commission', coalesce(sum(e.commission), 0.00)::text, 'points',
      trim_scale(coalesce(sum(e.points), 0)),
      'days', jsonb_agg(jsonb_build_object(
        'day', n.at::date, 'commission', coalesce(e.commission, 0.00)::text, 'points', trim_scale(coalesce(e.points, 0))
      ) order by n.at),
      'months',
      (select coalesce(jsonb_agg(m.month order by m.month desc), '[]') from app.months_with_rows(v_uid) as m (month))
    )
    from generate_series(v_first::timestamp, v_last::timestamp, interval '1 day') as n (at)
    left join earned as e on e.day = n.at::date
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_network_members (
  p_people integer DEFAULT NULL::integer,
  p_depth  integer DEFAULT NULL::integer,
  p_sort   text    DEFAULT '-people'::text,
  p_page   integer DEFAULT 1,
  p_limit  integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_limits record;
  v_sort record;
  v_skip bigint;
begin
  perform app.require_admin();
  v_limits := app.network_thresholds(p_people, p_depth);
  v_sort := app.check_sort(p_sort, '{people, direct_members, depth}');
  v_skip := app.check_page(p_page, p_limit);
  return (
    with matching as materialized (
      select m.*,
        case v_sort.key when 'depth' then m.depth when 'direct_members' then m.direct_members else m.people end
        * case v_sort.direction when 'desc' then -1 else 1 end as rank
      from app.network_members() as m where m.people >= v_limits.people and m.depth >= v_limits.depth
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'uid', l.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', v.name, 'people',
        l.people, 'direct_members', l.direct_members,
        'depth', l.depth, 'total_brokerage', b.total_brokerage::text, 'left_at', app.utc(u.left_at)
      ) order by l.rank, l.uid),
      (select count(*) from matching)
    )
    from (select m.* from matching as m order by m.rank, m.uid offset v_skip limit p_limit) as l
    join app.users as u on u.uid = l.uid
    join app.user_balances as b on b.uid = l.uid
    join app.agent_levels as v on v.grade = u.agent_level
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_network_paid()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_days constant integer := 90;
  v_from constant timestamptz := app.day_begins(app.business_day(clock_timestamp()) - v_days + 1);
begin
  perform app.require_admin();
  return jsonb_build_object(
    'deepest', coalesce((
      select jsonb_object_agg(
        d.kind, jsonb_build_object('depth', d.depth, 'uid', d.uid, 'nickname', u.nickname, 'order_id', d.order_id)
      )
      from app.deepest_paid() as d join app.users as u on u.uid = d.uid
    ), '{}'),
    'days', v_days, 'from', app.utc(v_from), 'depths', app.depths_json(app.earnings_since(v_from), null)
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_orders (
  p_state text    DEFAULT NULL::text,
  p_page  integer DEFAULT 1,
  p_limit integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    with matching as not materialized (
      select o.* from app.orders as o
      where o.uid = v_uid and (p_state is null or app.shown_state(o.state, o.refund_status) = p_state)
    )
    select app.list_json(jsonb_agg(app.order_json(l) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as l
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
      'uid', s.uid, 'nickname', (select u.nickname from app.users as u where u.uid = s.uid), 'base', s.base::text,
      'ratio', trim_scale(s.rate), 'commission', coalesce(c.amount_left, s.commission)::text,
      'commission_at_settlement', s.commission::text, 'commission_points',
      trim_scale(coalesce(b.points, s.commission_points)),
      'commission_points_at_settlement', trim_scale(s.commission_points), 'settled_at', app.utc(s.settled_at)
    ) order by l.cycle_no desc, l.place desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.cycle_no desc, m.place desc offset v_skip limit p_limit) as l
    left join app.settlements as s on s.order_id = l.order_id
    left join app.commission_maturities as c on c.order_id = l.order_id
    left join lateral (
      select sum(r.frozen_delta + r.available_delta) as points
      -- Of the table: only releases can stand elsewhere.
      from app.user_bill as r
      where r.order_id = l.order_id and r.uid = p_uid and r.source = 'cycle' and r.brokerage_delta = 0
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
  v_from date := coalesce(p_date_from, '-infinity');
  v_to date := coalesce(p_date_to, 'infinity');
  v_rows app.points_release_log[];
  v_count bigint;
  v_users bigint;
  v_points numeric;
  v_since timestamptz;
begin
  perform app.require_admin();
  perform app.check_release_days(p_date_from, p_date_to);
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
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0)
    into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between v_from and v_to;
  else
    v_rows := array(
      -- With `offset 0`, the rows of the member are found before they are sorted: a plan made while a month was empty
      -- would read all of it by time.
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
    -- A subquery for each nickname: with a join, the generic query plan would read all members, since it does not know
    -- how few rows v_rows has.
    select json_build_object(
      'list', coalesce(json_agg(
        app.release_json(l, (select u.nickname from app.users as u where u.uid = l.uid))
        order by l.add_time desc, l.id desc
      ), '[]'),
      'count', v_count,
      'next_cursor', app.make_cursor((v_rows[p_limit]).add_time, (v_rows[p_limit]).id),
      'statistics', json_build_object(
        'total_released', trim_scale(v_points), 'users', v_users,
        'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
      )
    )
    from unnest(v_rows) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_report (
  p_unit    text DEFAULT 'day'::text,
  p_from    date DEFAULT NULL::date,
  p_to      date DEFAULT NULL::date,
  p_compare text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_now timestamptz := clock_timestamp();
  v_to date := coalesce(p_to, app.business_day(v_now));
  v_days record;
  v_first date;
  v_last date;
  v_periods app.period_figures[];
  v_before app.period_figures[];
  v_over integer;
  v_over_before integer;
  v_zone text := (select s.time_zone from app.settings as s);
begin
  perform app.require_admin();
  v_days := app.check_report(
    p_unit,
    coalesce(p_from, v_to - case p_unit when 'hour' then 0 when 'week' then 84 when 'month' then 335 else 29 end), v_to
  );
  if p_compare is not null and p_compare not in ('before', 'year') then
    perform app.fail('invalid_argument', 'compare is before or year.');
  end if;
  v_periods := array(select p from app.report_periods(p_unit, v_days.first, v_days.last) as p order by p.begins_at);
  v_over := (select count(*) from unnest(v_periods) as p where p.ends_at <= v_now);
  if p_compare is not null then
    select c.first, c.last into v_first, v_last
    from app.compared_days(p_unit, p_compare, v_days.first, v_days.last) as c;
    if exists (select from app.orders as o where o.paid_at < app.day_begins(v_last + 1))
      or exists (select from app.users as u where u.add_time < app.day_begins(v_last + 1)) then
      v_before := array(select p from app.report_periods(p_unit, v_first, v_last) as p order by p.begins_at);
      -- Hours are compared by the clock: a day on which it changes has more or fewer than the one that it is compared
      -- with.
      v_over_before := case when p_unit <> 'hour' then v_over else (
        select count(*) from unnest(v_before) as p
        where (p.begins_at at time zone v_zone) - v_first < (
          v_periods[v_over].ends_at at time zone v_zone
        ) - v_days.first
      ) end;
    end if;
  end if;
  return jsonb_build_object(
    'unit', p_unit, 'from', v_days.first, 'to', v_days.last, 'time_zone', v_zone, 'source_days', app.most_source_days(),
    'periods', app.periods_json(v_periods, v_now), 'totals', app.figures_json(app.sum_of_periods(v_periods)),
    'over', app.figures_json(app.sum_of_periods(v_periods[:v_over])),
    'compared', case when v_before is not null then jsonb_build_object(
      'from', v_first, 'to', v_last, 'periods', app.periods_json(v_before, v_now),
      'over', app.figures_json(app.sum_of_periods(v_before[:v_over_before]))
    ) end
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_report_levels (
  p_from timestamp with time zone,
  p_to   timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_admin();
  perform app.check_sources(p_from, p_to);
  return (
    with sums as (
      select u.agent_level as grade, sum(f.orders) as orders, sum(f.paid) as paid, sum(f.refunded) as refunded,
        sum(f.commission) as commission, sum(f.points_frozen) as points
      from app.member_figures('buyer', p_from, p_to) as f join app.users as u on u.uid = f.uid group by 1
    ), joined as (
      select u.agent_level as grade, count(*) as members from app.users as u
      where u.add_time >= p_from and u.add_time < p_to group by 1
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'agent_level', l.grade, 'agent_level_name', l.name, 'members', coalesce(j.members, 0), 'orders',
        coalesce(s.orders, 0), 'paid', coalesce(s.paid, 0.00)::text,
        'refunded', coalesce(s.refunded, 0.00)::text, 'revenue', coalesce(s.paid - s.refunded, 0.00)::text,
        'commission', coalesce(s.commission, 0.00)::text, 'points_frozen', trim_scale(coalesce(s.points, 0))
      ) order by l.grade),
      count(*)
    )
    from app.agent_levels as l
    left join sums as s on s.grade = l.grade
    left join joined as j on j.grade = l.grade
    where l.is_active or s.grade is not null or j.grade is not null
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_report_members (
  p_from  timestamp with time zone,
  p_to    timestamp with time zone,
  p_sort  text                     DEFAULT '-revenue'::text,
  p_page  integer                  DEFAULT 1,
  p_limit integer                  DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_sort record;
  v_skip bigint;
begin
  perform app.require_admin();
  v_sort := app.check_sort(coalesce(p_sort, '-revenue'), array['revenue', 'orders', 'commission', 'points_frozen']);
  v_skip := app.check_page(p_page, p_limit);
  perform app.check_sources(p_from, p_to);
  return (
    with matching as materialized (
      select f.*,
        case v_sort.key
          when 'orders' then f.orders
          when 'commission' then f.commission
          when 'points_frozen' then f.points_frozen
          else f.paid - f.refunded
        end
        * case v_sort.direction when 'desc' then -1 else 1 end as rank
      from app.member_figures('referrer', p_from, p_to) as f
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'uid', l.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', v.name, 'orders',
        l.orders, 'paid', l.paid::text, 'refunded', l.refunded::text,
        'revenue', (l.paid - l.refunded)::text, 'commission', l.commission::text, 'points_frozen',
        trim_scale(l.points_frozen)
      ) order by l.rank, l.uid),
      (select count(*) from matching)
    )
    from (select m.* from matching as m order by m.rank, m.uid offset v_skip limit p_limit) as l
    join app.users as u on u.uid = l.uid
    join app.agent_levels as v on v.grade = u.agent_level
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_report_products (
  p_from  timestamp with time zone,
  p_to    timestamp with time zone,
  p_sort  text                     DEFAULT '-revenue'::text,
  p_page  integer                  DEFAULT 1,
  p_limit integer                  DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_sort record;
  v_skip bigint;
begin
  perform app.require_admin();
  v_sort := app.check_sort(coalesce(p_sort, '-revenue'), array['revenue', 'units', 'orders']);
  v_skip := app.check_page(p_page, p_limit);
  perform app.check_sources(p_from, p_to);
  return (
    with matching as materialized (
      select s.*,
        case v_sort.key
          when 'units' then s.units
          when 'orders' then s.orders
          else s.paid - s.refunded
        end * case v_sort.direction when 'desc' then -1 else 1 end as rank
      from app.sold_products(p_from, p_to) as s
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'title', l.title, 'is_queue_goods', l.is_queue_goods, 'orders', l.orders, 'units',
        l.units, 'units_refunded', l.units_refunded,
        'paid', l.paid::text, 'refunded', l.refunded::text, 'revenue', (l.paid - l.refunded)::text
      ) order by l.rank, l.product_id, l.is_queue_goods),
      (select count(*) from matching)
    ) || jsonb_build_object(
      'freight',
      (select coalesce(sum(o.freight), 0.00)::text from app.orders as o where o.paid_at >= p_from and o.paid_at < p_to),
      'freight_refunded',
      (select coalesce(sum(f.amount), 0.00)::text from app.refunded_lines(p_from, p_to) as f where f.line_id is null)
    )
    from (
      select m.* from matching as m order by m.rank, m.product_id, m.is_queue_goods offset v_skip limit p_limit
    ) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_signals (
  p_kind   text,
  p_limit  integer DEFAULT 20,
  p_cursor bigint  DEFAULT NULL::bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before bigint := coalesce(p_cursor, 9223372036854775807);
  v_page record;
begin
  perform app.require_admin();
  perform app.check_page(1, p_limit);
  if p_kind = 'retaken_place' then
    select p.* into v_page from app.retaken_places(v_before, p_limit) as p;
  elsif p_kind = 'shared_order' then
    select p.* into v_page from app.shared_orders(v_before, p_limit) as p;
  elsif p_kind = 'sign_up_burst' then
    select p.* into v_page from app.sign_up_bursts(v_before, p_limit) as p;
  elsif p_kind = 'shared_person' then
    select p.* into v_page from app.shared_people(v_before, p_limit) as p;
  elsif p_kind = 'shared_account' then
    select p.* into v_page from app.shared_accounts(v_before, p_limit) as p;
  elsif p_kind = 'reserved_stock' then
    select p.* into v_page from app.reserved_stock(v_before, p_limit) as p;
  else
    perform app.fail(
      'invalid_argument',
      'kind is retaken_place, shared_order, sign_up_burst, shared_person, shared_account or reserved_stock.'
    );
  end if;
  return jsonb_build_object(
    'list', v_page.list, 'next_cursor', v_page.next_cursor, 'examined_to', app.utc(v_page.examined_to)
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_spread_changes (
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
    with matching as not materialized (select c.* from app.spread_changes as c where c.uid = p_uid)
    select app.list_json(jsonb_agg(jsonb_build_object(
      'id', l.id, 'from_uid', l.from_uid, 'from_nickname',
      (select u.nickname from app.users as u where u.uid = l.from_uid), 'to_uid', l.to_uid,
      'to_nickname', (select u.nickname from app.users as u where u.uid = l.to_uid), 'reason', l.reason, 'changed_by',
      app.actor_json(l.changed_by),
      'add_time', app.utc(l.add_time)
    ) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset v_skip limit p_limit) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_upline (
  p_uid   bigint,
  p_page  integer DEFAULT 1,
  p_limit integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION api.get_withdrawal_terms (
  p_amount numeric DEFAULT NULL::numeric
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_uid bigint := app.require_uid();
  v_parts record := app.commission_parts(v_uid, clock_timestamp());
  v_open_id bigint := (select w.id from app.withdrawals as w where w.uid = v_uid and w.ended_at is null);
  v_rate numeric := (select s.withdrawal_fee_rate from app.settings as s);
  v_fee numeric := app.withdrawal_fee(p_amount, v_rate);
  v_tax numeric := (app.compute_tax(v_uid, p_amount, app.most_tax(null, p_amount, v_fee), clock_timestamp())).tax;
begin
  return (
    select jsonb_build_object(
      'methods', coalesce(jsonb_agg(jsonb_build_object(
        'method', l.method, 'minimum', l.minimum::text, 'maximum', l.maximum::text, 'name_from', l.name_from::text
      ) order by l.ordinality), '[]'),
      'fee_rate', trim_scale(v_rate), 'withdrawable', v_parts.withdrawable::text, 'held_by_refunds',
      v_parts.held_by_refunds::text, 'open_withdrawal_id', v_open_id,
      'obstacle', case
        when count(*) = 0 then 'no_method'
        when v_open_id is not null then 'withdrawal_open'
        when not bool_or(l.maximum >= l.minimum) then 'too_little'
      end,
      'real_name',
      (
        select jsonb_build_object('amount_from', m.amount_from::text, 'state', m.state)
        from app.missing_real_name(v_uid) as m
      ),
      'fee', v_fee::text, 'estimated_tax', v_tax::text, 'net_amount', (p_amount - v_fee - coalesce(v_tax, 0))::text
    )
    from app.withdrawal_limits(v_uid, v_parts.withdrawable) with ordinality as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.hand_over_machine_key (
  p_id    bigint,
  p_owner uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before app.machine_keys;
  v_after app.machine_keys;
  v_lost text;
begin
  perform app.require_admin('keys');
  perform app.require_second_factor();
  perform from app.administrators as a join auth.users as u on u.id = a.auth_id
  where a.auth_id = p_owner and app.is_active_administrator(u) for key share of a;
  if not found then
    perform app.fail('administrator_not_found');
  end if;
  v_before := app.lock_machine_key(p_id);
  if app.key_state(v_before, clock_timestamp()) in ('revoked', 'expired', 'ended') then
    perform app.fail('changed_meanwhile', 'This machine key does not work any more. Make a new one.');
  elsif 'money:write' = any (v_before.scopes) and p_owner <> v_before.owner then
    perform app.fail(
      'invalid_argument',
      'A key that decides about money counts as the person who made it, and is not handed over. The other administrator makes a new one.',
      '/owner'
    );
  end if;
  v_after := v_before;
  v_after.owner := p_owner;
  v_lost := array_to_string(app.lost_scopes(v_after), ', ');
  if v_lost <> '' then
    perform app.fail(
      'invalid_argument',
      format(
        'The roles of this administrator do not allow the scopes %s. Choose another one, or make a key with fewer scopes.',
        v_lost
      ),
      '/owner'
    );
  end if;
  update app.machine_keys as k set owner = p_owner, owner_left_at = null where k.id = p_id returning k.* into v_after;
  -- What the program repeats has no second effect (app.role_of_caller).
  update app.idempotency_keys as i set auth_id = p_owner
  where i.auth_id = v_before.owner and i.role = 'store_key ' || p_id;
  perform app.record_action(
    'hand_over_machine_key', 'machine_key', p_id::text,
    jsonb_build_object('owner', v_before.owner, 'owner_left_at', app.utc(v_before.owner_left_at)),
    jsonb_build_object('owner', v_after.owner, 'owner_left_at', null)
  );
  return app.key_json(v_after);
end
$function$;

CREATE OR REPLACE FUNCTION api.invite_administrator (
  p_email text,
  p_roles jsonb,
  p_name  text  DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_roles text[] := app.roles_in(p_roles);
  v_before app.invitations;
  v_after app.invitations;
begin
  perform app.require_admin('administrators');
  perform app.require_second_factor();
  perform app.check_name(p_name);
  if v_roles is null or p_email is null or char_length(p_email) > 255 or not app.is_line(p_email)
    or p_email !~ '^[^@[:space:]]+@[^@[:space:]]+$' then
    perform app.fail('invalid_argument', 'An invitation needs an email address and at least one role.');
  end if;
  select i.* into v_before from app.invitations as i where i.email = lower(p_email) for update;
  insert into app.invitations as i (email, roles, name, invited_by, invited_at)
  values (lower(p_email), v_roles, p_name, auth.uid(), clock_timestamp())
  on conflict (email) do update
  set roles = excluded.roles, name = excluded.name, invited_by = excluded.invited_by, invited_at = excluded.invited_at
  returning i.* into v_after;
  if exists (
    select from app.administrators as a join auth.users as u on u.id = a.auth_id
    where u.email = v_after.email and u.role = 'store_admin' and u.deleted_at is null
  ) then
    perform app.fail('invalid_argument', 'This address belongs to an administrator. Change the roles there.', '/email');
  end if;
  perform app.record_action(
    'invite_administrator', 'invitation', v_after.id::text,
    case when v_before.id is not null then to_jsonb(v_before) - '{id, invited_by}'::text[] end,
    to_jsonb(v_after) - '{id, invited_by}'::text[], '{roles, invited_at}'
  );
  return api.get_administrators();
end
$function$;

CREATE OR REPLACE FUNCTION api.mark_withdrawal_paid (
  p_id              bigint,
  p_payment_ref     text    DEFAULT NULL::text,
  p_held_by_refunds numeric DEFAULT NULL::numeric
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  -- Row order: the withdrawal of one id.
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  perform app.reject_own_approval(array[p_id], auth.uid());
  perform app.reject_end_by_hand(v_before, clock_timestamp());
  v_after := app.move_withdrawal(v_before, 'paid', null, null, p_payment_ref, p_held_by_refunds);
  perform app.record_withdrawal_action('mark_withdrawal_paid', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$function$;

CREATE OR REPLACE FUNCTION api.preview_own_refund (
  p_order_id bigint,
  p_lines    jsonb  DEFAULT NULL::jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_own_order(p_order_id);
  return app.preview_request(p_order_id, p_lines);
end
$function$;

CREATE OR REPLACE FUNCTION api.preview_refund (
  p_order_id        bigint,
  p_lines           jsonb   DEFAULT NULL::jsonb,
  p_amount          numeric DEFAULT NULL::numeric,
  p_freight         numeric DEFAULT NULL::numeric,
  p_answers_request boolean DEFAULT NULL::boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_admin();
  return app.preview_refund(p_order_id, p_lines, null, p_amount, p_freight, p_answers_request);
end
$function$;

CREATE OR REPLACE FUNCTION api.preview_refusal (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_admin();
  return app.preview_refusal(p_order_id);
end
$function$;

CREATE OR REPLACE FUNCTION api.preview_spread (
  p_uid        bigint,
  p_spread_uid bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_admin('members');
  perform app.check_new_spread(p_uid, p_spread_uid);
  return app.spread_json(p_uid, p_spread_uid);
end
$function$;

CREATE OR REPLACE FUNCTION api.preview_withdrawal_batch (
  p_method text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_admin('money');
  return app.preview_withdrawal_batch(p_method, app.current_uid(), auth.uid(), clock_timestamp());
end
$function$;

CREATE OR REPLACE FUNCTION api.record_attempt (
  p_id          bigint,
  p_attempt     integer,
  p_status      integer DEFAULT NULL::integer,
  p_response    text    DEFAULT NULL::text,
  p_problem     text    DEFAULT NULL::text,
  p_retry_after integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_status not between 100 and 999 then
    perform app.fail('invalid_argument', 'An HTTP status has three digits.');
  end if;
  perform app.record_attempt(p_id, p_attempt, p_status, p_response, p_problem, clock_timestamp(), p_retry_after);
  return 'null'::jsonb;
end
$function$;

CREATE OR REPLACE FUNCTION api.refund_order (
  p_order_id        bigint,
  p_lines           jsonb   DEFAULT NULL::jsonb,
  p_refund_ref      text    DEFAULT NULL::text,
  p_amount          numeric DEFAULT NULL::numeric,
  p_freight         numeric DEFAULT NULL::numeric,
  p_answers_request boolean DEFAULT NULL::boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before jsonb;
  v_after jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  v_before := app.load_refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refund_order(p_order_id, p_lines, p_refund_ref, null, p_amount, p_freight, p_answers_request);
  v_after := app.load_refund_state(p_order_id);
  if v_after <> v_before then
    v_after := v_after || jsonb_build_object('refund_id', v_refund.id);
  end if;
  perform app.record_action('refund_order', 'order', p_order_id::text, v_before, v_after);
  return app.refund_json(v_refund);
end
$function$;

CREATE OR REPLACE FUNCTION api.refuse_refund (
  p_order_id bigint,
  p_reason   text   DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before jsonb;
  v_after jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  v_before := app.load_refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refuse_refund(p_order_id, null, p_reason);
  v_after := app.load_refund_state(p_order_id) || jsonb_build_object('refund_id', v_refund.id);
  perform app.record_action(
    'refuse_refund', 'order', p_order_id::text, v_before,
    v_after
      || case
        when v_refund.refusal_reason <> '' then jsonb_build_object('refusal_reason', v_refund.refusal_reason)
        else '{}'
      end,
    array(select jsonb_object_keys(v_after) order by 1)
  );
  return app.refund_json(v_refund);
end
$function$;

CREATE OR REPLACE FUNCTION api.set_administrator (
  p_auth_id uuid,
  p_roles   jsonb DEFAULT NULL::jsonb,
  p_name    text  DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before app.administrators;
  v_roles text[];
begin
  perform app.require_admin('administrators');
  perform app.check_name(p_name);
  v_before := app.lock_administrator(p_auth_id);
  v_roles := coalesce(app.roles_in(p_roles), v_before.roles);
  if p_auth_id = auth.uid() and not 'owner' = any (v_roles) then
    perform app.fail('own_account', 'You cannot give up the role owner yourself; another owner can take it from you.');
  end if;
  if not (v_roles @> v_before.roles and v_roles <@ v_before.roles) then
    perform app.require_second_factor();
  end if;
  if p_roles is not null then
    perform app.give_roles(p_auth_id, v_roles, p_name, null);
  else
    update app.administrators as a set name = coalesce(p_name, a.name) where a.auth_id = p_auth_id;
  end if;
  perform app.record_action(
    'set_administrator', 'administrator', p_auth_id::text, to_jsonb(v_before),
    (select to_jsonb(a) from app.administrators as a where a.auth_id = p_auth_id),
    '{roles}'
  );
  return api.get_administrators();
end
$function$;

CREATE OR REPLACE FUNCTION api.set_settings (
  p_adjustment_limit_money   numeric DEFAULT NULL::numeric,
  p_adjustment_limit_points  numeric DEFAULT NULL::numeric,
  p_analyst_minutes          integer DEFAULT NULL::integer,
  p_assistants               boolean DEFAULT NULL::boolean,
  p_avatar_origins           jsonb   DEFAULT NULL::jsonb,
  p_cancellations_per_hour   integer DEFAULT NULL::integer,
  p_colour                   text    DEFAULT NULL::text,
  p_contact_hours            text    DEFAULT NULL::text,
  p_contact_phone            text    DEFAULT NULL::text,
  p_contact_wechat           text    DEFAULT NULL::text,
  p_first_order_minutes      integer DEFAULT NULL::integer,
  p_h5_share_url             text    DEFAULT NULL::text,
  p_keys_per_hour            integer DEFAULT NULL::integer,
  p_logo                     text    DEFAULT NULL::text,
  p_max_unpaid_orders        integer DEFAULT NULL::integer,
  p_max_unpaid_share         numeric DEFAULT NULL::numeric,
  p_max_unpaid_units         integer DEFAULT NULL::integer,
  p_network_depth            integer DEFAULT NULL::integer,
  p_network_people           integer DEFAULT NULL::integer,
  p_night_sessions           integer DEFAULT NULL::integer,
  p_offline_payment          boolean DEFAULT NULL::boolean,
  p_offline_payment_days     integer DEFAULT NULL::integer,
  p_offline_payment_limit    numeric DEFAULT NULL::numeric,
  p_order_expiry_minutes     integer DEFAULT NULL::integer,
  p_orders_per_hour          integer DEFAULT NULL::integer,
  p_payment_minutes          integer DEFAULT NULL::integer,
  p_payment_query_minutes    jsonb   DEFAULT NULL::jsonb,
  p_person_request_days      integer DEFAULT NULL::integer,
  p_points_max_share         numeric DEFAULT NULL::numeric,
  p_points_rate              numeric DEFAULT NULL::numeric,
  p_poster_design            text    DEFAULT NULL::text,
  p_posters_per_hour         integer DEFAULT NULL::integer,
  p_profile_changes_per_hour integer DEFAULT NULL::integer,
  p_real_name_check          text    DEFAULT NULL::text,
  p_real_name_from           numeric DEFAULT NULL::numeric,
  p_receipt_days             integer DEFAULT NULL::integer,
  p_refund_window_days       integer DEFAULT NULL::integer,
  p_refused_words            jsonb   DEFAULT NULL::jsonb,
  p_return_address           jsonb   DEFAULT NULL::jsonb,
  p_second_factor_areas      jsonb   DEFAULT NULL::jsonb,
  p_settlement_slots         integer DEFAULT NULL::integer,
  p_site_name                text    DEFAULT NULL::text,
  p_tax_from                 text    DEFAULT NULL::text,
  p_tax_method               text    DEFAULT NULL::text,
  p_time_zone                text    DEFAULT NULL::text,
  p_transfer_maximum         numeric DEFAULT NULL::numeric,
  p_transfer_minimum         numeric DEFAULT NULL::numeric,
  p_transfer_name_from       numeric DEFAULT NULL::numeric,
  p_withdrawal_fee_rate      numeric DEFAULT NULL::numeric,
  p_withdrawal_limit         numeric DEFAULT NULL::numeric,
  p_withdrawal_maximum       numeric DEFAULT NULL::numeric,
  p_withdrawal_methods       jsonb   DEFAULT NULL::jsonb,
  p_withdrawal_minimum       numeric DEFAULT NULL::numeric
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
        begin
          perform app.require_admin('system');
          return app.change_settings((select to_jsonb(c) from (select p_adjustment_limit_money as adjustment_limit_money, p_adjustment_limit_points as adjustment_limit_points, p_analyst_minutes as analyst_minutes, p_assistants as assistants, p_avatar_origins as avatar_origins, p_cancellations_per_hour as cancellations_per_hour, p_colour as colour, p_contact_hours as contact_hours, p_contact_phone as contact_phone, p_contact_wechat as contact_wechat, p_first_order_minutes as first_order_minutes, p_h5_share_url as h5_share_url, p_keys_per_hour as keys_per_hour, p_logo as logo, p_max_unpaid_orders as max_unpaid_orders, p_max_unpaid_share as max_unpaid_share, p_max_unpaid_units as max_unpaid_units, p_network_depth as network_depth, p_network_people as network_people, p_night_sessions as night_sessions, p_offline_payment as offline_payment, p_offline_payment_days as offline_payment_days, p_offline_payment_limit as offline_payment_limit, p_order_expiry_minutes as order_expiry_minutes, p_orders_per_hour as orders_per_hour, p_payment_minutes as payment_minutes, p_payment_query_minutes as payment_query_minutes, p_person_request_days as person_request_days, p_points_max_share as points_max_share, p_points_rate as points_rate, p_poster_design as poster_design, p_posters_per_hour as posters_per_hour, p_profile_changes_per_hour as profile_changes_per_hour, p_real_name_check as real_name_check, p_real_name_from as real_name_from, p_receipt_days as receipt_days, p_refund_window_days as refund_window_days, p_refused_words as refused_words, p_return_address as return_address, p_second_factor_areas as second_factor_areas, p_settlement_slots as settlement_slots, p_site_name as site_name, p_tax_from as tax_from, p_tax_method as tax_method, p_time_zone as time_zone, p_transfer_maximum as transfer_maximum, p_transfer_minimum as transfer_minimum, p_transfer_name_from as transfer_name_from, p_withdrawal_fee_rate as withdrawal_fee_rate, p_withdrawal_limit as withdrawal_limit, p_withdrawal_maximum as withdrawal_maximum, p_withdrawal_methods as withdrawal_methods, p_withdrawal_minimum as withdrawal_minimum) as c));
        end
        $function$;

CREATE OR REPLACE FUNCTION api.set_spread (
  p_uid        bigint,
  p_spread_uid bigint,
  p_reason     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_change jsonb;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  perform app.reject_own_member(p_spread_uid);
  perform app.lock_structure();
  v_change := app.spread_json(p_uid, p_spread_uid);
  perform app.set_spread(p_uid, p_spread_uid, p_reason, auth.uid(), null);
  perform app.record_action(
    'set_spread', 'member', p_uid::text, jsonb_build_object('spread_uid', v_change #> '{from,uid}'),
    jsonb_build_object('spread_uid', p_spread_uid)
  );
  return v_change;
end
$function$;

CREATE OR REPLACE FUNCTION api.ship_orders (
  p_lines jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_lines app.shipment_line[];
  v_checked app.checked_line[];
  v_line app.checked_line;
  v_carrier app.carriers;
  v_order app.orders;
begin
  perform app.require_admin('orders');
  v_lines := app.shipment_lines(p_lines);
  perform from app.orders as o where o.order_no = any (array(select l.order_no from unnest(v_lines) as l)) order by o.id
  for update;
  -- Row order: that of the function.
  v_checked := array(select l from app.check_shipment(v_lines, app.current_uid()) as l);
  if not exists (select from unnest(v_checked) as l where l.result <> 'rejected') then
    perform app.fail('order_state_conflict', 'None of these lines fits an order that waits for its shipment.');
  end if;
  for v_line in
    select l.line, l.order_no, l.order_id, l.carrier, l.tracking_no, l.result, l.problem
    from unnest(v_checked) with ordinality as l where l.result <> 'rejected' order by l.order_id, l.ordinality
  loop
    v_carrier := app.find_carrier(v_line.carrier);
    if v_line.result = 'fits' then
      select o.* into v_order from app.orders as o where o.id = v_line.order_id;
      perform app.add_parcel(v_order, v_carrier.name_zh, v_carrier.code, v_line.tracking_no, auth.uid(), null);
    end if;
    perform app.record_action(
      'ship_orders', 'order', v_line.order_id::text,
      case
        when v_line.result = 'fits' then jsonb_build_object(
          'state', v_order.state, 'carrier', null, 'tracking_no', null
        )
        else '{}'
      end,
      case
        when v_line.result = 'fits' then jsonb_build_object(
          'state', 'delivered', 'carrier', v_carrier.name_zh, 'tracking_no', v_line.tracking_no
        )
        else '{}'
      end
    );
  end loop;
  return app.shipment_json(v_checked);
end
$function$;

CREATE OR REPLACE FUNCTION api.take_back_refund (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_refund app.refunds;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.take_back_refund(p_order_id, null);
  return app.refund_json(v_refund);
end
$function$;

CREATE OR REPLACE FUNCTION api.use_machine_key (
  p_id   bigint,
  p_hash text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_now constant timestamptz := clock_timestamp();
  v_key app.machine_keys;
  v_seconds integer;
begin
  select k.* into v_key from app.machine_keys as k where k.id = p_id and encode(k.hash, 'hex') = p_hash;
  if not found then
    perform app.fail('invalid_key');
  end if;
  perform app.require_working_key(v_key);
  v_seconds := app.count_within_hour('machine key ' || v_key.id, v_key.calls_per_hour, v_now);
  if v_seconds is not null then
    perform app.fail(
      'too_many_requests',
      format(
        'This machine key makes at most %s calls in an hour. Try again in %s minutes.', v_key.calls_per_hour,
        ceil(v_seconds / 60.0)
      ),
      p_retry_after => v_seconds
    );
  end if;
  update app.machine_keys as k set last_used_at = v_now
  where k.id = p_id and (k.last_used_at > v_now - interval '1 minute') is not true;
  perform app.forget_hourly_counts(v_now);
  return jsonb_build_object(
    'role', 'store_key', 'sub', v_key.owner, 'key', v_key.id, 'scopes', app.working_scopes(v_key)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.abandon_import (
  p_now timestamp with time zone
)
  RETURNS SETOF app.imports
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select i.* from app.end_import(true, p_now) as i
$function$;

CREATE OR REPLACE FUNCTION app.accounted_for (
  p_uid bigint,
  p_at  timestamp with time zone,
  OUT   adjusted numeric,
  OUT   adjusted_points numeric,
  OUT   reserved numeric,
  OUT   paid numeric,
  OUT   spent numeric
)
  RETURNS record
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select a.brokerage, a.points, w.reserved, w.paid, o.points
  from (
    select coalesce(sum(d.brokerage_delta), 0.00) as brokerage,
      coalesce(sum(d.frozen_delta + d.available_delta), 0) as points
    from app.adjustments as d where d.uid = p_uid and d.state = 'booked' and (p_at is null or d.decided_at < p_at)
  ) as a
  cross join (
    select
      coalesce(sum(l.amount) filter (where l.ended_at is null or l.ended_at >= p_at), 0.00) as reserved,
      coalesce(sum(l.amount) filter (where l.state = 'paid' and (p_at is null or l.ended_at < p_at)), 0.00) as paid
    from app.withdrawals as l where l.uid = p_uid and (p_at is null or l.add_time < p_at)
  ) as w
  cross join (
    select coalesce(sum(case
      when p_at is null then s.points_left
      when s.cancelled_at < p_at then 0
      else s.points_spent - coalesce((
        select sum(r.points) from app.refunds as r
        where r.order_id = s.id and app.is_paid_back(r.state) and r.decided_at < p_at
      ), 0)
    end), 0) as points
    from app.orders as s where s.uid = p_uid and s.points_spent > 0 and (p_at is null or s.add_time < p_at)
  ) as o
$function$;

CREATE OR REPLACE FUNCTION app.accounts_json (
  p_balances app.user_balances,
  p_now      timestamp with time zone,
  p_at       timestamp with time zone DEFAULT NULL::timestamp WITH time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'commission', jsonb_build_object(
      'opening', f.brokerage::text, 'earned', (p_balances.total_brokerage - f.brokerage)::text, 'adjusted',
      a.adjusted::text,
      'withdrawable', (p_balances.brokerage_price - m.amount - l.amount)::text, 'held_by_refunds', l.amount::text,
      'maturing', m.amount::text, 'reserved', a.reserved::text, 'paid', a.paid::text
    ),
    'points', jsonb_build_object(
      'opening', trim_scale(f.points), 'earned', trim_scale(p_balances.total_points_earned - f.points), 'adjusted',
      trim_scale(a.adjusted_points),
      'frozen', trim_scale(p_balances.frozen_points), 'available', trim_scale(p_balances.available_points), 'spent',
      trim_scale(a.spent)
    )
  )
  from app.opening_of(p_balances.uid) as f
  cross join app.accounted_for(p_balances.uid, p_at) as a
  cross join (
    select coalesce(sum(c.amount), 0.00) as amount
    from (
      select n.amount_left as amount from app.maturing(p_balances.uid, p_now) as n where p_at is null
      union all
      select t.amount from app.maturing_at(p_at, p_now, p_balances.uid - 1, p_balances.uid) as t where p_at is not null
    ) as c
  ) as m
  cross join lateral (
    select app.held_of_matured(p_balances.brokerage_price - m.amount, coalesce(sum(h.amount), 0.00)) as amount
    from (
      select n.amount from app.held_orders(p_balances.uid, p_now) as n where p_at is null
      union all
      select t.amount from app.held_at(p_at, p_now, p_balances.uid - 1, p_balances.uid) as t where p_at is not null
    ) as h
  ) as l
$function$;

CREATE OR REPLACE FUNCTION app.action_days()
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select 1096
$function$;

CREATE OR REPLACE FUNCTION app.action_lines (
  p_month date
)
  RETURNS SETOF text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET "TimeZone" TO 'UTC'
  AS $function$
begin
  return query execute format(
    'select to_jsonb(a)::text from %s as a order by a.add_time, a.id', app.month_part('admin_actions', p_month)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.actions_dropped_until()
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(
    (select max(d.month) + interval '1 month' from app.dropped_actions as d) at time zone 'UTC', '-infinity'
  )
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
  select jsonb_build_object(
    'commission', sum(b.brokerage_delta)::text, 'points', trim_scale(sum(b.frozen_delta + b.available_delta))
  )
  from app.users as u
  -- Of the table: only releases can stand elsewhere.
  join app.user_bill as b on b.uid = u.uid
  where p_target_type = 'order' and app.is_earned(b.type) and u.auth_id = p_actor
    and b.order_id = case when p_target_type = 'order' then p_target_id::bigint end
  having count(*) > 0
$function$;

CREATE OR REPLACE FUNCTION app.add_parcel (
  p_order        app.orders,
  p_carrier      text,
  p_carrier_code text,
  p_tracking_no  text,
  p_by           uuid,
  p_now          timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := p_order;
  v_now timestamptz := app.effect_time(p_now);
  v_is_further boolean := exists (select from app.parcels as l where l.order_id = p_order.id);
  v_id bigint;
begin
  if num_nonnulls(p_carrier, p_tracking_no) > 0 then
    insert into app.parcels (order_id, carrier, carrier_code, tracking_no, shipped_at, shipped_by)
    values (p_order.id, p_carrier, p_carrier_code, p_tracking_no, v_now, p_by) returning id into v_id;
  end if;
  if v_order.delivered_at is null then
    -- What was received had left the store, whenever it is recorded.
    update app.orders as o
    set state = case o.state when 'paid' then 'delivered' else o.state end, delivered_at = least(v_now, o.received_at)
    where o.id = p_order.id returning * into v_order;
    perform app.ask_to_upload_shipping(v_order, v_now);
    perform app.write_event('order.shipped', v_order.id, v_order.uid, '{}', v_now);
  elsif v_is_further and v_id is not null then
    perform app.write_event(
      'order.parcel_added', v_order.id, v_order.uid, jsonb_build_object('parcel_id', v_id), v_now
    );
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.adjustment_json (
  p_adjustment app.adjustments
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'id', p_adjustment.id, 'uid', p_adjustment.uid, 'nickname',
    (select u.nickname from app.users as u where u.uid = p_adjustment.uid),
    'brokerage', p_adjustment.brokerage_delta::text, 'frozen_points', trim_scale(p_adjustment.frozen_delta),
    'available_points', trim_scale(p_adjustment.available_delta), 'reason', p_adjustment.reason, 'kind',
    p_adjustment.kind, 'state', p_adjustment.state,
    'created_by', app.actor_json(p_adjustment.created_by), 'add_time', app.utc(p_adjustment.add_time),
    'decided_by', app.actor_json(p_adjustment.decided_by), 'decided_at', app.utc(p_adjustment.decided_at)
  )
$function$;

CREATE OR REPLACE FUNCTION app.admin_withdrawal_json (
  p_withdrawal app.withdrawals
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select app.withdrawal_json(p_withdrawal) || jsonb_build_object(
    'uid', p_withdrawal.uid, 'nickname', (select u.nickname from app.users as u where u.uid = p_withdrawal.uid),
    'payment_ref', p_withdrawal.payment_ref, 'batch_id', p_withdrawal.batch_id, 'approved_by',
    app.actor_json(p_withdrawal.approved_by),
    'waits', p_withdrawal.state = 'requested' and p_withdrawal.approved_by is not null
  ) || (
    select jsonb_build_object(
      'debt', nullif(-least(c.withdrawable, 0.00), 0)::text,
      'held_by_refunds',
      case
        when p_withdrawal.state in ('requested', 'approved') then nullif(
          least(p_withdrawal.amount, c.held_beyond), 0
        )::text
      end
    )
    from (select) as one
    left join app.commission_parts(p_withdrawal.uid, clock_timestamp()) as c on p_withdrawal.ended_at is null
  )
$function$;

CREATE OR REPLACE FUNCTION app.all_refund_items (
  p_order_id bigint
)
  RETURNS app.refund_item[]
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select array(
    select (l.id, l.quantity - l.refunded_quantity, 0)::app.refund_item from app.order_lines as l
    where l.order_id = p_order_id and l.quantity > l.refunded_quantity
    order by l.id
  )
$function$;

CREATE OR REPLACE FUNCTION app.amount_left_after_concessions (
  p_paid        numeric,
  p_quantity    integer,
  p_units       integer,
  p_concessions app.concession[]
)
  RETURNS numeric
  LANGUAGE plpgsql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_cents numeric := trunc(p_paid * 100);
  v_units numeric := p_quantity::numeric;
  v_divisor numeric;
  v_concession app.concession;
begin
  foreach v_concession in array p_concessions loop
    v_cents := v_cents * v_concession.units - trunc(v_concession.amount * 100) * v_units;
    v_units := v_units * v_concession.units;
    v_divisor := gcd(v_cents, v_units);
    v_cents := div(v_cents, v_divisor);
    v_units := div(v_units, v_divisor);
  end loop;
  return div(p_units * v_cents, v_units) * 0.01;
end
$function$;

CREATE OR REPLACE FUNCTION app.announce_maturities (
  p_now   timestamp with time zone,
  p_limit integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_due bigint[] := array(
    select m.order_id from app.commission_maturities as m
    where m.matures_at <= p_now and not m.is_announced and not exists (
      -- Told when it can be withdrawn, once the request is answered.
      select from app.refunds as r
      where r.order_id = m.order_id and r.state = 'requested' and app.names_queue_goods(r.id)
    )
    order by m.matures_at, m.order_id limit p_limit for update skip locked
  );
  v_events app.event[];
begin
  with announced as (
    update app.commission_maturities as m set is_announced = true where m.order_id = any (v_due) and not m.is_announced
    returning m.*
  )
  select array_agg((
    'commission.matured', a.order_id, a.uid, jsonb_build_object('amount', a.amount_left::text), 'job', null
  )::app.event order by a.matures_at, a.order_id) into v_events
  from announced as a
  where a.amount_left > 0 and not exists (select from app.users as u where u.uid = a.uid and u.left_at is not null);
  perform app.write_events(v_events, p_now);
  return cardinality(v_due);
end
$function$;

CREATE OR REPLACE FUNCTION app.apply_schedule (
  p_now timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_job app.scheduled_jobs;
  v_names text[];
begin
  if to_regclass('cron.job') is null then
    raise warning 'pg_cron is not installed in this database, so no scheduled job runs.'
      using hint = 'Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()';
    return;
  end if;
  for v_job in select j.* from app.scheduled_jobs as j order by j.name loop
    v_names := array(select n.name from app.cron_names(v_job) as n (name) where v_job.is_active order by n.name);
    -- To schedule a job again does not switch it on.
    execute 'select cron.unschedule(j.jobid) from cron.job as j where j.jobname = any ($1) and not j.active' using v_names;
    execute 'select cron.schedule(n.name, $2, $3) from unnest($1) as n (name)'
    using v_names, app.cron_in_utc(v_job.schedule, (select s.time_zone from app.settings as s), p_now), v_job.command;
    execute $sql$
      select cron.unschedule(j.jobname) from cron.job as j
      where (j.jobname = $1 or j.jobname ~ ('^' || $1 || ':[0-9]$')) and j.jobname <> all ($2)
        and (not $3 or not exists (select from app.job_runs as r where r.job = $1 and app.is_running(r)))
    $sql$ using v_job.name, v_names, v_job.is_active;
  end loop;
  perform app.count_times(p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.approve_withdrawal (
  p_withdrawal      app.withdrawals,
  p_now             timestamp with time zone,
  p_by              uuid                     DEFAULT NULL::uuid,
  p_held_by_refunds numeric                  DEFAULT NULL::numeric
)
  RETURNS app.withdrawals
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_withdrawal app.withdrawals := p_withdrawal;
  v_held numeric := p_withdrawal.held_accepted;
  v_waits boolean := false;
begin
  if p_withdrawal.state = 'requested' then
    if p_withdrawal.account_id is null
      and not exists (
        select from app.transfers as t where t.withdrawal_id = p_withdrawal.id and t.openid is not null
      ) then
      perform app.fail(
        'account_not_found', 'The member was deleted, and the account with them. Refuse this withdrawal.'
      );
    elsif exists (
      select from app.missing_real_name(p_withdrawal.uid) as m
      where p_withdrawal.amount >= m.amount_from and m.state <> 'none'
    ) then
      -- It sufficed when the withdrawal was requested. Whoever was not asked then is not asked now.
      perform app.fail(
        'withdrawal_state_conflict',
        'The real name of this member waits to be checked, or was refused. Check it first, or refuse this withdrawal, too.'
      );
    end if;
    if coalesce(p_withdrawal.approved_by = p_by, true) then
      -- Nobody else pays a transfer by WeChat: the approval does.
      v_waits := case
        when p_withdrawal.method = 'wechat' and p_by is not null
          and app.other_administrator('money', p_by, p_withdrawal.uid) then true
        else not app.decide_alone('withdrawal', p_withdrawal.amount, 0, p_by, p_withdrawal.uid, p_now)
      end;
    else
      perform app.reject_key_as_second();
    end if;
    v_held := app.reject_holds(array[p_withdrawal.id], p_held_by_refunds, app.effect_time(p_now));
    update app.withdrawals as w set approved_by = p_by where w.id = p_withdrawal.id;
  elsif p_withdrawal.state = 'approved' and p_held_by_refunds is not null then
    v_held := app.reject_holds(array[p_withdrawal.id], p_held_by_refunds, app.effect_time(p_now));
  end if;
  update app.withdrawals as w set held_accepted = v_held where w.id = p_withdrawal.id returning w.* into v_withdrawal;
  if v_waits then
    return v_withdrawal;
  end if;
  v_withdrawal := app.move_withdrawal(v_withdrawal, 'approved', p_now);
  perform app.ask_to_transfer(v_withdrawal, app.effect_time(p_now)) where v_withdrawal.method = 'wechat';
  return v_withdrawal;
end
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
  v_last record;
begin
  select b.brokerage_after, b.frozen_after, b.available_after into v_last
  from app.bill('-infinity', p_until) as b
  where b.uid = p_uid
  order by b.add_time desc, b.id desc
  limit 1;
  return jsonb_build_object(
    'brokerage_price', coalesce(v_last.brokerage_after, 0.00)::text, 'frozen_points',
    trim_scale(coalesce(v_last.frozen_after, 0)),
    'available_points', trim_scale(coalesce(v_last.available_after, 0))
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.basis_left (
  p_type   text,
  p_source text,
  p_base   numeric,
  p_units  integer,
  p_rate   numeric
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select case
    when p_base = 0 then 0
    when app.is_money(p_type) then p_base
    when p_source = 'cycle' then app.cycle_commission(p_base, p_rate)
    else p_units
  end
$function$;

CREATE OR REPLACE FUNCTION app.begin_transfer (
  p_withdrawal_no text,
  p_mchid         text,
  p_now           timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_withdrawal app.withdrawals := app.lock_transfer(p_withdrawal_no);
  v_transfer app.transfers;
  v_now timestamptz;
  v_held numeric;
  v_must_cancel boolean;
  v_may_request boolean;
begin
  if p_mchid is null or char_length(p_mchid) not between 1 and 64 then
    perform app.fail('invalid_argument', 'The id of a merchant has 1 to 64 characters.');
  elsif v_withdrawal.state not in ('approved', 'paying') then
    perform app.finish_outbox('transfer', p_withdrawal_no);
    return null;
  end if;
  select t.* into v_transfer from app.transfers as t where t.withdrawal_id = v_withdrawal.id;
  if v_transfer.mchid <> p_mchid then
    perform app.fail(
      'withdrawal_state_conflict',
      format('The merchant %s has requested this transfer. Another one cannot continue it.', v_transfer.mchid)
    );
  end if;
  v_must_cancel := v_transfer.cancel_at is not null or v_transfer.openid is null;
  perform app.lock_balances(array[v_withdrawal.uid]);
  v_now := app.effect_time(p_now);
  v_held := app.held_of_withdrawal(v_withdrawal, v_now);
  if v_held > coalesce(v_withdrawal.held_accepted, 0) and not v_must_cancel then
    return jsonb_build_object('is_held', true);
  end if;
  v_withdrawal := app.move_withdrawal(v_withdrawal, 'paying', v_now, p_held_by_refunds => v_held);
  v_may_request := not v_must_cancel and not app.may_be_forgotten(v_transfer, v_now);
  update app.transfers as t set mchid = p_mchid, asked_at = v_now, first_asked_at = coalesce(t.first_asked_at, v_now)
  where t.withdrawal_id = v_withdrawal.id and v_may_request;
  return jsonb_build_object(
    'appid', v_transfer.appid, 'openid', v_transfer.openid, 'payee_name', v_transfer.payee_name,
    'amount_minor', (app.net_amount(v_withdrawal) * 100)::bigint, 'must_cancel', v_must_cancel, 'may_request',
    v_may_request,
    'can_be_confirmed', v_transfer.package_info is not null, 'is_held', false
  );
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
    'lines',
    (select coalesce(jsonb_agg(app.bill_line(r, v_zone) order by r.add_time, r.id), '[]') from unnest(v_rows) as r),
    'next_cursor',
    case when cardinality(v_rows) = v_most then app.make_cursor((v_rows[v_most]).add_time, (v_rows[v_most]).id) end
  );
end
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
  v_from timestamptz := coalesce(p_from, '-infinity');
  v_to timestamptz := coalesce(p_to, 'infinity');
begin
  return (
    with matching as not materialized (
      select b.* from app.bill(v_from, v_to) as b where b.uid = p_uid and (p_type is null or b.type = p_type)
    )
    select app.log_json(
      jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), p_limit
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
  return coalesce((select b from app.user_bill as b where b.id = p_id), (
    select b
    from app.compacted_months as m
    join app.compacted_releases as c
      on c.first_time >= m.month::timestamp at time zone 'UTC'
        and c.first_time < (m.month + interval '1 month') at time zone 'UTC'
    cross join lateral app.bill_of_run(c) as b
    where p_id between m.first_bill_id and m.last_bill_id and app.is_in_run(c, p_id) and b.id = p_id
  ));
end
$function$;

CREATE OR REPLACE FUNCTION app.bind_spread (
  p_uid        bigint,
  p_spread_uid bigint,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_user app.users;
  v_below record;
  v_state app.engine_state;
  v_decision record;
  v_position bigint;
  v_now timestamptz;
begin
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.* into v_user from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_user.spread_uid = p_spread_uid then
    return;
  elsif v_user.spread_uid is not null then
    perform app.fail('spread_already_bound', 'A referrer can be set only once.');
  end if;
  perform app.check_referrer(p_uid, p_spread_uid);

  select * into v_below from app.count_downline(p_uid);
  v_state := app.load_state(array[p_uid, p_spread_uid]);
  v_decision := app.decide_levels(
    array[app.new_tree_change(
      'refer', app.member_index(v_state, p_uid), p_referrer => app.member_index(v_state, p_spread_uid),
      p_orders_below => v_below.umbrella_orders,
      p_members_below => v_below.umbrella_members, p_raises => true
    )],
    v_state.members, v_state.levels
  );
  perform app.book_entries('{}', v_decision.members, '{}', v_now);
  update app.users set spread_uid = p_spread_uid, spread_time = v_now, spread_position = nextval('app.positions')
  where uid = p_uid
  returning spread_position into v_position;
  perform app.write_event('member.referred', p_uid, p_spread_uid, '{}', v_now);
  perform app.raise_members(v_decision.rises, v_position, v_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.book_entries (
  p_entries app.bill_entry[],
  p_members app.tree_member[],
  p_cycles  app.cycle_state[],
  p_now     timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
begin
  with entries as materialized (
    select e.* from unnest(p_entries) with ordinality as e
  ),
  sums as (
    select
      e.uid, sum(e.brokerage_delta) as brokerage, sum(e.frozen_delta) as frozen, sum(e.available_delta) as available,
      sum(e.brokerage_delta) filter (where app.is_earned(e.type)) as commission,
      sum(e.frozen_delta + e.available_delta) filter (where app.is_earned(e.type)) as points
    from entries as e group by e.uid
  ),
  members as (select m.* from unnest(p_members) as m where m.is_changed),
  cycles as (select c.* from unnest(p_cycles) as c where c.placed <> 0),
  changes as (
    select
      uid, coalesce(s.brokerage, 0) as brokerage, coalesce(s.frozen, 0) as frozen,
      coalesce(s.available, 0) as available,
      coalesce(s.commission, 0) as commission, coalesce(s.points, 0) as points,
      m.own_orders, m.direct_orders, m.umbrella_orders, m.direct_members, m.umbrella_members,
      c.cycle_no, c.plan_version, c.is_open, coalesce(c.placed, 0) as placed
    from sums as s full join members as m using (uid) full join cycles as c using (uid)
  ),
  changed as (
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + t.brokerage,
        total_brokerage = b.total_brokerage + t.commission,
        frozen_points = b.frozen_points + t.frozen,
        available_points = b.available_points + t.available,
        total_points_earned = b.total_points_earned + t.points,
        own_orders = coalesce(t.own_orders, b.own_orders),
        direct_orders = coalesce(t.direct_orders, b.direct_orders),
        umbrella_orders = coalesce(t.umbrella_orders, b.umbrella_orders),
        direct_members = coalesce(t.direct_members, b.direct_members),
        umbrella_members = coalesce(t.umbrella_members, b.umbrella_members),
        total_places = b.total_places + t.placed,
        cycle_no = coalesce(t.cycle_no, b.cycle_no),
        cycle_plan_version = coalesce(t.plan_version, b.cycle_plan_version),
        cycle_is_open = coalesce(t.is_open, b.cycle_is_open)
    from changes as t
    where b.uid = t.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points
  )
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
    order_id, basis, rate, agent_level, passed_on, reverses_id,
    withdrawal_id, adjustment_id, add_time
  )
  select
    e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
    b.brokerage_price - coalesce(sum(e.brokerage_delta) over later, 0),
    b.frozen_points - coalesce(sum(e.frozen_delta) over later, 0),
    b.available_points - coalesce(sum(e.available_delta) over later, 0),
    e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id,
    e.withdrawal_id, e.adjustment_id, p_now
  from entries as e
  join changed as b on b.uid = e.uid
  window later as (partition by e.uid order by e.ordinality rows between 1 following and unbounded following)
  order by e.ordinality;
  perform app.forfeit_returned(p_entries, p_now)
  where exists (select from unnest(p_entries) as r where app.gives_back(r.type));
end
$function$;

CREATE OR REPLACE FUNCTION app.book_refund_effects (
  p_facts  app.refund_facts,
  p_refund app.refunds,
  p_now    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_after app.orders := p_facts.after;
  v_decision record := app.decide_refund(p_facts);
  v_entries app.bill_entry[] := app.record_forfeits(v_decision.entries, p_now);
begin
  update app.orders
  set queue_base = v_after.queue_base, queue_units = v_after.queue_units, refund_status = v_after.refund_status,
    points_left = v_after.points_left
  where id = v_after.id;
  perform app.book_entries(v_entries, v_decision.members, v_decision.cycles, p_now);
  update app.commission_maturities as m set amount_left = m.amount_left - r.taken
  from (
    select -sum(e.brokerage_delta) as taken from unnest(v_decision.entries) as e where e.type = 'brokerage_reversal'
  ) as r
  where m.order_id = v_after.id and r.taken > 0;
  if cardinality(v_decision.cycles) > 0 then
    update app.settlements set place_freed_at = p_now,
      place_freed_position = coalesce(p_refund.decided_position, p_refund.position)
    where order_id = v_after.id;
  end if;
  perform app.write_events(app.refund_event(p_refund, v_after.uid) || array(
    select (
      'commission.reversed', v_after.id, e.uid, jsonb_build_object('amount', (-e.brokerage_delta)::text), 'refund',
      p_refund.id
    )::app.event
    from unnest(v_decision.entries) with ordinality as e
    where e.type = 'brokerage_reversal'
    order by e.ordinality
  ) || app.hold_events(p_facts.before, p_refund), p_now);
  perform app.raise_members(
    v_decision.rises, coalesce(p_refund.decided_position, p_refund.position), p_now, 'refund', p_refund.id
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.book_rises (
  p_rises    app.level_rise[],
  p_now      timestamp with time zone,
  p_position bigint                   DEFAULT NULL::bigint
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
begin
  update app.users as u set agent_level = r.to_level
  from (select x.uid, max(x.to_level) as to_level from unnest(p_rises) as x group by x.uid) as r
  where u.uid = r.uid;
  insert into app.level_changes (uid, from_level, to_level, reason, order_id, position, add_time, cause)
  select r.uid, r.from_level, r.to_level, 'tasks', r.order_id, coalesce(p_position, s.position), p_now, r.cause
  from unnest(p_rises) with ordinality as r (order_id, uid, from_level, to_level, cause, change, ordinality)
  left join app.settlements as s on p_position is null and s.order_id = r.order_id
  order by r.ordinality;
end
$function$;

CREATE OR REPLACE FUNCTION app.branch_json (
  p_uids bigint[]
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'uid', u.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', l.name, 'own_orders',
    coalesce(t.own_orders, 0),
    'direct_members', coalesce(t.direct_members, 0), 'people', coalesce(t.umbrella_members, 0), 'left_at',
    app.utc(u.left_at)
  ) order by p.place), '[]')
  from unnest(p_uids) with ordinality as p (uid, place)
  join app.users as u on u.uid = p.uid
  join app.agent_levels as l on l.grade = u.agent_level
  left join app.team_totals as t on t.uid = p.uid
$function$;

CREATE OR REPLACE FUNCTION app.brokerage_progress (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS SETOF json
  LANGUAGE sql
  STABLE
  ROWS 1
  AS $function$
  select p
  from app.user_balances as b
  cross join lateral (select a.* from app.commission_plans as a order by a.version desc limit 1) as active
  cross join lateral (
    select array(
      select s.place from app.taken_places as s
      where s.earner_uid = b.uid and b.cycle_is_open and s.cycle_no = b.cycle_no and s.place_freed_at is null
      order by s.place
    ) as places
    offset 0
  ) as t
  cross join lateral app.has_reported_order(b.uid, p_now) as is_eligible
  cross join lateral app.progress_json(
    b, active, t.places, is_eligible and (select u.left_at from app.users as u where u.uid = p_uid) is null
  ) as p
  where b.uid = p_uid
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
  v_runs text := format('compacted.%I', app.built_part('compacted_releases', p_month, 'runs'));
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
  execute format(
    'create trigger compacted_releases_are_never_emptied before truncate on %s for each statement execute function app.reject_change()',
    v_runs
  );
  perform app.build_runs(p_month);
  execute format(
    'alter table %s add constraint it_is_in_its_month check (first_time >= %L and first_time < %L)', v_runs,
    v_bounds.lower, v_bounds.upper
  );
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
    if (v_before.row_count, v_before.digest) <> (
      v_rest_digest.row_count + v_expanded.row_count, v_rest_digest.digest + v_expanded.digest
    ) then
      raise exception using errcode = 'data_corrupted', message = format(
        'The compacted month %s of app.%I is not what it was: %s rows before, %s and %s now',
        to_char(p_month, 'YYYY-MM'), v_table, v_before.row_count,
        v_rest_digest.row_count, v_expanded.row_count
      );
    end if;
    if v_table = 'user_bill' then
      update app.compacted_months as c set bill_rows = v_before.row_count, bill_digest = v_before.digest
      where c.month = p_month;
    else
      update app.compacted_months as c set log_rows = v_before.row_count, log_digest = v_before.digest,
        releases = v_expanded.row_count
      where c.month = p_month;
    end if;
  end loop;
  execute format($sql$
    update app.compacted_months as c
    set state = 'built', runs = (select count(*) from %s), first_bill_id = i.first, last_bill_id = i.last,
      kept = k.number, first_kept = k.first
    from (select min(r.id) as first, max(r.id) as last from (%s) as r) as i, (
      select count(*) as number, min(b.id) as first
      from compacted.%I as b
      join compacted.%I as l on l.uid = b.uid and l.add_time = b.add_time and l.frozen_after = b.frozen_after
      where b.source = 'release'
    ) as k
    where c.month = $1
  $sql$, v_runs, app.expanded_query('user_bill', p_month), app.built_part('user_bill', p_month, 'rest'),
  app.built_part('points_release_log', p_month, 'rest')) using p_month;
  perform app.constrain_part('points_release_log', p_month, 'rest');
  perform app.constrain_part('user_bill', p_month, 'rest');
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
    insert into compacted.%I (
      uid, first_time, last_time, bill_id, log_id, first_day, brokerage, frozen_before, available_before, frozen_after,
      steps
    )
    with releases as (
      select
        l.uid, l.release_date as day, b.add_time, b.id as bill_id, l.id as log_id, b.brokerage_after as brokerage,
        l.frozen_before, l.frozen_after,
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
          = (
            lag(r.day) over w, lag(r.brokerage) over w, lag(r.frozen_after) over w, lag(r.available_after) over w
          ) as is_next
      from releases as r
      window w as (partition by r.uid order by r.add_time, r.bill_id)
    ), followed as (
      select s.*,
        coalesce(
          s.is_next and greatest(abs(s.bill_step), abs(s.log_step), abs(s.time_step)) <= 2147483647, false
        ) as follows
      from steps as s
    ), numbered as (
      select f.*, count(*) filter (where not f.follows) over (partition by f.uid order by f.add_time, f.bill_id) as run
      from followed as f
    )
    select
      n.uid, min(n.add_time), max(n.add_time), min(n.bill_id) filter (where not n.follows),
      min(n.log_id) filter (where not n.follows), min(n.day), min(n.brokerage),
      max(n.frozen_before), min(n.available_before), min(n.frozen_after),
      coalesce(
        array_agg(array[n.bill_step, n.log_step, n.time_step]::integer[] order by n.day) filter (where n.follows), '{}'
      )
    from numbered as n
    group by n.uid, n.run
    order by n.uid, n.run
  $sql$, app.built_part('compacted_releases', p_month, 'runs'), app.month_part('user_bill', p_month),
  app.month_part('points_release_log', p_month))
  using (app.month_bounds(p_month)).begins_at, (app.month_bounds(p_month)).ends_at;
end
$function$;

CREATE OR REPLACE FUNCTION app.built_part (
  p_table text,
  p_month date,
  p_what  text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select concat_ws('_', app.name_of_part(p_table, p_month), p_what)
$function$;

CREATE OR REPLACE FUNCTION app.call_tool (
  p_tool     text,
  p_function text,
  p_args     jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if coalesce(p_tool, '') !~ '^[a-z_]{1,64}$' or jsonb_typeof(p_args) is distinct from 'object' then
    perform app.fail('invalid_argument', 'A tool has a name of small letters, and an object of arguments.');
  elsif not exists (
    select from pg_proc as p where p.pronamespace = 'entry'::regnamespace and p.proname = p_function
  ) then
    perform app.fail('forbidden', 'Assistants only read.');
  elsif not (select s.assistants from app.settings as s) then
    perform app.fail('forbidden', 'Assistants are switched off in the settings of the store.');
  end if;
  perform app.record_action('call_tool', 'tool', p_tool, null, jsonb_build_object('arguments', (
    select coalesce(jsonb_object_agg(substr(a.key, 3), a.value), '{}')
    from jsonb_each(p_args) as a
    where a.key not in ('p_search', 'p_text') and jsonb_typeof(a.value) in ('string', 'number', 'boolean')
  )));
  -- From here on, Postgres itself refuses a write.
  perform set_config('transaction_read_only', 'on', true);
  return exists (
    select from app.machine_keys as k
    where k.id = (auth.jwt() ->> 'key')::bigint and 'personal:read' = any (app.working_scopes(k))
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.cancel_order (
  p_order_id   bigint,
  p_now        timestamp with time zone,
  p_is_expired boolean                  DEFAULT false
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_points numeric := v_order.points_left;
  v_now timestamptz;
begin
  if v_order.state = 'unpaid' then
    perform app.return_stock(
      p_order_id,
      array(
        select (l.id, l.quantity, 0)::app.refund_item from app.order_lines as l where l.order_id = p_order_id
        order by l.id
      )
    );
    if v_points > 0 then
      perform app.lock_balances(array[v_order.uid]);
    end if;
    v_now := app.effect_time(p_now);
    update app.orders set state = 'cancelled', cancelled_at = v_now, is_expired = coalesce(p_is_expired, false),
      points_left = 0
    where id = p_order_id returning * into v_order;
    perform app.close_open_attempts(p_order_id, v_now);
    if v_points > 0 then
      perform app.book_entries(array[app.checkout_entry(v_order, v_points)], '{}', '{}', v_now);
    end if;
    perform app.write_event(
      case when v_order.is_expired then 'order.expired' else 'order.cancelled' end, v_order.id, v_order.uid, '{}', v_now
    );
  elsif v_order.state <> 'cancelled' then
    perform app.fail('order_state_conflict', 'Only an unpaid order can be cancelled; ask for a refund instead.');
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.carrier_stem (
  p_name text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select regexp_replace(regexp_replace(app.folded_text(p_name), '(股份)?有限公司$', ''), '(快递|速递|速运|物流)$', '')
$function$;

CREATE OR REPLACE FUNCTION app.catalogue_of_privileges()
  RETURNS TABLE (
    kind       text,
    name       text,
    definition text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with schemas as (
    select n.oid, n.nspname, n.nspowner, n.nspacl from pg_namespace as n
    where n.nspname in ('app', 'api', 'entry', 'compacted', 'report')
  ),
  objects (name, owner, acl) as (
    select format('schema %I', s.nspname), s.nspowner, coalesce(s.nspacl, acldefault('n', s.nspowner)) from schemas as s
    union all
    select concat(case when c.relkind = 'S' then 'sequence ' else 'table ' end,
      case when c.relispartition then 'each partition of ' end,
      coalesce(pg_partition_root(c.oid), c.oid)::regclass), c.relowner, c.relacl
    from pg_class as c join schemas as s on s.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select format('column %I of %s', a.attname, c.oid::regclass), c.relowner, a.attacl
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid join schemas as s on s.oid = c.relnamespace
    where a.attacl is not null
    union all
    select format('function %s', p.oid::regprocedure), p.proowner, coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc as p join schemas as s on s.oid = p.pronamespace
    union all
    select 'functions that are created', s.nspowner, coalesce(
      (
        select d.defaclacl from pg_default_acl as d
        where d.defaclrole = s.nspowner and d.defaclnamespace = 0 and d.defaclobjtype = 'f'
      ),
      acldefault('f', s.nspowner)
    )
    from schemas as s where s.nspname = 'app'
  )
  select distinct 'privilege',
    format(
      '%s on %s to %s', lower(a.privilege_type), o.name,
      case a.grantee when 0 then 'public' else a.grantee::regrole::text end
    ),
    case
      when bool_or(a.is_grantable) over (partition by o.name, a.privilege_type, a.grantee) then 'with grant option'
      else 'granted'
    end
  from objects as o cross join lateral aclexplode(o.acl) as a
  where a.grantee <> o.owner and (a.grantee = 0 or a.grantee in (
    select r.oid from pg_roles as r
    where r.rolname in (
      'anon', 'authenticated', 'store_admin', 'store_key', 'service_role', 'store_api', 'store_analyst', 'authenticator'
    )
  ))
  union all
  select 'function', p.oid::regprocedure::text, concat_ws(', ',
    case p.prokind
      when 'f' then 'function'
      when 'p' then 'procedure'
      when 'a' then 'aggregate'
      when 'w' then 'window function'
    end,
    'returns ' || pg_get_function_result(p.oid),
    case p.provolatile when 'i' then 'immutable' when 's' then 'stable' when 'v' then 'volatile' end,
    case when p.proisstrict then 'strict' end,
    case when p.prosecdef then 'with the rights of the owner' else 'with the rights of the caller' end,
    array_to_string(p.proconfig, ', '),
    case when p.proowner <> s.nspowner then 'of another owner' end
  )
  from pg_proc as p join schemas as s on s.oid = p.pronamespace
  union all
  select 'role', r.rolname, concat_ws(', ',
    case when r.rolsuper then 'superuser' end, case when r.rolbypassrls then 'bypasses row-level security' end,
    case when r.rolcanlogin then 'may sign in' end, case when r.rolcreaterole then 'creates roles' end,
    case when r.rolcreatedb then 'creates databases' end,
    case when r.rolreplication then 'replicates' end,
    case when r.rolinherit and r.rolname like 'store%' then 'inherits' end,
    -- Hosted projects give authenticator further roles, and some of them let the first three inherit.
    'member of ' || case when r.rolname <> 'authenticator' then
      coalesce(
        (
          select string_agg(m.roleid::regrole::text, ', ' order by m.roleid::regrole::text) from pg_auth_members as m
          where m.member = r.oid
        ),
        'no role'
      )
    end
  )
  from pg_roles as r
  where r.rolname in (
    'anon', 'authenticated', 'service_role', 'authenticator', 'store_admin', 'store_key', 'store_api', 'store_analyst'
  )
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
    select c.oid, c.relnamespace, r.root, r.is_month,
      count(*) filter (where r.is_month) over (partition by r.root) as months
    from pg_class as c
    cross join lateral (
      select coalesce(pg_partition_root(c.oid), c.oid) as root,
        c.relispartition and c.relname !~ '_default$' as is_month
    ) as r
    where c.relkind in ('r', 'p', 'v', 'f')
  )
  select 'trigger', format('%s.%I', r.root::regclass, g.tgname), concat_ws(' ',
    string_agg(
      distinct regexp_replace(
        pg_get_triggerdef(g.oid), '^CREATE (CONSTRAINT )?TRIGGER (\S+) (.*) ON \S+ (.*)$', '\1\3 \4'
      ),
      '; '
    ),
    case
      when bool_or(g.tgenabled <> 'O') then '('
        || string_agg(
          distinct case g.tgenabled
            when 'D' then 'switched off'
            when 'R' then 'for replicas only'
            when 'A' then 'always'
          end,
          ', '
        )
        || ')'
    end,
    case when count(*) filter (where r.is_month) not in (0, max(r.months)) then '(not on every month)' end
  )
  from pg_trigger as g join relations as r on r.oid = g.tgrelid join pg_proc as p on p.oid = g.tgfoid
  where not g.tgisinternal
    and (
      r.relnamespace = 'app'::regnamespace
      or p.pronamespace = 'app'::regnamespace and r.relnamespace <> 'compacted'::regnamespace
    )
  group by r.root, g.tgname
  union all
  select 'policy', format('%s.%I', p.polrelid::regclass, p.polname), concat_ws(' ',
    case when p.polpermissive then 'permissive' else 'restrictive' end,
    case p.polcmd
      when 'r' then 'select'
      when 'a' then 'insert'
      when 'w' then 'update'
      when 'd' then 'delete'
      else 'all'
    end,
    'to',
    (
      select string_agg(case u.id when 0 then 'public' else u.id::regrole::text end, ', ' order by u.id::regrole::text)
      from unnest(p.polroles) as u (id)
    ),
    'using ' || pg_get_expr(p.polqual, p.polrelid), 'with check ' || pg_get_expr(p.polwithcheck, p.polrelid)
  )
  from pg_policy as p join relations as r on r.oid = p.polrelid where r.relnamespace = 'app'::regnamespace
  union all
  -- Of a view of one table, Postgres from 16 on prints the columns without its name.
  select 'view', v.oid::regclass::text, concat_ws(' ',
    case when d.text ~ '\mJOIN\M' then d.text else regexp_replace(d.text, '\m[a-z]\.', '', 'g') end,
    'with ' || array_to_string(v.reloptions, ', '), case when v.relowner <> n.nspowner then 'of another owner' end
  )
  from pg_class as v join pg_namespace as n on n.oid = v.relnamespace
  cross join lateral pg_get_viewdef(v.oid) as d (text)
  where n.nspname in ('app', 'api', 'report') and v.relkind in ('v', 'm')
  union all
  select 'rule', format('%s.%I', w.ev_class::regclass, w.rulename), pg_get_ruledef(w.oid)
  from pg_rewrite as w join relations as r on r.oid = w.ev_class
  where r.relnamespace = 'app'::regnamespace and w.rulename <> '_RETURN'
  union all
  select 'setting', concat_ws(' ',
    'of', coalesce(nullif(s.setrole, 0)::regrole::text, 'every role'),
    case when s.setdatabase <> 0 then 'in this database' end
  ), c.setting
  from pg_db_role_setting as s cross join unnest(s.setconfig) as c (setting)
  where c.setting like 'session_replication_role=%'
    and s.setdatabase in (0, (select d.oid from pg_database as d where d.datname = current_database()))
  union all
  -- What this session began with: also what alter system, the configuration file or the start of the server says.
  select 'setting', 'at the beginning of a session', format('%s=%s', s.name, s.reset_val)
  from pg_settings as s where s.name = 'session_replication_role' and s.reset_val <> s.boot_val
$function$;

CREATE OR REPLACE FUNCTION app.cell_text (
  p_text text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select app.visible_text(
    regexp_replace(regexp_replace(normalize(app.visible_text(p_text), NFKC), '^="(.*)"$', '\1'), '^[''‘’]', '')
  )
$function$;

CREATE OR REPLACE FUNCTION app.change_settings (
  p_changes jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before app.settings;
  v_after app.settings;
begin
  select s.* into v_before from app.settings as s for update;
  v_after := app.changed_settings(v_before, p_changes);
  if v_after = v_before then
    perform app.record_no_action('set_settings');
    return api.get_settings();
  elsif v_after.second_factor_areas <> v_before.second_factor_areas then
    perform app.require_second_factor();
    perform app.require_recent_sign_in();
  end if;
  perform app.store_settings(v_before, v_after, clock_timestamp());
  perform app.record_action(
    'set_settings', 'settings', null, to_jsonb(v_before) - 'id', to_jsonb(v_after) - 'id',
    array(select d.name from app.declared_settings() as d where not d.personal order by d.name)
  );
  return api.get_settings();
end
$function$;

CREATE OR REPLACE FUNCTION app.changed_settings (
  p_settings app.settings,
  p_changes  jsonb
)
  RETURNS app.settings
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_fields text[] := array[]::text[];
  v_problems text[] := array[]::text[];
  v_values jsonb := to_jsonb(p_settings);
  v_given record;
begin
  for v_given in
    select c.key as name, c.value as given, app.setting_value(c.key, c.value) as stored
    from jsonb_each(p_changes) as c
    where c.value <> 'null'
    order by c.key
  loop
    if v_given.stored is null then
      v_fields := v_fields || ('/' || v_given.name);
      v_problems := v_problems
        || coalesce(app.setting_problem(v_given.name, v_given.given), 'There is no such setting.');
    else
      v_values := v_values || jsonb_build_object(v_given.name, v_given.stored);
    end if;
  end loop;
  for v_given in
    select s.name, v_values ->> s.no_less_than as smallest
    from app.declared_settings() as s
    where not v_fields && array['/' || s.name, '/' || s.no_less_than]
      and case
        when s.no_less_than is not null then (v_values ->> s.name)::numeric < (v_values ->> s.no_less_than)::numeric
      end
    order by s.name
  loop
    v_fields := v_fields || ('/' || v_given.name);
    v_problems := v_problems
      || format('Expected at least the smallest amount, %s.', to_char(v_given.smallest::numeric, 'FM999999999990.00'));
  end loop;
  if v_fields <> '{}' then
    perform app.fail('invalid_argument', array_to_string(v_problems, E'\n'), array_to_string(v_fields, E'\n'));
  end if;
  return jsonb_populate_record(p_settings, v_values);
end
$function$;

CREATE OR REPLACE FUNCTION app.check_batch_method (
  p_method text
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if coalesce(p_method, '') not in ('bank', 'alipay') then
    perform app.fail('invalid_argument', 'A batch is for a bank or for Alipay.', '/method');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_carrier_of_number (
  p_number text,
  p_code   text
)
  RETURNS void
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if not app.is_number_of_carrier(p_number, p_code) then
    perform app.fail(
      'invalid_argument',
      'This carrier gives no such tracking number. Check the number, and choose the carrier that gave it.',
      '/tracking_no'
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_import_orders (
  p_now timestamp with time zone
)
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
  with known as (
    select s.uid from app.staged_members as s union select i.old_uid::text from app.imported_members as i
  ),
  orders as materialized (
    select
      s.*, s.state in ('paid', 'delivered', 'received') as is_paid, count(*) over (partition by s.order_no) as times,
      app.import_pay_type(s.pay_type) as payment_type, coalesce(s.pay_ref, s.order_no) as payment
    from app.staged_orders as s
  ),
  sums as materialized (
    select
      l.order_no, sum(l.price::numeric * l.quantity::integer) as total, sum(l.discount::numeric) as discount,
      bool_or(l.discount::numeric > l.price::numeric * l.quantity::integer) as exceeds
    from app.staged_order_lines as l group by l.order_no
  )
  select 'error', 'orders', o.line, 'order_no', 'occurs more than once', o.order_no from orders as o where o.times > 1
  union all
  select 'error', 'orders', o.line, 'order_no', 'is the number of an order of this store', o.order_no
  from orders as o join app.orders as x on x.order_no = o.order_no and not x.is_imported
  union all
  select 'error', 'orders', o.line, 'uid', 'is not a known member', o.uid from orders as o
  where not exists (select from known as k where k.uid = o.uid)
  union all
  select 'error', 'orders', o.line, 'referrer', 'is not a known member', o.referrer
  from orders as o where o.referrer is not null and not exists (select from known as k where k.uid = o.referrer)
  union all
  select 'error', 'orders', o.line, 'referrer', 'is the buyer', o.referrer from orders as o where o.referrer = o.uid
  union all
  select 'error', 'orders', o.line, 'paid_at', format('is missing although the order is %s', o.state), null
  from orders as o where o.is_paid and o.paid_at is null
  union all
  select 'error', 'orders', o.line, 'pay_ref', 'paid another order, too', o.payment
  from (
    select *, count(*) over (partition by p.payment_type, p.payment) as payments from orders as p where p.is_paid
  ) as o
  where o.payments > 1 and o.times = 1
  union all
  select 'error', 'orders', o.line, 'pay_ref', 'paid an order of this store', o.payment
  from orders as o
  join app.orders as x on x.pay_type = o.payment_type and x.pay_ref = o.payment and x.order_no <> o.order_no
  where o.is_paid and not exists (select from app.orders as i where i.order_no = o.order_no)
  union all
  select 'error', 'orders', o.line, 'order_no', 'has no lines', o.order_no from orders as o
  where not exists (select from sums as s where s.order_no = o.order_no)
  union all
  select 'error', 'orders', o.line, 'total_price', 'is too large: the lines add up to a trillion or more', s.total::text
  from orders as o join sums as s on s.order_no = o.order_no where s.total >= 1000000000000
  union all
  select 'error', 'orders', o.line, 'total_price', format('is not the sum of the lines, %s', s.total), o.total_price
  from orders as o join sums as s on s.order_no = o.order_no where o.total_price::numeric <> s.total
  union all
  select 'error', 'orders', o.line, 'discount', format('is not the sum of the discounts of the lines, %s', s.discount),
    o.discount
  from orders as o join sums as s on s.order_no = o.order_no where o.discount::numeric <> s.discount
  union all
  select 'error', 'orders', o.line, 'pay_price',
    format(
      'is not %s: the lines (%s), less the discount (%s), plus freight (%s)', s.total - d.discount + d.freight, s.total,
      d.discount, d.freight
    ),
    o.pay_price
  from orders as o
  join sums as s on s.order_no = o.order_no
  cross join lateral (
    select
      coalesce(o.freight::numeric, 0) as freight,
      coalesce(
        o.discount::numeric, s.discount,
        least(greatest(s.total + coalesce(o.freight::numeric, 0) - o.pay_price::numeric, 0), s.total)
      ) as discount
  ) as d
  where o.pay_price::numeric <> s.total - d.discount + d.freight or d.discount > s.total or s.exceeds
  union all
  select 'warning', 'orders', o.line, 'state', 'is unpaid: the order is imported as cancelled', o.order_no
  from orders as o where o.state = 'unpaid'
  union all
  select 'warning', 'orders', o.line, 'tracking_no',
    'is no tracking number (docs/operations.md, "Shipping"): it is left out', left(o.tracking_no, 60)
  from orders as o
  where o.state in ('delivered', 'received') and app.is_visible(o.tracking_no)
    and app.tracking_number(o.tracking_no) is null
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
    -- Of the table: only releases can stand elsewhere.
    select b.* from app.user_bill as b
    where b.type = 'opening_balance' and b.uid in (select m.known_uid from members as m)
  ),
  levels as (
    select l.uid, l.to_level from app.level_changes as l
    where l.reason = 'imported' and l.uid in (select m.known_uid from members as m)
  )
  select 'warning', 'members', m.line, t.name, 'differs from what was imported before, and is not imported again',
    format('%s (imported: %s)', t.value, t.known)
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
  where t.value <> t.known
$function$;

CREATE OR REPLACE FUNCTION app.check_new_spread (
  p_uid        bigint,
  p_spread_uid bigint
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order_id bigint;
begin
  if app.is_importing() then
    perform app.fail('import_unfinished');
  elsif not exists (select from app.users as u where u.uid = p_uid and u.left_at is null) then
    perform app.fail('user_not_found', 'There is no such member, or they have left.');
  end if;
  perform app.check_referrer(p_uid, p_spread_uid);
  v_order_id := app.decided_order_below(p_uid);
  if v_order_id is not null then
    perform app.fail(
      'spread_decided', format('Order %s of this member, or of somebody below, is settled.', v_order_id)
    );
  end if;
end
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
      on c.conrelid = to_regclass(
        format(
          'compacted.%I',
          app.built_part(t.name, p_month, case m.state when 'built' then 'rest' when 'expanding' then 'whole' end)
        )
      )
    where m.month = p_month and c.contype = 'f' and not c.convalidated
    order by t.name, c.conname
  loop
    execute format('alter table %s validate constraint %I', v_constraint.part, v_constraint.name);
  end loop;
  update app.compacted_months as c set checked_at = clock_timestamp() where c.month = p_month and c.checked_at is null;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_referrer (
  p_uid        bigint,
  p_spread_uid bigint
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_uid = p_spread_uid then
    perform app.fail('spread_is_self', 'Nobody can be their own referrer.');
  elsif p_spread_uid is null
    or not exists (select from app.users as u where u.uid = p_spread_uid and u.left_at is null) then
    perform app.fail('spread_unknown', 'There is no member with this number, or they have left.');
  elsif exists (select from app.get_upline(p_spread_uid) as a where a.uid = p_uid) then
    perform app.fail('spread_in_own_downline', 'The referrer is in this member''s downline.');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_refund_items (
  p_order_id bigint,
  p_items    app.refund_item[]
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_found record;
begin
  select
    count(*) filter (where i.quantity <= l.units) as items, bool_or(l.amount_left < 0) as has_too_much,
    bool_or(i.amount > 0 and l.is_queue_goods and l.amount_left < 0.01) as leaves_nothing
  into v_found
  from app.lines_with_refund(p_order_id, p_items) as l left join unnest(p_items) as i on i.line_id = l.line_id;
  if v_found.items < cardinality(p_items) then
    perform app.fail(
      'refund_exceeds_order', 'The refund contains units that the order does not have or that were already refunded.'
    );
  elsif v_found.has_too_much then
    perform app.fail(
      'refund_exceeds_order', 'The refund pays back more of a line than is left of what was paid for it.'
    );
  elsif v_found.leaves_nothing then
    perform app.fail(
      'refund_exceeds_order',
      'An amount leaves at least 0.01 of a line with queue goods. To pay all of it back, name its units.'
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_refund_reason (
  p_reason text
)
  RETURNS void
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A reason has at most 500 characters.');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_release_days (
  p_from date,
  p_to   date
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_from not between '0001-01-01' and '9999-12-31' or p_to not between '0001-01-01' and '9999-12-31' then
    perform app.fail('invalid_argument', 'date_from and date_to are in the years 1 to 9999.');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_shipment (
  p_lines app.shipment_line[],
  p_uid   bigint
)
  RETURNS SETOF app.checked_line
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return query
    with lines as (
      select
        l.*, o.id as order_id, o.uid, o.state, o.refund_status, o.paid_at, o.address, c.code as carrier_code,
        coalesce(c.is_active, false) as is_active,
        app.tracking_number(l.tracking_no) as number,
        -- One parcel goes to one buyer at one address, by one carrier.
        case when o.id is null then l.order_no else concat_ws(' ', o.uid, o.address, c.code) end as recipient
      from unnest(p_lines) with ordinality as l
      left join app.orders as o on o.order_no = l.order_no
      cross join lateral app.find_carrier(l.carrier) as c
    ),
    checked as (
      select
        l.*,
        exists (
          select from app.parcels as p
          where p.order_id = l.order_id and p.tracking_no = l.number and p.carrier_code = l.carrier_code
        ) as is_shipped,
        min(l.recipient) over (partition by l.number) is distinct from max(l.recipient)
        over (partition by l.number) as is_of_several,
        count(*) over (partition by l.order_id, l.number) > count(*) over same as has_two_carriers,
        row_number() over (same order by l.ordinality) > 1 as is_copy
      from lines as l
      window same as (partition by l.order_id, l.number, l.carrier_code)
    ),
    decided as (
      select
        l.*,
        case
          when l.order_no is null then 'no_order_number'
          when l.tracking_no is null then 'no_tracking_number'
          when l.number is null or l.number = l.order_no then 'tracking_number_invalid'
          when l.order_id is null then 'order_unknown'
          when l.carrier_code is null then 'carrier_unknown'
          when l.has_two_carriers then 'order_repeated'
          when l.is_of_several then 'number_repeated'
          when l.is_shipped then null
          when not l.is_active then 'carrier_unknown'
          when not app.is_number_of_carrier(l.number, l.carrier_code) then 'number_of_another_carrier'
          when l.uid = p_uid then 'own_order'
          when l.state in ('unpaid', 'cancelled', 'received') then l.state
          when l.refund_status = 2 then 'refunded'
          when l.state = 'delivered' then 'shipped_otherwise'
          -- A parcel that left before this order was paid does not contain it.
          when exists (
            select from app.parcels as p join app.orders as x on x.id = p.order_id
            where p.tracking_no = l.number and p.carrier_code = l.carrier_code and x.id <> l.order_id
              and ((x.uid, x.address) is distinct from (l.uid, l.address) or p.shipped_at < l.paid_at)
          ) then 'number_used'
        end as problem
      from checked as l
    )
    select
      d.line, d.order_no, d.order_id, coalesce(d.carrier_code, d.carrier), coalesce(d.number, d.tracking_no),
      case when d.problem is not null then 'rejected' when d.is_shipped or d.is_copy then 'unchanged' else 'fits' end,
      d.problem
    from decided as d
    order by d.ordinality;
end
$function$;

CREATE OR REPLACE FUNCTION app.check_sources (
  p_from timestamp with time zone,
  p_to   timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_from is null or p_to is null or p_from >= p_to
    or p_to > p_from + make_interval(days => app.most_source_days(), hours => 1) then
    perform app.fail(
      'invalid_argument', format('from is before to, and at most %s days before it.', app.most_source_days())
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.claim_missed_run (
  p_job      text,
  p_tried_at timestamp with time zone,
  p_now      timestamp with time zone
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with claimed as (
    update app.scheduled_jobs as j
    set tried_at = p_now
    where j.name = p_job and j.tried_at is not distinct from p_tried_at and app.missed_time(j, p_now) is not null
    returning j.name
  )
  select exists (select from claimed)
$function$;

CREATE OR REPLACE FUNCTION app.close_person_requests (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  update app.person_requests as r
  set note = '', answer = case when r.answer <> '' then app.forgotten_text() else '' end,
    state = case when r.state <> 'open' then r.state when r.kind = 'deletion' then 'done' else 'lapsed' end,
    closed_at = coalesce(r.closed_at, p_now)
  where r.uid = p_uid and (r.state = 'open' or r.note <> '' or r.answer not in ('', app.forgotten_text()))
$function$;

CREATE OR REPLACE FUNCTION app.closed_branches (
  p_members integer DEFAULT 1
)
  RETURNS TABLE (
    uid         bigint,
    agent_level smallint,
    above       integer,
    members     integer,
    orders      integer,
    opened_by   text[]
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
#variable_conflict use_column
declare
  v_levels constant app.level_rule[] := (select l.rules from app.level_versions as l order by l.version desc limit 1);
  v_is_umbrella constant boolean := (
    select p.brokerage_scope = 'umbrella' from app.commission_plans as p order by p.version desc limit 1
  );
begin
  return query
    with recursive heads as (
      select u.uid, u.agent_level, u.left_at is not null as has_left, 0 as above, 0::numeric as points_above,
        0::smallint as grade_above, false as can_move
      from app.users as u where u.spread_uid is null
      union all
      -- Who has left counts as a level without any points, and does not earn.
      select
        u.uid, u.agent_level, u.left_at is not null, h.above + 1,
        case
          when h.has_left then h.points_above
          else greatest(h.points_above, v_levels[h.agent_level + 1].umbrella_points)
        end,
        case when h.has_left then h.grade_above else greatest(h.grade_above, h.agent_level) end,
        case when h.can_move then true else u.left_at is null and app.decided_order_below(u.uid) is null end
      from heads as h join app.users as u on u.spread_uid = h.uid
      -- Below a member with task counts, every order counts for that member.
      where not v_levels[h.agent_level + 1].keeps_counts
    ),
    -- An order that waits for its settlement looks for an earner by the plan in force when it was paid.
    waiting as (
      select u.spread_uid as uid, o.paid_at
      from app.orders as o
      join app.commission_plans as p on p.version = o.plan_version and p.brokerage_scope = 'umbrella'
      join app.users as u on u.uid = o.uid
      where o.paid_at is not null and o.has_queue_goods
        and not exists (select from app.settlements as s where s.order_id = o.id)
      union
      select u.spread_uid, w.paid_at from waiting as w join app.users as u on u.uid = w.uid
    ),
    facts as (
      select
        h.*, coalesce(t.umbrella_members, 0) as members, coalesce(t.umbrella_orders, 0) as orders,
        (
          select min(o.paid_at) from app.orders as o
          where o.uid = h.uid and not h.has_left
            and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
        ) as eligible_since,
        (select min(w.paid_at) from waiting as w where w.uid = h.uid) as waiting_since
      from heads as h left join app.team_totals as t on t.uid = h.uid
      where case when h.has_left then 0 else v_levels[h.agent_level + 1].umbrella_points end >= h.points_above
        and coalesce(t.umbrella_members, 0) >= p_members
    )
    select
      f.uid, f.agent_level, f.above, f.members, f.orders, array_remove(array[
        'referrer_of_root',
        case when f.can_move then 'corrected_referrer' end,
        case when f.above > 0 then 'new_top_grade' end,
        case when f.above > 0 then 'lowered_above' end,
        case when f.points_above > 0 then 'lowered' end,
        case when f.grade_above > f.agent_level then 'points_of_grades' end,
        case when f.above > 0 and f.eligible_since is null then 'scope_umbrella' end,
        case
          when f.above > 0 and f.eligible_since is not null
            and (v_is_umbrella or f.waiting_since is not null) then 'own_refund'
        end,
        case
          when f.above > 0
            and coalesce(
              (select min(w.paid_at) from waiting as w) < f.eligible_since, exists (select from waiting)
            ) then 'joining_orders'
        end,
        case when f.above > 0 and not f.has_left and (
          f.points_above > 0 or f.eligible_since is not null and (v_is_umbrella or f.waiting_since is not null)
        ) then 'leaving' end
      ], null)
    from facts as f
    where f.above = 0 or (
      (f.eligible_since is not null or not v_is_umbrella)
        and coalesce(f.waiting_since >= f.eligible_since, f.waiting_since is null)
    )
    order by f.members desc, f.uid;
end
$function$;

CREATE OR REPLACE FUNCTION app.commission_parts (
  p_uid bigint,
  p_now timestamp with time zone,
  OUT   withdrawable numeric,
  OUT   held_by_refunds numeric,
  OUT   held_beyond numeric
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_matured numeric := (
    select b.brokerage_price - coalesce((select sum(m.amount_left) from app.maturing(p_uid, p_now) as m), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
  v_held numeric := (select coalesce(sum(h.amount), 0.00) from app.held_orders(p_uid, p_now) as h);
begin
  held_by_refunds := app.held_of_matured(v_matured, v_held);
  withdrawable := v_matured - held_by_refunds;
  held_beyond := v_held - held_by_refunds;
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
begin
  return (
    select b.brokerage_price - coalesce((
      select l.brokerage_after from app.bill('-infinity', p_from) as l
      where l.uid = p_uid
      order by l.add_time desc, l.id desc
      limit 1
    ), (
      select l.brokerage_after from (
        select f.type, f.brokerage_after from app.user_bill as f where f.uid = p_uid order by f.add_time, f.id limit 1
      ) as l
      where l.type = 'opening_balance'
    ), 0) + coalesce((
      select sum(
        w.amount * ((w.add_time >= p_from)::integer - (app.is_returned(w.state) and w.ended_at >= p_from)::integer)
      )
      from app.withdrawals as w where w.uid = p_uid
    ), 0) - coalesce((
      select sum(a.brokerage_delta) from app.adjustments as a
      where a.uid = p_uid and a.state = 'booked' and a.decided_at >= p_from
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
  if app.month_part('user_bill', p_month) is null or app.month_part('points_release_log', p_month) is null then
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

CREATE OR REPLACE FUNCTION app.complete_refund (
  p_order       app.orders,
  p_items       app.refund_item[],
  p_names_units boolean,
  p_refund_ref  text,
  p_answer      app.request_answer,
  p_freight     numeric,
  p_now         timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_refund app.refunds;
begin
  if p_answer.is_answer then
    v_refund := app.grant_request(p_order.id, p_answer, p_items, p_names_units, p_refund_ref, p_freight, p_now);
  else
    v_refund := app.insert_refund(p_order.id, 'refunded', p_items, p_names_units, p_refund_ref, null, p_now, p_freight);
  end if;
  update app.order_lines as l set refunded_quantity = l.refunded_quantity + i.quantity
  from unnest(p_items) as i
  where l.id = i.line_id;
  if p_answer.is_answer is false then
    perform app.reduce_request(p_order, p_answer, v_refund, p_now);
  end if;
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.conceded_lines (
  p_from bigint,
  p_to   bigint
)
  RETURNS TABLE (
    line_id      bigint,
    list         app.concession[],
    list_settled app.concession[]
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  -- Row order: they are added up.
  select c.line_id, array_agg((c.amount, c.units)::app.concession),
    -- Row order: as above.
    array_agg((c.amount, c.units)::app.concession) filter (where c.decided_position < s.position)
  from app.concessions_between(p_from, p_to) as c
  left join app.settlements as s on s.order_id = c.order_id
  group by c.line_id
$function$;

CREATE OR REPLACE FUNCTION app.concessions_between (
  p_from bigint,
  p_to   bigint
)
  RETURNS TABLE (
    order_id         bigint,
    refund_id        bigint,
    line_id          bigint,
    decided_position bigint,
    amount           numeric,
    units            integer
  )
  LANGUAGE sql
  STABLE
  AS $function$
  select r.order_id, r.id, x.line_id, r.decided_position, x.concession, (l.quantity - coalesce((
    select pg_catalog.sum(y.quantity)
    from app.refund_lines as y join app.refunds as e on e.id = y.refund_id
    where y.line_id = x.line_id and app.is_paid_back(e.state) and e.decided_position < r.decided_position
  ), 0))::pg_catalog.int4
  from app.refunds as r
  join app.refund_lines as x on x.refund_id = r.id and x.concession > 0
  join app.order_lines as l on l.id = x.line_id
  where r.order_id between p_from and p_to and app.is_paid_back(r.state)
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
  v_name text := format('compacted.%I', app.built_part(p_table, p_month, p_what));
  v_constraint record;
begin
  for v_constraint in
    select c.conname as name,
      pg_get_constraintdef(c.oid) || case when c.contype = 'f' then ' not valid' else '' end as definition
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

CREATE OR REPLACE FUNCTION app.correct_parcel (
  p_id          bigint,
  p_carrier     text,
  p_tracking_no text
)
  RETURNS app.parcels
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders;
  v_parcel app.parcels;
  v_carrier app.carriers;
begin
  v_order := app.lock_order((select l.order_id from app.parcels as l where l.id = p_id));
  if v_order.state <> 'delivered' then
    perform app.fail(
      'order_state_conflict', 'The receipt of this order is confirmed, so its parcels no longer change.'
    );
  end if;
  if p_carrier is not null then
    v_carrier := app.require_carrier(p_carrier);
  end if;
  select l.* into v_parcel from app.parcels as l where l.id = p_id;
  if p_tracking_no is null then
    perform app.check_carrier_of_number(v_parcel.tracking_no, v_carrier.code);
  end if;
  p_tracking_no := app.require_tracking_number(p_tracking_no, coalesce(v_carrier.code, v_parcel.carrier_code));
  update app.parcels as l
  set carrier = coalesce(v_carrier.name_zh, l.carrier), carrier_code = coalesce(v_carrier.code, l.carrier_code),
    tracking_no = coalesce(p_tracking_no, l.tracking_no)
  where l.id = p_id returning l.* into v_parcel;
  return v_parcel;
exception when unique_violation then
  perform app.fail('invalid_argument', 'Another parcel of the order has this tracking number.', '/tracking_no');
end
$function$;

CREATE OR REPLACE FUNCTION app.count_times (
  p_now timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  update app.scheduled_jobs as j
  set times_count_for = n.value, times_count_from = p_now
  from app.scheduled_jobs as o cross join lateral app.times_count_for(o) as n (value)
  where o.name = j.name and j.times_count_for is distinct from n.value
$function$;

CREATE OR REPLACE FUNCTION app.create_adjustment (
  p_uid       bigint,
  p_brokerage numeric,
  p_frozen    numeric,
  p_available numeric,
  p_reason    text,
  p_by        uuid,
  p_now       timestamp with time zone,
  p_kind      text                     DEFAULT 'correction'::text
)
  RETURNS app.adjustments
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_adjustment app.adjustments;
  v_now timestamptz;
  v_waits boolean;
  v_has_left boolean;
begin
  perform app.require_user(p_uid);
  perform app.check_adjustment(p_brokerage, p_frozen, p_available, p_reason);
  perform app.lock_decided_alone('adjustment', p_by, app.effect_time(p_now)) where p_by is not null;
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  v_has_left := (select u.left_at is not null from app.users as u where u.uid = p_uid);
  if (select b.frozen_points from app.user_balances as b where b.uid = p_uid) + coalesce(p_frozen, 0) < 0 then
    perform app.fail(
      'invalid_argument', 'The member has fewer frozen points than this adjustment takes.', '/frozen_points'
    );
  elsif p_kind is null or p_kind not in ('correction', 'forfeit', 'payout') then
    perform app.fail('invalid_argument', 'An adjustment is a correction, a forfeit or a payout.', '/kind');
  elsif p_kind <> 'correction'
    and (not v_has_left or not app.is_covered(p_uid, p_brokerage, p_frozen, p_available)) then
    perform app.fail(
      'invalid_argument', 'Only what a member who left is still owed is paid out or declared given up.', '/kind'
    );
  elsif app.gives_to_who_gave_up(p_uid, p_brokerage, p_frozen, p_available) then
    perform app.fail(
      'adjustment_state_conflict',
      'The member gave up what they had when they left. An adjustment gives them at most what they owe.'
    );
  elsif v_has_left and p_by is not null and not app.other_administrator('money', p_by, p_uid) then
    perform app.fail(
      'second_administrator_needed',
      'A second administrator with the role owner or finance must approve what concerns a member who left. There is none.'
    );
  end if;
  -- Points that only change between frozen and available count once, points that are given or taken in both count
  -- together. Nobody of a member who left looks at the balances, so two administrators always do.
  v_waits := v_has_left and p_by is not null or not app.decide_alone(
    'adjustment', p_brokerage,
    greatest(abs(p_frozen), abs(p_available), abs(coalesce(p_frozen, 0) + coalesce(p_available, 0))), p_by, p_uid, p_now
  );
  insert into app.adjustments (
    uid, brokerage_delta, frozen_delta, available_delta, reason, state, created_by, add_time, decided_by, decided_at,
    kind
  )
  values (
    p_uid, coalesce(p_brokerage, 0), coalesce(p_frozen, 0), coalesce(p_available, 0), p_reason,
    case when v_waits then 'waiting' else 'booked' end,
    p_by, v_now, case when not v_waits then p_by end, case when not v_waits then v_now end, p_kind
  )
  returning * into v_adjustment;
  perform app.book_adjustment(v_adjustment) where not v_waits;
  perform app.write_adjustment_event(v_adjustment);
  return v_adjustment;
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
  if to_regclass(format('app.%I', v_name)) is not null
    or (p_table = 'admin_actions' and p_month::timestamp at time zone 'UTC' < app.actions_dropped_until()) then
    return true;
  end if;
  perform app.lock_for_partition(v_parent, false);
  execute format('lock table app.%I in access exclusive mode', p_table || '_default');
  perform app.create_month_table(p_table, p_month, 'app', v_name);
  if p_table = 'user_bill' then
    perform app.forbid_late_rows_of(format('app.%I', v_name)::regclass, p_month);
  end if;
  execute format(
    'alter table %s attach partition app.%I for values from (%L) to (%L)', v_parent, v_name, v_bounds.lower,
    v_bounds.upper
  );
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
declare
  v_bounds record := app.part_bounds(p_table, p_month);
begin
  execute format('create table %I.%I (like app.%I including all)', p_schema, p_name, p_table);
  execute format('alter table %I.%I enable row level security', p_schema, p_name);
  execute format(
    'create trigger it_is_never_emptied before truncate on %I.%I for each statement execute function app.reject_change()',
    p_schema, p_name
  );
  execute format(
    'alter table %I.%I add constraint it_is_in_its_month check (%I >= %L and %I < %L)', p_schema, p_name, v_bounds.key,
    v_bounds.lower, v_bounds.key, v_bounds.upper
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.create_order (
  p_uid            bigint,
  p_items          jsonb,
  p_now            timestamp with time zone,
  p_address        jsonb                    DEFAULT NULL::jsonb,
  p_remark         text                     DEFAULT ''::text,
  p_expected_price numeric                  DEFAULT NULL::numeric,
  p_use_points     numeric                  DEFAULT NULL::numeric
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_buyer app.users;
  v_lines app.order_lines[];
  v_order app.orders;
  v_now timestamptz;
begin
  -- The referrer stays that of the order until it is committed: app.set_spread waits for this lock, and no settlement
  -- does.
  select u.* into v_buyer from app.users as u where u.uid = p_uid for key share;
  if not found then
    perform app.fail('user_not_found');
  end if;
  if p_address is not null then
    perform app.require_address(p_address);
  end if;
  if not app.is_text(p_remark) then
    perform app.reject_text('/remark');
  elsif char_length(p_remark) > 500 then
    perform app.fail('invalid_argument', 'A remark has at most 500 characters.', '/remark');
  end if;
  perform app.refuse_words(p_remark, '/remark');
  v_lines := app.price_items(p_items, p_locks => true);
  if p_use_points <> 0 then
    v_lines := app.use_points(p_uid, v_lines, p_use_points, true);
  end if;
  v_now := app.effect_time(p_now);
  v_order := app.order_of_lines(v_lines);
  if p_expected_price <> v_order.pay_price then
    perform app.fail('price_changed', format('The order costs %s now.', v_order.pay_price));
  end if;

  insert into app.orders (
    order_no, uid, referrer_uid, total_price, discount, freight, paid_by_points, points_spent, points_left, pay_price,
    has_queue_goods, queue_base,
    queue_units, address, remark, add_time
  )
  values (
    app.dated_number(v_now, nextval('app.order_no_seq')),
    p_uid, v_buyer.spread_uid, v_order.total_price, v_order.discount, v_order.freight, v_order.paid_by_points,
    v_order.points_spent,
    v_order.points_spent, v_order.pay_price, v_order.has_queue_goods, v_order.queue_base, v_order.queue_units,
    p_address,
    coalesce(p_remark, ''), v_now
  )
  returning * into v_order;

  insert into app.order_lines (
    order_id, product_id, title, price, quantity, discount, paid_by_points, points, paid, is_queue_goods, stock_taken
  )
  select
    v_order.id, l.product_id, l.title, l.price, l.quantity, l.discount, l.paid_by_points, l.points, l.paid,
      l.is_queue_goods, l.stock_taken
  from unnest(v_lines) with ordinality as l order by l.ordinality;
  if exists (select from unnest(v_lines) as l where l.stock_taken > 0) then
    update app.products as p set stock = p.stock - t.units
    from (
      select l.product_id, sum(l.stock_taken) as units from unnest(v_lines) as l where l.stock_taken > 0
      group by l.product_id
    ) as t
    where p.id = t.product_id;
  end if;
  if v_order.points_spent > 0 then
    perform app.book_entries(array[app.checkout_entry(v_order, -v_order.points_spent)], '{}', '{}', v_now);
  end if;
  return case
    when v_order.pay_price = 0 then app.pay_locked_order(v_order, 'free', v_order.order_no, v_now)
    else v_order
  end;
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
  v_name text := app.built_part(p_table, p_month, p_what);
begin
  perform app.create_month_table(p_table, p_month, 'compacted', v_name);
  return format('compacted.%I', v_name);
end
$function$;

CREATE OR REPLACE FUNCTION app.create_withdrawal_batch (
  p_method          text,
  p_ids             bigint[],
  p_except_uid      bigint,
  p_created_by      uuid,
  p_now             timestamp with time zone,
  p_held_by_refunds numeric                  DEFAULT NULL::numeric,
  p_leaves_out_held boolean                  DEFAULT false
)
  RETURNS app.withdrawal_batches
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_ids bigint[];
  v_now timestamptz;
  v_is_taxed boolean;
  v_taxes numeric[];
  v_batch app.withdrawal_batches;
begin
  perform app.check_batch_method(p_method);
  select array_agg(l.id order by l.id) into v_ids
  from (
    select w.id from app.withdrawals as w
    where w.state = 'approved' and (p_ids is null or w.id = any (p_ids))
      and app.fits_batch(w, p_method, p_except_uid, p_created_by)
    order by w.id
    limit app.most_in_batch()
    for update
  ) as l;
  if v_ids is null or cardinality(v_ids) < cardinality(p_ids) then
    perform app.reject_own_approval(
      array(
        select w.id from app.withdrawals as w
        where w.state = 'approved' and w.method = p_method and (p_ids is null or w.id = any (p_ids)) order by w.id
      ),
      p_created_by
    );
    perform app.fail(
      'withdrawal_state_conflict', 'A batch takes only approved withdrawals of its method, and at least one.'
    );
  end if;
  perform app.lock_balances(array(select w.uid from app.withdrawals as w where w.id = any (v_ids) order by w.uid));
  v_now := app.effect_time(p_now);
  if p_leaves_out_held then
    v_ids := array(
      select l.id from unnest(v_ids) as l (id)
      where l.id not in (select h.id from app.held_withdrawals(v_ids, v_now) as h) order by l.id
    );
    if cardinality(v_ids) = 0 then
      perform app.fail('withdrawal_state_conflict', 'Refund requests hold all of these withdrawals.');
    end if;
  end if;
  perform app.reject_holds(v_ids, p_held_by_refunds, v_now);
  v_is_taxed := app.tax_method(v_now) is not null;
  -- A volatile function is called after the rows are sorted: by id, the order in which these become paying.
  v_taxes := array(
    select case when v_is_taxed then app.withhold_tax(w, v_now) else 0 end from app.withdrawals as w
    where w.id = any (v_ids) order by w.id
  );
  -- Row order: one row.
  insert into app.withdrawal_batches (method, withdrawals, amount, created_by, add_time)
  select p_method, count(*), sum(w.amount - w.fee - t.tax), p_created_by, v_now
  from unnest(v_ids, v_taxes) as t (id, tax) join app.withdrawals as w on w.id = t.id
  returning * into v_batch;
  update app.withdrawals as w
  set state = 'paying', paying_at = v_now, batch_id = v_batch.id, tax = t.tax
  from unnest(v_ids, v_taxes) as t (id, tax) where w.id = t.id;
  return v_batch;
end
$function$;

CREATE OR REPLACE FUNCTION app.current_freight (
  p_refund app.refunds
)
  RETURNS numeric
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case
    when p_refund.state = 'requested' then (
      select app.default_freight(o, app.requested_items(o.id)) from app.orders as o where o.id = p_refund.order_id
    )
    else p_refund.freight
  end
$function$;

CREATE OR REPLACE FUNCTION app.current_uid()
  RETURNS bigint
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_uid bigint;
  v_is_banned boolean;
begin
  select u.uid, a.banned_until >= now() into v_uid, v_is_banned
  from app.users as u left join auth.users as a on a.id = u.auth_id where u.auth_id = auth.uid();
  if v_is_banned then
    perform app.fail('forbidden', 'This account is blocked. Ask the store.');
  end if;
  return v_uid;
end
$function$;

CREATE OR REPLACE FUNCTION app.debts (
  p_now timestamp with time zone
)
  RETURNS TABLE (
    uid             bigint,
    brokerage_price numeric,
    maturing        numeric
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select b.uid, b.brokerage_price, m.maturing
  from app.user_balances as b
  cross join lateral (select coalesce(sum(c.amount_left), 0.00) as maturing from app.maturing(b.uid, p_now) as c) as m
  where (
    b.brokerage_price < 0
    or b.uid in (select w.uid from app.withdrawals as w where not app.is_returned(w.state))
    or b.uid in (select a.uid from app.adjustments as a where a.state = 'booked' and a.brokerage_delta < 0)
    or b.uid in (select l.uid from app.user_bill as l where l.type = 'opening_balance' and l.brokerage_delta < 0)
  ) and b.brokerage_price < m.maturing
$function$;

CREATE OR REPLACE FUNCTION app.decide_adjustment (
  p_id    bigint,
  p_state text,
  p_by    uuid,
  p_now   timestamp with time zone
)
  RETURNS app.adjustments
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_adjustment app.adjustments := app.lock_adjustment(p_id);
  v_now timestamptz;
begin
  if v_adjustment.state = p_state then
    return v_adjustment;
  elsif v_adjustment.state <> 'waiting' then
    perform app.fail('adjustment_state_conflict', 'This adjustment has been decided.');
  elsif v_adjustment.created_by is not distinct from p_by then
    perform app.fail(
      'second_administrator_needed',
      'You made this adjustment. Another administrator with the role owner or finance must decide it.'
    );
  end if;
  if p_state = 'booked' then
    perform app.reject_key_as_second();
    perform app.lock_balances(array[v_adjustment.uid]);
    if (
      select b.frozen_points from app.user_balances as b where b.uid = v_adjustment.uid
    ) + v_adjustment.frozen_delta < 0 then
      perform app.fail(
        'adjustment_state_conflict', 'The member now has fewer frozen points than this adjustment takes. Refuse it.'
      );
    elsif v_adjustment.kind <> 'correction' and not app.is_covered(
      v_adjustment.uid, v_adjustment.brokerage_delta, v_adjustment.frozen_delta, v_adjustment.available_delta
    ) then
      perform app.fail(
        'adjustment_state_conflict', 'The member is now owed less than this adjustment takes. Refuse it.'
      );
    elsif app.gives_to_who_gave_up(
      v_adjustment.uid, v_adjustment.brokerage_delta, v_adjustment.frozen_delta, v_adjustment.available_delta
    ) then
      perform app.fail(
        'adjustment_state_conflict', 'The member gave up what they had when they left. Refuse the adjustment.'
      );
    end if;
  end if;
  v_now := app.effect_time(p_now);
  update app.adjustments as a set state = p_state, decided_by = p_by, decided_at = v_now
  where a.id = p_id
  returning a.* into v_adjustment;
  perform app.book_adjustment(v_adjustment) where p_state = 'booked';
  perform app.write_adjustment_event(v_adjustment);
  return v_adjustment;
end
$function$;

CREATE OR REPLACE FUNCTION app.decide_cycles (
  p_orders  app.order_facts[],
  p_members app.tree_member[],
  p_cycles  app.cycle_state[],
  p_plans   app.commission_plans[],
  OUT       settlements app.settlements[],
  OUT       cycles app.cycle_state[]
)
  RETURNS record
  LANGUAGE plpgsql
  IMMUTABLE
  AS $function$
declare
  v_order app.order_facts;
  v_plan app.commission_plans;
  v_cycle_plan app.commission_plans;
  v_earner integer;
  v_cycle app.cycle_state;
  v_index integer;
  v_place integer;
  v_settlement app.settlements;
begin
  cycles := p_cycles;
  settlements := '{}';
  foreach v_order in array p_orders loop
    if v_order.kind = 'free' then
      -- The earner is the member above the buyer whose cycle has the order.
      v_earner := p_members[v_order.member].referrer;
      while v_earner is not null loop
        v_cycle := cycles[v_earner];
        v_index := pg_catalog.array_position(v_cycle.orders, v_order.order_id);
        if v_index is not null then
          if v_cycle.is_open then
            v_cycle.taken := v_cycle.taken[:v_index - 1] || v_cycle.taken[v_index + 1:];
            v_cycle.orders := v_cycle.orders[:v_index - 1] || v_cycle.orders[v_index + 1:];
            v_cycle.placed := v_cycle.placed - 1;
            cycles[v_earner] := v_cycle;
          end if;
          exit;
        end if;
        v_earner := p_members[v_earner].referrer;
      end loop;
      continue;
    elsif v_order.kind = 'report' then
      cycles[v_order.member].reported_since := v_order.paid_at;
      continue;
    end if;
    v_plan := p_plans[v_order.plan_version];
    v_settlement := null;
    v_settlement.order_id := v_order.order_id;
    v_settlement.state := case when v_order.units = 0 then 'refunded' else 'settled' end;
    v_settlement.uid := v_order.uid;
    v_settlement.referrer_uid := v_order.referrer_uid;
    v_settlement.order_plan_version := v_order.plan_version;
    v_settlement.plan_in_force := v_order.plan_in_force;
    v_settlement.brokerage_scope := v_plan.brokerage_scope;
    v_settlement.base := v_order.base;
    v_settlement.units := v_order.units;
    v_settlement.commission := 0;
    v_settlement.commission_points := 0;
    v_settlement.reason := v_order.reason;

    if v_order.reason is null then
      v_earner := app.find_earner(v_order, v_plan, p_members, cycles);
      if v_earner is null then
        v_settlement.reason := case
          when v_plan.brokerage_scope <> 'direct' then 'nobody_eligible'
          when p_members[p_members[v_order.member].referrer].has_left then 'referrer_left'
          else 'referrer_not_eligible'
        end;
      else
        v_cycle := cycles[v_earner];
        if not v_cycle.is_open then
          v_cycle.cycle_no := v_cycle.cycle_no + 1;
          v_cycle.plan_version := v_plan.version;
          v_cycle.taken := '{}';
          v_cycle.orders := '{}';
        end if;
        v_cycle_plan := p_plans[v_cycle.plan_version];
        v_place := 1;
        while v_place = any (v_cycle.taken) loop
          v_place := v_place + 1;
        end loop;
        v_cycle.taken := v_cycle.taken || v_place::smallint;
        v_cycle.orders := v_cycle.orders || v_order.order_id;
        v_cycle.is_open := pg_catalog.cardinality(v_cycle.taken) < v_cycle_plan.people_per_cycle;
        v_cycle.placed := v_cycle.placed + 1;
        cycles[v_earner] := v_cycle;

        v_settlement.earner_uid := v_cycle.uid;
        v_settlement.eligible_since := v_cycle.reported_since;
        v_settlement.cycle_no := v_cycle.cycle_no;
        v_settlement.place := v_place;
        v_settlement.cycle_plan_version := v_cycle_plan.version;
        v_settlement.ratio := v_cycle_plan.tier_ratios[v_place];
        v_settlement.rate := least(
          v_settlement.ratio, v_cycle_plan.payout_cap, p_plans[v_order.plan_in_force].payout_cap
        );
        v_settlement.commission := app.cycle_commission(v_order.base, v_settlement.rate);
        v_settlement.commission_points := app.commission_points(
          v_settlement.commission, v_cycle_plan.points_per_brokerage
        );
      end if;
    end if;
    settlements := settlements || v_settlement;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.decide_levels (
  p_changes   app.tree_change[],
  p_members   app.tree_member[],
  p_levels    app.level_rule[],
  p_lists_all boolean                   DEFAULT false,
  OUT         grants app.level_grant[],
  OUT         rises app.level_rise[],
  OUT         members app.tree_member[]
)
  RETURNS record
  LANGUAGE plpgsql
  IMMUTABLE
  AS $function$
declare
  v_change app.tree_change;
  v_ordinal integer := 0;
  v_member app.tree_member;
  v_ancestor app.tree_member;
  v_rule app.level_rule;
  v_orders_delta integer;
  v_members_delta integer;
  v_orders_below integer;
  v_members_below integer;
  v_index integer;
  v_depth integer;
  v_passed_on numeric;
  v_per_unit numeric;
  v_raises boolean;
  v_rising integer[];
begin
  grants := '{}';
  rises := '{}';
  members := p_members;
  foreach v_change in array p_changes loop
    v_ordinal := v_ordinal + 1;
    v_member := members[v_change.member];
    v_orders_delta := 0;
    v_members_delta := 0;
    v_orders_below := 0;
    v_members_below := 0;
    case v_change.kind
      when 'assess' then
        v_member.no_assess := v_change.is_set;
        v_orders_delta := case when v_change.is_set then -v_member.own_orders else v_member.own_orders end;
        v_members_delta := pg_catalog.sign(v_orders_delta);
      when 'refer' then
        v_member.referrer := v_change.referrer;
        v_orders_delta := case when v_member.no_assess then 0 else v_member.own_orders end;
        v_members_delta := pg_catalog.sign(v_orders_delta);
        v_orders_below := coalesce(v_change.orders_below, v_member.umbrella_orders);
        v_members_below := coalesce(v_change.members_below, v_member.umbrella_members);
      when 'grade' then
        v_member.agent_level := v_change.to_level;
        v_member.is_held := v_change.is_set;
      when 'leave' then
        v_member.has_left := true;
      when 'import' then
        null;
      else
        -- A member counts as long as they have at least one order that counts: the first one adds the member, and the
        -- loss of the last one removes them. In both cases, one of the counts before and after is 0.
        v_orders_delta := case when v_member.no_assess then 0 else v_change.step end;
        v_members_delta := case
          when least(v_member.own_orders, v_member.own_orders + v_change.step) = 0 then v_orders_delta
          else 0
        end;
        v_member.own_orders := v_member.own_orders + v_change.step;
    end case;
    v_member.is_changed := true;
    members[v_change.member] := v_member;

    -- A settlement raises whoever meets the tasks, another change only where it has raised the counts (R5).
    v_raises := v_change.kind = 'settle' or v_change.raises and v_orders_delta + v_orders_below > 0;
    -- A level that is set and the end of an import change nobody above.
    v_index := case when v_change.kind not in ('grade', 'import') then v_member.referrer end;
    v_depth := 1;
    v_passed_on := 0;
    v_rising := case
      when v_change.kind in ('grade', 'import') and v_change.raises then array[v_change.member]
      else '{}'
    end;
    while v_index is not null loop
      v_ancestor := members[v_index];
      v_rule := p_levels[v_ancestor.agent_level + 1];
      if v_ancestor.has_left then
        -- As a level without any points. The counts go on, and the step counts in max_depth.
        v_rule.direct_points := 0;
        v_rule.umbrella_points := 0;
      end if;
      if v_change.units > 0 or p_lists_all then
        v_per_unit := case
          -- A max_depth of null sets no limit.
          when v_change.units = 0 or v_depth > v_change.max_depth then 0
          when v_depth = 1 then v_rule.direct_points
          else app.umbrella_share(v_rule.umbrella_points, v_passed_on)
        end;
        if v_per_unit > 0 or p_lists_all then
          grants := grants || (
            v_ordinal, v_change.order_id, v_depth, v_ancestor.uid, v_ancestor.agent_level, v_passed_on, v_per_unit,
            v_change.units,
            app.level_points(v_per_unit, v_change.units)
          )::app.level_grant;
        end if;
        -- R7: the umbrella points per unit of the level are passed on, also by the referrer, who got the direct points.
        v_passed_on := greatest(v_passed_on, v_rule.umbrella_points);
      end if;
      if v_rule.keeps_counts then
        if v_orders_delta <> 0 or v_orders_below <> 0 then
          if v_depth = 1 then
            v_ancestor.direct_orders := v_ancestor.direct_orders + v_orders_delta;
            v_ancestor.direct_members := v_ancestor.direct_members + v_members_delta;
          end if;
          v_ancestor.umbrella_orders := v_ancestor.umbrella_orders + v_orders_delta + v_orders_below;
          v_ancestor.umbrella_members := v_ancestor.umbrella_members + v_members_delta + v_members_below;
          v_ancestor.is_changed := true;
          members[v_index] := v_ancestor;
        end if;
        if v_raises and app.meets_next_level(v_ancestor, v_rule) then
          v_rising := v_rising || v_index;
        end if;
      end if;
      v_index := v_ancestor.referrer;
      v_depth := v_depth + 1;
    end loop;

    -- Rises follow the walk, because the points of the whole upline use the levels before the order (R5).
    foreach v_index in array v_rising loop
      v_ancestor := members[v_index];
      v_rule := p_levels[v_ancestor.agent_level + 1];
      while app.meets_next_level(v_ancestor, v_rule) loop
        rises := rises || (
          v_change.order_id, v_ancestor.uid, v_ancestor.agent_level, v_rule.next_grade,
          case v_change.kind
            when 'settle' then 'order'
            when 'count' then 'refund'
            when 'grade' then 'hold'
            else v_change.kind
          end,
          v_ordinal
        )::app.level_rise;
        v_ancestor.agent_level := v_rule.next_grade;
        v_rule := p_levels[v_ancestor.agent_level + 1];
      end loop;
      v_ancestor.is_changed := true;
      members[v_index] := v_ancestor;
    end loop;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.decide_refund (
  p_facts app.refund_facts,
  OUT     entries app.bill_entry[],
  OUT     members app.tree_member[],
  OUT     cycles app.cycle_state[],
  OUT     rises app.level_rise[]
)
  RETURNS record
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before app.orders := p_facts.before;
  v_after app.orders := p_facts.after;
  v_settlement app.settlements := p_facts.settlement;
  v_state app.engine_state := p_facts.state;
  v_buyer integer;
  v_step integer;
  v_levels record;
begin
  entries := case when v_after.points_left < v_before.points_left then array[
    app.checkout_entry(v_before, v_before.points_left - v_after.points_left)
  ] else '{}' end;
  members := '{}';
  cycles := '{}';
  rises := '{}';
  if v_settlement.order_id is null then
    return;
  end if;
  entries := entries || app.reversals(v_after, v_settlement.rate, p_facts.grants);

  v_buyer := app.member_index(v_state, v_before.uid);
  if v_after.queue_base = 0 and v_settlement.place_freed_at is null then
    cycles := array(
      select c from unnest((app.decide_cycles(
        array[app.new_facts('free', v_buyer, v_before.id)],
        v_state.members, v_state.cycles, v_state.plans
      )).cycles) as c
      where c.placed <> 0
      order by c.uid
    );
  end if;

  v_step := app.is_counted(v_after.queue_units, v_after.refund_status, v_after.below_minimum)::integer
    - app.is_counted(v_before.queue_units, v_before.refund_status, v_before.below_minimum)::integer;
  if v_step <> 0 and v_settlement.state in ('settled', 'imported') then
    v_levels := app.decide_levels(
      array[app.new_tree_change('count', v_buyer, v_before.id, p_step => v_step, p_raises => true)],
      v_state.members, v_state.levels
    );
    members := v_levels.members;
    rises := v_levels.rises;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.decided_order_below (
  p_uid bigint
)
  RETURNS bigint
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with recursive family as (
    select p_uid as uid
    union all
    select u.uid from family as f join app.users as u on u.spread_uid = f.uid
  )
  select s.order_id from family as f join app.settlements as s on s.uid = f.uid limit 1
$function$;

CREATE OR REPLACE FUNCTION app.declared_bill_types()
  RETURNS TABLE (
    type            text,
    sources         text[],
    is_money        boolean,
    is_earned       boolean,
    reversal        text,
    gives_back      boolean,
    counter_account text,
    title           text,
    title_zh        text,
    meaning         text
  )
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  values
    ('brokerage', '{cycle}'::text[], true, true, 'brokerage_reversal', false, 'commission_expense',
      'Commission', '佣金', 'commission for an order'),
    ('brokerage_reversal', '{cycle}', true, true, null, false, 'commission_expense',
      'Commission reversed', '佣金冲回', 'a refund takes commission back'),
    ('frozen_points_brokerage', '{cycle, direct, umbrella}', false, true, 'frozen_points_reversal', false,
      'promotion_expense',
      'Points granted', '积分发放', 'frozen points for an order: commission points, direct points, umbrella points'),
    ('frozen_points_reversal', '{cycle, direct, umbrella}', false, true, null, false, 'promotion_expense',
      'Points reversed', '积分冲回', 'a refund takes points back, frozen points first'),
    ('frozen_points_release', '{release}', false, true, null, false, null,
      'Points released', '积分释放', 'the daily release makes frozen points available'),
    ('opening_balance', '{import}', false, true, null, false, 'opening_balances',
      'Opening balance', '期初余额', 'what a member brought from the previous system'),
    ('withdrawal', '{withdrawal}', true, false, null, false, 'payouts_in_transit',
      'Withdrawal', '提现', 'commission leaves with the request'),
    ('withdrawal_returned', '{withdrawal}', true, false, null, true, 'payouts_in_transit',
      'Withdrawal returned', '提现退回', 'the request was refused or cancelled, or failed'),
    ('points_spent', '{checkout}', false, false, null, false, 'redeemed_points',
      'Points spent', '积分抵扣', 'available points pay at checkout'),
    ('points_returned', '{checkout}', false, false, null, true, 'redeemed_points',
      'Points returned', '抵扣退回', 'the order was cancelled, has expired or was refunded'),
    ('adjustment', '{adjustment}', false, false, null, false, 'adjustments',
      'Adjustment', '调账', 'an administrator corrects the balances')
$function$;

CREATE OR REPLACE FUNCTION app.declared_settings()
  RETURNS TABLE (
    name         text,
    section      text,
    kind         text,
    minimum      numeric,
    maximum      numeric,
    decimals     integer,
    longest      integer,
    choices      text[],
    removable    boolean,
    no_less_than text,
    personal     boolean,
    title        text,
    title_zh     text,
    hint         text,
    hint_zh      text
  )
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  values
    ('site_name', 'store', 'line', null::numeric, null::numeric, null::integer, 100, null::text[], false, null::text,
      false,
      'Store name', '商城名称',
      'What members see as the name of the store, on its pages and posters.',
      '会员在商城页面和海报上看到的名称。'),
    ('logo', 'store', 'web_address', null, null, null, 1000, null, true, null, false,
      'Logo', '商城 Logo',
      'The URL of a picture that members see beside the store name.',
      '图片网址，显示在会员看到的商城名称旁。'),
    ('colour', 'store', 'colour', null, null, null, null, null, false, null, false,
      'Main colour', '主题色',
      'The colour of buttons and headers in the H5 app. Shades that are hard to read are adjusted automatically.',
      'H5 商城中按钮和页头的颜色；对比度不足的色调会自动调整。'),
    ('poster_design', 'store', 'choice', null, null, null, null, '{warm, light, dark}', false, null, false,
      'Design of posters', '海报样式',
      'A product can have a design of its own.',
      '商品可以单独选择样式。'),
    ('contact_phone', 'store', 'phone', null, null, null, null, null, true, null, false,
      'Contact: phone', '客服电话',
      'Members can call it from the H5 app.',
      '会员可在 H5 商城中直接拨打。'),
    ('contact_wechat', 'store', 'line', null, null, null, 64, null, true, null, false,
      'Contact: WeChat ID', '客服微信号',
      'Members copy it and add you in WeChat.',
      '会员复制后在微信中添加。'),
    ('contact_hours', 'store', 'line', null, null, null, 100, null, true, null, false,
      'Contact: hours', '服务时间',
      'When somebody answers, as members read it, for example 9:00 to 18:00.',
      '展示给会员，例如 9:00 至 18:00。'),
    ('time_zone', 'store', 'zone', null, null, null, 64, null, false, null, false,
      'Time zone', '时区',
      'The time zone of business days and of the schedule, for example Asia/Shanghai.',
      '营业日和定时任务所用的时区，例如 Asia/Shanghai。'),
    ('h5_share_url', 'store', 'share_address', null, null, null, 500, null, false, null, false,
      'Share link URL', '分享链接地址',
      'The page that share links open, without # and what follows it. The store appends ?spread= and the member number.',
      '分享链接打开的页面，不含 # 及其后面的部分。末尾会自动加上 ?spread= 和会员编号。'),
    ('avatar_origins', 'store', 'origins', null, null, null, 20, null, false, null, false,
      'Sites of pictures of members', '会员头像来源',
      'Members can have pictures of these sites, of the project and of the page of the share link. All others are hidden, since whoever serves a picture learns who looks at it. Write each as https://example.com.',
      '会员头像只能来自这些网站，以及本项目和分享链接所在的网站；其他头像不再显示，因为提供图片的网站能知道谁看过它。格式如 https://example.com。'),
    ('refused_words', 'store', 'words', null, null, null, 500, null, false, null, false,
      'Words that members cannot use', '会员禁用词',
      'Nicknames, refund reasons and remarks on orders that contain one of them are refused. Case, full or half width and blanks between letters do not matter. Texts from before stay.',
      '会员的昵称、退款原因和订单备注中含有这些词时不予保存；不区分大小写、全角半角，也忽略字间空格。已有内容不受影响。'),
    ('person_request_days', 'store', 'integer', 1, 90, 0, null, null, false, null, false,
      'Requests of persons are answered within (days)', '个人信息请求处理期限（天）',
      'Counted from the receipt of a request for a copy, a correction or the deletion of personal data. Requests from before keep their day.',
      '从收到获取副本、更正或删除个人信息的请求时起算。此前收到的请求保留原期限。'),
    ('max_unpaid_orders', 'orders', 'integer', 1, 1000, 0, null, null, false, null, false,
      'Unpaid order limit', '未付款订单上限',
      'A member with this many unpaid orders must pay or cancel one before they can place another.',
      '达到上限的会员须先付款或取消一笔，才能再次下单。'),
    ('max_unpaid_units', 'orders', 'integer', 1, 1000000, 0, null, null, false, null, false,
      'Unpaid units of a member', '会员未付款件数上限',
      'How many units of goods with a limited stock the unpaid orders of a member can hold. Goods without a limit do not count.',
      '会员的未付款订单最多可占用的限量库存商品件数，不限库存的商品不计入。'),
    ('max_unpaid_share', 'orders', 'number', 0, 1, 5, null, null, false, null, false,
      'Unpaid share of a stock', '会员未付款占用库存比例',
      'Which share of the stock of a product the unpaid orders of a member can hold: 0.1 is a tenth, 1 is all. One unit is always possible.',
      '会员的未付款订单最多可占用某商品库存的比例：0.1 为十分之一，1 为全部。至少可占用一件。'),
    ('first_order_minutes', 'orders', 'integer', 5, 129600, 0, null, null, false, null, false,
      'Minutes to pay a first order', '首单付款分钟数',
      'An unpaid order that holds a limited stock expires after this time if its buyer has never paid an order.',
      '从未付过款的会员，其占用限量库存的未付款订单超过此时间后自动关闭。'),
    ('payment_minutes', 'orders', 'integer', 5, 1440, 0, null, null, false, null, false,
      'Time to pay (minutes)', '支付有效时间（分钟）',
      'After a payment is started at a provider, the buyer must complete it within this time.',
      '在支付机构发起的支付须在此时间内完成。'),
    ('payment_query_minutes', 'orders', 'minutes', 1, 1440, 0, 10, null, false, null, false,
      'Look up payments after (minutes)', '支付结果查询时间（分钟）',
      'If a payment''s notification is lost, the store finds the payment at one of these times after its start. Without any, it is looked up only when the time to pay has passed.',
      '支付通知丢失时，商城在发起支付后的这些时间向支付机构查询结果；未设置时只在支付有效时间结束后查询。'),
    ('order_expiry_minutes', 'orders', 'integer', 5, 10080, 0, null, null, false, null, false,
      'Unpaid orders expire after (minutes)', '未付款订单关闭时间（分钟）',
      'Counted from the end of the last payment. Without a payment, and if members cannot pay offline, counted from the order.',
      '从最后一次支付结束时起算；未发起过支付且不可线下付款时，从下单时起算。'),
    ('offline_payment', 'orders', 'switch', null, null, null, null, null, false, null, false,
      'Members can pay offline', '会员可线下付款',
      'Orders for which no payment was started are then kept for longer.',
      '开启后，从未发起支付的订单保留更长时间。'),
    ('offline_payment_days', 'orders', 'integer', 1, 90, 0, null, null, false, null, false,
      'Orders to be paid offline expire after (days)', '线下付款订单关闭时间（天）',
      'Counted from the order, if no payment was started.',
      '适用于未发起过支付的订单，从下单时起算。'),
    ('receipt_days', 'orders', 'integer', 1, 90, 0, null, null, false, null, false,
      'Receipt is confirmed automatically after (days)', '自动确认收货时间（天）',
      'Counted from the shipment. Receipt is not confirmed while a refund request is open.',
      '从发货时起算，退款申请处理期间不会自动确认。'),
    ('refund_window_days', 'orders', 'integer', 0, 3650, 0, null, null, false, null, false,
      'Refund window (days)', '退款期限（天）',
      'Counted from the receipt. Administrators may refund later, too.',
      '从收货时起算；期限过后，管理员仍可退款。'),
    ('return_address', 'orders', 'postal', null, null, null, null, null, true, null, true,
      'Return address', '退货地址',
      'Where buyers send goods back. A buyer sees it when you ask for the goods of a refund request; requests that were answered before keep theirs.',
      '买家寄回商品的地址。要求买家寄回商品时，买家可以看到；此前已答复的申请保留原地址。'),
    ('points_rate', 'points', 'number', 0.01, 999999.99, 2, null, null, false, null, false,
      'Points that pay 1.00', '抵扣 1 元所需积分',
      'How many points a member gives for 1.00 at checkout. Orders that are placed keep their rate.',
      '会员下单时，抵扣 1.00 元所用的积分数。已提交的订单不受影响。'),
    ('points_max_share', 'points', 'percent', 0, 0.99999, 5, null, null, false, null, false,
      'Largest share of the price that points can pay', '积分抵扣上限',
      'Points pay neither for queue goods nor for freight. 0 % switches payment by points off. The whole price can never be paid by points.',
      '积分抵扣占商品金额的最高比例，报单商品和运费不可抵扣；0 % 表示关闭积分抵扣。不能全额抵扣。'),
    ('withdrawal_methods', 'withdrawals', 'choices', null, null, null, null, '{bank, alipay, wechat}', false, null,
      false,
      'Ways to withdraw', '提现方式',
      'Without any, members cannot withdraw.',
      '全部不选则会员不能提现。'),
    ('withdrawal_minimum', 'withdrawals', 'amount', 0.01, 1000000, 2, null, null, false, null, false,
      'Smallest withdrawal', '最低提现金额',
      'Members cannot request less at once.',
      '会员单次提现不得低于此金额。'),
    ('withdrawal_maximum', 'withdrawals', 'amount', 0.01, 999999999999.99, 2, null, null, true, 'withdrawal_minimum',
      false,
      'Largest withdrawal', '最高提现金额',
      'Members cannot request more at once. Without an amount, there is no limit.',
      '会员单次提现不得高于此金额。未设置时不限。'),
    ('withdrawal_fee_rate', 'withdrawals', 'number', 0, 0.99999, 5, null, null, false, null, false,
      'Withdrawal fee rate', '提现手续费率',
      'The share of a withdrawal that the store keeps, such as 0.006. Requests that were made before keep their fee.',
      '商城从提现金额中收取的比例，例如 0.006；已提交的申请保持原手续费。'),
    ('transfer_minimum', 'withdrawals', 'amount', 0.01, 1000000, 2, null, null, false, null, false,
      'Smallest transfer to WeChat', '微信单笔最低转账金额',
      'WeChat transfers no smaller amount: a withdrawal less its fee.',
      '微信不支持低于此金额的转账（提现金额减去手续费）。'),
    ('transfer_maximum', 'withdrawals', 'amount', 0.01, 999999999999.99, 2, null, null, true, 'transfer_minimum', false,
      'Largest transfer to WeChat', '微信单笔最高转账金额',
      'The limit of your contract with WeChat for one transfer. Without an amount, only that of withdrawals holds.',
      '您与微信约定的单笔转账限额。未设置时以提现限额为准。'),
    ('transfer_name_from', 'withdrawals', 'amount', 0.3, 2000, 2, null, null, false, null, false,
      'WeChat needs a name from', '微信要求姓名的起始金额',
      'From this amount on, members state their full name. WeChat compares it with that of the account. It takes none below 0.30 and demands one from 2000.00 on.',
      '达到该金额时，会员须填写真实姓名，由微信与账户核对。微信规定低于 0.30 元不能填写，达到 2000.00 元必须填写。'),
    ('tax_method', 'withdrawals', 'choice', null, null, null, null, '{none, cumulative, per_month, per_payment}', false,
      null, false,
      'Tax of payouts', '提现代扣个税',
      'How income tax is withheld of a withdrawal when it is given to the bank or to WeChat. The store computes by this setting. Whether and how tax applies is your decision; have it confirmed by a tax adviser. Value-added tax and points are not computed. With tax on, a withdrawal is paid through a batch, which fixes its tax. A change applies to what is paid from then on.',
      '提现提交银行或微信付款时，按此方式代扣个人所得税。系统仅按设置计算；是否适用、如何适用由商城自行决定，请向税务顾问确认。增值税和积分不在计算之列。开启后，提现须加入批次付款，税额在加入批次时确定。修改后，仅影响此后付款的提现。'),
    ('tax_from', 'withdrawals', 'day', null, null, null, null, null, true, null, false,
      'Tax is withheld from', '开始代扣日期',
      'The first day on which tax is withheld. Before it, nothing is withheld, whatever the method. Without a day, tax is withheld from every day on.',
      '从该日起代扣；在此之前，无论何种方式均不代扣。未设置时不限日期。'),
    ('real_name_from', 'withdrawals', 'amount', 0.01, 1000000, 2, null, null, true, null, false,
      'Real name: from this amount on', '提现需要实名的起始金额',
      'From this amount on, a member gives name and number of a document before a withdrawal. They are encrypted with keys that the operator sets first. Without an amount, no real name is taken, and those that were given stay.',
      '达到该金额时，会员须先提交姓名和证件号码才能提现。信息加密保存，密钥须先由运维人员配置。未设置金额时不再收集，已提交的予以保留。'),
    ('real_name_check', 'withdrawals', 'choice', null, null, null, null, '{none, administrator, provider}', false, null,
      false,
      'Real name: who checks it', '实名核验方式',
      'Who must have checked a real name before it suffices for a withdrawal. The operator sets the address of the provider first. Administrators can check or refuse every real name.',
      '实名信息由谁核验后才能用于提现。选择服务商前，须先由运维人员配置其地址。管理员随时可以通过或退回任何实名信息。'),
    ('adjustment_limit_money', 'two_people', 'amount', 0, 100000000, 2, null, null, false, null, false,
      'Daily limit for adjustments of commission', '单人单日佣金调账限额',
      'How much one administrator adjusts alone on one day, in all. Above the limits, a second administrator must approve.',
      '一位管理员一天内可独自调账的合计金额；超过部分须由另一位管理员批准。'),
    ('adjustment_limit_points', 'two_people', 'number', 0, 100000000, 4, null, null, false, null, false,
      'Daily limit for adjustments of points', '单人单日积分调账限额',
      'How many points one administrator adjusts alone on one day, in all. Above it, a second administrator must approve.',
      '一位管理员一天内可独自调账的积分合计；超过部分须由另一位管理员批准。'),
    ('offline_payment_limit', 'two_people', 'amount', 0, 100000000, 2, null, null, false, null, false,
      'Daily limit for offline payments', '单人单日线下付款限额',
      'Orders of how much money one administrator marks as paid alone on one day. Above it, a second administrator must mark the order, too.',
      '一位管理员一天内可独自标记为已付款的订单合计金额；超过部分须由另一位管理员再次标记。'),
    ('withdrawal_limit', 'two_people', 'amount', 0, 100000000, 2, null, null, false, null, false,
      'Daily limit for the approval of withdrawals', '单人单日提现批准限额',
      'Withdrawals of how much money one administrator approves alone on one day. Above it, a second administrator must approve, too.',
      '一位管理员一天内可独自批准的提现合计金额；超过部分须由另一位管理员再次批准。'),
    ('second_factor_areas', 'second_factor', 'choices', null, null, null, null,
      '{records, content, orders, refunds, members, money, plan, system, administrators, keys}', false, null, false,
      'Areas that need a second factor', '需要第二重验证的范围',
      'Administrators prove it with a code from an app on their phone, which they set up in the menu of their account. Set up your own first: whoever changes this needs one. Whoever changes this has proved it, or signed in, within 15 minutes. With any area, the area administrators needs it, too. Nothing chosen: nobody needs one.',
      '管理员需用手机验证器应用中的验证码完成验证，可在右上角账号菜单中设置。请先为自己设置：更改此项也需要第二重验证，且须在 15 分钟内验证或登录；勾选任意一项，即自动包含管理员。不勾选则都不需要。'),
    ('orders_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Orders of a member per hour', '会员每小时下单上限',
      'A member who has placed this many must wait until the hour that began with the first is over. The same holds for the next four limits.',
      '从该会员第一次下单起计一小时，达到上限后须等这一小时结束；以下四项相同。'),
    ('cancellations_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Cancellations of a member per hour', '会员每小时取消次数上限',
      'Orders and withdrawals together. Orders that expire do not count.',
      '取消订单与取消提现合计；超时自动关闭的订单不计入。'),
    ('keys_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Changes of a member per hour', '会员每小时提交操作上限',
      'All requests of the app that change something, each counted once however often it is repeated.',
      '包括会员端所有提交修改的请求，重复提交的同一请求只计一次。'),
    ('profile_changes_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Profile changes of a member per hour', '会员每小时修改资料上限',
      'Changes of nickname and picture.',
      '指修改昵称和头像。'),
    ('posters_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Posters drawn for a member per hour', '会员每小时生成海报上限',
      'A poster is drawn again after its member, the store name or the share link has changed, and once every 30 days.',
      '会员资料、商城名称或分享链接变更后会重新生成海报，此外每 30 天生成一次。'),
    ('network_people', 'network', 'integer', 1, 1000000, 0, null, null, false, null, false,
      'Network shape: members below', '团队结构：伞下人数',
      'From how many members below, with members at the depth below, the page Network shape lists a member. It changes nothing that is paid.',
      '“团队结构”页面列出伞下达到此人数且达到下列层数的会员。只影响显示，不影响发放。'),
    ('network_depth', 'network', 'integer', 1, 1000, 0, null, null, false, null, false,
      'Network shape: depth', '团队结构：层数',
      'The depth of that list. The plan editor and the check say if a plan pays beyond it.',
      '上述列表的层数。方案的发放超过此层数时，方案编辑页和检查会予以说明。'),
    ('settlement_slots', 'operation', 'integer', 0, 16, 0, null, null, false, null, false,
      'Settlements at the same time', '同时进行的结算数',
      'At most one for each processor of the database. One of the requests that have paid settles for all. With 0, orders are settled every minute by the scheduled job.',
      '不应超过数据库的处理器数量。付款后由其中一个请求为所有等待的订单结算；0 表示仅由每分钟的定时任务结算。'),
    ('night_sessions', 'operation', 'integer', 1, 8, 0, null, null, false, null, false,
      'Sessions of a night', '夜间任务的会话数',
      'At most one for each processor of the database. Each releases the points of a range of members and reconciles a range. A change applies from the next night on.',
      '不应超过数据库的处理器数量。每个会话释放一段会员的积分，并核对一段数据。修改从下一晚起生效。'),
    ('assistants', 'reading', 'switch', null, null, null, null, null, false, null, false,
      'Assistants may read', '允许 AI 助手查询',
      'An assistant (a language model) then reads what the machine key that you give it allows, without names, phone numbers and addresses unless the key has that scope. It changes nothing, and the action log shows each call.',
      '开启后，AI 助手（大语言模型）可在所用机器密钥的权限内查询数据，不能进行更改；除非密钥有相应权限，姓名、手机号和地址一律不显示。每次查询都记入操作记录。'),
    ('analyst_minutes', 'reading', 'integer', 1, 120, 0, null, null, false, null, false,
      'Queries of analysts end after (minutes)', '分析查询时限（分钟）',
      'What an analyst reads with the login store_analyst is ended when it takes longer, so that it does not hold up the store.',
      '分析人员使用登录名 store_analyst 的查询超过此时间即被结束，以免影响商城运行。')
$function$;

CREATE OR REPLACE FUNCTION app.deepest_paid()
  RETURNS TABLE (
    kind     text,
    depth    integer,
    uid      bigint,
    order_id bigint
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  SET jit TO 'off'
  AS $function$
begin
  return query
    with paid as materialized (
      select 'commission' as kind, s.referrer_uid, s.earner_uid, max(s.order_id) as order_id
      from app.settlements as s where s.commission > 0 group by s.referrer_uid, s.earner_uid
      union all
      select 'points', o.referrer_uid, b.uid, max(b.order_id)
      from app.user_bill as b join app.orders as o on o.id = b.order_id
      where b.type = 'frozen_points_brokerage' and b.source in ('direct', 'umbrella') group by o.referrer_uid, b.uid
    ),
    -- Row order: pairs: two aggregates of one query read its rows in one sequence.
    pairs as (
      select array_agg(p.referrer_uid) as referrers, array_agg(p.earner_uid) as earners
      from (select distinct a.referrer_uid, a.earner_uid from paid as a) as p
    )
    select distinct on (p.kind) p.kind, d.depth, p.earner_uid, p.order_id
    from paid as p
    join (select o.* from pairs as a cross join lateral app.depths_of_earners(a.referrers, a.earners) as o) as d
      on d.referrer_uid = p.referrer_uid and d.earner_uid = p.earner_uid
    where d.depth is not null
    order by p.kind, d.depth desc, p.order_id desc;
end
$function$;

CREATE OR REPLACE FUNCTION app.default_freight (
  p_order app.orders,
  p_items app.refund_item[]
)
  RETURNS numeric
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case
    when p_order.state = 'paid' and not exists (
      select from app.order_lines as l left join unnest(p_items) as i on i.line_id = l.id
      where l.order_id = p_order.id and l.quantity - l.refunded_quantity > coalesce(i.quantity, 0)
    ) then app.freight_left(p_order)
    else 0
  end
$function$;

CREATE OR REPLACE FUNCTION app.delete_account_if_due (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_auth_id uuid;
  v_now timestamptz;
begin
  perform app.lock_structure();
  perform pg_advisory_xact_lock(hashtextextended(p_uid::text, app.lock_number('unpaid_orders')));
  select a.id into v_auth_id from app.users as u join auth.users as a on a.id = u.auth_id where u.uid = p_uid
  for update of a skip locked;
  if not found then
    return false;
  end if;
  perform from app.orders as o where o.uid = p_uid order by o.id for update;
  perform from app.withdrawals as w where w.uid = p_uid order by w.id for update;
  perform from app.adjustments as a where a.uid = p_uid order by a.id for update;
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  perform from app.account_deletions as d where d.uid = p_uid and d.done_at is null and d.due_at <= v_now for update;
  if not found or exists (select from app.deletion_obstacles(p_uid, v_now) as o where o.is_in_progress) then
    return false;
  end if;
  perform app.forfeit_balances(p_uid, app.reason_of_forfeit(), v_now);
  perform app.mark_as_left(p_uid, v_now);
  delete from auth.users as a where a.id = v_auth_id;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.deletion_obstacles (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS TABLE (
    reason         text,
    count          integer,
    amount         numeric,
    until          timestamp with time zone,
    is_in_progress boolean
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with obstacles as (
    select 1 as place, 'administrator' as reason, count(*)::integer as count, null::numeric as amount,
      null::timestamptz as until
    from app.administrators as a join app.users as u on u.auth_id = a.auth_id where u.uid = p_uid
    union all
    select 2, 'withdrawal_open', count(*)::integer, sum(w.amount), null from app.withdrawals as w
    where w.uid = p_uid and w.ended_at is null
    union all
    select 3, 'order_open', count(*)::integer, null, null
    from app.orders as o where o.uid = p_uid and o.state in ('unpaid', 'paid', 'delivered') and o.refund_status <> 2
    union all
    select 4, 'refund_open', count(*)::integer, null, null
    from app.orders as o
    where o.uid = p_uid and (
      o.refund_status = 1
      or exists (select from app.provider_refunds as r where r.order_id = o.id and r.state = 'refunding')
    )
    union all
    select 5, 'refund_window_open', count(*)::integer, null, max(w.ends_at)
    from app.orders as o cross join lateral (select app.refund_window_end(o.received_at) as ends_at) as w
    where o.uid = p_uid and o.state = 'received' and o.refund_status <> 2 and w.ends_at > p_now
    union all
    select 6, 'debt', (d.amount < 0)::integer, -d.amount, null from app.withdrawable(p_uid, p_now) as d (amount)
    union all
    select 7, 'points_owed', (b.available_points < 0)::integer, trim_scale(-b.available_points), null
    from app.user_balances as b where b.uid = p_uid
  )
  select o.reason, o.count, o.amount, o.until, o.place <= 4 from obstacles as o where o.count > 0 order by o.place
$function$;

CREATE OR REPLACE FUNCTION app.deliver_order (
  p_order_id    bigint,
  p_now         timestamp with time zone,
  p_carrier     text                     DEFAULT NULL::text,
  p_tracking_no text                     DEFAULT NULL::text,
  p_by          uuid                     DEFAULT NULL::uuid
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_code text := (app.find_carrier(p_carrier)).code;
  v_first app.parcels;
  v_constraint text;
begin
  p_tracking_no := app.require_tracking_number(p_tracking_no, v_code);
  select l.* into v_first from app.parcels as l where l.order_id = p_order_id order by l.id limit 1;
  if v_order.delivered_at is null and (v_order.paid_at is null or v_order.refund_status = 2) then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be marked as shipped.');
  elsif v_first.id is null then
    v_order := app.add_parcel(v_order, p_carrier, v_code, p_tracking_no, p_by, p_now);
  elsif v_order.state = 'received'
    and (
      p_tracking_no <> v_first.tracking_no
      or (p_carrier <> v_first.carrier and (v_code = v_first.carrier_code) is not true)
    ) then
    perform app.fail(
      'order_state_conflict', 'The receipt of this order is confirmed, so its parcels no longer change.'
    );
  else
    if p_tracking_no is null then
      perform app.check_carrier_of_number(v_first.tracking_no, v_code);
    end if;
    update app.parcels as l
    set carrier = coalesce(p_carrier, l.carrier),
      carrier_code = case when p_carrier is null then l.carrier_code else v_code end,
      tracking_no = coalesce(p_tracking_no, l.tracking_no)
    where l.id = v_first.id;
  end if;
  return v_order;
exception
  when unique_violation then
    perform app.fail('invalid_argument', 'Another parcel of the order has this tracking number.', '/tracking_no');
  when check_violation or data_exception then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.reject_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION app.digest_of_actions (
  p_month date,
  OUT     row_count bigint,
  OUT     digest text
)
  RETURNS record
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select count(*),
    encode(sha256(coalesce(string_agg(sha256(convert_to(l.line, 'UTF8')), '' order by l.number), '')), 'hex')
  from app.action_lines(p_month) with ordinality as l (line, number)
$function$;

CREATE OR REPLACE FUNCTION app.digest_of_rows (
  p_query text,
  OUT     row_count bigint,
  OUT     digest numeric
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
  execute format('select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from (%s) as t', p_query)
    into row_count, digest;
end
$function$;

CREATE OR REPLACE FUNCTION app.drop_actions (
  p_month  date,
  p_rows   bigint,
  p_digest text,
  p_now    timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '100ms'
  AS $function$
declare
  v_part regclass;
  v_obstacle text;
  v_digest record;
begin
  -- Only this function takes the lock, so nobody else queues behind it.
  perform set_config('lock_timeout', '10s', true);
  lock table app.dropped_actions in share row exclusive mode;
  if exists (select from app.dropped_actions as d where d.month = p_month) then
    return false;
  end if;
  v_obstacle := app.drop_obstacle(p_month, p_now);
  if v_obstacle is not null then
    perform app.fail(
      'invalid_argument', format('The actions of %s cannot be dropped: %s.', to_char(p_month, 'YYYY-MM'), v_obstacle)
    );
  end if;
  v_part := app.month_part('admin_actions', p_month);
  -- Nothing closes a month of actions: the owner of the database may add one.
  execute format('lock table %s in share mode', v_part);
  v_digest := app.digest_of_actions(p_month);
  if (v_digest.row_count, v_digest.digest) is distinct from (p_rows, p_digest) then
    perform app.fail(
      'invalid_argument',
      format(
        'The actions of %s are not those that were exported: %s with digest %s.', to_char(p_month, 'YYYY-MM'),
        v_digest.row_count, v_digest.digest
      )
    );
  end if;
  perform set_config('lock_timeout', '100ms', true);
  for v_try in 1..40 loop
    begin
      if app.has_long_reader(v_part) then
        raise lock_not_available using message = format(
          'another transaction is reading the actions of %s', to_char(p_month, 'YYYY-MM')
        );
      end if;
      execute format('drop table %s', v_part);
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  insert into app.dropped_actions (month, row_count, digest, dropped_at) values (p_month, p_rows, p_digest, p_now);
  perform app.record_action(
    'drop_actions', 'month', to_char(p_month, 'YYYY-MM'), jsonb_build_object('rows', p_rows, 'digest', p_digest), null
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.drop_obstacle (
  p_month date,
  p_now   timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_oldest date := (
    select min(to_date(right(c.relname, 6), 'YYYYMM')) from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'app.admin_actions'::regclass and c.relname ~ '_[0-9]{6}$'
  );
  v_ends_at timestamptz := (p_month + interval '1 month') at time zone 'UTC';
begin
  return case
    when app.month_part('admin_actions', p_month) is null then 'it has no partition of its own'
    when v_oldest <> p_month then format('%s is older and not dropped', to_char(v_oldest, 'YYYY-MM'))
    when v_ends_at > p_now - app.action_days() * interval '1 day' then format(
      'it ended less than %s days ago', app.action_days()
    )
    when exists (
      select from app.admin_actions_default as a where a.add_time < v_ends_at
    ) then 'the default partition has actions that are as old'
  end;
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
    v_name := format('compacted.%I', app.built_part(v_table, p_month, 'original'));
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
  -- Row order: a set.
  return array(
    select (
      o.referrer_uid, p_uid, sum(b.brokerage_delta),
      coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'cycle'), 0),
      coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'direct'), 0),
      coalesce(sum(b.frozen_delta + b.available_delta) filter (where b.source = 'umbrella'), 0)
    )::app.earnings_of_pair
    -- With `offset 0`, the rows of the member are found before others are left out (see api.get_month_earnings). Of the
    -- table: only releases can stand elsewhere.
    from (select l.* from app.user_bill as l where l.uid = p_uid offset 0) as b
    join app.orders as o on o.id = b.order_id
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
  -- Row order: a set.
  return array(
    select (
      o.referrer_uid, b.uid, sum(b.commission), sum(b.cycle), sum(b.direct), sum(b.umbrella)
    )::app.earnings_of_pair
    from (
      select
        l.order_id, l.uid, sum(l.brokerage_delta) as commission,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where l.source = 'cycle'), 0) as cycle,
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

CREATE OR REPLACE FUNCTION app.end_import (
  p_is_abandoned boolean,
  p_now          timestamp with time zone
)
  RETURNS SETOF app.imports
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
declare
  v_import app.imports;
  v_levels app.level_rule[];
  v_uids bigint[];
begin
  perform app.lock_structure();
  update app.imports as i set finished_at = p_now, is_abandoned = p_is_abandoned,
    finished_position = nextval('app.positions')
  where i.finished_at is null
  returning i.* into v_import;
  if not found then
    return;
  end if;
  v_levels := (select l.rules from app.level_versions as l order by l.version desc limit 1);
  -- Counts change only under the structure lock, so those who meet the tasks are the same once they are locked.
  v_uids := array(
    select u.uid
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    where b.umbrella_orders > 0 and app.meets_next_level((
      u.uid, null, u.agent_level, u.is_held, u.no_assess, b.own_orders, b.direct_orders, b.umbrella_orders,
      b.direct_members, b.umbrella_members, false,
      u.left_at is not null
    )::app.tree_member, v_levels[u.agent_level + 1])
    order by u.uid
  );
  if cardinality(v_uids) > 0 then
    perform app.lock_balances(v_uids);
    perform app.raise_members((app.decide_levels(
      array(
        select app.new_tree_change('import', n, p_raises => true) from generate_series(1, cardinality(v_uids)) as n
        order by n
      ),
      (app.read_members(v_uids, '{}')).members, v_levels
    )).rises, v_import.finished_position, p_now);
  end if;
  return next v_import;
end
$function$;

CREATE OR REPLACE FUNCTION app.end_request (
  p_order  app.orders,
  p_state  text,
  p_now    timestamp with time zone,
  p_reason text                     DEFAULT NULL::text
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_refund app.refunds := app.require_open_request(p_order.id);
  v_freight numeric := app.current_freight(v_refund);
  v_facts app.refund_facts := app.load_refund(p_order, p_items => null, p_is_requested => false);
  v_now timestamptz := app.effect_time(p_now);
begin
  update app.refunds as r
  set state = p_state, decided_at = v_now, decided_position = nextval('app.positions'),
    refusal_reason = coalesce(p_reason, ''),
      amount = r.amount - r.freight + v_freight, freight = v_freight
  where r.id = v_refund.id
  returning r.* into v_refund;
  perform app.book_refund_effects(v_facts, v_refund, v_now);
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.error_codes()
  RETURNS TABLE (
    code        text,
    status      integer,
    retry_after integer,
    title       text,
    title_zh    text,
    hint        text,
    hint_zh     text
  )
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  values
    ('malformed_json', 400, null::integer, 'The body is not valid JSON', '请求体不是有效的 JSON',
      'Send one JSON value in UTF-8.',
      '请发送一个 UTF-8 编码的 JSON 值。'),
    ('unsupported_protocol_version', 400, null, 'This version of the protocol is not supported', '不支持该协议版本',
      'Send a version of the Model Context Protocol that is named, which initialize agrees on.',
      '请使用所列的 Model Context Protocol 版本，版本由 initialize 协商。'),
    ('unauthenticated', 401, null, 'Sign-in is required', '需要登录',
      'Sign in and send the access token as "Authorization: Bearer <token>".',
      '请先登录，并在请求头中发送访问令牌："Authorization: Bearer <token>"。'),
    ('invalid_key', 401, null, 'The machine key does not work', '机器密钥无效',
      'Check that the whole key was sent, or make a new one in the console.',
      '请检查是否完整发送了密钥，或在管理后台新建一个。'),
    ('invalid_token', 401, null, 'The access token is not valid', '访问令牌无效',
      'Sign in again and send the new access token.',
      '请重新登录，并使用新的访问令牌。'),
    ('token_expired', 401, null, 'The access token has expired', '访问令牌已过期',
      'Refresh the session and repeat the request with the new access token.',
      '请刷新会话，用新的访问令牌重新发送请求。'),
    ('signature_invalid', 401, null, 'The signature is not valid', '签名无效',
      'Sign the exact bytes of the body with the configured key and the current time.',
      '请用约定的密钥和当前时间，对请求体的原始字节签名。'),
    ('forbidden', 403, null, 'This account is not allowed to do that', '该账号无权执行此操作',
      'Sign in with an account that has the role required by this endpoint.',
      '请使用具备该接口所需角色的账号登录。'),
    ('own_account', 403, null, 'An administrator cannot do this to their own account', '管理员不能对自己的账号执行此操作',
      'Ask another administrator to do it.',
      '请由另一位管理员操作。'),
    ('recent_sign_in_needed', 403, null, 'Sign in again first', '请先重新登录',
      'Sign in again, then repeat the request within 15 minutes with the token of the new session.',
      '请重新登录，并在 15 分钟内用新会话的令牌重新提交。'),
    ('second_factor_required', 403, null, 'A second factor is required', '需要第二重验证',
      'Prove the second factor at the Auth server (challenge and verify), then repeat the request with the new token.',
      '请在登录服务完成第二重验证（challenge、verify），再用新令牌重新发送请求。'),
    ('wechat_user_refused', 403, null, 'WeChat refuses this account', '微信拒绝该账号登录',
      'WeChat restricts the account. Use another way to sign in.',
      '该微信账号受限，请使用其他方式登录。'),
    ('wechat_user_virtual', 403, null, 'WeChat opened a preview with a virtual account', '当前为微信快照页，使用的是虚拟账号',
      'Leave the preview, open the full page in WeChat and sign in again.',
      '请退出快照页，在微信中打开完整页面后重新登录。'),
    ('route_not_found', 404, null, 'There is no such endpoint', '接口不存在',
      'Compare the path with the endpoint list in openapi.json.',
      '请对照 openapi.json 中的接口列表检查路径。'),
    ('order_not_found', 404, null, 'There is no such order', '订单不存在',
      'Check the order id. Members can access only their own orders.',
      '请检查订单编号；会员只能查看自己的订单。'),
    ('product_not_found', 404, null, 'There is no such product', '商品不存在',
      'Check the product id. The product may have been withdrawn.',
      '请检查商品编号；该商品可能已下架。'),
    ('user_not_found', 404, null, 'There is no such member', '会员不存在',
      'Check the member number.',
      '请检查会员编号。'),
    ('job_not_found', 404, null, 'There is no such settlement job', '结算任务不存在',
      'Read the job list again. Finished jobs are removed from it.',
      '请重新读取任务列表；已完成的任务不再列出。'),
    ('crontab_not_found', 404, null, 'There is no such scheduled job', '定时任务不存在',
      'Use a name from the list of scheduled jobs.',
      '请使用定时任务列表中的名称。'),
    ('refund_not_found', 404, null, 'There is no open refund request', '没有待处理的退款申请',
      'Read the order again. The request may have been decided already.',
      '请重新读取订单；该申请可能已处理。'),
    ('payment_not_found', 404, null, 'There is no such payment', '支付记录不存在',
      'Read the order again. Only a payment that could not be applied to an order can be refunded on its own.',
      '请重新读取订单；只有待处理款项才能单独退款。'),
    ('poster_not_found', 404, null, 'There is no such poster', '海报不存在',
      'The poster has changed. Request its current address.',
      '海报已更新，请重新获取海报地址。'),
    ('address_not_found', 404, null, 'There is no such address', '地址不存在',
      'Read the address book again; the address may have been deleted.',
      '请重新读取地址簿；该地址可能已删除。'),
    ('account_not_found', 404, null, 'There is no such payout account', '收款账户不存在',
      'Read the payout accounts again; the account may have been deleted.',
      '请重新读取收款账户；该账户可能已删除。'),
    ('machine_key_not_found', 404, null, 'There is no such machine key', '机器密钥不存在',
      'Read the list of machine keys again.',
      '请重新读取机器密钥列表。'),
    ('webhook_not_found', 404, null, 'There is no such webhook', 'Webhook 不存在',
      'Read the list of webhooks again. It may have been deleted.',
      '请重新读取 Webhook 列表；它可能已被删除。'),
    ('delivery_not_found', 404, null, 'There is no such delivery', '推送记录不存在',
      'Read the list of deliveries again. Deliveries are kept for 30 days after they ended.',
      '请重新读取推送记录；记录在推送结束后保留 30 天。'),
    ('webhooks_not_configured', 404, null, 'This store has no key for webhooks', '本商城未配置 Webhook 密钥',
      'Ask the operator of the store, who sets STORE_WEBHOOK_KEY.',
      '请联系商城运维人员配置 STORE_WEBHOOK_KEY。'),
    ('administrator_not_found', 404, null, 'There is no such administrator or invitation', '管理员或邀请不存在',
      'Read the list again; the administrator may have been removed, or the invitation accepted.',
      '请重新读取列表；该管理员可能已被移除，或邀请已被接受。'),
    ('article_not_found', 404, null, 'There is no such article', '文章不存在',
      'Read the article list again. The article may have been deleted.',
      '请重新读取文章列表；该文章可能已删除。'),
    ('product_category_not_found', 404, null, 'There is no such category of products', '商品分类不存在',
      'Read the category list again. The category may have been deleted.',
      '请重新读取分类列表；该分类可能已删除。'),
    ('article_category_not_found', 404, null, 'There is no such article category', '文章分类不存在',
      'Read the category list again. The category may have been deleted.',
      '请重新读取分类列表；该分类可能已删除。'),
    ('parcel_not_found', 404, null, 'There is no such parcel', '包裹不存在',
      'Read the order again.',
      '请重新读取该订单。'),
    ('carrier_not_found', 404, null, 'There is no such carrier', '快递公司不存在',
      'Read the list of carriers again.',
      '请重新读取快递公司列表。'),
    ('withdrawal_not_found', 404, null, 'There is no such withdrawal', '提现申请不存在',
      'Read the list of withdrawals again.',
      '请重新读取提现列表。'),
    ('adjustment_not_found', 404, null, 'There is no such adjustment', '调账记录不存在',
      'Read the list of adjustments again.',
      '请重新读取调账列表。'),
    ('bill_row_not_found', 404, null, 'There is no such bill row', '账单记录不存在',
      'Check the number.',
      '请核对编号。'),
    ('notice_not_found', 404, null, 'There is no such notice', '通知不存在',
      'Read the list of notices again. Notices are kept for 90 days.',
      '请重新读取通知列表；通知保留 90 天。'),
    ('session_not_found', 404, null, 'There is no such session', '登录会话不存在',
      'Read the list of sessions again. The session may have ended.',
      '请重新读取登录设备列表；该会话可能已结束。'),
    ('person_request_not_found', 404, null, 'There is no such request of a person', '个人信息请求不存在',
      'Check the id. The list of requests of persons has all of them.',
      '请核对编号；个人信息请求列表中有全部请求。'),
    ('wechat_app_not_configured', 404, null, 'There is no such WeChat app', '未配置该微信应用',
      'Check the app id. The store accepts only the WeChat apps in its settings.',
      '请检查 appid；商城只接受已配置的微信应用。'),
    ('seals_not_configured', 404, null, 'This store does not prove its seals', '本商城未提供封存证明',
      'Ask the operator of the store, who sets STORE_SEAL_SECRET.',
      '请联系商城运维人员配置 STORE_SEAL_SECRET。'),
    ('real_name_not_found', 404, null, 'This member has given no real name', '该会员未提交实名信息',
      'The store asks for it before a withdrawal of the amount in the settings.',
      '提现金额达到设置中的数额时，商城才会要求会员提交。'),
    ('real_name_key_missing', 404, null, 'The key for real names is missing', '缺少实名信息的密钥',
      'Ask the operator of the store, who sets STORE_REAL_NAME_KEY and STORE_REAL_NAME_INDEX_KEY.',
      '请联系商城运维人员配置 STORE_REAL_NAME_KEY 和 STORE_REAL_NAME_INDEX_KEY。'),
    ('method_not_allowed', 405, null, 'This endpoint does not support that method', '接口不支持该请求方法',
      'Use one of the methods named in the Allow header.',
      '请使用响应头 Allow 中列出的方法。'),
    ('not_acceptable', 406, null, 'The answer would have a media type that was not asked for', '请求头 Accept 不符合要求',
      'Send "Accept: application/json, text/event-stream".',
      '请在请求头中发送 "Accept: application/json, text/event-stream"。'),
    ('body_timeout', 408, null, 'The body did not arrive in time', '请求体接收超时',
      'Nothing was changed. Send the request again, with its whole body at once.',
      '未作任何更改；请重新发送请求，并一次发送完整的请求体。'),
    ('order_state_conflict', 409, null, 'The order is not in a state that allows this', '订单当前状态不允许此操作',
      'Read the order again and act on its current state.',
      '请重新读取订单，按其当前状态操作。'),
    ('order_already_paid', 409, null, 'The order is already paid', '订单已付款',
      'Do not pay again. Read the order to see its payment.',
      '无需再次支付；请读取订单查看已入账的付款。'),
    ('too_many_unpaid_orders', 409, null, 'Too many unpaid orders', '未付款订单过多',
      'Pay or cancel an unpaid order first.',
      '请先支付或取消一笔未付款订单。'),
    ('too_many_unpaid_units', 409, null, 'Too many units without payment', '未付款的商品数量过多',
      'Order fewer units, or pay or cancel an unpaid order first.',
      '请减少数量，或先支付或取消一笔未付款订单。'),
    ('too_many_addresses', 409, null, 'Too many addresses', '地址数量过多',
      'Delete an address that is no longer needed.',
      '请先删除不再使用的地址。'),
    ('out_of_stock', 409, null, 'There is not enough of a product in stock', '商品库存不足',
      'Read the products again and order fewer units.',
      '请重新读取商品，并减少购买数量。'),
    ('price_changed', 409, null, 'The price has changed', '价格已变动',
      'Preview the order again and confirm the new price.',
      '请重新获取订单价格，并确认新的价格。'),
    ('adjustment_state_conflict', 409, null, 'The adjustment is not possible in this way now', '目前不能这样调账',
      'Read the adjustment and its member again, and act on their current state.',
      '请重新读取该笔调账及其会员，按当前状态操作。'),
    ('reconciliation_needed', 409, null, 'The month has not been reconciled', '该月尚未对账',
      'Run the nightly reconciliation on the page Schedule, and fix what it finds. Then close the month.',
      '请先在“定时任务”页面运行“每日夜间对账”并处理发现的差异，再结账。'),
    ('account_leaving', 409, null, 'The account waits for its deletion', '账号正在等待注销',
      'Take the deletion back first.',
      '请先撤销注销申请。'),
    ('deletion_not_possible', 409, null, 'The account cannot be deleted yet', '账号暂时不能注销',
      'Read what stands in the way of the deletion, and finish it first.',
      '请查看不能注销的原因，处理完后再申请。'),
    ('person_request_open', 409, null, 'A request of this kind is open', '已有待处理的同类请求',
      'Wait for the answer to it.',
      '请等待该请求的答复。'),
    ('person_request_state_conflict', 409, null, 'The state of the request does not allow this', '该请求的状态不允许此操作',
      'Read the request again. Somebody else may have answered it.',
      '请重新读取该请求，可能已由他人答复。'),
    ('clock_doubtful', 409, null, 'The clock of the store is doubtful', '商城时钟不可信',
      'The clock of the database has jumped. Once it is corrected or confirmed, close the month.',
      '数据库时钟发生了跳变，请在校正或确认时钟后再结账。'),
    ('second_administrator_needed', 409, null, 'A second administrator is needed', '需要第二位管理员',
      'Ask another administrator with the role owner or finance. If there is none, the owner of the store can add one.',
      '请联系另一位具有“所有者”或“财务”角色的管理员；若没有，可由商城的数据库所有者添加。'),
    ('changed_meanwhile', 409, null, 'Somebody else has changed this in the meantime', '内容已被他人修改',
      'Read the current version and apply your change to it.',
      '请重新读取，并在当前内容上修改。'),
    ('payment_reference_used', 409, null, 'Another order was paid with this reference', '该付款凭证号已用于其他订单',
      'Check the payment reference. Each reference can pay only one order.',
      '请检查付款凭证号；每个凭证号只能支付一个订单。'),
    ('spread_already_bound', 409, null, 'The member already has a referrer', '已绑定推荐人',
      'A referrer is set once and cannot be changed.',
      '推荐人只能绑定一次，不能更改。'),
    ('spread_decided', 409, null, 'Orders below the member are settled', '该会员或其下级已有结算过的订单',
      'A referrer can be set or corrected only while no order of the member, or of anyone below, is settled or imported. Correct amounts by adjustments.',
      '只有在该会员及其所有下级都没有已结算或导入的订单时，才能设置或更正推荐人。金额有误时请通过调账处理。'),
    ('refund_state_conflict', 409, null, 'The refund request is not in the state for this', '退款申请当前的状态不允许此操作',
      'Read the refunds of the order again. A new request is possible when the open one is decided. A request can be taken back until its goods are sent. A return parcel is entered after the store has asked for the goods, and before they arrive.',
      '请重新读取订单的退款。现有申请处理完毕后才能再次申请；商品寄出前可以撤回申请；退货物流信息在商城要求寄回之后、收到退货之前填写。'),
    ('refund_window_over', 409, null, 'The time for refund requests is over', '已超过退款申请期限',
      'Ask the store. An administrator can still refund the order.',
      '请联系商城；管理员仍可为该订单退款。'),
    ('refund_reference_used', 409, null, 'Another refund has this reference', '该退款凭证号已使用',
      'Use a new reference for a new refund. To repeat a refund, send exactly the same content.',
      '新的退款请使用新的凭证号；重复提交同一退款时，内容必须完全一致。'),
    ('account_in_use', 409, null, 'An open withdrawal goes to this account', '该账户有未完成的提现',
      'Delete the account when the withdrawal has ended.',
      '请在该笔提现结束后再删除账户。'),
    ('too_many_accounts', 409, null, 'Too many payout accounts', '收款账户数量过多',
      'Delete a payout account that is no longer needed.',
      '请先删除不再使用的账户。'),
    ('withdrawal_open', 409, null, 'The last withdrawal is not finished', '上一笔提现尚未完成',
      'Wait until it has ended. A member has one open withdrawal at a time.',
      '请等待上一笔提现结束；每位会员同时只能有一笔未完成的提现。'),
    ('real_name_required', 409, null, 'The store needs your real name for this amount', '该金额的提现需要先完成实名',
      'Give it by PUT /api/real_name, and request the withdrawal again.',
      '请先提交实名信息，再申请提现。'),
    ('real_name_fixed', 409, null, 'The real name cannot be changed now', '目前不能修改实名信息',
      'It stays while a withdrawal is open, and after it was checked.',
      '有提现未结束，或实名信息已核验时，不能修改。'),
    ('real_name_altered', 409, null, 'The real name does not belong to this member', '实名信息与该会员不符',
      'Report it to the operator of the store: what is stored was changed, and is not what the member gave.',
      '请通知商城运维人员：存储的内容已被改动，不是该会员提交的信息。'),
    ('withdrawal_exceeds_balance', 409, null, 'The amount is more than can be withdrawn', '提现金额超过可提现余额',
      'Read the terms of withdrawal again and request less.',
      '请重新读取提现规则，并减少提现金额。'),
    ('held_by_refunds', 409, null, 'Open refund requests hold commission of this withdrawal', '该提现中有佣金因退款申请暂扣',
      'Wait until the requests are answered, or repeat the amount as held_by_refunds to go on in spite of them.',
      '请等待退款申请处理完毕；如仍要继续，请在 held_by_refunds 中填写该金额。'),
    ('withdrawal_state_conflict', 409, null, 'The withdrawal is not in a state that allows this', '提现当前状态不允许此操作',
      'Read the withdrawal again and act on its current state.',
      '请重新读取该笔提现，按其当前状态操作。'),
    ('product_category_in_use', 409, null, 'The category has products', '分类下存在商品',
      'Move its products to another category first.',
      '请先将其中的商品移到其他分类。'),
    ('article_category_in_use', 409, null, 'The category has articles', '分类下存在文章',
      'Move or delete its articles first, or hide the category.',
      '请先移走或删除其中的文章，或将分类隐藏。'),
    ('month_closed', 409, null, 'The month is closed', '该月已结账',
      'The time lies in a closed month. Send the request again with a later time.',
      '所用时间属于已结账的月份；请使用之后的时间重新提交。'),
    ('month_compacted', 409, null, 'The releases of the month are compacted', '该月的释放记录已压缩',
      'Ask the operator of the store to expand the month. Then a day of it can be released again.',
      '商城运维人员还原该月之后，才能补做该月某日的释放。'),
    ('actions_dropped', 409, null, 'Actions of this time were exported and dropped', '该时间的操作记录已导出并删除',
      'Choose a later time. Earlier actions are in the files of their export.',
      '请选择之后的时间；更早的操作记录保存在导出的文件中。'),
    ('month_not_sealed', 409, null, 'The month is not sealed', '该月尚未封存',
      'Choose a month that is sealed. Months are sealed after they are closed.',
      '请选择已封存的月份；月份在结账之后封存。'),
    ('seal_differs', 409, null, 'The rows of the month do not give the root of its seal', '该月账单与封存时的根值不符',
      'Report it to the operator of the store: rows were changed, or the secret of the seals is not the one with which the month was sealed.',
      '请通知商城运维人员：账单已被改动，或所用封存密钥与封存该月时不同。'),
    ('idempotency_key_in_use', 409, 1, 'A request with this key is still running', '使用该幂等键的请求正在处理中',
      'Retry after the time in Retry-After. The retry gets the response of the first request.',
      '请在 Retry-After 指定的时间后重新发送请求，将得到首次请求的结果。'),
    ('body_too_large', 413, null, 'The body is too large', '请求体过大',
      'Send at most 64 KiB.',
      '请求体最大为 64 KiB。'),
    ('unsupported_media_type', 415, null, 'The body has an unsupported media type', '不支持的请求体类型',
      'Send JSON with "Content-Type: application/json".',
      '请发送 JSON，并设置 "Content-Type: application/json"。'),
    ('invalid_argument', 422, null, 'The request has values that cannot be accepted', '请求参数无效',
      'Correct the values that are named, and try again.',
      '请更正标出的内容后重试。'),
    ('text_not_allowed', 422, null, 'The text is not allowed', '内容不允许使用',
      'Write the text that is named in other words.',
      '请换一种说法填写标出的内容。'),
    ('wechat_code_invalid', 422, null, 'WeChat does not accept this code', '微信 code 无效',
      'Get a new code from WeChat. Each code works once, for five minutes, in its own app.',
      '请重新获取微信 code；每个 code 只能使用一次，五分钟内有效，且仅限所属应用。'),
    ('idempotency_key_reused', 422, null, 'This key was used for another request', '该幂等键已用于其他请求',
      'Send a new Idempotency-Key with a new request. To repeat a request, send exactly the same content.',
      '新的请求请使用新的 Idempotency-Key；重复请求时，内容必须完全一致。'),
    ('spread_unknown', 422, null, 'The referrer does not exist', '推荐人不存在',
      'Check the member number of the referrer, or the share link.',
      '请检查推荐人的会员编号或分享链接。'),
    ('spread_is_self', 422, null, 'Nobody can refer themselves', '不能绑定自己为推荐人',
      'Use the share link of another member.',
      '请使用其他会员的分享链接。'),
    ('spread_in_own_downline', 422, null, 'The referrer is in the member''s own downline', '推荐人是会员本人的伞下会员',
      'Use the share link of a member who is not below you.',
      '请使用非本人伞下会员的分享链接。'),
    ('product_unavailable', 422, null, 'A product cannot be ordered', '商品无法下单',
      'Read the product list again and leave out what is no longer on sale.',
      '请重新读取商品列表，去掉已下架的商品。'),
    ('payment_refused', 422, null, 'The payment does not match an order', '支付与订单不符',
      'Compare order number, amount and currency with the order. Administrators can see the reason.',
      '请核对订单、金额和币种；管理员可查看原因。'),
    ('picture_refused', 422, null, 'The picture is not accepted', '图片不被接受',
      'Upload a JPEG, PNG or WebP with at most 5 MB and 16 megapixels.',
      '请上传 JPEG、PNG 或 WebP 图片，文件不超过 5 MB，且不超过 1600 万像素。'),
    ('provider_not_configured', 422, null, 'This store does not offer that way to pay', '商城未开通该支付方式',
      'Choose another provider or method.',
      '请选择其他支付方式。'),
    ('provider_refused', 422, null, 'The payment provider refused the payment', '支付机构拒绝了该笔支付',
      'Nothing was paid. Try another way to pay. Administrators can see the reason.',
      '未发生扣款；请换一种支付方式重试，管理员可查看原因。'),
    ('refund_exceeds_order', 422, null, 'The refund exceeds what is left of the order', '退款超出订单可退的数量或金额',
      'Read the order, or preview the refund, and name only units, amounts and freight that are not refunded yet.',
      '请读取订单或预览退款，只填写尚未退款的件数、金额和运费。'),
    ('level_unknown', 422, null, 'There is no active level of this grade', '该级别不存在或未启用',
      'Choose one of the active grades.',
      '请选择一个已启用的级别。'),
    ('levels_invalid', 422, null, 'The level settings are not valid', '等级设置无效',
      'Correct the error in detail and send all levels again.',
      '请按 detail 的说明修正，并重新提交全部等级。'),
    ('plan_invalid', 422, null, 'The commission plan is not valid', '佣金方案无效',
      'Correct the error in detail and send the plan again.',
      '请按 detail 的说明修正，并重新提交方案。'),
    ('simulation_too_large', 422, null, 'The period has too many orders to simulate', '模拟时段内订单过多',
      'Choose a shorter period.',
      '请选择较短的时段。'),
    ('sign_in_too_often', 429, 60, 'Too many sign-ins', '登录过于频繁',
      'Get a new code from WeChat and retry after the time in Retry-After.',
      '请在 Retry-After 指定的时间后，重新获取微信 code 再试。'),
    ('too_many_requests', 429, null, 'This was done too often', '操作过于频繁',
      'Nothing was changed. Retry after the time in Retry-After.',
      '未作任何更改；请在 Retry-After 指定的时间后重试。'),
    ('internal_error', 500, null, 'Something went wrong on our side', '服务器内部错误',
      'Try again. If the error persists, report the request_id.',
      '请重试；若仍然失败，请反馈 request_id。'),
    ('not_available_on_shards', 501, null, 'A store on several servers does not have this', '分布在多台服务器上的商城不提供此功能',
      'The detail says why. Nothing was changed.',
      '原因见 detail；未作任何更改。'),
    ('schedule_unavailable', 503, 60, 'There is no scheduler in this database', '数据库未安装定时任务组件（pg_cron）',
      'Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()',
      '请启用 pg_cron 扩展，然后以商城的数据库所有者身份执行：select app.apply_schedule()'),
    ('import_unfinished', 503, 60, 'Data of the previous system is being imported', '正在导入原系统数据',
      'Nothing was changed. Retry after the time in Retry-After. If the error persists, an administrator must continue or abandon the import.',
      '未作任何更改；请在 Retry-After 指定的时间后重试。若长时间如此，请管理员继续或放弃导入。'),
    ('auth_unavailable', 503, 5, 'Sign-in cannot be checked at the moment', '暂时无法验证登录状态',
      'Retry after the time in Retry-After.',
      '请在 Retry-After 指定的时间后重试。'),
    ('mail_not_sent', 503, 60, 'The mail of the invitation was not sent', '邀请邮件未能发出',
      'The invitation is in the list. Send it again in a minute. If that fails, too, check the mail server of the project (Authentication, Emails).',
      '邀请已列入名单，请一分钟后重新发送；若仍失败，请检查项目的邮件服务器（Authentication → Emails）。'),
    ('wechat_unavailable', 503, 5, 'WeChat is not available at the moment', '微信服务暂时不可用',
      'Get a new code from WeChat and retry after the time in Retry-After.',
      '请在 Retry-After 指定的时间后，重新获取微信 code 再试。'),
    ('picture_not_stored', 503, 5, 'The picture could not be stored', '图片未能保存',
      'Upload it again after the time in Retry-After.',
      '请在 Retry-After 指定的时间后重新上传。'),
    ('pictures_unavailable', 503, 5, 'The pictures cannot be shown at the moment', '图片暂时无法显示',
      'Ask for them again after the time in Retry-After.',
      '请在 Retry-After 指定的时间后重新请求。'),
    ('provider_unavailable', 503, 3, 'The payment provider does not answer at the moment', '支付机构暂时无响应',
      'Send the same request again after the time in Retry-After. It continues the same payment.',
      '请在 Retry-After 指定的时间后重新发送相同的请求，将继续同一笔支付。'),
    ('database_unavailable', 503, 5, 'The service is not available at the moment', '服务暂时不可用',
      'Retry after the time in Retry-After. Check first whether a write took effect.',
      '请在 Retry-After 指定的时间后重试；写操作请先确认是否已生效。'),
    ('database_busy', 503, 1, 'The service is too busy at the moment', '服务繁忙',
      'Nothing was changed. Retry after the time in Retry-After.',
      '未作任何更改；请在 Retry-After 指定的时间后重试。'),
    ('storage_full', 503, 120, 'The service cannot save anything at the moment', '服务暂时无法保存数据',
      'Nothing was changed. Reads still work. Retry after the time in Retry-After.',
      '未作任何更改，查询不受影响；请在 Retry-After 指定的时间后重试。'),
    ('database_timeout', 503, 5, 'The request took too long', '请求处理超时',
      'Retry after the time in Retry-After. Check first whether a write took effect.',
      '请在 Retry-After 指定的时间后重试；写操作请先确认是否已生效。'),
    ('schema_not_served', 503, 30, 'The store is being updated', '商城正在升级',
      'Nothing was changed. Retry after the time in Retry-After.',
      '未作任何更改；请在 Retry-After 指定的时间后重试。')
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
      'create trigger originals_are_never_changed before update or delete on compacted.%I for each row execute function app.reject_change()',
      app.built_part(v_table, p_month, 'original')
    );
  end loop;
  update app.compacted_months as c set state = 'compacted', compacted_at = p_now where c.month = p_month;
  perform app.record_action('compact_month', 'month', to_char(p_month, 'YYYY-MM'), null, (
    select jsonb_build_object('releases', c.releases, 'runs', c.runs, 'kept', c.kept) from app.compacted_months as c
    where c.month = p_month
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
    execute format('drop table compacted.%I', app.built_part(v_table, p_month, 'rest'));
  end loop;
  perform app.drop_originals(p_month);
  delete from app.compacted_months as c where c.month = p_month;
  perform app.record_action(
    'expand_month', 'month', to_char(p_month, 'YYYY-MM'),
    jsonb_build_object('releases', v_month.releases, 'runs', v_month.runs, 'kept', v_month.kept), null
  );
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
        raise lock_not_available using message = format(
          'a transaction that began before %s goes on', app.utc(v_checked_at)
        );
      end if;
      lock table only app.compacted_releases in access exclusive mode;
      foreach v_table in array '{points_release_log, user_bill}'::text[] loop
        v_part := app.name_of_part(v_table, p_month);
        v_bounds := app.part_bounds(v_table, p_month);
        perform app.lock_for_partition(format('app.%I', v_table)::regclass, true);
        execute format('lock table only app.%I, only app.%I in access exclusive mode', v_table, v_table || '_default');
        execute format('alter table app.%I detach partition app.%I', v_table, v_part);
        execute format('alter table app.%I rename to %I', v_part, v_part || '_' || p_out);
        execute format('alter table app.%I set schema compacted', v_part || '_' || p_out);
        execute format('alter table compacted.%I rename to %I', v_part || '_' || p_in, v_part);
        execute format('alter table compacted.%I set schema app', v_part);
        if v_table = 'user_bill' then
          -- A month that has days in it may have been closed since it was built.
          perform app.forbid_late_rows_of(format('app.%I', v_part)::regclass, p_month);
        end if;
        execute format(
          'alter table app.%I attach partition app.%I for values from (%L) to (%L)', v_table, v_part, v_bounds.lower,
          v_bounds.upper
        );
      end loop;
      v_bounds := app.part_bounds('user_bill', p_month);
      if p_runs_in then
        execute format('alter table compacted.%I rename to %I', v_runs || '_runs', v_runs);
        execute format('alter table compacted.%I set schema app', v_runs);
        execute format(
          'alter table app.compacted_releases attach partition app.%I for values from (%L) to (%L)', v_runs,
          v_bounds.lower, v_bounds.upper
        );
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
    coalesce(
      app.month_part('compacted_releases', p_month)::text,
      format('compacted.%I', app.built_part('compacted_releases', p_month, 'runs'))
    ),
    case p_table when 'user_bill' then 'bill_of_run' else 'log_of_run' end
  )
$function$;

CREATE OR REPLACE FUNCTION app.expired_orders (
  p_now timestamp with time zone
)
  RETURNS bigint[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return array(
    select o.id
    from app.orders as o
    where o.state = 'unpaid'
      and o.add_time <= p_now - (
        select least(
          make_interval(mins => least(s.order_expiry_minutes, s.first_order_minutes)),
          make_interval(days => s.offline_payment_days)
        )
        from app.settings as s
      )
      and app.order_expires_at(o) <= p_now
    order by o.id
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.explain_cycle (
  p_settlement app.settlements,
  p_decision   app.settlements,
  p_grants     app.level_grant[],
  p_limit      integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'rule', 'R1 base x rate of the place, rounded down', 'brokerage_scope', p_decision.brokerage_scope,
    'base', p_decision.base::text, 'earner_uid', p_decision.earner_uid, 'cycle_no', p_decision.cycle_no,
    'place', p_decision.place, 'cycle_plan_version', p_decision.cycle_plan_version,
    'ratio', trim_scale(p_decision.ratio), 'rate', trim_scale(p_decision.rate),
    'capped_by', case when p_decision.rate < p_decision.ratio then
      case p_decision.rate when c.payout_cap then p_decision.cycle_plan_version else p_decision.plan_in_force end
    end,
    'commission', p_decision.commission::text, 'points_per_brokerage', trim_scale(c.points_per_brokerage),
    'commission_points', trim_scale(p_decision.commission_points),
    'place_freed_at', app.utc(p_settlement.place_freed_at), 'reason', p_decision.reason,
    'asked', coalesce((
      select jsonb_agg(jsonb_build_object(
        'depth', g.depth, 'uid', g.uid, 'eligible', g.uid is not distinct from p_decision.earner_uid, 'has_left',
        app.had_left(g.uid, p_settlement.position)
      ) order by g.depth)
      from unnest(p_grants) as g
      where coalesce(p_decision.reason, 'referrer_not_eligible') in (
        'referrer_not_eligible', 'referrer_left', 'nobody_eligible'
      )
        and g.depth <= least(
          p_limit, case when p_decision.brokerage_scope = 'direct' then 1 end, o.max_depth,
          (select e.depth from unnest(p_grants) as e where e.uid = p_decision.earner_uid)
        )
    ), '[]')
  )
  from app.commission_plans as o
  left join app.commission_plans as c on c.version = p_decision.cycle_plan_version
  where o.version = p_decision.order_plan_version
$function$;

CREATE OR REPLACE FUNCTION app.explain_hold (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'refund_id', r.id, 'requested_at', app.utc(r.created_at), 'uid', m.uid, 'amount', m.amount_left::text, 'matures_at',
    app.utc(m.matures_at),
    'has_matured', coalesce(m.matures_at <= p_now, false)
  )
  from app.refunds as r join app.commission_maturities as m on m.order_id = r.order_id
  where r.order_id = p_order_id and r.state = 'requested' and m.amount_left > 0 and app.names_queue_goods(r.id)
$function$;

CREATE OR REPLACE FUNCTION app.explain_levels (
  p_settlement app.settlements,
  p_grants     app.level_grant[],
  p_limit      integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'depth', g.depth, 'uid', g.uid, 'agent_level', g.agent_level, 'agent_level_name', l.name,
    'direct_points', l.direct_points, 'umbrella_points', l.umbrella_points, 'passed_on', trim_scale(g.passed_on),
    'rule',
    case g.depth
      when 1 then 'R6 direct points per unit x units'
      else 'R7 umbrella points per unit above what is passed on x units'
    end,
    'per_unit', trim_scale(g.per_unit), 'points', trim_scale(g.points),
    'reason', case
      when g.points > 0 then null
      when p_settlement.reason = 'imported' then 'order_was_imported'
      when p_settlement.reason = 'refunded' then 'order_was_refunded'
      when p_settlement.reason in ('below_minimum', 'zero_base') then p_settlement.reason
      when p_settlement.reason = 'no_referrer' then 'order_had_no_referrer'
      when g.depth > p.max_depth then 'beyond_max_depth'
      when app.had_left(g.uid, p_settlement.position) then 'member_left'
      when g.depth = 1 then 'level_brings_no_direct_points'
      else 'nothing_above_what_is_passed_on'
    end
  ) order by g.depth), '[]')
  from unnest(p_grants) as g
  join app.level_versions as v on v.version = p_settlement.level_version
  cross join lateral jsonb_to_record(v.levels -> g.agent_level::integer) as l (
    name text, direct_points numeric, umbrella_points numeric
  )
  join app.commission_plans as p on p.version = p_settlement.order_plan_version
  where g.depth <= p_limit
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
    'referrer_uid', v_order.referrer_uid, 'order_plan_version', v_order.plan_version, 'paid_at',
    app.utc(v_order.paid_at)
  );
  if v_settlement.order_id is null then
    return v_result;
  end if;
  v_again := app.decide_again(v_settlement);
  return v_result || jsonb_build_object(
    'base', v_settlement.base::text, 'units', v_settlement.units, 'settled_at', app.utc(v_settlement.settled_at),
    'level_version', v_settlement.level_version, 'upline_depth', cardinality(v_again.grants),
    'cycle', app.explain_cycle(v_settlement, v_again.settlement, v_again.grants, p_limit),
    'levels', app.explain_levels(v_settlement, v_again.grants, p_limit),
    'held_by_refund', app.explain_hold(p_order_id, clock_timestamp()),
    'matches_the_books', not exists (select from app.settlement_differences(v_settlement)),
    'bill', coalesce((
      select jsonb_agg(app.bill_json(b) order by b.id) from app.bill(v_order.add_time, 'infinity') as b
      where b.order_id = p_order_id
    ), '[]'),
    'level_changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'uid', c.uid, 'from_level', c.from_level, 'to_level', c.to_level, 'cause', coalesce(c.cause, 'order')
      ) order by c.id)
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
  v_bill constant text := 'app.bill(''-infinity'', ''infinity'')';
  v_releases constant text := 'app.releases(''-infinity'', ''infinity'')';
  v_number integer := 0;
  v_after bigint := 0;
  v_section record;
  v_some text[];
  v_last bigint;
  v_lines text[] := array[]::text[];
begin
  perform app.require_user(p_uid);
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
      case v_section.source
        when 'app.user_bill' then v_bill
        when 'app.points_release_log' then v_releases
        else v_section.source
      end,
      v_section.condition
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

CREATE OR REPLACE FUNCTION app.fail (
  p_code        text,
  p_detail      text    DEFAULT NULL::text,
  p_field       text    DEFAULT NULL::text,
  p_retry_after integer DEFAULT NULL::integer
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_status text := coalesce((select c.status::text from app.error_codes() as c where c.code = p_code), '500');
begin
  if p_retry_after is not null then
    raise exception using errcode = 'PT' || v_status, message = p_code, detail = p_detail, hint = p_retry_after::text;
  end if;
  raise exception using errcode = 'PT' || v_status, message = p_code, detail = coalesce(p_detail, ''),
    column = coalesce(p_field, '');
end
$function$;

CREATE OR REPLACE FUNCTION app.find_carrier (
  p_text text
)
  RETURNS app.carriers
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_carrier app.carriers;
begin
  select c.* into v_carrier from app.carriers as c
  where c.code = upper(p_text) or lower(c.name) = lower(p_text) or c.name_zh = p_text
  order by c.code = upper(p_text) desc, lower(c.name) = lower(p_text) desc, c.code limit 1;
  if not found then
    select c.* into v_carrier from app.carriers as c
    join (values
      ('YZPY', '中国邮政'), ('YZPY', '邮政'), ('YZPY', '邮政快递'), ('YZPY', '邮政包裹'), ('YZPY', '中国邮政快递包裹'), ('YZPY', '邮政电商标快'),
      ('EMS', '中国邮政速递物流'), ('EMS', '邮政速递物流'), ('EMS', '邮政速递'), ('EMS', '邮政特快专递'), ('EMS', '邮政ems'), ('EMS', 'ems快递'),
      ('EMS', 'ems特快专递')
    ) as n (code, name) on n.code = c.code
    where n.name = app.folded_text(p_text);
  end if;
  if not found then
    -- Row order: one row at most, since no other carrier in use may have this name.
    select c.* into v_carrier from app.carriers as c
    where c.is_active and char_length(app.carrier_stem(p_text)) between 2 and char_length(p_text) - 1
      and app.carrier_stem(c.name_zh) = app.carrier_stem(p_text)
      and not exists (
        select from app.carriers as o
        where o.is_active and o.code <> c.code and app.carrier_stem(o.name_zh) = app.carrier_stem(p_text)
      );
  end if;
  if not found and char_length(p_text) >= 2 then
    -- Row order: one row at most, since no other carrier in use may have this beginning.
    select c.* into v_carrier from app.carriers as c
    where c.is_active and starts_with(c.name_zh, p_text)
      and not exists (
        select from app.carriers as o where o.is_active and o.code <> c.code and starts_with(o.name_zh, p_text)
      );
  end if;
  return v_carrier;
end
$function$;

CREATE OR REPLACE FUNCTION app.find_earner (
  p_order   app.order_facts,
  p_plan    app.commission_plans,
  p_members app.tree_member[],
  p_cycles  app.cycle_state[]
)
  RETURNS integer
  LANGUAGE plpgsql
  IMMUTABLE
  AS $function$
declare
  v_index integer := p_members[p_order.member].referrer;
  -- A max_depth of null sets no limit.
  v_left integer := case p_plan.brokerage_scope when 'direct' then 1 else p_plan.max_depth end;
begin
  while v_index is not null and coalesce(v_left, 1) > 0 loop
    if p_cycles[v_index].reported_since <= p_order.paid_at and p_members[v_index].has_left is not true then
      return v_index;
    end if;
    v_index := p_members[v_index].referrer;
    v_left := v_left - 1;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION app.find_orders (
  p_search text
)
  RETURNS TABLE (
    order_id bigint
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select o.id from app.orders as o
  where o.id = app.search_number(p_search)
  union
  select o.id from app.orders as o
  where char_length(p_search) >= 4 and reverse(o.order_no) ~>=~ reverse(p_search)
    and reverse(o.order_no) ~<=~ (reverse(p_search) || U&'\+10FFFF')
  union
  select l.order_id from app.parcels as l where l.tracking_no in (p_search, upper(p_search))
  union
  select o.id from app.users as u join app.orders as o on o.uid = u.uid
  where app.may_search_names() and lower(u.nickname) ~>=~ lower(p_search)
    and lower(u.nickname) ~<=~ (lower(p_search) || U&'\+10FFFF')
$function$;

CREATE OR REPLACE FUNCTION app.finish_import (
  p_now timestamp with time zone
)
  RETURNS SETOF app.imports
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select i.* from app.end_import(false, p_now) as i
$function$;

CREATE OR REPLACE FUNCTION app.first_order_ends_at (
  p_order app.orders
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select greatest(p_order.add_time, s.lifecycle_from) + make_interval(mins => s.first_order_minutes)
  from app.settings as s
  where p_order.pay_price > 0
    -- An order that was placed before the store had this limit keeps the time that its buyer was told.
    and p_order.add_time >= (select v.applied_at from app.schema_versions as v where v.version = '2.0.0')
    and exists (select from app.order_lines as l where l.order_id = p_order.id and l.stock_taken > 0)
    and not exists (select from app.orders as o where o.uid = p_order.uid and o.paid_at is not null)
    and not exists (select from app.waiting_payments as w where w.order_id = p_order.id and w.refused_at is null)
$function$;

CREATE OR REPLACE FUNCTION app.first_position (
  p_from timestamp with time zone
)
  RETURNS bigint
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(least(
    (select min(s.position) from app.settlements as s where s.settled_at >= p_from),
    (select min(r.position) from app.refunds as r where r.created_at >= p_from),
    (select min(r.decided_position) from app.refunds as r where r.decided_at >= p_from),
    (select min(n.position) from app.no_assess_changes as n where n.add_time >= p_from),
    (select min(c.position) from app.level_changes as c where c.add_time >= p_from),
    (select min(i.finished_position) from app.imports as i where i.finished_at >= p_from),
    (select min(u.left_position) from app.users as u where u.left_at >= p_from)
  ), 9223372036854775807)
$function$;

CREATE OR REPLACE FUNCTION app.fits_batch (
  p_withdrawal app.withdrawals,
  p_method     text,
  p_except_uid bigint,
  p_by         uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select p_withdrawal.method = p_method and p_withdrawal.account_id is not null
    and p_withdrawal.uid is distinct from p_except_uid and not app.needs_another_payer(p_withdrawal, p_by)
$function$;

CREATE OR REPLACE FUNCTION app.forecast_json (
  p_uid bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_sums record;
begin
  if p_uid is null then
    select coalesce(sum(b.frozen_points), 0) as points, count(*) as members into v_sums
    from app.user_balances as b
    where app.release_amount(b.frozen_points) > 0
      and not exists (select from app.users as u where u.uid = b.uid and u.left_at is not null);
  else
    select coalesce(sum(b.frozen_points), 0) as points, count(*) as members into v_sums
    from app.user_balances as b
    where b.uid = p_uid and app.release_amount(b.frozen_points) > 0
      and not exists (select from app.users as u where u.uid = p_uid and u.left_at is not null);
  end if;
  return jsonb_build_object('uid', p_uid) || app.forecast_of(v_sums.points, v_sums.members);
end
$function$;

CREATE OR REPLACE FUNCTION app.foreseen_members (
  p_before app.tree_member[],
  p_after  app.tree_member[],
  p_rises  app.level_rise[]
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'counts', coalesce((
      select jsonb_agg(
        jsonb_build_object('uid', a.uid, 'before', app.task_counts_json(b), 'after', app.task_counts_json(a))
        order by a.uid
      )
      from unnest(p_after) as a
      join unnest(p_before) as b on b.uid = a.uid
      where app.task_counts_json(a) <> app.task_counts_json(b)
    ), '[]'),
    'rises', coalesce((
      select jsonb_agg(
        jsonb_build_object('uid', m.uid, 'from_level', m.from_level, 'to_level', m.to_level) order by m.uid
      )
      from (
        select r.uid, min(r.from_level) as from_level, max(r.to_level) as to_level from unnest(p_rises) as r
        group by r.uid
      ) as m
    ), '[]')
  )
$function$;

CREATE OR REPLACE FUNCTION app.forfeit_balances (
  p_uid    bigint,
  p_reason text,
  p_now    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_adjustment app.adjustments;
begin
  -- Row order: one row.
  insert into app.adjustments (
    uid, brokerage_delta, frozen_delta, available_delta, reason, state, add_time, decided_at, kind
  )
  select p_uid, -greatest(b.brokerage_price, 0), -b.frozen_points, -greatest(b.available_points, 0), p_reason, 'booked',
    p_now, p_now, 'forfeit'
  from app.user_balances as b
  where b.uid = p_uid and greatest(b.brokerage_price, b.frozen_points, b.available_points) > 0
  returning * into v_adjustment;
  if found then
    perform app.book_adjustment(v_adjustment);
    perform app.write_adjustment_event(v_adjustment);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.forfeit_left (
  p_uid bigint,
  OUT   brokerage numeric,
  OUT   frozen numeric,
  OUT   available numeric
)
  RETURNS record
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select greatest(-coalesce(sum(a.brokerage_delta), 0), 0), greatest(-coalesce(sum(a.frozen_delta), 0), 0),
    greatest(-coalesce(sum(a.available_delta), 0), 0)
  from app.adjustments as a where a.uid = p_uid and a.kind = 'forfeit' and a.state = 'booked'
$function$;

CREATE OR REPLACE FUNCTION app.forfeit_returned (
  p_entries app.bill_entry[],
  p_now     timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select app.forfeit_balances(e.uid, 'Came back after the deletion of the account', p_now)
  from (select distinct r.uid from unnest(p_entries) as r where app.gives_back(r.type)) as e
  where app.gave_up(e.uid)
$function$;

CREATE OR REPLACE FUNCTION app.forget_payee (
  p_uid bigint
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform from app.withdrawals as w where w.uid = p_uid order by w.id for update;
  perform from app.adjustments as a where a.uid = p_uid order by a.id for update;
  perform app.lock_balances(array[p_uid]);
  delete from app.payout_accounts as a where a.uid = p_uid;
  -- Who withheld tax must be able to say of whom, and why as much.
  if not exists (select from app.tax_withholdings as t where t.uid = p_uid) then
    delete from app.real_names as r where r.uid = p_uid;
    update app.tax_allowances as a set reason = app.forgotten_text() where a.uid = p_uid;
  end if;
  update app.transfers as t set openid = null, payee_name = null, package_info = null
  from app.withdrawals as w where w.id = t.withdrawal_id and w.uid = p_uid;
  update app.withdrawals as w set account_hint = '',
    reason = case when w.reason is not null then app.forgotten_text() end
  where w.uid = p_uid;
  -- Those of the store itself are known by their reasons.
  update app.adjustments as a set reason = app.forgotten_text() where a.uid = p_uid and a.created_by is not null;
end
$function$;

CREATE OR REPLACE FUNCTION app.forget_person()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_uid bigint;
begin
  select u.uid into v_uid from app.users as u where u.auth_id = old.id;
  perform app.lock_structure() where v_uid is not null;
  perform from app.orders as o where o.uid = v_uid order by o.id for update;
  perform app.forget_payee(v_uid);
  -- If they had asked for the deletion, they gave up their balances. Otherwise these stay owed.
  perform app.forfeit_balances(v_uid, app.reason_of_forfeit(), clock_timestamp())
  where exists (select from app.account_deletions as d where d.uid = v_uid and d.done_at is null);
  perform app.mark_as_left(v_uid, clock_timestamp()) where v_uid is not null;
  -- Waits for every transaction that has just inserted rows of the member. What follows sees them. Later ones are
  -- rejected by app.call_api.
  update app.users set auth_id = null, nickname = app.deleted_nickname(), nickname_in_doubt = false, phone = null,
    avatar = null
  where uid = v_uid;
  update app.orders set address = null, remark = '' where uid = v_uid and (address is not null or remark <> '');
  update app.refunds as r set reason = '', refusal_reason = '', return_carrier = null, return_tracking_no = null
  from app.orders as o
  where r.order_id = o.id and o.uid = v_uid
    and (r.reason <> '' or r.refusal_reason <> '' or r.return_sent_at is not null);
  update app.waiting_payments as w set reason = app.forgotten_text() from app.orders as o
  where w.order_id = o.id and o.uid = v_uid and w.reason is not null;
  update app.spread_changes as c set reason = app.forgotten_text() where c.uid = v_uid;
  perform app.forget_choices(v_uid, old.id);
  delete from app.posters where uid = v_uid;
  delete from app.addresses where uid = v_uid;
  delete from app.payment_payers as p using app.payment_attempts as a, app.orders as o
  where p.attempt_id = a.id and a.order_id = o.id and o.uid = v_uid;
  delete from app.imported_openids where uid = v_uid;
  update app.imported_members set phone = null, unionid = null where uid = v_uid;
  update app.imported_bill set title = '', note = '' where uid = v_uid and (title <> '' or note <> '');
  delete from app.idempotency_keys where auth_id = old.id and role not like 'store_key %';
  -- Those of machine keys, which work on, and of other administrators stay, so that a repeated request has no second
  -- effect.
  update app.idempotency_keys as k set response = r.response
  from (
    select l.auth_id, l.role, l.key, app.without_person(l.response, v_uid) as response
    from app.idempotency_keys as l
    where v_uid is not null and l.role <> 'authenticated' and jsonb_typeof(l.response) = 'object' and l.response <> '{}'
  ) as r
  where (k.auth_id, k.role, k.key) = (r.auth_id, r.role, r.key) and k.response <> r.response;
  delete from app.wechat_accounts where auth_id = old.id;
  delete from app.administrators where auth_id = old.id;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION app.forget_real_names (
  p_now   timestamp with time zone,
  p_limit integer
)
  RETURNS integer
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with forgotten as (
    delete from app.real_names as r
    where r.id = any (array(
      select o.id from app.real_names as o join app.users as u on u.uid = o.uid
      where u.auth_id is null and not exists (
        select from app.tax_withholdings as t
        where t.uid = o.uid and t.month >= date_trunc('year', app.month_of(p_now)::timestamp) - interval '10 years'
      )
      order by o.id limit p_limit for update of o skip locked
    ))
    returning r.id, r.uid
  ), texts as (
    update app.tax_allowances as a set reason = app.forgotten_text() where a.uid in (select f.uid from forgotten as f)
  )
  select count(*)::integer from forgotten
$function$;

CREATE OR REPLACE FUNCTION app.forgotten_text()
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select 'Deleted member'
$function$;

CREATE OR REPLACE FUNCTION app.freight_left (
  p_order app.orders
)
  RETURNS numeric
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select p_order.freight - coalesce((
    select sum(r.freight) from app.refunds as r where r.order_id = p_order.id and app.is_paid_back(r.state)
  ), 0)
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
  for v_from in select s.at from app.steps_back('-infinity', p_until) as s (at) order by s.at desc loop
    v_frozen := (
      select b.frozen_after from app.bill(v_from, p_until) as b
      where b.uid = p_uid
      order by b.add_time desc, b.id desc
      limit 1
    );
    exit when v_frozen is not null;
  end loop;
  return coalesce(v_frozen, 0);
end
$function$;

CREATE OR REPLACE FUNCTION app.gave_up (
  p_uid bigint
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select exists (select from app.account_deletions as d where d.uid = p_uid and d.done_at is not null)
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
        execute format('drop table if exists compacted.%I', app.built_part(v_table, p_month, 'rest'));
        execute format('alter table app.%I drop constraint it_takes_no_more_rows', app.name_of_part(v_table, p_month));
      end loop;
      execute format('drop table if exists compacted.%I', app.built_part('compacted_releases', p_month, 'runs'));
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

CREATE OR REPLACE FUNCTION app.gives_back (
  p_type text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select p_type in ('withdrawal_returned', 'points_returned')
$function$;

CREATE OR REPLACE FUNCTION app.gives_to_who_gave_up (
  p_uid       bigint,
  p_brokerage numeric,
  p_frozen    numeric,
  p_available numeric
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select app.gave_up(p_uid) and exists (
    select from app.user_balances as b
    where b.uid = p_uid and (
      p_brokerage > 0 and b.brokerage_price + p_brokerage > 0 or p_frozen > 0
      or p_available > 0 and b.available_points + p_available > 0
    )
  )
$function$;

CREATE OR REPLACE FUNCTION app.grant_amount (
  p_type  text,
  p_basis numeric,
  p_rate  numeric
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select app.round_down(
    p_basis * p_rate, case when app.is_money(p_type) then app.money_decimals() else app.points_decimals() end
  )
$function$;

CREATE OR REPLACE FUNCTION app.grant_request (
  p_order_id    bigint,
  p_answer      app.request_answer,
  p_items       app.refund_item[],
  p_names_units boolean,
  p_refund_ref  text,
  p_freight     numeric,
  p_now         timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_value record := app.refund_value(p_order_id, p_items);
  v_refund app.refunds;
begin
  update app.refunds as r
  set state = p_answer.state, refund_ref = coalesce(p_refund_ref, r.refund_ref), names_units = p_names_units,
    amount = v_value.amount + p_freight,
      freight = p_freight, points = v_value.points,
      decided_at = p_now, decided_position = nextval('app.positions')
  where r.id = p_answer.request_id
  returning r.* into v_refund;
  update app.refund_lines as l set quantity = 0, asked = coalesce(l.asked, l.quantity) where l.refund_id = v_refund.id;
  insert into app.refund_lines as l (refund_id, line_id, quantity, concession)
  select v_refund.id, i.line_id, i.quantity, i.amount from unnest(p_items) as i
  on conflict (refund_id, line_id) do update set quantity = excluded.quantity, concession = excluded.concession;
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.had_left (
  p_uid      bigint,
  p_position bigint
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce((select u.left_position < p_position from app.users as u where u.uid = p_uid), false)
$function$;

CREATE OR REPLACE FUNCTION app.handle_new_auth_user()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_spread text := trim(new.raw_user_meta_data ->> 'spread');
  -- Cleaned again after the cut, which may leave only blanks.
  v_nickname text := app.visible_text(left(app.visible_text(new.raw_user_meta_data ->> 'nickname'), 64));
  v_avatar text := trim(new.raw_user_meta_data ->> 'avatar');
  v_phone text := case when new.phone_confirmed_at is not null then nullif(left(new.phone, 32), '') end;
  v_spread_uid bigint;
  v_uid bigint;
begin
  -- The address is proved by a link, unless the project asks for none (app.is_new_account).
  if tg_op = 'UPDATE' and old.email_confirmed_at is null and new.email_confirmed_at is not null
    and not app.is_new_account(new.id) then
    perform app.accept_invitation(new.id, clock_timestamp());
  end if;
  -- An administrator who was created as one (scripts/administrators), or has just become one.
  if exists (select from auth.users as u where u.id = new.id and u.role = 'store_admin')
    or app.claim_member(new.id, v_phone) is not null then
    return new;
  end if;
  if v_spread ~ '^[0-9]{1,18}$' then
    -- With the lock, nobody joins below a member who is leaving.
    select u.uid into v_spread_uid from app.users as u where u.uid = v_spread::bigint and u.left_at is null for share;
  end if;
  if app.has_refused_word(v_nickname) then
    v_nickname := null;
  end if;
  insert into app.users (auth_id, nickname, phone, spread_uid, spread_time, avatar)
  values (
    new.id,
    coalesce(v_nickname, (select a.name from app.administrators as a where a.auth_id = new.id), app.neutral_nickname()),
    v_phone,
    v_spread_uid, case when v_spread_uid is not null then now() end,
    app.shown_avatar(v_avatar)
  )
  on conflict (auth_id) do nothing
  returning uid into v_uid;
  insert into app.user_balances (uid) select v_uid where v_uid is not null;
  perform app.queue_text_check('nickname', v_uid, v_uid, v_nickname, now()) where v_uid is not null;
  if v_uid is not null and v_spread_uid is not null then
    perform app.write_event('member.referred', v_uid, v_spread_uid, '{}', now(), 'member');
  end if;
  return new;
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
      when j.dead > 0 or j.is_late or s.state <> 'ok' or c.state <> 'ok' or g.state = 'broken'
        or l.names <> '[]' then 'degraded'
      else 'ok'
    end,
    'waiting_jobs', j.waiting, 'dead_jobs', j.dead, 'due_since', app.utc(j.waiting_since), 'import_since',
    app.utc(j.import_since), 'scheduler', s.state, 'late_jobs', l.names,
    'clock', c.state, 'guarantees', g.state, 'webhooks', app.webhook_route(), 'schema_version', app.schema_version(),
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
  from app.settlement_job_state(p_now) as j
  cross join app.scheduler_state(p_now) as s (state)
  cross join app.clock_state(p_now) as c (state)
  cross join (select coalesce(jsonb_agg(n.name order by n.name), '[]') as names from app.late_jobs(p_now) as n) as l
  cross join lateral (
    select coalesce(
      (select case when m.differences = 0 then 'ok' else 'broken' end from app.manifest_checks as m), 'unchecked'
    ) as state
  ) as g
$function$;

CREATE OR REPLACE FUNCTION app.held_at (
  p_at    timestamp with time zone,
  p_now   timestamp with time zone,
  p_after bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    uid      bigint,
    order_id bigint,
    amount   numeric
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
begin
  if p_at is null then
    return query select h.uid, h.order_id, h.amount from app.held_now(p_now, p_after, p_to) as h;
  elsif p_at >= (select coalesce(v.in_force_since, '-infinity') from app.rule_versions as v where v.version = 2) then
    return query
      select t.uid, t.order_id, t.amount
      from (
        select
          m.uid, m.order_id, case
            when exists (
              select from app.refunds as e
              where e.order_id = m.order_id and app.is_paid_back(e.state) and e.decided_at >= p_at
            )
              then app.cycle_commission((app.order_at(m.order_id, p_at, 0, true)).base, s.rate)
            else m.amount_left
          end as amount
        from app.refunds as r
        join app.commission_maturities as m on m.order_id = r.order_id
        join app.settlements as s on s.order_id = m.order_id and s.settled_at < p_at
        join app.orders as o on o.id = m.order_id
        join app.users as u on u.uid = m.uid and coalesce(u.left_at >= p_at, true)
        where r.created_at < p_at and (r.decided_at is null or r.decided_at >= p_at) and m.uid > p_after
          and m.uid <= p_to
          and m.matures_at <= p_at and o.received_at < p_at and app.names_queue_goods(r.id)
      ) as t
      where t.amount > 0;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.held_now (
  p_now   timestamp with time zone,
  p_after bigint,
  p_to    bigint
)
  RETURNS TABLE (
    uid       bigint,
    order_id  bigint,
    refund_id bigint,
    amount    numeric
  )
  LANGUAGE plpgsql
  STABLE
  ROWS 1
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return query
    select m.uid, m.order_id, r.id, m.amount_left
    from app.refunds as r
    join app.commission_maturities as m on m.order_id = r.order_id
    join app.users as u on u.uid = m.uid and u.left_at is null
    where r.state = 'requested' and m.uid > p_after and m.uid <= p_to and m.matures_at <= p_now and m.amount_left > 0
      and app.names_queue_goods(r.id);
end
$function$;

CREATE OR REPLACE FUNCTION app.held_of_matured (
  p_matured numeric,
  p_held    numeric
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select least(greatest(p_matured, 0.00), p_held)
$function$;

CREATE OR REPLACE FUNCTION app.held_of_withdrawal (
  p_withdrawal app.withdrawals,
  p_now        timestamp with time zone
)
  RETURNS numeric
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  -- From paying on, only the bank or the provider knows how it ends.
  if p_withdrawal.state not in ('requested', 'approved') then
    return 0.00;
  end if;
  return least(p_withdrawal.amount, (app.commission_parts(p_withdrawal.uid, p_now)).held_beyond);
end
$function$;

CREATE OR REPLACE FUNCTION app.held_orders (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS TABLE (
    order_id  bigint,
    refund_id bigint,
    amount    numeric
  )
  LANGUAGE sql
  STABLE
  ROWS 1
  AS $function$
  select h.order_id, h.refund_id, h.amount from app.held_now(p_now, p_uid - 1, p_uid) as h
$function$;

CREATE OR REPLACE FUNCTION app.held_orders_json (
  p_withdrawal app.withdrawals,
  p_now        timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'order_id', h.order_id, 'order_no', o.order_no, 'refund_id', h.refund_id, 'amount', h.amount::text
  ) order by h.order_id), '[]')
  from app.held_orders(p_withdrawal.uid, p_now) as h join app.orders as o on o.id = h.order_id
  where p_withdrawal.state in ('requested', 'approved')
$function$;

CREATE OR REPLACE FUNCTION app.held_withdrawals (
  p_ids bigint[],
  p_now timestamp with time zone
)
  RETURNS TABLE (
    id            bigint,
    withdrawal_no text,
    amount        numeric
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with concerned as materialized (
    select w.* from app.withdrawals as w
    where w.id = any (p_ids) and w.uid in (
      select m.uid from app.refunds as r join app.commission_maturities as m on m.order_id = r.order_id
      where r.state = 'requested' and m.amount_left > 0
    )
  ), held as materialized (
    select c.id, c.withdrawal_no, app.held_of_withdrawal(c::app.withdrawals, p_now) as amount from concerned as c
  )
  select h.id, h.withdrawal_no, h.amount from held as h where h.amount > 0
$function$;

CREATE OR REPLACE FUNCTION app.hold_actions (
  p_dropped_until timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  lock table only app.admin_actions in access share mode;
  if app.actions_dropped_until() <> p_dropped_until then
    raise serialization_failure using message = 'a month of the action log was dropped meanwhile';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.hold_events (
  p_before app.orders,
  p_refund app.refunds
)
  RETURNS app.event[]
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(array_agg((
    case p_refund.state when 'requested' then 'commission.held' else 'commission.released' end, m.order_id, m.uid,
    jsonb_build_object('amount', m.amount_left::text), 'refund', p_refund.id
  )::app.event order by m.uid), '{}')
  from app.commission_maturities as m
  join app.users as u on u.uid = m.uid and u.left_at is null
  where m.order_id = p_refund.order_id and m.amount_left > 0 and app.names_queue_goods(case p_refund.state
    when 'requested' then p_refund.id
    -- The request that was open: the last one that was answered, if it held commission. A refund that answers nothing
    -- leaves it open.
    else (
      select r.id from app.refunds as r
      where p_before.refund_status = 1 and r.order_id = p_refund.order_id and r.position <> r.decided_position
        and exists (select from app.settlements as s where s.order_id = r.order_id and s.position < r.position)
        and not exists (select from app.refunds as o where o.order_id = p_refund.order_id and o.state = 'requested')
      order by r.decided_position desc limit 1
    )
  end)
$function$;

CREATE OR REPLACE FUNCTION app.import_parcels (
  p_order_nos text[]
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  insert into app.parcels (order_id, carrier, carrier_code, tracking_no, shipped_at)
  select o.id, t.carrier, (app.find_carrier(t.carrier)).code, t.tracking_no, o.delivered_at
  from app.staged_orders as s
  join app.orders as o on o.order_no = s.order_no
  cross join lateral (
    select app.visible_text(left(app.visible_text(s.carrier), 64)) as carrier,
      app.tracking_number(s.tracking_no) as tracking_no
  ) as t
  where s.order_no = any (p_order_nos) and o.delivered_at is not null and num_nonnulls(t.carrier, t.tracking_no) > 0
  order by o.id
$function$;

CREATE OR REPLACE FUNCTION app.import_refunds (
  p_order_nos text[],
  p_now       timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
begin
  with items as materialized (select * from app.import_refund_items(p_order_nos)),
  refunds as (
    select
      i.order_id, i.refund_no, min(i.state) as state, max(i.reason) as reason, bool_or(i.is_named) as is_named,
      least(coalesce(max(i.refunded_at), max(greatest(o.received_at, o.delivered_at, o.paid_at))), p_now) as at,
      sum(
        app.amount_left(i.paid, i.units, i.refunded_before) - app.amount_left(
          i.paid, i.units, i.refunded_before + i.quantity
        )
      ) as amount
    from items as i
    join app.orders as o on o.id = i.order_id
    group by i.order_id, i.refund_no
  ),
  -- Row order: that of the subquery.
  numbered as (
    select r.*, nextval('app.positions') as position
    from (select * from refunds as f order by f.order_id, f.at, f.refund_no) as r
  ),
  added as (
    insert into app.refunds (
      order_id, state, refund_ref, reason, amount, names_units, created_at, decided_at, position, decided_position
    )
    select
      r.order_id, r.state, r.refund_no, left(coalesce(r.reason, ''), 500), r.amount, r.is_named, r.at,
      case when r.state = 'refunded' then r.at end,
      r.position, case when r.state = 'refunded' then r.position end
    from numbered as r
    order by r.position
    returning id, order_id, refund_ref
  )
  insert into app.refund_lines (refund_id, line_id, quantity, asked)
  select a.id, i.line_id, i.quantity, case when i.state = 'requested' then i.quantity end from items as i
  join added as a on a.order_id = i.order_id and a.refund_ref = i.refund_no;
end
$function$;

CREATE OR REPLACE FUNCTION app.insert_refund (
  p_order_id    bigint,
  p_state       text,
  p_items       app.refund_item[],
  p_names_units boolean,
  p_refund_ref  text,
  p_reason      text,
  p_now         timestamp with time zone,
  p_freight     numeric
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_value record := app.refund_value(p_order_id, p_items);
  v_refund app.refunds;
  v_position bigint := nextval('app.positions');
begin
  insert into app.refunds (
    order_id, state, refund_ref, reason, amount, freight, points, names_units, created_at, decided_at, position,
    decided_position
  )
  values (
    p_order_id, p_state, p_refund_ref, coalesce(p_reason, ''), v_value.amount + p_freight, p_freight, v_value.points,
    p_names_units, p_now,
    case when p_state <> 'requested' then p_now end, v_position, case when p_state <> 'requested' then v_position end
  )
  returning * into v_refund;
  insert into app.refund_lines (refund_id, line_id, quantity, asked, concession)
  select v_refund.id, i.line_id, i.quantity, case when p_state = 'requested' then i.quantity end, i.amount
  from unnest(p_items) as i;
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.is_covered (
  p_uid       bigint,
  p_brokerage numeric,
  p_frozen    numeric,
  p_available numeric
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(greatest(p_brokerage, p_frozen, p_available), 0) <= 0
    and b.brokerage_price >= -coalesce(p_brokerage, 0) and b.frozen_points >= -coalesce(p_frozen, 0)
    and b.available_points >= -coalesce(p_available, 0)
  from app.user_balances as b where b.uid = p_uid
$function$;

CREATE OR REPLACE FUNCTION app.is_date (
  p_text text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select p_text ~ '^(19|20)[0-9]{2}(-[0-9]{1,2}){1,2}(T[0-9]+Z?)?$'
    or p_text ~ '^([0-9]{1,2}-){1,2}(19|20)[0-9]{2}$'
    or p_text ~ '^[0-9]{1,2}-[0-9]{1,2}-[0-9]{2}$'
    or p_text ~ '^(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(T[0-9]+Z?)?$'
    or p_text ~* format(
      '^([0-9]{1,2}-?)?%1$s(-?[0-9]{1,2})?-?([0-9]{2}|(19|20)[0-9]{2})$|^(19|20)[0-9]{2}-?%1$s(-?[0-9]{1,2})?$', m.name
    )
  from (values (
    '(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)'
  )) as m (name)
$function$;

CREATE OR REPLACE FUNCTION app.is_key()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  AS $function$
  select pg_catalog.current_setting('role') = 'store_key'
$function$;

CREATE OR REPLACE FUNCTION app.is_money (
  p_type text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select p_type in ('brokerage', 'brokerage_reversal', 'withdrawal', 'withdrawal_returned')
$function$;

CREATE OR REPLACE FUNCTION app.is_number_of_carrier (
  p_number text,
  p_code   text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select not exists (
    select
    from (
      values ('^SF[0-9]{13}$', '{SF}'::text[]), ('^YT[0-9]{13}$', '{YTO}'), ('^JT[0-9]{13}$', '{JTSD}'),
      ('^[A-Z]{2}[0-9]{9}[A-Z]{2}$', '{EMS,YZPY}')
    ) as f (form, codes)
    where p_number ~* f.form and p_code <> all (f.codes) and p_code in ('SF', 'YTO', 'JTSD', 'EMS', 'YZPY')
  ) and not (
    p_code in ('EMS', 'YZPY') and p_number ~* '^[A-Z]{2}[0-9]{9}[A-Z]{2}$' and substr(p_number, 11, 1) <> (
      select case sum(substr(p_number, 2 + w.place::integer, 1)::integer * w.weight) % 11
        when 0 then 5
        when 1 then 0
        else 11 - sum(substr(p_number, 2 + w.place::integer, 1)::integer * w.weight) % 11
      end
      from unnest(array[8, 6, 4, 2, 3, 5, 9, 7]) with ordinality as w (weight, place)
    )::text
  )
$function$;

CREATE OR REPLACE FUNCTION app.is_one_order_away (
  p_uid bigint
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return (
    select app.meets_next_level(
      (
        u.uid, null, u.agent_level, u.is_held, u.no_assess, b.own_orders, b.direct_orders + 1, b.umbrella_orders + 1,
        b.direct_members + 1, b.umbrella_members + 1,
        false, u.left_at is not null
      )::app.tree_member,
      (select l.rules[u.agent_level + 1] from app.level_versions as l order by l.version desc limit 1)
    )
    from app.users as u join app.user_balances as b on b.uid = u.uid
    where u.uid = p_uid
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.is_paid_back (
  p_state text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select p_state in ('refunded', 'partly_refunded')
$function$;

CREATE OR REPLACE FUNCTION app.is_refund_line (
  p_line         jsonb,
  p_with_amounts boolean
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_typeof(p_line) = 'object' and coalesce(p_line ->> 'line_id', '') ~ '^[0-9]{1,18}$' and case
    when p_with_amounts and p_line ->> 'amount' is not null then p_line ->> 'quantity' is null
      and p_line ->> 'amount' ~ '^[0-9]{1,12}(\.[0-9]{1,2})?$'
      and p_line ->> 'amount' ~ '[1-9]'
    else p_line ->> 'amount' is null and coalesce(p_line ->> 'quantity', '') ~ '^[1-9][0-9]{0,3}$'
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
  case p_part
    when 'bill' then
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality)
      into v_entries, v_cursors
      from app.journal_bill(
        v_bounds.begins_at, v_bounds.ends_at, p_cursor, p_limit
      ) with ordinality as e (cursor, entry, ordinality);
    when 'payouts' then
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality)
      into v_entries, v_cursors
      from app.journal_payouts(
        v_bounds.begins_at, v_bounds.ends_at, p_cursor, p_limit
      ) with ordinality as e (cursor, entry, ordinality);
    else
      select array_agg(e.entry order by e.ordinality), array_agg(e.cursor order by e.ordinality)
      into v_entries, v_cursors
      from app.journal_balances(
        p_part, case p_part when 'opening' then v_bounds.begins_at else v_bounds.ends_at end, p_cursor, p_limit
      )
        with ordinality as e (cursor, entry, ordinality);
  end case;
  return jsonb_build_object(
    'entries', coalesce(to_jsonb(v_entries), '[]'), 'next_cursor',
    case when cardinality(v_cursors) = p_limit then v_cursors[p_limit] end
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.journal_counter (
  p_type text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select case p_type when 'brokerage' then 'commission_expense' when 'brokerage_reversal' then 'commission_expense' when 'frozen_points_brokerage' then 'promotion_expense' when 'frozen_points_reversal' then 'promotion_expense' when 'opening_balance' then 'opening_balances' when 'withdrawal' then 'payouts_in_transit' when 'withdrawal_returned' then 'payouts_in_transit' when 'points_spent' then 'redeemed_points' when 'points_returned' then 'redeemed_points' when 'adjustment' then 'adjustments' end
$function$;

CREATE OR REPLACE FUNCTION app.journal_events (
  p_until timestamp with time zone
)
  RETURNS SETOF json
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with events as (
    select p.created_at as at, null::bigint as position, p.version as plan, 0 as rank, p.version::bigint as number,
      json_build_object('do', 'change_plan', 'plan', json_build_object(
      'people_per_cycle', p.people_per_cycle, 'tier_ratios',
      (
        select json_agg(trim_scale(r.ratio)::text order by r.ordinality)
        from unnest(p.tier_ratios) with ordinality as r (ratio)
      ),
      'brokerage_scope', p.brokerage_scope, 'brokerage_timing', p.brokerage_timing, 'points_per_brokerage',
      trim_scale(p.points_per_brokerage)::text,
      'max_depth', p.max_depth, 'payout_cap', trim_scale(p.payout_cap)::text, 'minimum_base', p.minimum_base::text,
      'holding_days', p.holding_days
    )) as event
    from app.commission_plans as p
    union all
    select u.spread_time, u.spread_position, null, 1, u.spread_position,
      json_build_object('do', 'refer', 'member', 'm' || u.uid, 'referrer', 'm' || u.spread_uid)
    from app.users as u where u.spread_uid is not null
    union all
    select c.from_time, c.from_position, null, 1, c.from_position,
      json_build_object('do', 'refer', 'member', 'm' || c.uid, 'referrer', 'm' || c.from_uid)
    from app.spread_changes as c where c.from_uid is not null
    union all
    select u.left_at, u.left_position, null, 1, u.left_position,
      json_build_object('do', 'leave', 'member', 'm' || u.uid, 'asked', app.gave_up(u.uid))
    from app.users as u where u.left_at is not null
    union all
    -- Orders are placed in the sequence of their ids, which decides between orders that were paid at the same moment.
    select o.add_time, app.placed_after(o), null, 2, o.id,
      json_build_object('do', 'order', 'order', 'o' || o.id, 'buyer', 'm' || o.uid, 'lines', (
      select json_agg(json_build_object(
        'price', l.price::text, 'is_queue_goods', l.is_queue_goods, 'units', l.quantity, 'discount',
        (l.discount + l.paid_by_points)::text
      ) order by l.id)
      from app.order_lines as l where l.order_id = o.id
    ))
    from app.orders as o where o.paid_at is not null and o.has_queue_goods
    union all
    select o.paid_at, case when o.paid_at = o.add_time then app.placed_after(o) end, o.plan_version, 3, o.id,
      json_build_object('do', 'pay', 'order', 'o' || o.id)
    from app.orders as o where o.paid_at is not null and o.has_queue_goods
    union all
    -- A refund of all goods settles an order that waits, in the same transaction. The evaluator does so by itself, so
    -- these settlements are left out.
    select s.settled_at, min(s.position), max(s.plan_in_force), 4, min(s.position),
      json_build_object(
        'do', min(case p.brokerage_timing when 'confirm' then 'receive' else 'settle' end), 'orders',
        json_agg('o' || s.order_id order by s.order_id)
      )
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    join app.commission_plans as p on p.version = o.plan_version
    where s.state <> 'imported' and (s.state <> 'refunded' or not exists (
      select from app.refunds as r
      where r.order_id = s.order_id and app.is_paid_back(r.state) and r.decided_at = s.settled_at
        and r.decided_position < s.position
    ))
    group by s.settled_at, s.batch, case when s.batch is null then s.order_id end, p.brokerage_timing
    union all
    select r.decided_at, r.decided_position, case when r.decided_at = o.paid_at then o.plan_version end, 5,
      r.decided_position, json_build_object('do', 'refund', 'order', 'o' || r.order_id, 'lines', (
      select json_agg(
        case
          when i.concession > 0 then json_build_object('line', n.number, 'amount', i.concession::text)
          else json_build_object('line', n.number, 'units', i.quantity)
        end
        order by n.number
      )
      from app.refund_lines as i
      join (
        select l.id, row_number() over (order by l.id) as number from app.order_lines as l where l.order_id = r.order_id
      ) as n on n.id = i.line_id
      where i.refund_id = r.id and (i.quantity > 0 or i.concession > 0)
    ))
    from app.refunds as r join app.orders as o on o.id = r.order_id and o.has_queue_goods
    -- Freight alone changes nothing of what commission comes of.
    where app.is_paid_back(r.state)
      and exists (select from app.refund_lines as i where i.refund_id = r.id and (i.quantity > 0 or i.concession > 0))
  ),
  -- At one instant, a plan comes before what happened under it, and then positions decide.
  under as (
    select e.*, coalesce(greatest(
      e.plan,
      max(e.plan) filter (where e.position is not null) over (
        partition by e.at order by e.position nulls first rows unbounded preceding
      )
    ), 0) as plan_in_force
    from events as e where e.at < p_until
  )
  select json_build_object('at', to_char(u.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'event', u.event)
  from under as u
  order by u.at, u.plan_in_force, u.position nulls first, u.rank, u.number
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
begin
  if p_is_end then
    return query
      select b.uid, coalesce(r.brokerage_after - r.brokerage_delta, b.brokerage_price),
        coalesce(r.frozen_after - r.frozen_delta, b.frozen_points),
        coalesce(r.available_after - r.available_delta, b.available_points)
      from app.user_balances as b
      left join lateral (
        select l.* from app.bill(p_at, 'infinity') as l where l.uid = b.uid order by l.add_time, l.id limit 1
      ) as r on true
      where b.uid > p_after order by b.uid limit p_limit;
  else
    return query
      select b.uid, coalesce(r.brokerage_after, 0.00), coalesce(r.frozen_after, 0.0000),
        coalesce(r.available_after, 0.0000)
      from app.user_balances as b
      left join lateral (
        select l.* from app.bill('-infinity', p_at) as l where l.uid = b.uid order by l.add_time desc, l.id desc limit 1
      ) as r on true
      where b.uid > p_after order by b.uid limit p_limit;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.journal_totals (
  p_month text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_from timestamptz;
  v_to timestamptz;
begin
  select b.begins_at, b.ends_at into v_from, v_to from app.month_bounds(app.month_start(p_month)) as b;
  return (
    select jsonb_agg(app.posting(t.account, null, t.amount, t.currency) order by t.account)
    from (
      select 'payouts_in_transit' as account,
        -coalesce(sum(w.amount) filter (where w.add_time >= v_from and w.add_time < v_to), 0)
        + coalesce(sum(w.amount) filter (where w.ended_at >= v_from and w.ended_at < v_to), 0) as amount,
        'CNY' as currency
      from app.withdrawals as w
      union all
      -- By the records of what was withheld. Payouts that failed have a reversal.
      select 'withheld_tax', -coalesce(sum(t.tax), 0), 'CNY'
      from app.tax_withholdings as t join app.withdrawals as w on w.id = t.withdrawal_id
      where w.state = 'paid' and w.ended_at >= v_from and w.ended_at < v_to
      union all
      select 'redeemed_points',
        -coalesce(sum(o.points_spent) filter (where o.add_time >= v_from and o.add_time < v_to), 0)
        + coalesce(sum(o.points_spent) filter (where o.cancelled_at >= v_from and o.cancelled_at < v_to), 0)
        + coalesce((
          select sum(r.points) from app.refunds as r
          where app.is_paid_back(r.state) and r.decided_at >= v_from and r.decided_at < v_to
        ), 0), 'PTS'
      from app.orders as o where o.points_spent > 0
      union all
      select 'adjustments_commission', coalesce(sum(a.brokerage_delta), 0), 'CNY'
      from app.adjustments as a where a.state = 'booked' and a.decided_at >= v_from and a.decided_at < v_to
      union all
      select 'adjustments_frozen', coalesce(sum(a.frozen_delta), 0), 'PTS'
      from app.adjustments as a where a.state = 'booked' and a.decided_at >= v_from and a.decided_at < v_to
      union all
      select 'adjustments_available', coalesce(sum(a.available_delta), 0), 'PTS'
      from app.adjustments as a where a.state = 'booked' and a.decided_at >= v_from and a.decided_at < v_to
    ) as t
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.key_json (
  p_key app.machine_keys
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'id', p_key.id, 'name', p_key.name, 'scopes', to_jsonb(p_key.scopes), 'lost_scopes',
    to_jsonb(app.lost_scopes(p_key)), 'calls_per_hour', p_key.calls_per_hour,
    'state', app.key_state(p_key, clock_timestamp()), 'owner', app.actor_json(p_key.owner), 'owner_left_at',
    app.utc(p_key.owner_left_at),
    'created_by', app.actor_json(p_key.created_by), 'created_at', app.utc(p_key.created_at), 'ends_at',
    app.utc(app.key_ends_at(p_key)),
    'last_used_at', app.utc(p_key.last_used_at), 'revoked_at', app.utc(p_key.revoked_at)
  )
$function$;

CREATE OR REPLACE FUNCTION app.key_scopes()
  RETURNS TABLE (
    scope     text,
    functions text[]
  )
  LANGUAGE sql
  IMMUTABLE
  AS $function$
  values
    ('records:read', '{
      get_overview, get_report, get_report_products, get_report_levels, get_report_members, get_signals, get_actions, get_event_feed, get_events,
      get_settings, get_reconcile_report, get_agent_config_report, get_crontab, get_brokerage_config, get_agent_levels, admin_get_system_metadata
    }'::pg_catalog.text[]),
    ('content:read', '{
      admin_get_products, admin_get_product, admin_get_product_categories, admin_get_first_page, get_articles, get_article, get_article_categories,
      get_article_category
    }'),
    ('content:write', '{
      create_product, set_product, set_on_sale, create_product_category, sort_product_categories, set_product_category, delete_product_category,
      set_first_page, create_article, set_article, delete_article, create_article_category, set_article_category, delete_article_category
    }'),
    ('orders:read', '{
      admin_get_orders, admin_get_order, get_orders_to_ship, get_shipping_rows, preview_shipping, get_carriers
    }'),
    ('orders:write', '{
      deliver_order, deliver_orders, ship_orders, add_parcel, set_parcel, create_carrier, set_carrier
    }'),
    ('refunds:read', '{
      preview_refund, preview_refusal, admin_get_refund_pictures
    }'),
    ('refunds:write', '{
      refund_order, refuse_refund, request_return, receive_return, dismiss_refund_doubt
    }'),
    ('members:read', '{
      admin_get_users, admin_get_user, get_upline, get_places, get_level_changes, get_no_assess_changes, get_spread_changes, preview_spread, get_count_audit, get_level_review, get_network,
      get_network_paid, get_network_members, get_member_network, get_branch
    }'),
    ('members:write', '{
      set_no_assess, set_agent_level, set_spread, dismiss_member_doubt
    }'),
    ('money:read', '{
      get_bill_rows, get_bill_row, admin_get_bill, admin_get_statement, admin_get_statement_lines, get_adjustments, get_liabilities, get_months,
      get_release_log, get_release_forecast, admin_get_withdrawals, admin_get_withdrawal, get_withdrawal_batches, get_withdrawal_batch_rows, preview_withdrawal_batch, get_debts,
      export_bill, export_liabilities, export_withdrawals, export_tax, export_journal, get_payment_notifications, get_outbox, get_jobs, get_settlement,
      simulate
    }'),
    ('money:write', '{
      create_adjustment, approve_adjustment, refuse_adjustment, close_month, pay_order_offline, refuse_payment, refund_payment, retry_provider_refund,
      retry_outbox, retry_job, create_withdrawal_batch, mark_withdrawal_batch_paid, approve_withdrawal, approve_withdrawals, cancel_transfer,
      refuse_withdrawal, mark_withdrawal_paid, mark_withdrawal_failed
    }'),
    ('personal:read', '{
      search
    }')
$function$;

CREATE OR REPLACE FUNCTION app.key_state (
  p_key app.machine_keys,
  p_now timestamp with time zone
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case
    when p_key.revoked_at is not null then 'revoked'
    when p_key.expires_at <= p_now then 'expired'
    when app.key_ends_at(p_key) <= p_now then 'ended'
    when p_key.owner_left_at is null
      and exists (select from auth.users as u where u.id = p_key.owner and app.is_active_administrator(u)) then 'active'
    else 'blocked'
  end
$function$;

CREATE OR REPLACE FUNCTION app.late_jobs (
  p_now  timestamp with time zone,
  p_name text                     DEFAULT NULL::text
)
  RETURNS TABLE (
    name     text,
    last_run timestamp with time zone
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if to_regclass('cron.job') is null then
    return;
  end if;
  return query execute $sql$
    select j.name, r.last_run
    from app.scheduled_jobs as j
    cross join lateral (
      select (
        select d.start_time from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
        where c.jobname = j.name and d.start_time is not null order by d.runid desc limit 1
      ) as last_run
    ) as r
    cross join lateral (
      select case
        when j.schedule ~ '^\* ' then interval '1 minute'
        when j.schedule ~ '^\*/' then split_part(split_part(j.schedule, ' ', 1), '/', 2)::integer * interval '1 minute'
        else interval '1 hour'
      end as period
    ) as p
    where j.is_active and ($2 is null or j.name = $2)
      and case
        when j.schedule ~ '^\d+ \d+ ' then app.missed_time(j, $1) is not null
        else greatest(r.last_run, j.changed_at, pg_postmaster_start_time()) < $1 - 2 * p.period - interval '5 minutes'
      end
    order by j.name
  $sql$ using p_now, p_name;
end
$function$;

CREATE OR REPLACE FUNCTION app.left_totals (
  p_at timestamp with time zone,
  OUT  members bigint,
  OUT  commission numeric,
  OUT  frozen numeric,
  OUT  available numeric,
  OUT  releasing numeric,
  OUT  released_members bigint
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  execute format($sql$
    select
      count(*) filter (where greatest(b.brokerage, b.frozen, b.available) > 0),
      coalesce(sum(greatest(b.brokerage, 0.00)), 0.00), coalesce(sum(b.frozen), 0),
      coalesce(sum(greatest(b.available, 0)), 0),
      coalesce(sum(b.frozen) filter (where app.release_amount(b.frozen) > 0), 0),
      count(*) filter (where app.release_amount(b.frozen) > 0)
    from (%s) as b
    join app.users as u on u.uid = b.uid
    where u.auth_id is null and coalesce(u.left_at < $1, $1 is null and u.left_at is not null)
  $sql$, app.balances_query(p_at))
  into members, commission, frozen, available, releasing, released_members
  using p_at, p_at + interval '31 days';
end
$function$;

CREATE OR REPLACE FUNCTION app.level_by_tasks (
  p_row  app.user_balances,
  p_from smallint          DEFAULT 0
)
  RETURNS smallint
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(max(l.grade), p_from)
  from app.agent_levels as l
  where l.is_active and l.grade > p_from and not exists (
    select from app.agent_levels as step
    where step.is_active and step.grade between p_from + 1 and l.grade and not app.tasks_are_met(step.grade, p_row)
  )
$function$;

CREATE OR REPLACE FUNCTION app.level_review (
  p_after bigint,
  p_limit integer
)
  RETURNS TABLE (
    uid           bigint,
    reached_level smallint,
    counts        app.user_balances,
    next_after    bigint
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_left integer := app.page_read_limit();
  v_top constant smallint := app.top_grade();
  v_found integer := 0;
  v_last bigint := p_after;
  v_user app.users;
  v_cost bigint;
begin
  for v_user in select u.* from app.users as u where u.agent_level > 0 and u.uid > p_after and u.left_at is null
    order by u.uid loop
    v_cost := case
      when v_user.agent_level < v_top then 10
      else 10 + coalesce(
        (select t.umbrella_members + t.umbrella_orders from app.team_totals as t where t.uid = v_user.uid), 0
      )
    end;
    if v_found = p_limit or (v_cost > v_left and v_left < app.page_read_limit()) then
      next_after := v_last;
      uid := null;
      return next;
      return;
    end if;
    v_last := v_user.uid;
    v_left := v_left - v_cost;
    uid := v_user.uid;
    reached_level := null;
    select b.* into counts from app.user_balances as b where b.uid = v_user.uid;
    if v_user.agent_level >= v_top and v_left >= 0 then
      select c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members
      into counts.direct_orders, counts.umbrella_orders, counts.direct_members, counts.umbrella_members
      from app.count_downline(v_user.uid) as c;
    end if;
    if v_user.agent_level < v_top or v_left >= 0 then
      reached_level := app.level_by_tasks(counts);
      continue when reached_level >= v_user.agent_level;
    end if;
    v_found := v_found + 1;
    return next;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.level_version_at (
  p_position bigint
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(max(v.version) filter (where v.position < p_position), min(v.version)) from app.level_versions as v
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
    'as_of', app.utc(coalesce(p_at, p_now)), 'owed', t.owed::text, 'withdrawable', t.withdrawable::text,
    'held_by_refunds', t.held_by_refunds::text, 'maturing', t.maturing::text,
    'maturing_after_receipt', t.after_receipt::text, 'reserved', t.reserved::text,
    'left', jsonb_build_object(
      'members', t.left_members, 'commission', t.left_commission::text, 'frozen_points', trim_scale(t.left_frozen),
      'available_points', trim_scale(t.left_available)
    ),
    'debts', (t.debts_covered + t.debts_uncovered)::text, 'debts_covered', t.debts_covered::text, 'debts_uncovered',
    t.debts_uncovered::text, 'members_in_debt', t.debtors,
    'matures', (
      select coalesce(jsonb_agg(jsonb_build_object('date', d.day, 'amount', d.amount::text) order by d.day), '[]')
      from (
        select app.business_day(m.matures_at) as day, sum(m.amount) as amount
        from app.maturing_at(p_at, p_now) as m where m.matures_at is not null group by 1
      ) as d
    ),
    'tax', (
      select jsonb_build_object(
        'month', to_char(m.month, 'YYYY-MM'), 'withheld',
        coalesce(sum(x.tax) filter (where x.month = m.month), 0.00)::text,
        'withheld_last_month', coalesce(sum(x.tax) filter (where x.month < m.month), 0.00)::text
      )
      from (select app.month_of(coalesce(p_at, p_now)) as month) as m
      left join app.tax_withholdings as x on x.month between (m.month - interval '1 month')::date and m.month
        and (p_at is null or x.add_time < p_at)
      group by m.month
    ),
    'points', jsonb_build_object(
      'frozen', trim_scale(t.frozen), 'available', trim_scale(t.available), 'negative', trim_scale(t.negative),
      'members_below_zero', t.negative_members, 'release', app.forecast_of(t.releasing, t.released_members)
    )
  )
  from app.owed_totals(p_at, p_now) as t
$function$;

CREATE OR REPLACE FUNCTION app.limit_unpaid_units (
  p_uid   bigint,
  p_items jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_settings app.settings;
  v_product record;
  v_units bigint := 0;
begin
  perform app.require_items(p_items);
  perform from app.products as p
  where p.stock is not null
    and p.id in (select (i.value ->> 'product_id')::bigint from jsonb_array_elements(p_items) as i (value))
  order by p.id for no key update;
  select s.* into v_settings from app.settings as s;
  for v_product in
    select p.id, p.stock, sum((i.value ->> 'quantity')::bigint)::bigint as asked, h.units as held,
      greatest(floor(v_settings.max_unpaid_share * (p.stock + h.units)), 1) as most
    from jsonb_array_elements(p_items) as i (value)
    join app.products as p on p.id = (i.value ->> 'product_id')::bigint
    cross join lateral (select app.unpaid_units(p_uid, p.id) as units) as h
    where p.stock is not null
    group by p.id, h.units
    -- Of more than there is, app.price_items says how much is left.
    order by sum((i.value ->> 'quantity')::bigint) > p.stock desc, p.id
  loop
    if v_product.asked > v_product.stock then
      return;
    elsif v_product.held + v_product.asked > v_product.most then
      perform app.fail('too_many_unpaid_units', format(
        'A member can have at most %s unpaid units of product %s now. Order fewer, or pay or cancel an unpaid order first.',
        v_product.most, v_product.id
      ));
    end if;
    v_units := v_units + v_product.asked;
  end loop;
  if v_units > 0 and v_units + app.unpaid_units(p_uid) > v_settings.max_unpaid_units then
    perform app.fail('too_many_unpaid_units', format(
      'A member can have at most %s unpaid units of goods with a limited stock. Order fewer, or pay or cancel an unpaid order first.',
      v_settings.max_unpaid_units
    ));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.line_left (
  p_paid              numeric,
  p_quantity          integer,
  p_refunded_quantity integer,
  p_concessions       app.concession[]
)
  RETURNS numeric
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select case
    when p_concessions is null then app.amount_left(p_paid, p_quantity, p_refunded_quantity)
    else app.amount_left_after_concessions(p_paid, p_quantity, p_quantity - p_refunded_quantity, p_concessions)
  end
$function$;

CREATE OR REPLACE FUNCTION app.lines_with_refund (
  p_order_id bigint,
  p_items    app.refund_item[]
)
  RETURNS TABLE (
    line_id        bigint,
    is_queue_goods boolean,
    units          integer,
    units_left     integer,
    amount         numeric,
    amount_left    numeric,
    points         numeric,
    points_left    numeric
  )
  LANGUAGE sql
  STABLE
  ROWS 10
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with granted as materialized (
    -- Row order: they are added up.
    select c.line_id, array_agg((c.amount, c.units)::app.concession) as concessions
    from app.concessions_between(p_order_id, p_order_id) as c group by c.line_id
  )
  select
    l.id, l.is_queue_goods, l.quantity - l.refunded_quantity, l.quantity - l.refunded_quantity - n.quantity,
    app.line_left(l.paid, l.quantity, l.refunded_quantity, g.concessions),
    app.line_left(l.paid, l.quantity, l.refunded_quantity + n.quantity, g.concessions) - n.amount,
    app.points_left(l.points, l.quantity, l.refunded_quantity),
    app.points_left(l.points, l.quantity, l.refunded_quantity + n.quantity)
  from app.order_lines as l
  left join unnest(p_items) as i on i.line_id = l.id
  left join granted as g on g.line_id = l.id
  cross join lateral (select coalesce(i.quantity, 0) as quantity, coalesce(i.amount, 0) as amount) as n
  where l.order_id = p_order_id
  order by l.id
$function$;

CREATE OR REPLACE FUNCTION app.load_refund_state (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  return jsonb_build_object(
    'refund_status', v_order.refund_status,
    'refunded',
    (
      select coalesce(sum(r.amount), 0.00)::text from app.refunds as r
      where r.order_id = p_order_id and app.is_paid_back(r.state)
    ),
    'points_left', trim_scale(v_order.points_left),
    'requests', (select count(*) from app.refunds as r where r.order_id = p_order_id and r.state = 'requested')
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.lock_compaction()
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET lock_timeout TO '10s'
  AS $function$
begin
  lock table app.compacted_months in share row exclusive mode;
end
$function$;

CREATE OR REPLACE FUNCTION app.lock_for_refund (
  p_order_id bigint
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  perform app.require_paid(v_order);
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.lost_scopes (
  p_key app.machine_keys
)
  RETURNS text[]
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select array(
    select s.scope from unnest(p_key.scopes) with ordinality as s (scope, place)
    where s.scope <> all (app.working_scopes(p_key)) order by s.place
  )
$function$;

CREATE OR REPLACE FUNCTION app.mark_as_left (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform from app.users as u where u.uid = p_uid for update;
  update app.users as u set left_at = p_now, left_position = nextval('app.positions')
  where u.uid = p_uid and u.left_at is null;
  if found then
    perform app.write_event('member.left', p_uid, p_uid, '{}', p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.maturing (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS SETOF app.commission_maturities
  LANGUAGE sql
  STABLE
  ROWS 20
  AS $function$
  select m.* from app.commission_maturities as m
  where m.uid = p_uid and m.matures_at > p_now and (select u.left_at from app.users as u where u.uid = p_uid) is null
  union all
  select m.* from app.commission_maturities as m
  where m.uid = p_uid and m.matures_at is null and (select u.left_at from app.users as u where u.uid = p_uid) is null
$function$;

CREATE OR REPLACE FUNCTION app.maturing_at (
  p_at    timestamp with time zone,
  p_now   timestamp with time zone,
  p_after bigint                   DEFAULT 0,
  p_to    bigint                   DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    uid        bigint,
    amount     numeric,
    matures_at timestamp with time zone
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
begin
  if p_at is null then
    return query
      select m.uid, m.amount_left, m.matures_at
      from app.commission_maturities as m
      where m.uid > p_after and m.uid <= p_to and m.amount_left > 0 and (m.matures_at is null or m.matures_at > p_now)
        and not exists (select from app.users as u where u.uid = m.uid and u.left_at is not null);
  else
    return query
      select t.uid, t.amount, t.matures_at
      from (
        select
          m.uid, case when o.received_at < p_at then m.matures_at end as matures_at,
          case
            when exists (
              select from app.refunds as r
              where r.order_id = m.order_id and app.is_paid_back(r.state) and r.decided_at >= p_at
            )
              then app.cycle_commission((app.order_at(m.order_id, p_at, 0, true)).base, s.rate)
            else m.amount_left
          end as amount
        from app.commission_maturities as m
        join app.settlements as s on s.order_id = m.order_id and s.settled_at < p_at
        join app.orders as o on o.id = m.order_id
        where m.uid > p_after and m.uid <= p_to
          and (m.matures_at is null or m.matures_at > p_at or m.matures_at = p_at and o.received_at = p_at)
          and not exists (select from app.users as u where u.uid = m.uid and u.left_at < p_at)
      ) as t
      where t.amount > 0;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.maturity (
  p_uid             bigint,
  p_brokerage_price numeric,
  p_now             timestamp with time zone,
  p_time_zone       text
)
  RETURNS TABLE (
    withdrawable    numeric,
    held_by_refunds numeric,
    maturing        numeric,
    after_receipt   numeric,
    matures         json
  )
  LANGUAGE sql
  STABLE
  ROWS 1
  AS $function$
  select p_brokerage_price - s.maturing - h.amount, h.amount, s.maturing, s.after_receipt, s.matures
  from (
    select coalesce(pg_catalog.sum(d.amount), 0.00) as maturing,
      coalesce(pg_catalog.sum(d.amount) filter (where d.day is null), 0.00) as after_receipt,
      coalesce(
        pg_catalog.json_agg(
          pg_catalog.json_build_object('date', d.day, 'amount', d.amount::pg_catalog.text) order by d.day
        ) filter (where d.day is not null),
        '[]'
      ) as matures
    from (
      select app.local_day(m.matures_at, p_time_zone) as day, pg_catalog.sum(m.amount_left) as amount
      from app.maturing(p_uid, p_now) as m
      where m.amount_left > 0
      group by 1
    ) as d
  ) as s
  cross join lateral (
    select app.held_of_matured(p_brokerage_price - s.maturing, coalesce(pg_catalog.sum(o.amount), 0.00)) as amount
    from app.held_orders(p_uid, p_now) as o
  ) as h
$function$;

CREATE OR REPLACE FUNCTION app.may_search_names()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(current_setting('store.withholds', true), '') <> 'on'
$function$;

CREATE OR REPLACE FUNCTION app.meets_next_level (
  p_member app.tree_member,
  p_rule   app.level_rule
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select p_rule.next_grade is not null and not p_member.is_held and p_member.has_left is not true
    and (p_rule.direct_orders is null or p_member.direct_orders >= p_rule.direct_orders)
    and (p_rule.umbrella_orders is null or p_member.umbrella_orders >= p_rule.umbrella_orders)
    and (p_rule.direct_members is null or p_member.direct_members >= p_rule.direct_members)
    and (p_rule.umbrella_members is null or p_member.umbrella_members >= p_rule.umbrella_members)
$function$;

CREATE OR REPLACE FUNCTION app.member_at (
  p_uid bigint,
  p_at  timestamp with time zone
)
  RETURNS app.users
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_user app.users;
  v_level record;
  v_spread record;
  v_since timestamptz;
begin
  select u.* into v_user from app.users as u where u.uid = p_uid;
  v_since := coalesce((select i.imported_at from app.imported_members as i where i.uid = p_uid), v_user.add_time);
  if v_since >= p_at then
    perform app.fail('invalid_argument', format('The store has had the member since %s.', app.utc(v_since)));
  end if;
  select c.from_level, c.from_held into v_level
  from app.level_changes as c where c.uid = p_uid and c.add_time >= p_at order by c.position, c.id limit 1;
  if found then
    v_user.agent_level := v_level.from_level;
    v_user.is_held := v_level.from_held;
  end if;
  v_user.no_assess := coalesce(
    (
      select n.from_value from app.no_assess_changes as n where n.uid = p_uid and n.add_time >= p_at order by n.position
      limit 1
    ),
    v_user.no_assess
  );
  select c.from_uid, c.from_time into v_spread
  from app.spread_changes as c where c.uid = p_uid and c.add_time >= p_at order by c.position limit 1;
  if found then
    v_user.spread_uid := v_spread.from_uid;
    v_user.spread_time := v_spread.from_time;
  end if;
  if v_user.spread_time >= p_at then
    v_user.spread_uid := null;
    v_user.spread_time := null;
  end if;
  if v_user.left_at >= p_at then
    v_user.left_at := null;
    v_user.left_position := null;
  end if;
  return v_user;
end
$function$;

CREATE OR REPLACE FUNCTION app.member_sections()
  RETURNS TABLE (
    number    integer,
    source    text,
    condition text,
    key       text,
    hidden    text[]
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select s.number, s.source, s.condition, s.key, s.hidden::text[]
  from (values
    (1, 'app.users', 't.uid = $1', 't.uid', '{}'),
    (2, 'app.user_balances', 't.uid = $1', 't.uid', '{}'),
    (3, 'app.team_totals', 't.uid = $1', 't.uid', '{}'),
    (4, 'app.addresses', 't.uid = $1', 't.id', '{}'),
    (5, 'app.payout_accounts', 't.uid = $1', 't.id', '{}'),
    (
      6, 'app.wechat_accounts', 't.auth_id = (select u.auth_id from app.users as u where u.uid = $1)',
      'row_number() over (order by t.appid, t.openid)', '{sign_in_id, sign_in_until}'
    ),
    (7, 'app.posters', 't.uid = $1', 't.product_id + 1', '{code, image}'),
    (8, 'app.imported_members', 't.uid = $1', 't.old_uid', '{}'),
    (9, 'app.imported_openids', 't.uid = $1', 'row_number() over (order by t.openid)', '{}'),
    (10, 'app.imported_bill', 't.uid = $1', 'row_number() over (order by t.source, t.old_id)', '{}'),
    (11, 'app.opening_cycles', 't.uid = $1', 't.uid', '{}'),
    (12, 'app.level_changes', 't.uid = $1', 't.id', '{changed_by}'),
    (13, 'app.no_assess_changes', 't.uid = $1', 't.id', '{changed_by}'),
    (14, 'app.orders', 't.uid = $1', 't.id', '{}'),
    (15, 'app.order_lines', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'),
    (16, 'app.payment_attempts', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'),
    (
      17, 'app.payment_payers',
      't.attempt_id in (select a.id from app.payment_attempts as a join app.orders as o on o.id = a.order_id where o.uid = $1)',
      't.attempt_id', '{}'
    ),
    (
      18, 'app.payment_notifications', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'
    ),
    (19, 'app.refunds', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'),
    (
      20, 'app.refund_lines',
      't.refund_id in (select r.id from app.refunds as r join app.orders as o on o.id = r.order_id where o.uid = $1)',
      'row_number() over (order by t.refund_id, t.line_id)', '{}'
    ),
    (21, 'app.provider_refunds', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{}'),
    (22, 'app.settlements', '(t.uid = $1 or t.earner_uid = $1)', 't.order_id', '{}'),
    (23, 'app.commission_maturities', 't.uid = $1', 't.order_id', '{}'),
    (24, 'app.user_bill', 't.uid = $1', 't.id', '{}'),
    (25, 'app.points_release_log', 't.uid = $1', 't.release_date - date ''2000-01-01''', '{}'),
    (26, 'app.adjustments', 't.uid = $1', 't.id', '{created_by, decided_by}'),
    (27, 'app.withdrawals', 't.uid = $1', 't.id', '{approved_by}'),
    (
      28, 'app.transfers', 't.withdrawal_id in (select w.id from app.withdrawals as w where w.uid = $1)',
      't.withdrawal_id', '{package_info}'
    ),
    (29, 'app.carried_balances', 't.uid = $1', 't.uid', '{}'),
    (30, 'app.used_quotas', 't.uid = $1', 'row_number() over (order by t.kind)', '{}'),
    (31, 'app.events', 't.uid = $1', 't.id', '{}'),
    (32, 'app.parcels', 't.order_id in (select o.id from app.orders as o where o.uid = $1)', 't.id', '{shipped_by}'),
    (33, 'app.inboxes', 't.uid = $1', 't.uid', '{}'),
    (34, 'app.read_notices', 't.uid = $1', 'row_number() over (order by t.era, t.xid, t.id)', '{}'),
    (35, 'app.message_consents', 't.uid = $1', 'row_number() over (order by t.template_id)', '{}'),
    (36, 'app.account_deletions', 't.uid = $1', 't.uid', '{}'),
    (
      37, 'app.pictures', 't.kind <> ''store'' and t.owner = (select u.auth_id from app.users as u where u.uid = $1)',
      'row_number() over (order by t.id)', '{}'
    ),
    (38, 'app.tax_withholdings', 't.uid = $1', 't.id', '{}'),
    (39, 'app.tax_allowances', 't.uid = $1', 't.id', '{created_by}'),
    (40, 'app.person_requests', 't.uid = $1', 't.id', '{recorded_by, closed_by}'),
    (41, 'app.real_names', 't.uid = $1', 't.id', '{ciphertext, key_id, person, index_key_id, decided_by}'),
    (42, 'app.spread_changes', 't.uid = $1', 't.id', '{changed_by}')
  ) as s (number, source, condition, key, hidden)
$function$;

CREATE OR REPLACE FUNCTION app.missed_time (
  p_job app.scheduled_jobs,
  p_now timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_due timestamptz;
  v_has_run boolean;
begin
  if p_job.schedule !~ '^\d+ \d+ ' or (p_job.times_count_for = app.times_count_for(p_job)) is not true then
    return null;
  end if;
  select max(t.first) into v_due
  from app.settings as s
  cross join lateral (select (p_now at time zone s.time_zone)::date as day) as d
  cross join app.times_of_days(p_job.schedule, s.time_zone, d.day - 8, d.day + 1) as t
  where t.first < date_trunc('minute', p_now);
  if v_due <= p_job.times_count_from or exists (
    select from app.job_runs as r
    where r.job = p_job.name and r.started_at >= v_due and (r.from_day is null) = (p_job.command not like 'call %(_%)')
  ) then
    return null;
  end if;
  execute $sql$
    select coalesce((
      select d.start_time >= $2
      from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
      where (c.jobname = $1 or starts_with(c.jobname, $1 || ':')) and d.start_time is not null and d.status <> 'failed'
      order by d.runid desc
      limit 1
    ), false)
  $sql$ into v_has_run using p_job.name, v_due;
  return case when not v_has_run then v_due end;
end
$function$;

CREATE OR REPLACE FUNCTION app.month_part (
  p_table text,
  p_month date
)
  RETURNS regclass
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select to_regclass(format('app.%I', app.name_of_part(p_table, p_month)))
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
  v_from timestamptz := '-infinity'::timestamptz;
  v_time timestamptz;
  v_month date;
begin
  loop
    v_time := least(
      (
        select b.add_time from app.user_bill as b where b.uid = p_uid and b.add_time >= v_from order by b.add_time, b.id
        limit 1
      ),
      (
        select greatest(c.first_time, v_from) from app.compacted_releases as c
        where c.uid = p_uid and c.last_time >= v_from and c.first_time > v_from - interval '32 days'
        order by c.first_time limit 1
      )
    );
    exit when v_time is null;
    v_month := app.month_of(v_time);
    return next to_char(v_month, 'YYYY-MM');
    v_from := (app.month_bounds(v_month)).ends_at;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.most_in_batch()
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select 10000
$function$;

CREATE OR REPLACE FUNCTION app.move_withdrawal (
  p_withdrawal      app.withdrawals,
  p_state           text,
  p_now             timestamp with time zone,
  p_reason          text                     DEFAULT NULL::text,
  p_payment_ref     text                     DEFAULT NULL::text,
  p_held_by_refunds numeric                  DEFAULT NULL::numeric
)
  RETURNS app.withdrawals
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_withdrawal app.withdrawals := p_withdrawal;
  v_now timestamptz;
  v_tax numeric := p_withdrawal.tax;
  v_returns constant boolean := app.is_returned(p_state);
  v_ends constant boolean := v_returns or p_state = 'paid';
begin
  if p_withdrawal.state = p_state then
    return p_withdrawal;
  elsif app.withdrawal_may_become(p_withdrawal.state, p_state) is not true then
    perform app.fail('withdrawal_state_conflict', format('This withdrawal is %s.', p_withdrawal.state));
  elsif not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif (v_returns and p_state <> 'cancelled') <> (p_reason is not null and app.is_visible(p_reason))
    or char_length(p_reason) > 500 then
    perform app.fail(
      'invalid_argument', 'A withdrawal that is not paid needs a reason of 1 to 500 characters.', '/reason'
    );
  elsif p_state <> 'paid' and p_payment_ref is not null then
    perform app.fail('invalid_argument', 'Only a paid withdrawal has a payment reference.', '/payment_ref');
  elsif p_state = 'paid' and p_withdrawal.state = 'approved' and app.tax_method(app.effect_time(p_now)) is not null then
    perform app.fail('withdrawal_state_conflict', case
      when p_withdrawal.account_id is null
        and p_withdrawal.method <> 'wechat'
          then 'The member was deleted, and the account with them. Refuse this withdrawal.'
      else 'Put this withdrawal into a batch first, which fixes its tax.'
    end);
  end if;
  perform app.check_payment_ref(p_payment_ref);
  if v_returns or p_withdrawal.state = 'approved' then
    perform app.lock_balances(array[p_withdrawal.uid]);
  end if;
  v_now := app.effect_time(p_now);
  if p_withdrawal.state = 'approved' and not v_returns then
    perform app.reject_holds(array[p_withdrawal.id], p_held_by_refunds, v_now);
  end if;
  if p_state = 'paying' then
    v_tax := app.withhold_tax(p_withdrawal, v_now);
  elsif v_returns then
    perform app.reverse_tax(p_withdrawal.id, v_now);
  end if;
  update app.withdrawals as w
  set state = p_state, tax = v_tax, reason = nullif(p_reason, ''), payment_ref = p_payment_ref,
      approved_at = case when v_ends then w.approved_at else coalesce(w.approved_at, v_now) end,
      paying_at = case p_state when 'paying' then v_now else w.paying_at end,
      ended_at = case when v_ends then v_now end
  where w.id = p_withdrawal.id
  returning w.* into v_withdrawal;
  if v_returns then
    perform app.book_withdrawal(v_withdrawal, 'withdrawal_returned', v_now);
  end if;
  if v_ends then
    update app.transfers as t set payee_name = null, package_info = null where t.withdrawal_id = v_withdrawal.id;
    perform app.finish_outbox('transfer', v_withdrawal.withdrawal_no);
  end if;
  if p_state <> 'paying' then
    perform app.write_events(array[app.withdrawal_event(v_withdrawal)], v_now);
  end if;
  return v_withdrawal;
end
$function$;

CREATE OR REPLACE FUNCTION app.name_of_part (
  p_table text,
  p_month date
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select concat_ws('_', p_table, to_char(p_month, 'YYYYMM'))
$function$;

CREATE OR REPLACE FUNCTION app.named_refund (
  p_lines           jsonb,
  p_amount          numeric,
  p_freight         numeric,
  p_answers_request boolean
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object('amount', p_amount, 'freight', p_freight, 'answers_request', p_answers_request, 'lines',
    case jsonb_typeof(p_lines)
    when 'array' then (
      select coalesce(jsonb_agg(l.line order by l.line -> 'line_id', l.line), '[]')
      from jsonb_array_elements(p_lines) as i
      cross join lateral (
        select case when app.is_refund_line(i.value, true) then jsonb_build_object(
          'line_id', (i.value ->> 'line_id')::bigint, 'quantity', (i.value ->> 'quantity')::integer, 'amount',
          (i.value ->> 'amount')::numeric
        ) else i.value end as line
      ) as l
    )
    else p_lines
  end)
$function$;

CREATE OR REPLACE FUNCTION app.named_refund_items (
  p_order_id     bigint,
  p_lines        jsonb,
  p_with_amounts boolean DEFAULT false
)
  RETURNS app.refund_item[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_items app.refund_item[];
begin
  if jsonb_typeof(p_lines) <> 'array'
    or jsonb_array_length(p_lines) not between (not p_with_amounts)::integer and 50 then
    perform app.fail('invalid_argument', 'A refund has between 1 and 50 lines.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i where not app.is_refund_line(i.value, p_with_amounts)
  ) then
    if p_with_amounts then
      perform app.fail(
        'invalid_argument',
        'Every line of a refund needs a line_id, and either a quantity between 1 and 9999 or an amount of at least 0.01.'
      );
    end if;
    perform app.fail('invalid_argument', 'Every line of a refund needs a line_id and a quantity between 1 and 9999.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i group by (i.value ->> 'line_id')::bigint having count(*) > 1
  ) then
    perform app.fail('invalid_argument', 'A refund may contain each line only once.');
  end if;
  v_items := array(
    select (
      (i.value ->> 'line_id')::bigint, coalesce((i.value ->> 'quantity')::integer, 0),
      coalesce((i.value ->> 'amount')::numeric(14,2), 0)
    )::app.refund_item
    from jsonb_array_elements(p_lines) as i
    order by (i.value ->> 'line_id')::bigint
  );
  perform app.check_refund_items(p_order_id, v_items);
  return v_items;
end
$function$;

CREATE OR REPLACE FUNCTION app.names_queue_goods (
  p_refund_id bigint
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select exists (
    select from app.refund_lines as x join app.order_lines as l on l.id = x.line_id
    where x.refund_id = p_refund_id and l.is_queue_goods
      and (
        x.asked > 0 or not exists (select from app.refund_lines as y where y.refund_id = p_refund_id and y.asked > 0)
      )
  )
$function$;

CREATE OR REPLACE FUNCTION app.needs_another_payer (
  p_withdrawal app.withdrawals,
  p_by         uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select (coalesce(p_withdrawal.approved_by = p_by, false) or app.is_key() and p_withdrawal.state = 'approved')
    and app.other_administrator('money', p_withdrawal.approved_by, p_withdrawal.uid)
$function$;

CREATE OR REPLACE FUNCTION app.new_tree_change (
  p_kind          text,
  p_member        integer,
  p_order_id      bigint   DEFAULT NULL::bigint,
  p_units         integer  DEFAULT 0,
  p_max_depth     integer  DEFAULT NULL::integer,
  p_step          integer  DEFAULT NULL::integer,
  p_is_set        boolean  DEFAULT NULL::boolean,
  p_referrer      integer  DEFAULT NULL::integer,
  p_orders_below  integer  DEFAULT NULL::integer,
  p_members_below integer  DEFAULT NULL::integer,
  p_to_level      smallint DEFAULT NULL::smallint,
  p_raises        boolean  DEFAULT false
)
  RETURNS app.tree_change
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select (
    p_kind, p_member, p_order_id, p_units, p_max_depth, p_step, p_is_set, p_referrer, p_orders_below, p_members_below,
    p_to_level, p_raises
  )::app.tree_change
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
  v_limit integer := case p_keys
    when 'sample' then greatest(least(p_batch, 20), p_batch / 500, 1)
    when 'days' then greatest(p_batch / 2000, 1)
    when 'months' then greatest(p_batch / 50000, 1)
    else greatest(p_batch, 1)
  end;
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
        where r.release_date >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by r.release_date
        limit v_limit
      );
    when 'months' then
      v_keys := array(
        select c.month - date '2000-01-01' from app.closed_months as c
        where c.month >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by c.month limit v_limit
      );
    else
      v_keys := array(
        select n.key from generate_series(greatest(p_from, 1), app.sample_size(), 1) as n (key) order by n.key
        limit v_limit
      );
  end case;
  return case when cardinality(v_keys) < v_limit then 9223372036854775807 else v_keys[v_limit] end;
end
$function$;

CREATE OR REPLACE FUNCTION app.next_level_json (
  p_user     app.users,
  p_balances app.user_balances
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'agent_level', l.grade, 'agent_level_name', l.name, 'in_review',
    not p_user.is_held and p_user.left_at is null and app.tasks_are_met(l.grade, p_balances),
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object(
        'type', t.type, 'target', t.target, 'current', c.current, 'missing', greatest(t.target - c.current, 0), 'met',
        c.current >= t.target
      ) order by t.type)
      from app.agent_level_tasks as t
      cross join lateral (select (to_jsonb(p_balances) ->> t.type)::integer as current) as c
      where t.grade = l.grade
    ), '[]')
  )
  from app.agent_levels as l
  where l.is_active and l.grade > p_user.agent_level
  order by l.grade
  limit 1
$function$;

CREATE OR REPLACE FUNCTION app.next_time (
  p_schedule  text,
  p_time_zone text,
  p_now       timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with s as (
    select
      f.field, date_trunc('minute', p_now) + interval '1 minute' as first,
      ((date_trunc('minute', p_now) + interval '1 minute') at time zone p_time_zone)::date as day
    from string_to_array(p_schedule, ' ') as f (field)
  ), due as (
    select m.minute
    from s
    cross join generate_series(0, 120) as n (number)
    cross join lateral (select s.first + n.number * interval '1 minute' as minute) as m
    cross join lateral (select extract(minute from m.minute at time zone p_time_zone)::integer as minute) as local
    where s.field[2] = '*'
      and case
        when s.field[1] = '*' then true
        when s.field[1] like '*/%' then local.minute % split_part(s.field[1], '/', 2)::integer = 0
        else local.minute = s.field[1]::integer
      end
    union all
    select b.minute
    from s
    cross join app.times_of_days(p_schedule, p_time_zone, s.day - 1, s.day + 8) as t
    cross join lateral (values (t.first), (t.again)) as b (minute)
    where s.field[2] <> '*'
  )
  select min(d.minute) from s join due as d on d.minute >= s.first
$function$;

CREATE OR REPLACE FUNCTION app.note_leaving_owner()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  update app.machine_keys as k set owner_left_at = clock_timestamp()
  where k.owner = old.auth_id and k.owner_left_at is null;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION app.notice_types()
  RETURNS TABLE (
    type  text,
    topic text
  )
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  ROWS 33
  AS $function$
  values
    ('order.paid', 'orders'), ('order.shipped', 'orders'), ('order.parcel_added', 'orders'),
      ('order.received', 'orders'),
    ('order.expiring', 'orders'), ('order.expired', 'orders'), ('order.cancelled', 'orders'),
    ('refund.requested', 'refunds'), ('refund.refunded', 'refunds'), ('refund.partly_refunded', 'refunds'),
    ('refund.refused', 'refunds'),
    ('refund.taken_back', 'refunds'), ('refund.return_requested', 'refunds'),
    ('refund.return_sent', 'refunds'), ('refund.return_received', 'refunds'),
    ('commission.earned', 'commission'), ('commission.reversed', 'commission'), ('commission.matured', 'commission'),
    ('commission.held', 'commission'), ('commission.released', 'commission'),
    ('withdrawal.requested', 'withdrawals'), ('withdrawal.approved', 'withdrawals'), ('withdrawal.paid', 'withdrawals'),
    ('withdrawal.failed', 'withdrawals'), ('withdrawal.refused', 'withdrawals'), ('adjustment.booked', 'withdrawals'),
    ('member.referred', 'team'), ('level.reached', 'team'), ('profile.nickname_replaced', 'team'),
    ('profile.avatar_removed', 'team'),
    ('person.request_done', 'team'), ('person.request_refused', 'team'), ('name.checked', 'withdrawals'),
    ('name.refused', 'withdrawals'), ('points.released', 'points')
$function$;

CREATE OR REPLACE FUNCTION app.open_attempt (
  p_order_id bigint,
  p_provider text,
  p_method   text,
  p_openid   text,
  p_now      timestamp with time zone,
  OUT        attempt app.payment_attempts,
  OUT        must_close boolean
)
  RETURNS record
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.effect_time(p_now);
  v_number integer;
begin
  if v_order.paid_at is not null then
    perform app.fail('order_already_paid');
  elsif v_order.state <> 'unpaid' then
    perform app.fail('order_state_conflict', format('This order is %s and cannot be paid.', v_order.state));
  elsif v_order.pay_price = 0 then
    perform app.fail(
      'order_state_conflict', 'This order is free of charge. Payment providers do not accept a payment of zero.'
    );
  end if;
  select a.* into attempt from app.payment_attempts as a
  where a.order_id = p_order_id and a.provider = p_provider and a.state = 'open' for update;
  if found then
    must_close := attempt.method <> p_method or attempt.expires_at <= v_now + interval '1 minute'
      or (select p.openid from app.payment_payers as p where p.attempt_id = attempt.id) is distinct from p_openid;
    return;
  end if;
  -- Attempts one after the other would hold the stock for ever.
  if app.first_order_ends_at(v_order) <= v_now then
    perform app.fail('order_state_conflict', 'The time to pay this order is over. Place it again.');
  end if;
  select count(*) + 1 into v_number from app.payment_attempts as a where a.order_id = p_order_id;
  if v_number > 50 then
    perform app.fail('order_state_conflict', 'The payment of this order was started 50 times. Place a new order.');
  end if;
  must_close := false;
  insert into app.payment_attempts (order_id, attempt_no, provider, method, amount, expires_at, add_time)
  select p_order_id, v_order.order_no || '-' || v_number, p_provider, p_method, v_order.pay_price,
    v_now + make_interval(mins => s.payment_minutes), v_now
  from app.settings as s
  returning * into attempt;
  insert into app.payment_payers (attempt_id, openid) select attempt.id, p_openid where p_openid is not null;
  perform app.plan_payment_query(attempt, v_now);
  perform app.queue_close(attempt, attempt.expires_at, v_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.opening_of (
  p_uid bigint,
  OUT   brokerage numeric,
  OUT   points numeric
)
  RETURNS record
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(sum(f.brokerage_delta), 0.00), coalesce(sum(f.frozen_delta + f.available_delta), 0)
  from (select l.* from app.user_bill as l where l.uid = p_uid order by l.add_time, l.id limit 1) as f
  where f.type = 'opening_balance'
$function$;

CREATE OR REPLACE FUNCTION app.order_at (
  p_order_id bigint,
  p_at       timestamp with time zone,
  p_position bigint,
  p_by_time  boolean,
  OUT        base numeric,
  OUT        units integer,
  OUT        refund_status smallint
)
  RETURNS record
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with refunds as (
    select
      r.id, r.state,
      case
        when p_by_time then (r.decided_at, r.decided_position) <= (p_at, p_position)
        else r.decided_position <= p_position
      end as is_decided,
      case
        when p_by_time then (r.created_at, r.position) <= (p_at, p_position)
        else r.position <= p_position
      end as is_requested
    from app.refunds as r
    where r.order_id = p_order_id
  ),
  lines as (
    select
      l.paid, l.quantity, l.is_queue_goods, coalesce((
        select sum(i.quantity) from app.refund_lines as i join refunds as r on r.id = i.refund_id
        where i.line_id = l.id and app.is_paid_back(r.state) and r.is_decided
      ), 0)::integer as refunded,
      (
        -- Row order: they are added up.
        select array_agg((c.amount, c.units)::app.concession)
        from app.concessions_between(p_order_id, p_order_id) as c join refunds as r on r.id = c.refund_id
        where c.line_id = l.id and r.is_decided
      ) as concessions
    from app.order_lines as l
    where l.order_id = p_order_id
  )
  select
    coalesce(sum(app.line_left(l.paid, l.quantity, l.refunded, l.concessions)) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity - l.refunded) filter (where l.is_queue_goods), 0),
    case
      when sum(l.quantity - l.refunded) = 0 then 2
      when exists (select from refunds as r where r.is_requested and not coalesce(r.is_decided, false)) then 1
      when exists (select from refunds as r where app.is_paid_back(r.state) and r.is_decided) then 3
      else 0
    end
  from lines as l
$function$;

CREATE OR REPLACE FUNCTION app.order_expires_at (
  p_order app.orders
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return (
    select least(case
      when a.ended_at is not null then greatest(a.ended_at, s.lifecycle_from) + make_interval(
        mins => s.order_expiry_minutes
      )
      when s.offline_payment then greatest(
        p_order.add_time, s.lifecycle_from
      ) + make_interval(days => s.offline_payment_days)
      else greatest(p_order.add_time, s.lifecycle_from) + make_interval(mins => s.order_expiry_minutes)
    end, f.ends_at)
    from app.settings as s
    cross join (
      select coalesce(bool_or(p.state = 'open'), false) as is_open, max(p.ended_at) as ended_at
      from app.payment_attempts as p where p.order_id = p_order.id
    ) as a
    cross join (select app.first_order_ends_at(p_order) as ends_at) as f
    where p_order.state = 'unpaid' and not a.is_open
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.order_json (
  p_order app.orders
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_seqscan TO 'off'
  AS $function$
begin
  return (
    select jsonb_build_object(
      'id', p_order.id, 'order_no', p_order.order_no, 'uid', p_order.uid, 'referrer_uid', p_order.referrer_uid,
      'state', p_order.state, 'shown_state', app.shown_state(p_order.state, p_order.refund_status), 'total_price',
      p_order.total_price::text, 'discount', p_order.discount::text,
      'freight', p_order.freight::text, 'paid_by_points', p_order.paid_by_points::text, 'points_spent',
      trim_scale(p_order.points_spent),
      'points_left', trim_scale(p_order.points_left), 'pay_price', p_order.pay_price::text, 'queue_base',
      p_order.queue_base::text,
      'queue_units', p_order.queue_units, 'refund_status', p_order.refund_status, 'paid_at', app.utc(p_order.paid_at),
      'delivered_at', app.utc(p_order.delivered_at), 'received_at', app.utc(p_order.received_at),
      'refund_request_until', app.utc(app.refund_window_end(p_order.received_at)), 'cancelled_at',
      app.utc(p_order.cancelled_at), 'is_expired', p_order.is_expired, 'add_time', app.utc(p_order.add_time),
      'expires_at', case when p_order.state = 'unpaid' then app.utc(app.order_expires_at(p_order)) end,
      'is_imported', p_order.is_imported, 'address', p_order.address, 'remark', p_order.remark,
      'carrier', p.list #> '{0,carrier}', 'tracking_no', p.list #> '{0,tracking_no}', 'parcels', p.list,
      'units_to_ship', case when app.is_to_ship(p_order.state, p_order.refund_status) then n.units_left else 0 end,
      'lines', n.list
    )
    from (
      select coalesce(jsonb_agg(app.parcel_json(l) order by l.id), '[]') as list from app.parcels as l
      where l.order_id = p_order.id
    ) as p
    cross join (
      select
        sum(l.quantity - l.refunded_quantity) as units_left,
        jsonb_agg(jsonb_build_object(
          'id', l.id, 'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity,
          'paid_by_points', l.paid_by_points::text, 'points', trim_scale(l.points), 'paid', l.paid::text,
          'is_queue_goods', l.is_queue_goods,
          'refunded_quantity', l.refunded_quantity, 'image', app.picture_of_product(l.product_id)
        ) order by l.id) as list
      from app.order_lines as l
      where l.order_id = p_order.id
    ) as n
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.order_to_preview (
  p_order_id bigint
)
  RETURNS app.orders
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  perform app.require_paid(v_order);
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.order_with_refund (
  p_order        app.orders,
  p_items        app.refund_item[],
  p_is_requested boolean
)
  RETURNS app.orders
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := p_order;
begin
  select
    coalesce(sum(l.amount_left) filter (where l.is_queue_goods), 0),
      coalesce(sum(l.units_left) filter (where l.is_queue_goods), 0),
    case
      when sum(l.units_left) = 0 then 2
      when p_is_requested then 1
      -- Freight alone refunds a part, too.
      when p_items is not null
        or exists (select from app.refunds as r where r.order_id = p_order.id and app.is_paid_back(r.state)) then 3
      else 0
    end,
    sum(l.points_left)
  into v_order.queue_base, v_order.queue_units, v_order.refund_status, v_order.points_left
  from app.lines_with_refund(p_order.id, p_items) as l;
  return v_order;
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
  return query
    with refunded as materialized (
      select app.local_day(f.paid_at, v_zone) as paid_day, app.local_day(f.decided_at, v_zone) as day, f.amount
      from app.refunded_lines(v_from) as f where f.is_queue_goods
    ), sold as (
      select app.local_day(o.paid_at, v_zone) as day, count(*) as orders,
        count(*) filter (where o.has_queue_goods) as queue_orders,
        sum(o.queue_base) as queue_revenue
      from app.orders as o where o.paid_at >= v_from group by 1
    ), returned as (
      select m.day, sum(m.amount) as amount
      from (
        select f.paid_day as day, f.amount from refunded as f union all select f.day, -f.amount from refunded as f
      ) as m
      group by m.day
    ), booked as (
      select app.local_day(b.add_time, v_zone) as day, sum(b.brokerage_delta) as commission,
        sum(b.frozen_delta + b.available_delta) as points
      from app.bill(v_from, 'infinity') as b
      where b.source <> 'release' and b.order_id is not null and app.is_earned(b.type) group by 1
    )
    select d.day, coalesce(s.orders, 0), coalesce(s.queue_orders, 0),
      coalesce(s.queue_revenue, 0.00) + coalesce(t.amount, 0.00), coalesce(b.commission, 0.00),
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
    uid             bigint,
    owed            numeric,
    withdrawable    numeric,
    held_by_refunds numeric,
    maturing        numeric,
    after_receipt   numeric,
    next_maturity   timestamp with time zone,
    reserved        numeric,
    frozen          numeric,
    available       numeric,
    left_commission numeric,
    left_frozen     numeric,
    left_available  numeric
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
      select m.uid, sum(m.amount) as amount,
        coalesce(sum(m.amount) filter (where m.matures_at is null), 0.00) as after_receipt, min(m.matures_at) as next
      from app.maturing_at($1, $3, $4, $5) as m group by m.uid
    ), held as (
      select h.uid, sum(h.amount) as amount from app.held_at($1, $3, $4, $5) as h group by h.uid
    ), reserved as (
      select w.uid, sum(w.amount) as amount
      from app.withdrawals as w
      where w.uid > $4 and w.uid <= $5 and (w.ended_at is null or w.ended_at >= $1) and ($1 is null or w.add_time < $1)
      group by w.uid
    )
    select
      b.uid, greatest(b.brokerage, 0.00) + coalesce(r.amount, 0),
      b.brokerage - coalesce(m.amount, 0) - h.amount - l.commission, h.amount, coalesce(m.amount, 0.00),
      coalesce(m.after_receipt, 0.00), m.next, coalesce(r.amount, 0.00), b.frozen - l.frozen, b.available - l.available,
      l.commission, l.frozen, l.available
    from balances as b
    join app.users as u on u.uid = b.uid
    cross join lateral (
      select
        case when s.has_left then greatest(b.brokerage, 0.00) else 0.00 end as commission,
          case when s.has_left then b.frozen else 0.0000 end as frozen,
        case when s.has_left then greatest(b.available, 0.0000) else 0.0000 end as available
      from (select coalesce(u.left_at < $1, $1 is null and u.left_at is not null) as has_left) as s
    ) as l
    left join maturing as m on m.uid = b.uid
    left join held as d on d.uid = b.uid
    cross join lateral (
      select app.held_of_matured(b.brokerage - coalesce(m.amount, 0), coalesce(d.amount, 0.00)) as amount
    ) as h
    left join reserved as r on r.uid = b.uid
  $sql$, app.balances_query(p_at)) using p_at, p_at + interval '31 days', p_now, p_after, p_to;
end
$function$;

CREATE OR REPLACE FUNCTION app.owed_totals (
  p_at  timestamp with time zone,
  p_now timestamp with time zone,
  OUT   owed numeric,
  OUT   withdrawable numeric,
  OUT   held_by_refunds numeric,
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
  OUT   released_members bigint,
  OUT   left_members bigint,
  OUT   left_commission numeric,
  OUT   left_frozen numeric,
  OUT   left_available numeric
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_balance numeric;
  v_in_debt bigint;
  v_left record;
begin
  execute format($sql$
    select
      coalesce(sum(b.brokerage) filter (where b.brokerage > 0), 0.00),
        coalesce(-sum(b.brokerage) filter (where b.brokerage < 0), 0.00),
      count(*) filter (where b.brokerage < 0), coalesce(sum(b.frozen), 0),
      coalesce(sum(b.available) filter (where b.available > 0), 0),
      coalesce(-sum(b.available) filter (where b.available < 0), 0), count(*) filter (where b.available < 0),
      coalesce(sum(b.frozen) filter (where app.release_amount(b.frozen) > 0), 0),
      count(*) filter (where app.release_amount(b.frozen) > 0)
    from (%s) as b
  $sql$, app.balances_query(p_at))
  into v_balance, debts_uncovered, debtors, frozen, available, negative, negative_members, releasing, released_members
  using p_at, p_at + interval '31 days';
  execute format($sql$
    select
      coalesce(sum(m.amount), 0.00), coalesce(sum(m.after_receipt), 0.00),
        coalesce(sum(greatest(m.amount - greatest(b.brokerage, 0.00), 0.00)), 0.00),
      count(*) filter (where b.brokerage >= 0 and b.brokerage < m.amount),
      coalesce(sum(app.held_of_matured(b.brokerage - m.amount, m.held)), 0.00)
    from (
      select t.uid, sum(t.amount) as amount, sum(t.after_receipt) as after_receipt, sum(t.held) as held
      from (
        select g.uid, g.amount, case when g.matures_at is null then g.amount end as after_receipt, 0.00 as held
        from app.maturing_at($1, $3) as g
        union all
        select h.uid, 0.00, null, h.amount from app.held_at($1, $3) as h
      ) as t
      group by t.uid
    ) as m
    join (%s) as b on b.uid = m.uid
  $sql$, app.balances_query(p_at))
  into maturing, after_receipt, debts_covered, v_in_debt, held_by_refunds
  using p_at, p_at + interval '31 days', p_now;
  reserved := coalesce((
    select sum(w.amount) from app.withdrawals as w
    where (w.ended_at is null or w.ended_at >= p_at) and (p_at is null or w.add_time < p_at)
  ), 0.00);
  v_left := app.left_totals(p_at);
  left_members := v_left.members;
  left_commission := v_left.commission;
  left_frozen := v_left.frozen;
  left_available := v_left.available;
  owed := v_balance + reserved;
  withdrawable := v_balance - left_commission - maturing + debts_covered - held_by_refunds;
  debtors := debtors + v_in_debt;
  frozen := frozen - left_frozen;
  available := available - left_available;
  releasing := releasing - v_left.releasing;
  released_members := released_members - v_left.released_members;
end
$function$;

CREATE OR REPLACE FUNCTION app.paid_back_lines (
  p_refund app.refunds
)
  RETURNS TABLE (
    line_id        bigint,
    product_id     bigint,
    is_queue_goods boolean,
    units          integer,
    amount         numeric
  )
  LANGUAGE sql
  STABLE
  AS $function$
  select l.id, l.product_id, l.is_queue_goods, x.quantity, case
    when x.concession > 0 then x.concession
    else app.line_left(l.paid, l.quantity, b.units, c.list) - app.line_left(
      l.paid, l.quantity, b.units + x.quantity, c.list
    )
  end
  from app.refund_lines as x
  join app.order_lines as l on l.id = x.line_id
  cross join lateral (
    select coalesce(pg_catalog.sum(y.quantity), 0)::pg_catalog.int4 as units,
      pg_catalog.bool_or(y.concession > 0) as is_conceded
    from app.refund_lines as y join app.refunds as e on e.id = y.refund_id
    where y.line_id = l.id and app.is_paid_back(e.state) and e.decided_position < p_refund.decided_position
  ) as b
  left join lateral (
    -- Row order: they are added up.
    select pg_catalog.array_agg((k.amount, k.units)::app.concession) as list
    from app.concessions_between(l.order_id, l.order_id) as k
    where b.is_conceded and k.line_id = l.id and k.decided_position < p_refund.decided_position
  ) as c on true
  where x.refund_id = p_refund.id and (x.quantity > 0 or x.concession > 0)
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
    where u.add_time < p_as_of
      and not exists (select from app.imported_members as i where i.uid = u.uid and i.imported_at >= p_as_of)
  ) then
    perform app.fail('invalid_argument', 'The store had no members at the time of as_of.');
  end if;
  return p_as_of;
end
$function$;

CREATE OR REPLACE FUNCTION app.pay_locked_order (
  p_order    app.orders,
  p_pay_type text,
  p_pay_ref  text,
  p_now      timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := p_order;
  v_now timestamptz := app.effect_time(p_now);
begin
  if coalesce(p_pay_type, '') !~ '^[a-z][a-z0-9_]{0,31}$'
    or coalesce(char_length(p_pay_ref), 0) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment needs a type and a reference of 1 to 128 characters.');
  end if;
  if v_order.paid_at is not null then
    if v_order.pay_type = 'free' or (v_order.pay_type = p_pay_type and v_order.pay_ref = p_pay_ref) then
      return v_order;
    end if;
    perform app.fail('order_already_paid', 'This order was already paid with another payment reference.');
  elsif v_order.state <> 'unpaid' then
    perform app.fail('order_state_conflict', format('This order is %s and cannot be paid.', v_order.state));
  end if;

  begin
    with plan as (
      select p.version, p.minimum_base, p.brokerage_timing from app.commission_plans as p order by p.version desc
      limit 1
    ),
    job as (
      insert into app.settlement_jobs (order_id, run_after, created_at)
      select v_order.id, v_now, v_now from plan as p where p.brokerage_timing = 'on_pay' and v_order.has_queue_goods
    )
    update app.orders as o
    set state = 'paid', plan_version = p.version,
      below_minimum = o.has_queue_goods and app.is_below_minimum(o.queue_base, p.minimum_base),
        pay_type = p_pay_type, pay_ref = p_pay_ref, paid_at = v_now
    from plan as p
    where o.id = v_order.id
    returning o.* into v_order;
  exception when unique_violation then
    perform app.fail('payment_reference_used', 'This payment reference already paid another order.');
  end;
  perform app.close_open_attempts(v_order.id, v_now);
  perform app.write_event(
    'order.paid', v_order.id, v_order.uid, jsonb_build_object('pay_price', v_order.pay_price::text), v_now
  );
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.pay_order_offline (
  p_order   app.orders,
  p_pay_ref text,
  p_by      uuid,
  p_now     timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_waiting app.waiting_payments;
  v_pay_ref text;
begin
  if not app.is_line(p_pay_ref) then
    perform app.reject_text('/pay_ref');
  end if;
  select w.* into v_waiting from app.waiting_payments as w where w.order_id = p_order.id and w.refused_at is null;
  v_pay_ref := coalesce(p_pay_ref, v_waiting.pay_ref, 'order-' || p_order.id);
  if p_order.state = 'unpaid' and coalesce(v_waiting.marked_by = p_by, true)
    and not app.decide_alone('offline_payment', p_order.pay_price, 0, p_by, p_order.uid, p_now) then
    if char_length(v_pay_ref) not between 1 and 128 then
      perform app.fail('invalid_argument', 'A payment needs a type and a reference of 1 to 128 characters.');
    end if;
    insert into app.waiting_payments (order_id, pay_ref, marked_by, add_time) values (
      p_order.id, v_pay_ref, p_by, app.effect_time(p_now)
    )
    on conflict (order_id) do update
      set pay_ref = excluded.pay_ref, marked_by = excluded.marked_by, add_time = excluded.add_time, refused_by = null,
        refused_at = null, reason = null
      where waiting_payments.refused_at is not null;
    return p_order;
  elsif p_order.state = 'unpaid' and v_waiting.marked_by <> p_by then
    perform app.reject_key_as_second();
  end if;
  delete from app.waiting_payments as w where w.order_id = p_order.id;
  return app.pay_locked_order(p_order, 'offline', v_pay_ref, p_now);
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
    'nickname', 'referrer_nickname', 'avatar', 'phone', 'address', 'remark', 'account', 'account_no', 'holder', 'bank',
      'return_carrier', 'return_tracking_no',
    'last_problem', 'refusal_reason'
  ] || case when p_function <> 'get_settlement' then array['reason'] end
    || case when p_function = 'get_signals' then array['name', 'number'] end
$function$;

CREATE OR REPLACE FUNCTION app.placed_after (
  p_order app.orders
)
  RETURNS bigint
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select u.spread_position from app.users as u
  where u.uid = p_order.uid and u.spread_time = p_order.add_time and u.spread_uid = p_order.referrer_uid
$function$;

CREATE OR REPLACE FUNCTION app.postpone_subject (
  p_delivery    app.webhook_deliveries,
  p_retry_after integer,
  p_now         timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_sort TO 'off'
  AS $function$
  update app.webhook_deliveries as d
  set run_after = p_now + least(
    greatest(p_now - p_delivery.began_at, interval '10 seconds', p_retry_after * interval '1 second'),
    interval '6 hours'
  )
  from (
    select b.id from app.webhook_deliveries as b
    where b.webhook_id = p_delivery.webhook_id and b.subject = p_delivery.subject
      and b.subject_id = p_delivery.subject_id and b.state = 'waiting'
    order by b.era, b.xid, b.event_id, b.kind
  ) as o
  where d.id = o.id and d.state = 'waiting'
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
    perform app.fail(
      'invalid_argument', format('The releases of %s cannot be compacted: %s.', to_char(p_month, 'YYYY-MM'), v_obstacle)
    );
  end if;
  for v_try in 1..40 loop
    begin
      -- A late release holds them until its record is committed (app.reject_compacted_release).
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
    perform app.fail(
      'invalid_argument', format('The releases of %s cannot be compacted: %s.', to_char(p_month, 'YYYY-MM'), v_obstacle)
    );
  end if;
  insert into app.compacted_months (month) values (p_month);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.preview_refund (
  p_order_id        bigint,
  p_lines           jsonb,
  p_now             timestamp with time zone,
  p_amount          numeric                  DEFAULT NULL::numeric,
  p_freight         numeric                  DEFAULT NULL::numeric,
  p_answers_request boolean                  DEFAULT NULL::boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.order_to_preview(p_order_id);
  v_items app.refund_item[];
  v_answer app.request_answer;
  v_freight numeric;
  v_facts app.refund_facts;
  v_decision record;
begin
  v_items := app.refund_items(p_order_id, p_lines, coalesce(p_answers_request, true), true, p_amount, p_freight);
  v_answer := app.request_answer(p_order_id, v_items, p_answers_request);
  v_freight := app.refund_freight(v_order, v_items, coalesce(p_freight, case when p_amount is not null then 0 end));
  v_facts := app.load_refund(
    v_order, v_items, p_is_requested => v_answer.state is not distinct from 'requested', p_locks => false
  );
  v_decision := app.decide_refund(v_facts);
  return app.refund_preview_json(v_order, v_items, v_freight) || jsonb_build_object(
    'refund_status', (v_facts.after).refund_status, 'request_state', v_answer.state, 'is_imported', v_order.is_imported,
    'reversals', app.foreseen_bill(v_decision.entries, app.effect_time(p_now)),
    'reopened_place', case when cardinality(v_decision.cycles) > 0 then jsonb_build_object(
      'uid', (v_facts.settlement).earner_uid, 'cycle_no', (v_facts.settlement).cycle_no, 'place',
      (v_facts.settlement).place
    ) end
  ) || app.foreseen_members((v_facts.state).members, v_decision.members, v_decision.rises);
end
$function$;

CREATE OR REPLACE FUNCTION app.preview_refusal (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.order_to_preview(p_order_id);
  v_facts app.refund_facts;
  v_decision record;
begin
  perform app.require_open_request(p_order_id);
  v_facts := app.load_refund(v_order, p_items => null, p_is_requested => false, p_locks => false);
  v_decision := app.decide_refund(v_facts);
  return app.foreseen_members((v_facts.state).members, v_decision.members, v_decision.rises);
end
$function$;

CREATE OR REPLACE FUNCTION app.preview_request (
  p_order_id bigint,
  p_lines    jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.order_to_preview(p_order_id);
  v_items app.refund_item[];
begin
  perform app.require_open_window(v_order, app.effect_time(null));
  v_items := app.refund_items(p_order_id, p_lines, false);
  return app.refund_preview_json(v_order, v_items, app.default_freight(v_order, v_items));
end
$function$;

CREATE OR REPLACE FUNCTION app.preview_withdrawal_batch (
  p_method     text,
  p_except_uid bigint,
  p_by         uuid,
  p_now        timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_ids bigint[];
begin
  perform app.check_batch_method(p_method);
  v_ids := array(
    select w.id from app.withdrawals as w where w.state = 'approved' and app.fits_batch(w, p_method, p_except_uid, p_by)
    order by w.id limit app.most_in_batch()
  );
  return (
    select jsonb_build_object(
      'method', p_method, 'withdrawals', cardinality(v_ids), 'held', count(*), 'held_by_refunds', sum(h.amount)::text
    )
    from app.held_withdrawals(v_ids, p_now) as h
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.price_left (
  p_order app.orders
)
  RETURNS numeric
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select p_order.pay_price - coalesce((select r.amount from app.refunded_amounts(p_order.id, null, null) as r), 0.00)
$function$;

CREATE OR REPLACE FUNCTION app.progress_at (
  p_balances app.user_balances,
  p_at       timestamp with time zone
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select p
  from (
    select a.* from app.commission_plans as a
    where a.created_at < p_at or a.version = (select min(f.version) from app.commission_plans as f)
    order by a.version desc limit 1
  ) as active
  cross join lateral app.progress_json(
    p_balances, active,
    array(
      select s.place from app.taken_places as s
      where s.earner_uid = p_balances.uid and p_balances.cycle_is_open and s.cycle_no = p_balances.cycle_no
        and s.settled_at < p_at and (s.place_freed_at is null or s.place_freed_at >= p_at)
      order by s.place
    ),
    exists (
      select from app.orders as o
      where o.uid = p_balances.uid and o.paid_at < p_at and o.has_queue_goods and not o.below_minimum
        and (o.queue_units > 0 or (app.order_at(o.id, p_at, 0, true)).units > 0)
    ) and not exists (select from app.users as u where u.uid = p_balances.uid and u.left_at < p_at)
  ) as p
$function$;

CREATE OR REPLACE FUNCTION app.raise_after_hold (
  p_user     app.users,
  p_position bigint,
  p_now      timestamp with time zone
)
  RETURNS app.users
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_user app.users;
begin
  perform app.lock_balances(array[p_user.uid]);
  perform app.raise_members((app.decide_levels(
    array[app.new_tree_change('grade', 1, p_is_set => false, p_to_level => p_user.agent_level, p_raises => true)],
    (app.read_members(array[p_user.uid], '{}')).members,
    (select l.rules from app.level_versions as l order by l.version desc limit 1)
  )).rises, p_position, p_now);
  select u.* into v_user from app.users as u where u.uid = p_user.uid;
  return v_user;
end
$function$;

CREATE OR REPLACE FUNCTION app.raise_members (
  p_rises    app.level_rise[],
  p_position bigint,
  p_now      timestamp with time zone,
  p_cause    text                     DEFAULT NULL::text,
  p_cause_id bigint                   DEFAULT NULL::bigint
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
begin
  if cardinality(p_rises) > 0 then
    perform app.book_rises(p_rises, p_now, p_position);
    perform app.write_events(array(
      select (
        'level.reached', r.uid, r.uid, jsonb_build_object('from_level', r.from_level, 'to_level', r.to_level), p_cause,
        p_cause_id
      )::app.event
      from unnest(p_rises) with ordinality as r (order_id, uid, from_level, to_level, cause, change, ordinality)
      order by r.ordinality
    ), p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.reach_actions (
  p_from timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_dropped_until timestamptz := app.actions_dropped_until();
begin
  perform app.hold_actions(v_dropped_until);
  if p_from < v_dropped_until then
    perform app.fail(
      'actions_dropped', format('Actions before %s were exported and dropped.', app.utc(v_dropped_until))
    );
  end if;
  return v_dropped_until;
end
$function$;

CREATE OR REPLACE FUNCTION app.read_members (
  p_uids    bigint[],
  p_earners bigint[],
  OUT       members app.tree_member[],
  OUT       cycles app.cycle_state[],
  OUT       plans integer[]
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_hashjoin TO 'off'
  SET enable_mergejoin TO 'off'
  AS $function$
begin
  -- Row order: that of the subquery.
  select array_agg(m.member), array_agg(m.cycle), array_agg((m.cycle).plan_version)
  into members, cycles, plans
  from (
    select
      (
        u.uid,
        case when u.spread_uid = p_uids[width_bucket(u.spread_uid, p_uids)] then width_bucket(u.spread_uid, p_uids) end,
        u.agent_level, u.is_held, u.no_assess, b.own_orders, b.direct_orders, b.umbrella_orders, b.direct_members,
        b.umbrella_members, false, u.left_at is not null
      )::app.tree_member as member,
      case when u.uid = any (p_earners) then (
        u.uid,
        (
          select min(o.paid_at) from app.orders as o
          where o.uid = u.uid and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
        ),
        b.cycle_no, b.cycle_plan_version, b.cycle_is_open, t.places, t.orders,
        0
      )::app.cycle_state end as cycle
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    left join lateral (
      -- Row order: any sequence of places. Two aggregates of one query read its rows in the same one, so an order has
      -- the index of its place.
      select coalesce(array_agg(s.place), '{}') as places, coalesce(array_agg(s.order_id), '{}') as orders
      from app.taken_places as s
      where b.cycle_is_open and u.uid = any (p_earners) and s.earner_uid = u.uid and s.cycle_no = b.cycle_no
        and s.place_freed_at is null
    ) as t on true
    where u.uid = any (p_uids)
    order by u.uid
  ) as m;
end
$function$;

CREATE OR REPLACE FUNCTION app.reason_of_forfeit()
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select 'Given up with the deletion of the account'
$function$;

CREATE OR REPLACE FUNCTION app.reconcile()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
declare
  v_check record;
begin
  for v_check in select c.* from app.reconcile_checks() as c order by c.check_no loop
    return query execute format('select * from app.%I()', v_check.name);
  end loop;
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
begin
  return query
    with booked as (
      select
        l.adjustment_id as id, min(l.uid) as uid, count(*) as rows, sum(l.brokerage_delta) as brokerage,
        sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available, min(l.add_time) as booked_at
      from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to and l.adjustment_id is not null
      group by l.adjustment_id
    ),
    stated as (
      select a.id, a.uid, 1::bigint as rows, a.brokerage_delta as brokerage, a.frozen_delta as frozen,
        a.available_delta as available, a.decided_at as booked_at
      from app.adjustments as a
      where a.uid between p_from and p_to and a.decided_at >= p_since and a.state = 'booked'
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
begin
  return query
    select
      'amount_is_basis_times_rate', format('bill %s', l.id), e.amount::text, a.amount::text
    from app.bill(p_since, 'infinity') as l
    cross join lateral (
      select case
        when app.is_money(l.type) then l.brokerage_delta
        when app.is_earned(l.type) then greatest(l.frozen_delta, l.available_delta)
        else -l.available_delta
      end as amount
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
begin
  return query
    with booked as materialized (
      select
        -- The last row is that with the highest id, and ids differ. A second look at the bill would cost as much as the
        -- sums.
        l.uid, max(array[l.id, l.brokerage_after, l.frozen_after, l.available_after]) as last,
        sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available,
        coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0) as commission,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0) as points
      from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to
      group by l.uid
    ),
    sums as (
      select
        uid, coalesce(b.brokerage, 0) + coalesce(c.brokerage, 0) as brokerage,
        coalesce(b.frozen, 0) + coalesce(c.frozen, 0) as frozen,
        coalesce(b.available, 0) + coalesce(c.available, 0) as available,
        coalesce(b.commission, 0) + coalesce(c.commission, 0) as commission,
        coalesce(b.points, 0) + coalesce(c.points, 0) as points
      from booked as b
      full join (
        select t.uid, t.brokerage, t.frozen, t.available, t.commission, t.points
        from app.carried_balances as t where t.uid between p_from and p_to and p_since > '-infinity'
      ) as c using (uid)
    )
    select
      'balance_equals_bill', format('uid %s', b.uid),
      format(
        '%s %s %s earned %s and %s', coalesce(s.brokerage, 0), coalesce(s.frozen, 0), coalesce(s.available, 0),
        coalesce(s.commission, 0), coalesce(s.points, 0)
      ),
      format(
        '%s %s %s earned %s and %s', b.brokerage_price, b.frozen_points, b.available_points, b.total_brokerage,
        b.total_points_earned
      )
    from app.user_balances as b
    left join sums as s on s.uid = b.uid
    where b.uid between p_from and p_to
      and (b.brokerage_price, b.total_brokerage, b.frozen_points, b.available_points, b.total_points_earned)
      is distinct from (
        coalesce(s.brokerage, 0), coalesce(s.commission, 0), coalesce(s.frozen, 0), coalesce(s.available, 0),
        coalesce(s.points, 0)
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

CREATE OR REPLACE FUNCTION app.reconcile_causes (
  p_from bigint,
  p_to   bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select
    'level_change_has_its_cause', format('level change %s of uid %s', c.id, c.uid),
      format('a rise, and %s at its position', c.cause),
    format('from %s to %s at position %s', c.from_level, c.to_level, c.position)
  from app.level_changes as c
  where c.uid between p_from and p_to and c.cause <> 'order' and (c.to_level <= c.from_level or not case c.cause
    when 'refund' then exists (
      select from app.refunds as r where r.order_id = c.order_id and r.decided_position = c.position
    )
    -- Hashed once, because these positions have no index.
    when 'assess' then c.position in (select n.position from app.no_assess_changes as n where not n.to_value)
    when 'refer' then c.position in (select u.spread_position from app.users as u where u.spread_uid is not null)
    when 'import' then exists (select from app.imports as i where i.finished_position = c.position)
    when 'hold' then exists (
      select from app.level_changes as h
      where h.uid = c.uid and h.position = c.position and h.from_held and not h.to_held
    )
  end)
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_checks()
  RETURNS TABLE (
    check_no integer,
    name     text,
    keys     text,
    is_dated boolean
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select c.check_no, c.name, c.keys, c.is_dated
  from (values
    (1, 'reconcile_balances', 'members', true),
    (2, 'reconcile_amounts', 'members', true),
    (3, 'reconcile_counters', 'members', true),
    (4, 'reconcile_levels', 'members', false),
    (5, 'reconcile_orders', 'orders', false),
    (6, 'reconcile_settlements', 'orders', false),
    (7, 'reconcile_cycles', 'members', true),
    (8, 'reconcile_grants', 'orders', false),
    (9, 'reconcile_reversals', 'orders', false),
    (10, 'reconcile_jobs', null, false),
    (11, 'reconcile_sample', 'sample', true),
    (12, 'reconcile_release_runs', 'days', false),
    (13, 'reconcile_releases', 'members', true),
    (14, 'reconcile_refunds', 'orders', false),
    (15, 'reconcile_payments', 'orders', false),
    (16, 'reconcile_provider_refunds', null, false),
    (17, 'reconcile_stock', 'orders', false),
    (18, 'reconcile_article_pool', null, false),
    (19, 'reconcile_team_totals', 'members', true),
    (20, 'reconcile_imports', null, false),
    (21, 'reconcile_maturities', 'orders', false),
    (22, 'reconcile_withdrawals', 'members', true),
    (23, 'reconcile_order_points', 'orders', false),
    (24, 'reconcile_points', 'members', true),
    (25, 'reconcile_adjustments', 'members', true),
    (26, 'reconcile_closed_months', 'months', false),
    (27, 'reconcile_transfers', null, false),
    (28, 'reconcile_times', 'members', false),
    (29, 'reconcile_tax', 'members', false),
    (30, 'reconcile_holds', null, false),
    (31, 'reconcile_leavers', 'members', false),
    (32, 'reconcile_referrers', 'orders', false)
  ) as c (check_no, name, keys, is_dated)
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_closed_months (
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
  v_month app.closed_months;
begin
  for v_month in
    select c.* from app.closed_months as c where c.month between app.day_of_key(p_from) and app.day_of_key(p_to)
    order by c.month
  loop
    return query
      select 'closed_month_equals_its_rows', to_char(v_month.month, 'YYYY-MM'), v_month.sums::text, s.sums::text
      from (select app.bill_sums(v_month.begins_at, v_month.ends_at) as sums) as s
      where s.sums <> v_month.sums;
    return query
      select 'closed_month_rejects_rows', to_char(v_month.month, 'YYYY-MM'), 'a constraint',
        format('none on %s', p.part)
      from app.partitions_of(v_month.begins_at, v_month.ends_at) as p (part)
      where not exists (
        select from pg_constraint as c
        where c.conrelid = p.part and c.conname = to_char(v_month.month, '"month_"YYYY_MM"_is_closed"')
      );
  end loop;
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
      where b.uid between p_from and p_to
        and (p_since = '-infinity' or exists (select from app.changed_orders as c where c.earner_uid = b.uid))
    ),
    places as materialized (
      select s.*, o.queue_base as base_left
      from app.taken_places as s
      left join app.orders as o on o.id = s.order_id
      where s.earner_uid between p_from and p_to
        and (p_since = '-infinity' or exists (select from app.changed_orders as c where c.earner_uid = s.earner_uid))
    ),
    cycles as materialized (
      select
        p.earner_uid as uid, p.cycle_no, min(p.cycle_plan_version) as plan_version,
        max(p.cycle_plan_version) as greatest_version,
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
      select o.uid, o.paid_at,
        max(case when o.refund_status = 2 or o.queue_units = 0 then r.ended_position end) as ended_position,
        bool_or(o.refund_status <> 2 and o.queue_units > 0) as stands
      from app.orders as o
      left join (
        select f.order_id, max(f.decided_position) as ended_position from app.refunds as f
        where app.is_paid_back(f.state) group by f.order_id
      ) as r on r.order_id = o.id
      where o.uid in (select p.earner_uid from places as p) and o.paid_at is not null and o.has_queue_goods
        and not o.below_minimum
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
      concat_ws(
        ' ', coalesce(l.cycle_no, 0), 'plan', l.plan_version, case when l.is_open then 'open' else 'closed' end
      ),
      concat_ws(' ', b.cycle_no, 'plan', b.cycle_plan_version, case when b.cycle_is_open then 'open' else 'closed' end)
    from members as b
    left join last_cycles as l on l.uid = b.uid
    where (b.cycle_no, b.cycle_plan_version, b.cycle_is_open)
      is distinct from (coalesce(l.cycle_no, 0), l.plan_version, coalesce(l.is_open, false))
    union all
    select
      'cycle_has_its_places', format('cycle %s of uid %s', c.cycle_no, c.uid),
      format('plan %s, places up to %s, next cycle %s', c.plan_version, v.people_per_cycle, c.cycle_no + 1),
      concat_ws(
        ' ', 'plan', c.greatest_version, 'places up to', c.greatest_place, 'taken', c.taken, 'next cycle', c.next_no
      )
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
        where r.order_id = p.order_id and app.is_paid_back(r.state) and r.decided_position = p.place_freed_position
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

CREATE OR REPLACE FUNCTION app.reconcile_decisions (
  p_sample integer                  DEFAULT 200,
  p_seed   bigint                   DEFAULT 0,
  p_skip   integer                  DEFAULT 0,
  p_since  timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select 'decision_equals_what_was_booked', format('order %s, %s', s.order_id, d.subject), d.expected, d.actual
  from (
    select s.* from app.settlements as s where s.state <> 'imported' and s.settled_at >= p_since
    order by hashint8extended(s.order_id, p_seed), s.order_id limit p_sample offset p_skip
  ) as s
  cross join lateral app.settlement_differences(s) as d
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
begin
  return query
    with grants as materialized (
      select l.* from app.bill('-infinity', 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    ),
    reversed as (
      select l.reverses_id, sum(l.brokerage_delta + l.frozen_delta + l.available_delta) as amount
      from app.bill('-infinity', 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is not null
      group by l.reverses_id
    )
    select
      'grant_has_its_settlement', format('bill %s of order %s', g.id, g.order_id),
      concat_ws(
        ' ', coalesce(s.state, 'no settlement'), s.reason, app.utc(s.settled_at),
        case when g.source = 'cycle' then s.earner_uid end
      ),
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
      'remaining_grant_equals_what_is_left', format('bill %s of order %s', g.id, g.order_id), a.amount::text,
        t.remaining::text
    from grants as g
    join app.orders as o on o.id = g.order_id
    join app.settlements as s on s.order_id = g.order_id
    left join reversed as r on r.reverses_id = g.id
    cross join lateral (
      select app.grant_amount(
        g.type, app.basis_left(g.type, g.source, o.queue_base, o.queue_units, s.rate), g.rate
      ) as amount
    ) as a
    cross join lateral (select g.brokerage_delta + g.frozen_delta + coalesce(r.amount, 0) as remaining) as t
    where t.remaining <> a.amount;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_holds()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET enable_seqscan TO 'off'
  SET jit TO 'off'
  AS $function$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return query
    with earned as (
      select s.earner_uid as uid, sum(l.amount) as amount
      from app.refunds as r
      join app.orders as o on o.id = r.order_id
      join app.settlements as s on s.order_id = r.order_id
      join app.users as u on u.uid = s.earner_uid and u.left_at is null
      join app.commission_plans as p on p.version = s.order_plan_version
      cross join lateral (
        select sum(b.brokerage_delta) as amount from app.bill(s.settled_at, 'infinity') as b
        where b.order_id = r.order_id offset 0
      ) as l
      where r.state = 'requested' and s.commission > 0
        and app.matures_at(o.received_at, s.settled_at, p.holding_days) <= v_now and exists (
        select from app.refund_lines as x join app.order_lines as q on q.id = x.line_id
        where x.refund_id = r.id and q.is_queue_goods
      )
      group by s.earner_uid
    ),
    members as (
      select e.uid from earned as e union select h.uid from app.held_at(null, v_now) as h
    ),
    held as (
      select
        m.uid, least(
          greatest(
            b.brokerage_price - coalesce((select sum(c.amount_left) from app.maturing(m.uid, v_now) as c), 0.00), 0.00
          ),
          coalesce(e.amount, 0.00)
        ) as anew, (app.commission_parts(m.uid, v_now)).held_by_refunds as shown,
        coalesce(o.held_by_refunds, 0.00) as listed
      from members as m
      join app.user_balances as b on b.uid = m.uid
      left join earned as e on e.uid = m.uid
      left join lateral app.owed_at(null, v_now, m.uid - 1, m.uid) as o on true
    )
    select 'held_equals_the_open_requests', format('user %s', h.uid), h.anew::text, concat_ws(' ', h.shown, h.listed)
    from held as h where h.anew <> h.shown or h.anew <> h.listed;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_leavers (
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
    with leavers as (
      select u.uid, u.left_at, u.left_position, b.brokerage_price, b.frozen_points, b.available_points
      from app.users as u join app.user_balances as b on b.uid = u.uid
      where u.uid between p_from and p_to and u.left_position is not null
    )
    select 'nobody_earns_after_leaving', format('order %s', s.order_id), 'another earner, or none',
      format('uid %s', l.uid)
    from leavers as l join app.settlements as s on s.earner_uid = l.uid and s.position > l.left_position
    union all
    select 'nobody_gets_points_after_leaving', format('bill %s', g.id), 'no points',
      format('%s of uid %s', g.frozen_delta, l.uid)
    from leavers as l
    join lateral app.bill(l.left_at, 'infinity') as g on g.uid = l.uid and g.source in ('direct', 'umbrella')
      and g.reverses_id is null
    join app.settlements as s on s.order_id = g.order_id and s.position > l.left_position
    union all
    select 'nobody_joins_below_who_left', format('uid %s', m.uid), 'no referrer', format('uid %s', l.uid)
    from leavers as l
    join app.users as m on m.spread_uid = l.uid and m.spread_position > l.left_position
    where not exists (select from app.imported_members as i where i.uid = m.uid)
    union all
    select
      'what_was_given_up_is_not_owed', format('uid %s', l.uid), 'nothing',
      concat_ws(' ', l.brokerage_price, 'commission', l.frozen_points, 'frozen', l.available_points, 'available')
    from leavers as l
    where greatest(l.brokerage_price, l.frozen_points, l.available_points) > 0 and app.gave_up(l.uid);
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_levels (
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
    with changes as materialized (
      select
        c.*,
        coalesce(lag(c.to_level) over earlier, 0::smallint) as level_before,
        coalesce(lag(c.to_held) over earlier, false) as held_before,
        lead(c.id) over earlier is null as is_last
      from app.level_changes as c
      where c.uid between p_from and p_to
      window earlier as (partition by c.uid order by c.id)
    ),
    flags as materialized (
      select c.*, coalesce(lag(c.to_value) over earlier, false) as value_before,
        lead(c.id) over earlier is null as is_last
      from app.no_assess_changes as c
      where c.uid between p_from and p_to
      window earlier as (partition by c.uid order by c.id)
    )
    select
      'level_equals_last_change', format('uid %s', u.uid),
      concat_ws(' ', coalesce(c.to_level, 0), case when c.to_held then 'held' end),
      concat_ws(' ', u.agent_level, case when u.is_held then 'held' end)
    from app.users as u
    left join changes as c on c.uid = u.uid and c.is_last
    where u.uid between p_from and p_to
      and (u.agent_level, u.is_held) <> (coalesce(c.to_level, 0::smallint), coalesce(c.to_held, false))
    union all
    select
      'level_change_follows_the_one_before', format('level change %s of uid %s', c.id, c.uid),
      concat_ws(' ', c.level_before, case when c.held_before then 'held' end),
      concat_ws(' ', c.from_level, case when c.from_held then 'held' end)
    from changes as c
    where (c.from_level, c.from_held) <> (c.level_before, c.held_before)
    union all
    select
      'level_change_has_its_settlement', format('level change %s of uid %s', c.id, c.uid),
      format('a rise at position %s', s.position),
      format('from %s to %s at position %s', c.from_level, c.to_level, c.position)
    from changes as c
    left join app.settlements as s on s.order_id = c.order_id
    where c.reason = 'tasks' and coalesce(c.cause, 'order') = 'order'
      and (s.position is distinct from c.position or c.to_level <= c.from_level)
    union all
    select * from app.reconcile_causes(p_from, p_to)
    union all
    select 'no_assess_equals_last_change', format('uid %s', u.uid), coalesce(f.to_value, false)::text, u.no_assess::text
    from app.users as u
    left join flags as f on f.uid = u.uid and f.is_last
    where u.uid between p_from and p_to and u.no_assess <> coalesce(f.to_value, false)
    union all
    select 'no_assess_change_follows_the_one_before', format('change %s of uid %s', f.id, f.uid), f.value_before::text,
      f.from_value::text
    from flags as f
    where f.from_value <> f.value_before
    union all
    select 'levels_equal_last_version', 'level settings', v.levels::text, app.levels_json()::text
    from app.level_versions as v
    where v.version = (select max(n.version) from app.level_versions as n) and v.levels <> app.levels_json()
      and p_from = 0;
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
begin
  return query
    with due as (
      select
        s.order_id, s.earner_uid as uid, app.matures_at(o.received_at, s.settled_at, p.holding_days) as matures_at,
        s.commission + coalesce(sum(l.brokerage_delta), 0) as amount_left
      from app.settlements as s
      join app.orders as o on o.id = s.order_id
      join app.commission_plans as p on p.version = s.order_plan_version
      left join app.bill('-infinity', 'infinity') as l on l.order_id = s.order_id and l.type = 'brokerage_reversal'
      where s.order_id between p_from and p_to and s.commission > 0
      group by s.order_id, o.received_at, p.holding_days
    )
    select
      'maturity_equals_its_settlement', format('order %s', coalesce(d.order_id, m.order_id)),
      concat_ws(' ', d.amount_left, 'of uid', d.uid, 'at', app.utc(d.matures_at)),
      concat_ws(' ', m.amount_left, 'of uid', m.uid, 'at', app.utc(m.matures_at))
    from due as d
    full join (
      select t.* from app.commission_maturities as t where t.order_id between p_from and p_to
    ) as m on m.order_id = d.order_id
    where (d.uid, d.amount_left, d.matures_at) is distinct from (m.uid, m.amount_left, m.matures_at);
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_order_points (
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
    with lines as (
      select
        l.order_id, sum(l.paid_by_points) as money, sum(l.points) as points,
        sum(app.points_left(l.points, l.quantity, l.refunded_quantity)) as points_left
      from app.order_lines as l
      where l.order_id between p_from and p_to
      group by l.order_id
    ),
    refunded as (
      select r.order_id, sum(r.points) as points
      from app.refunds as r
      where r.order_id between p_from and p_to and app.is_paid_back(r.state)
      group by r.order_id
    )
    select
      'points_of_an_order_equal_its_lines', format('order %s', o.id),
      concat_ws(' ', l.points, 'for', l.money, 'refunded', l.points - l.points_left, 'left', e.points_left),
      concat_ws(' ', o.points_spent, 'for', o.paid_by_points, 'refunded', coalesce(r.points, 0), 'left', o.points_left)
    from app.orders as o
    join lines as l on l.order_id = o.id
    left join refunded as r on r.order_id = o.id
    cross join lateral (select case o.state when 'cancelled' then 0 else l.points_left end as points_left) as e
    where (l.points, l.money, l.points - l.points_left, e.points_left) is distinct from (
      o.points_spent, o.paid_by_points, coalesce(r.points, 0), o.points_left
    );
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_orders (
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
    with refunded_before as (
      -- Units that were refunded before their order was settled.
      select i.line_id, sum(i.quantity)::integer as quantity
      from app.refunds as r
      join app.refund_lines as i on i.refund_id = r.id
      join app.settlements as s on s.order_id = r.order_id
      where r.order_id between p_from and p_to and app.is_paid_back(r.state) and r.decided_position < s.position
      group by i.line_id
    ),
    conceded as materialized (select c.* from app.conceded_lines(p_from, p_to) as c),
    queue_goods as materialized (
      select
        l.order_id, sum(l.paid) as paid,
        sum(app.line_left(l.paid, l.quantity, l.refunded_quantity, c.list)) as base_left,
        sum(l.quantity - l.refunded_quantity) as units_left,
        sum(app.line_left(l.paid, l.quantity, coalesce(b.quantity, 0), c.list_settled)) as base_settled,
        sum(l.quantity - coalesce(b.quantity, 0)) as units_settled
      from app.order_lines as l
      left join refunded_before as b on b.line_id = l.id
      left join conceded as c on c.line_id = l.id
      where l.order_id between p_from and p_to and l.is_queue_goods
      group by l.order_id
    )
    select
      'queue_goods_left_equal_lines', format('order %s', o.id),
      format('%s of %s units', coalesce(q.base_left, 0), coalesce(q.units_left, 0)),
      format('%s of %s units', o.queue_base, o.queue_units)
    from app.orders as o
    left join queue_goods as q on q.order_id = o.id
    where o.id between p_from and p_to
      and (o.queue_base, o.queue_units) <> (coalesce(q.base_left, 0), coalesce(q.units_left, 0))
    union all
    select
      'minimum_base_equals_plan', format('order %s', o.id),
      format('%s of at least %s', q.paid, p.minimum_base), case when o.below_minimum then 'below' else 'not below' end
    from app.orders as o
    join queue_goods as q on q.order_id = o.id
    join app.commission_plans as p on p.version = o.plan_version
    where o.below_minimum <> (q.paid < p.minimum_base)
    union all
    select
      'settlement_equals_its_order', format('order %s', s.order_id),
      concat_ws(
        ' ', o.state, o.uid, o.referrer_uid, 'plan', p.version, p.brokerage_scope, q.base_settled, 'of', q.units_settled
      ),
      concat_ws(
        ' ', s.state, s.uid, s.referrer_uid, 'plan', s.order_plan_version, s.brokerage_scope, s.base, 'of', s.units
      )
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    left join app.commission_plans as p on p.version = o.plan_version
    left join queue_goods as q on q.order_id = o.id
    where s.order_id between p_from and p_to
      and ((s.uid, s.referrer_uid, s.order_plan_version, s.brokerage_scope, s.base, s.units, s.state,
        s.reason is not distinct from 'below_minimum')
      is distinct from (
        o.uid, o.referrer_uid, p.version, p.brokerage_scope, coalesce(q.base_settled, 0), coalesce(q.units_settled, 0),
        case when o.is_imported then 'imported' when q.units_settled > 0 then 'settled' else 'refunded' end,
        not o.is_imported and o.below_minimum and q.units_settled > 0
      )
      or s.plan_in_force < s.order_plan_version or s.settled_at < o.paid_at);
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
      where o.uid between p_from and p_to and app.is_paid_back(r.state) and r.points > 0
      group by o.id, r.decided_at
    ),
    stated as (select e.* from events as e where e.at >= p_since),
    booked as (
      select
        l.order_id, l.uid, l.add_time as at, sum(l.available_delta) as points,
        sum(l.basis) as money
      from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to and l.source = 'checkout'
      group by l.order_id, l.uid, l.type, l.add_time
    )
    select
      'points_are_booked_as_they_were_used', format('order %s', coalesce(s.order_id, b.order_id)),
      concat_ws(' ', s.points, 'of uid', s.uid, 'for', s.money, app.utc(s.at)),
      concat_ws(' ', b.points, 'of uid', b.uid, 'for', b.money, app.utc(b.at))
    from stated as s
    full join booked as b on b.order_id = s.order_id and b.uid = s.uid and b.at = s.at
    and sign(b.points) = sign(s.points)
    where (s.points, s.money) is distinct from (b.points, b.money);

  return query
    -- Not materialized, so that the planner knows how many there are.
    with members as not materialized (
      select b.* from app.user_balances as b
      where b.uid between p_from and p_to and (
        p_since = '-infinity'
        or b.uid in (
          select l.uid from app.bill(p_since, 'infinity') as l
          where l.uid between p_from and p_to and l.source in ('checkout', 'adjustment')
        )
      )
    ),
    spent as (
      select o.uid, sum(o.points_left) as points from app.orders as o
      where o.uid in (select m.uid from members as m) and o.points_left > 0 group by o.uid
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

CREATE OR REPLACE FUNCTION app.reconcile_provider_refunds()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select 'refunding_is_in_the_outbox', format('refund %s', r.refund_no), 'a row of the outbox', 'none'
  from app.provider_refunds as r
  where r.state = 'refunding'
    and not exists (select from app.outbox as b where b.kind = 'refund_payment' and b.key = r.refund_no)
  union all
  select 'refunds_are_within_the_payment', format('payment %s', r.payment_no), format('at most %s', min(r.total)),
    sum(r.amount)::text
  from app.provider_refunds as r
  where r.state <> 'failed'
  group by r.provider, r.payment_no, r.pay_ref
  having sum(r.amount) > min(r.total)
  union all
  select 'provider_is_asked_for_the_refund', format('refund %s of order %s', r.id, r.order_id), r.amount::text,
    'not asked'
  from app.refunds as r
  join app.orders as o on o.id = r.order_id
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  where app.is_paid_back(r.state) and r.amount > 0
    and not exists (select from app.provider_refunds as p where p.refund_id = r.id and p.amount = r.amount)
  union all
  select 'provider_refund_is_paid', format('refund %s', r.refund_no), 'paid or tried again', r.reason
  from app.provider_refunds as r
  where r.state = 'failed' and not exists (
    select from app.provider_refunds as p
    where p.id > r.id and p.provider = r.provider and p.pay_ref = r.pay_ref
      and p.refund_id is not distinct from r.refund_id
  )
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_range (
  p_range app.reconcile_ranges,
  p_batch integer
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_range app.reconcile_ranges;
  v_run app.reconcile_runs;
  v_check record;
  v_last bigint;
  v_found record;
begin
  -- Row order: a key.
  select g.* into v_range from app.reconcile_ranges as g
  where (g.reconcile, g.keys, g.last_key) = (p_range.reconcile, p_range.keys, p_range.last_key) for update;
  if v_range.check_no is null then
    return false;
  end if;
  select r.* into v_run from app.reconcile_runs as r where r.id = v_range.reconcile;
  select c.* into v_check from app.reconcile_checks() as c
  where c.check_no >= v_range.check_no
    and case when c.keys in ('members', 'orders') then c.keys else 'others' end = v_range.keys
  order by c.check_no limit 1;
  if not found then
    update app.reconcile_ranges as g set check_no = null
    where (g.reconcile, g.keys, g.last_key) = (v_range.reconcile, v_range.keys, v_range.last_key);
    return false;
  end if;
  v_last := v_range.last_key;
  if v_check.keys is not null then
    v_last := least(app.next_keys(v_check.keys, v_range.next_key, p_batch, v_run.since), v_last);
  end if;
  v_found := app.run_check(v_run, v_check.check_no, v_range.next_key, v_last, 100 - jsonb_array_length(v_range.sample));
  update app.reconcile_ranges as g
  set findings = g.findings + v_found.findings, sample = g.sample || v_found.sample,
      check_no = case when v_last = v_range.last_key then v_check.check_no + 1 else v_check.check_no end,
      -- Of variables only, so that the planner does not compute the next key of a range without an end.
      next_key = case when v_last = v_range.last_key then v_range.first_key else v_last + 1 end
  where (g.reconcile, g.keys, g.last_key) = (v_range.reconcile, v_range.keys, v_range.last_key);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_referrers (
  p_from bigint DEFAULT 0,
  p_to   bigint DEFAULT '9223372036854775807'::bigint
)
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select 'settlement_names_the_referrer_of_its_buyer', format('order %s', s.order_id),
    coalesce('uid ' || u.spread_uid, 'nobody'), format('uid %s', s.referrer_uid)
  from app.settlements as s
  join app.users as u on u.uid = s.uid
  where s.order_id between p_from and p_to and s.referrer_uid is distinct from u.spread_uid
    and s.referrer_uid is not null and s.state <> 'imported'
    and s.position >= (select v.position from app.rule_versions as v where v.version = 2)
  union all
  select 'earner_of_scope_direct_is_the_referrer', format('order %s', s.order_id), format('uid %s', s.referrer_uid),
    format('uid %s', s.earner_uid)
  from app.settlements as s
  where s.order_id between p_from and p_to and s.brokerage_scope = 'direct' and s.earner_uid <> s.referrer_uid
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_refunds (
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
    select
      'refunded_units_equal_refunds', format('order line %s', l.id), coalesce(sum(i.quantity), 0)::text,
        l.refunded_quantity::text
    from app.order_lines as l
    left join (
      app.refund_lines as i join app.refunds as r on r.id = i.refund_id and app.is_paid_back(r.state)
    ) on i.line_id = l.id
    where l.order_id between p_from and p_to
    group by l.id
    having l.refunded_quantity <> coalesce(sum(i.quantity), 0)
    union all
    select 'refund_status_equals_refunds', format('order %s', o.id), t.status::text, o.refund_status::text
    from app.orders as o
    join (
      select l.order_id, sum(l.quantity - l.refunded_quantity) as units_left
      from app.order_lines as l
      where l.order_id between p_from and p_to
      group by l.order_id
    ) as l on l.order_id = o.id
    left join app.refunds as r on r.order_id = o.id and r.state = 'requested'
    left join (
      select distinct f.order_id from app.refunds as f
      where f.order_id between p_from and p_to and app.is_paid_back(f.state)
    ) as p on p.order_id = o.id
    cross join lateral (
      select case
        when l.units_left = 0 then 2
        when r.id is not null then 1
        when p.order_id is not null then 3
        else 0
      end as status
    ) as t
    where o.id between p_from and p_to and o.refund_status <> t.status
    union all
    select 'refund_pays_its_lines', format('refund %s of order %s', r.id, r.order_id),
      (r.freight + coalesce(sum(f.amount), 0.00))::text, r.amount::text
    from app.refunds as r
    left join lateral app.paid_back_lines(r) as f on true
    where r.order_id between p_from and p_to and app.is_paid_back(r.state)
    group by r.id
    having r.amount <> r.freight + coalesce(sum(f.amount), 0.00)
    union all
    select 'refunds_are_within_the_price', format('order %s', o.id),
      format('at most %s, %s of it freight', o.pay_price, o.freight),
      format('%s, %s of it freight', sum(r.amount), sum(r.freight))
    from app.refunds as r join app.orders as o on o.id = r.order_id
    where r.order_id between p_from and p_to and app.is_paid_back(r.state)
    group by o.id
    having sum(r.freight) > o.freight or sum(r.amount - r.freight) > o.pay_price - o.freight;
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
  v_is_running boolean := exists (
    select from app.job_runs as r
    where r.job = 'fsgx_release_frozen_points' and r.started_at > now() - interval '1 day' and app.is_running(r)
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
        select sum(o.users) as users, sum(o.points) as points from app.release_ranges as o
        where o.release_date = d.release_date and d.finished_at is null
      ) as g on true
    ) as r
    full join (
      select g.release_date, count(*) as users, sum(g.release_points) as points
      from app.releases(app.day_of_key(p_from), app.day_of_key(p_to)) as g
      group by g.release_date
    ) as l on l.release_date = r.release_date
    where coalesce(r.release_date, l.release_date) between app.day_of_key(p_from) and app.day_of_key(p_to)
      and (coalesce(r.users, 0), coalesce(r.points, 0)) <> (coalesce(l.users, 0), coalesce(l.points, 0))
    union all
    select
      'release_day_is_finished', format('business day %s', r.release_date), 'finished',
      concat_ws(': ', format('unfinished, %s failures, %s runs cut', r.failures, r.cuts), r.last_error)
    from app.release_runs as r
    where r.release_date between app.day_of_key(p_from) and app.day_of_key(p_to) and r.finished_at is null
      and r.release_date < app.business_day(now())
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
begin
  return query
    -- The row of the log and the row of the bill are written together and state the balance after it, which tells apart
    -- the rows of a member who was released for several days at once.
    select
      'release_equals_bill', format('uid %s', coalesce(g.uid, b.uid)),
      coalesce(
        format(
          'business day %s: %s of %s at %s', g.release_date, g.release_points, g.frozen_before, app.utc(g.add_time)
        ),
        'nothing'
      ),
      coalesce(
        format('bill %s: %s = %s x %s at %s', b.id, b.available_delta, b.basis, b.rate, app.utc(b.add_time)), 'nothing'
      )
    from (select l.* from app.releases('-infinity', 'infinity', p_since) as l where l.uid between p_from and p_to) as g
    full join (
      select l.* from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to and l.type = 'frozen_points_release'
    ) as b
      on b.uid = g.uid and b.add_time = g.add_time and b.frozen_after = g.frozen_after
    where g.release_points is distinct from b.available_delta or b.basis > g.frozen_before
      or b.rate <> app.release_rate();
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
begin
  return query
    with reversals as materialized (
      select
        l.*,
        sum(
          l.brokerage_delta + l.frozen_delta + l.available_delta
        ) over (partition by l.reverses_id order by l.id) as reversed
      from app.bill('-infinity', 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is not null
    ),
    grants as materialized (
      select l.* from app.bill('-infinity', 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    )
    select
      'reversal_equals_what_it_reverses', format('bill %s of order %s', r.id, r.order_id),
      case
        when g.id is null then 'a grant'
        else concat_ws(
          ' ', 'order', g.order_id, app.reversal_of(g.type), g.source, 'of uid', g.uid, 'rate', g.rate, 'level',
          g.agent_level
        )
      end,
      concat_ws(' ', 'order', r.order_id, r.type, r.source, 'of uid', r.uid, 'rate', r.rate, 'level', r.agent_level)
    from reversals as r
    left join grants as g on g.id = r.reverses_id
    where (g.order_id, app.reversal_of(g.type), g.source, g.uid, g.rate, g.agent_level)
      is distinct from (r.order_id, r.type, r.source, r.uid, r.rate, r.agent_level)
    union all
    select
      'reversal_leaves_basis_times_rate', format('bill %s of order %s', r.id, r.order_id),
      a.remaining::text, (g.brokerage_delta + g.frozen_delta + r.reversed)::text
    from reversals as r
    join grants as g on g.id = r.reverses_id
    cross join lateral (select app.grant_amount(g.type, r.basis, g.rate) as remaining) as a
    where g.brokerage_delta + g.frozen_delta + r.reversed is distinct from a.remaining
    union all
    select 'reversal_has_its_refund', format('bill %s of order %s', r.id, r.order_id), 'a refund',
      app.utc(r.add_time)::text
    from reversals as r
    where not exists (
      select from app.refunds as f
      where f.order_id = r.order_id and app.is_paid_back(f.state) and f.decided_at = r.add_time
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
  v_first timestamptz;
  v_last timestamptz;
begin
  -- The orders of a batch have the same time, so a block range index finds those outside of the slice.
  select min(s.settled_at), max(s.settled_at) into v_first, v_last from app.settlements as s
  where s.order_id between p_from and p_to and s.batch is not null;
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
      format('settled as number %s of batch %s', b.by_payment, b.first),
      format('settled as number %s of batch %s', b.by_position, b.batch)
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
      window payments as (partition by s.batch order by o.paid_at, o.id),
        positions as (partition by s.batch order by s.position)
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
      from app.bill('-infinity', 'infinity') as b
      where b.order_id between p_from and p_to and b.source = 'cycle' and b.reverses_id is null
      group by b.order_id
    ) as l on l.order_id = s.order_id
    where s.order_id between p_from and p_to
      and (s.commission, s.commission_points) <> (coalesce(l.commission, 0), coalesce(l.points, 0));
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_slice (
  p_id    bigint,
  p_batch integer
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_run app.reconcile_runs;
  v_check record;
  v_last bigint := 9223372036854775807;
  v_found record;
begin
  select r.* into v_run from app.reconcile_runs as r where r.id = p_id for update;
  if v_run.finished_at is not null then
    return false;
  end if;
  -- Row order: each check has a number of its own.
  select c.* into v_check from app.reconcile_checks() as c where c.check_no = v_run.check_no;
  if not found then
    return app.end_reconcile(v_run, p_batch);
  end if;
  if v_check.keys is not null then
    v_last := app.next_keys(v_check.keys, v_run.next_key, p_batch, v_run.since);
  end if;
  v_found := app.run_check(v_run, v_run.check_no, v_run.next_key, v_last, 100 - jsonb_array_length(v_run.sample));
  update app.reconcile_runs as r
  set findings = r.findings + v_found.findings, sample = r.sample || v_found.sample,
      check_no = case when v_last = 9223372036854775807 then r.check_no + 1 else r.check_no end,
      next_key = case when v_last = 9223372036854775807 then 0 else v_last + 1 end
  where r.id = p_id;
  return true;
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
begin
  return query
    with booked as (
      select l.withdrawal_id as id, l.type, min(l.uid) as uid, sum(l.brokerage_delta) as amount, count(*) as rows,
        max(l.add_time) as at
      from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to and l.withdrawal_id is not null
      group by l.withdrawal_id, l.type
    ),
    stated as (
      select w.id, 'withdrawal' as type, w.uid, -w.amount as amount, 1::bigint as rows, w.add_time as at
      from app.withdrawals as w
      where w.uid between p_from and p_to and w.add_time >= p_since
      union all
      select w.id, 'withdrawal_returned', w.uid, w.amount, 1, w.ended_at
      from app.withdrawals as w
      where w.uid between p_from and p_to and w.ended_at >= p_since and app.is_returned(w.state)
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

CREATE OR REPLACE FUNCTION app.record_adjustment_action (
  p_function text,
  p_before   app.adjustments,
  p_after    app.adjustments
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_left_out constant text[] := array['id', 'created_by', 'add_time', 'decided_by', 'decided_at'];
begin
  perform app.record_action(
    p_function, 'adjustment', p_after.id::text,
    case when p_before.id is not null then to_jsonb(p_before) - v_left_out end, to_jsonb(p_after) - v_left_out,
    array['uid', 'state', 'kind', 'brokerage_delta', 'frozen_delta', 'available_delta']
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.record_attempt (
  p_id          bigint,
  p_attempt     integer,
  p_status      integer,
  p_response    text,
  p_problem     text,
  p_now         timestamp with time zone,
  p_retry_after integer                  DEFAULT NULL::integer
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_webhook app.webhooks;
  v_delivery app.webhook_deliveries;
  v_since timestamptz;
begin
  select w.* into v_webhook from app.webhooks as w
  where w.id = (select d.webhook_id from app.webhook_deliveries as d where d.id = p_id) for no key update;
  update app.webhook_deliveries as d
  set status = p_status, response = left(p_response, 2000), problem = left(p_problem, 500)
  where d.id = p_id and d.attempts = p_attempt and d.state = 'waiting'
  returning d.* into v_delivery;
  if not found then
    return;
  end if;
  if p_problem is null then
    update app.webhooks as w set failing_since = null where w.id = v_webhook.id and w.failing_since is not null;
    perform app.end_delivery(v_delivery, 'delivered', p_now);
    return;
  end if;
  -- A test is not repeated, so its failure says nothing about the time after it.
  v_since := coalesce(v_webhook.failing_since, case when v_delivery.kind <> 'test' then p_now end);
  update app.webhooks as w
  set failing_since = v_since,
    state = case
      when w.state <> 'on' then w.state
      when p_status = 410 then 'gone'
      when v_since <= p_now - app.webhook_patience() then 'failing'
      else 'on'
    end
  where w.id = v_webhook.id
  returning w.* into v_webhook;
  if v_delivery.kind = 'test' or v_webhook.state = 'on' and v_delivery.began_at <= p_now - app.webhook_patience() then
    perform app.end_delivery(v_delivery, 'given_up', p_now);
  else
    perform app.postpone_subject(v_delivery, p_retry_after, p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.record_forfeits (
  p_entries app.bill_entry[],
  p_now     timestamp with time zone
)
  RETURNS app.bill_entry[]
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_entry app.bill_entry;
  v_entries app.bill_entry[] := array[]::app.bill_entry[];
  v_adjustment app.adjustments;
begin
  foreach v_entry in array p_entries loop
    if v_entry.type = 'adjustment' and v_entry.adjustment_id is null then
      insert into app.adjustments (
        uid, brokerage_delta, frozen_delta, available_delta, reason, state, add_time, decided_at, kind
      )
      values (
        v_entry.uid, v_entry.brokerage_delta, v_entry.frozen_delta, v_entry.available_delta,
        'A refund takes back what was given up with the account', 'booked', p_now, p_now,
        'forfeit'
      )
      returning * into v_adjustment;
      perform app.write_adjustment_event(v_adjustment);
      v_entry.adjustment_id := v_adjustment.id;
    end if;
    v_entries := v_entries || v_entry;
  end loop;
  return v_entries;
end
$function$;

CREATE OR REPLACE FUNCTION app.record_no_action (
  p_function text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform set_config('store.recorded_action', p_function, true);
end
$function$;

CREATE OR REPLACE FUNCTION app.reduce_request (
  p_order  app.orders,
  p_answer app.request_answer,
  p_refund app.refunds,
  p_now    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_items app.refund_item[];
  v_request app.refunds;
  v_value record;
  v_freight numeric;
begin
  update app.refund_lines as l
  set quantity = least(l.quantity, n.quantity - n.refunded_quantity), asked = coalesce(l.asked, l.quantity)
  from app.order_lines as n
  where l.refund_id = p_answer.request_id and n.id = l.line_id;
  v_items := app.requested_items(p_order.id);
  v_value := app.refund_value(p_order.id, v_items);
  v_freight := case when cardinality(v_items) > 0 then app.default_freight(p_order, v_items) else 0 end;
  -- A request that ends here has the position of the refund, so that nothing comes between them.
  update app.refunds as r
  set state = p_answer.state, amount = v_value.amount + v_freight, freight = v_freight, points = v_value.points,
      decided_at = case when p_answer.state <> 'requested' then p_now end,
      decided_position = case when p_answer.state <> 'requested' then p_refund.decided_position end
  where r.id = p_answer.request_id
  returning r.* into v_request;
  if v_request.state <> 'requested' then
    perform app.write_events(array[app.refund_event(v_request, p_order.uid)], p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.referred_later (
  p_position bigint
)
  RETURNS SETOF bigint
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
  select u.uid from app.users as u where u.spread_position >= p_position and u.spread_time <> u.add_time
  union
  select u.uid from app.users as u join app.settlements as s on s.uid = u.uid
  where u.spread_position >= p_position and u.spread_time = u.add_time and s.position < u.spread_position
  union
  select u.uid from app.users as u join app.users as b on b.spread_uid = u.uid
  where u.spread_position >= p_position and u.spread_time = u.add_time and b.spread_position < u.spread_position
$function$;

CREATE OR REPLACE FUNCTION app.refund_event (
  p_refund app.refunds,
  p_uid    bigint
)
  RETURNS app.event
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select (
    'refund.' || p_refund.state, p_refund.order_id, p_uid,
    jsonb_build_object('refund_id', p_refund.id, 'amount', p_refund.amount::text, 'points', trim_scale(p_refund.points))
      || case when p_refund.refusal_reason <> '' then '{"has_reason": true}' else '{}' end::jsonb,
    null, null
  )::app.event
$function$;

CREATE OR REPLACE FUNCTION app.refund_freight (
  p_order   app.orders,
  p_items   app.refund_item[],
  p_freight numeric
)
  RETURNS numeric
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.require_cents(p_freight);
  if cardinality(p_items) = 0 and coalesce(p_freight, 0) = 0 then
    perform app.fail('invalid_argument', 'A refund names units, an amount or freight.');
  elsif p_freight is null then
    return app.default_freight(p_order, p_items);
  elsif p_freight < 0 then
    perform app.fail('invalid_argument', 'The freight of a refund is at least 0.00.');
  elsif p_freight > app.freight_left(p_order) then
    perform app.fail('refund_exceeds_order', 'The refund pays back more freight than is left of it.');
  end if;
  return p_freight;
end
$function$;

CREATE OR REPLACE FUNCTION app.refund_items (
  p_order_id      bigint,
  p_lines         jsonb,
  p_takes_request boolean,
  p_with_amounts  boolean DEFAULT false,
  p_amount        numeric DEFAULT NULL::numeric,
  p_freight       numeric DEFAULT NULL::numeric
)
  RETURNS app.refund_item[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_items app.refund_item[];
begin
  if num_nonnulls(p_lines, p_amount) = 2 then
    perform app.fail('invalid_argument', 'A refund names lines, or an amount for the order as a whole, not both.');
  elsif p_lines is not null then
    return app.named_refund_items(p_order_id, p_lines, p_with_amounts);
  elsif p_amount is not null then
    return app.spread_refund(p_order_id, p_amount);
  end if;
  if p_takes_request then
    v_items := app.requested_items(p_order_id);
  end if;
  if coalesce(cardinality(v_items), 0) = 0 then
    v_items := app.all_refund_items(p_order_id);
  end if;
  if cardinality(v_items) = 0 and coalesce(p_freight, 0) = 0 then
    perform app.fail('refund_exceeds_order', 'Nothing of this order is left to refund.');
  end if;
  return v_items;
end
$function$;

CREATE OR REPLACE FUNCTION app.refund_json (
  p_refund app.refunds
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'id', p_refund.id, 'order_id', p_refund.order_id, 'state', p_refund.state, 'reason', p_refund.reason,
    'reason_check', p_refund.reason_check,
    'refusal_reason', p_refund.refusal_reason, 'pictures', app.pictures_of_refund(p_refund.id),
    'amount', (p_refund.amount - p_refund.freight + f.freight)::text, 'freight', f.freight::text, 'points',
    trim_scale(p_refund.points), 'created_at', app.utc(p_refund.created_at), 'decided_at', app.utc(p_refund.decided_at),
    'is_imported', (select o.is_imported from app.orders as o where o.id = p_refund.order_id),
    'provider_state', (
      select r.state from app.provider_refunds as r where r.refund_id = p_refund.id order by r.id desc limit 1
    ),
    'goods_return', app.return_json(p_refund),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'line_id', l.line_id, 'title', n.title, 'quantity', l.quantity, 'asked', l.asked, 'concession',
        l.concession::text
      ) order by l.line_id), '[]')
      from app.refund_lines as l join app.order_lines as n on n.id = l.line_id where l.refund_id = p_refund.id
    )
  )
  from (select app.current_freight(p_refund)::numeric(14,2) as freight) as f
$function$;

CREATE OR REPLACE FUNCTION app.refund_order (
  p_order_id        bigint,
  p_lines           jsonb,
  p_refund_ref      text,
  p_now             timestamp with time zone,
  p_amount          numeric                  DEFAULT NULL::numeric,
  p_freight         numeric                  DEFAULT NULL::numeric,
  p_answers_request boolean                  DEFAULT NULL::boolean
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_items app.refund_item[];
  v_answer app.request_answer;
  v_facts app.refund_facts;
  v_freight numeric;
  v_refund app.refunds;
  v_now timestamptz;
begin
  if not app.is_line(p_refund_ref) then
    perform app.reject_text('/refund_ref');
  elsif char_length(p_refund_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A refund reference has between 1 and 128 characters.');
  end if;
  select r.* into v_refund from app.refunds as r where r.order_id = p_order_id and r.refund_ref = p_refund_ref;
  if found then
    return app.replay_refund(v_refund, p_lines, p_answers_request, p_amount, p_freight);
  end if;
  v_items := app.refund_items(p_order_id, p_lines, coalesce(p_answers_request, true), true, p_amount, p_freight);
  v_answer := app.request_answer(p_order_id, v_items, p_answers_request);
  -- Of an amount, freight is refunded only where it is named.
  v_freight := app.refund_freight(v_order, v_items, coalesce(p_freight, case when p_amount is not null then 0 end));
  if v_order.state = 'paid' then
    perform app.return_stock(p_order_id, v_items);
  end if;
  v_facts := app.load_refund(v_order, v_items, p_is_requested => v_answer.state is not distinct from 'requested');
  v_now := app.effect_time(p_now);

  v_refund := app.complete_refund(
    v_order, v_items, num_nonnulls(p_lines, p_amount) > 0, p_refund_ref, v_answer, v_freight, v_now
  );
  if p_refund_ref is not null then
    update app.refunds as r set named = app.named_refund(p_lines, p_amount, p_freight, p_answers_request)
    where r.id = v_refund.id returning r.* into v_refund;
  end if;
  perform app.refund_at_provider(v_refund, v_now);
  perform app.book_refund_effects(v_facts, v_refund, v_now);
  if (v_facts.settlement).order_id is null and v_order.has_queue_goods and (v_facts.after).queue_units = 0 then
    perform app.settle_order(p_order_id, v_now);
  end if;
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.refund_preview_json (
  p_order   app.orders,
  p_items   app.refund_item[],
  p_freight numeric
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'amount', (sum(l.amount - l.amount_left) + p_freight)::text, 'freight', p_freight::numeric(14,2)::text, 'points',
    trim_scale(sum(l.points - l.points_left)),
    'freight_left', app.freight_left(p_order)::text,
    'lines', jsonb_agg(jsonb_build_object(
      'line_id', l.line_id, 'units', l.units - l.units_left, 'amount', (l.amount - l.amount_left)::text, 'left',
      l.amount::text
    ) order by l.line_id)
  )
  from app.lines_with_refund(p_order.id, p_items) as l
$function$;

CREATE OR REPLACE FUNCTION app.refund_value (
  p_order_id bigint,
  p_items    app.refund_item[],
  OUT        amount numeric,
  OUT        points numeric
)
  RETURNS record
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select sum(l.amount - l.amount_left), sum(l.points - l.points_left)
  from app.lines_with_refund(p_order_id, p_items) as l
$function$;

CREATE OR REPLACE FUNCTION app.refund_window_end (
  p_received_at timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select p_received_at + s.refund_window_days * interval '1 day' from app.settings as s
$function$;

CREATE OR REPLACE FUNCTION app.refunded_amounts (
  p_order_id bigint,
  p_from     timestamp with time zone,
  p_to       timestamp with time zone
)
  RETURNS TABLE (
    order_id bigint,
    amount   numeric
  )
  LANGUAGE sql
  STABLE
  AS $function$
  select r.order_id, pg_catalog.sum(r.amount)
  from app.refunds as r
  where app.is_paid_back(r.state) and (p_order_id is null or r.order_id = p_order_id)
    and r.decided_at >= coalesce(p_from, '-infinity'::pg_catalog.timestamptz)
    and r.decided_at < coalesce(p_to, 'infinity'::pg_catalog.timestamptz)
  group by r.order_id
$function$;

CREATE OR REPLACE FUNCTION app.refunded_lines (
  p_from timestamp with time zone,
  p_to   timestamp with time zone DEFAULT 'infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    order_id       bigint,
    line_id        bigint,
    product_id     bigint,
    is_queue_goods boolean,
    paid_at        timestamp with time zone,
    decided_at     timestamp with time zone,
    units          integer,
    amount         numeric
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select o.id, l.line_id, l.product_id, l.is_queue_goods, o.paid_at, r.decided_at, l.units, l.amount
  from app.refunds as r
  join app.orders as o on o.id = r.order_id
  cross join lateral app.paid_back_lines(r) as l
  where app.is_paid_back(r.state) and r.decided_at >= p_from and r.decided_at < p_to
  union all
  select o.id, null, null, false, o.paid_at, r.decided_at, 0, r.freight
  from app.refunds as r join app.orders as o on o.id = r.order_id
  where app.is_paid_back(r.state) and r.freight > 0 and r.decided_at >= p_from and r.decided_at < p_to
$function$;

CREATE OR REPLACE FUNCTION app.refuse_refund (
  p_order_id bigint,
  p_now      timestamp with time zone,
  p_reason   text                     DEFAULT NULL::text
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform app.check_refund_reason(p_reason);
  return app.end_request(app.lock_for_refund(p_order_id), 'refused', p_now, p_reason);
end
$function$;

CREATE OR REPLACE FUNCTION app.reject_compacted_release (
  p_business_day date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  lock table only app.user_bill, only app.points_release_log in access share mode;
  if exists (
    select from app.compacted_months as c where c.month = date_trunc('month', p_business_day::timestamp)::date
  ) then
    perform app.fail('month_compacted', format('The releases of the month of %s are compacted.', p_business_day));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.reject_holds (
  p_ids             bigint[],
  p_held_by_refunds numeric,
  p_now             timestamp with time zone
)
  RETURNS numeric
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_held numeric;
  v_names text[];
begin
  select sum(h.amount), array_agg(format('%s (%s)', h.withdrawal_no, h.amount) order by h.id) into v_held, v_names
  from app.held_withdrawals(p_ids, p_now) as h;
  if v_held is distinct from p_held_by_refunds and v_held is not null then
    -- Which ones, as far as a sentence can say it.
    perform app.fail('held_by_refunds', format(
      'Open refund requests hold %s: %s.', v_held,
      array_to_string(v_names[:20], ', ') || case when cardinality(v_names) > 20 then ' …' else '' end
    ), '/held_by_refunds');
  end if;
  return v_held;
end
$function$;

CREATE OR REPLACE FUNCTION app.reject_key_as_second()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if app.is_key() then
    perform app.fail(
      'second_administrator_needed',
      'A machine key is never the second to decide. An administrator with the role owner or finance, who has not decided before, must do it.'
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.reject_own_approval (
  p_ids bigint[],
  p_by  uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if exists (
    select from app.withdrawals as w
    where w.id = any (p_ids) and w.ended_at is null and app.needs_another_payer(w, p_by)
  ) then
    perform app.reject_key_as_second();
    perform app.fail(
      'second_administrator_needed',
      'You approved this withdrawal. Another administrator with the role owner or finance must pay it.'
    );
  end if;
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
  from (
    select b.uid, b.frozen_points from app.user_balances as b where b.uid = any (p_uids) order by b.uid
    for update skip locked
  ) as l;
  skipped := '{}';
  if cardinality(v_uids) is distinct from cardinality(p_uids) then
    skipped := array(
      select c.uid from unnest(p_uids) as c (uid) except select l.uid from unnest(v_uids) as l (uid) order by 1
    );
  end if;
  -- After the lock, so that the rows of a member are dated in the order in which they are booked.
  v_now := coalesce(p_now, clock_timestamp());
  v_is_late := v_now >= p_until;

  -- Materialized, so that the balance at p_until and the amount are computed once for each member.
  with due as materialized (
    select l.uid, l.frozen_points,
      case
        when v_is_late then least(l.frozen_points, app.frozen_until(l.uid, p_until))
        else l.frozen_points
      end as basis
    from unnest(v_uids, v_frozen) as l (uid, frozen_points)
    -- Of the table, as in app.release_candidates.
    where l.uid not in (
      select g.uid from app.points_release_log as g where g.uid = any (v_uids) and g.release_date = p_release_date
    )
      and l.uid not in (select u.uid from app.users as u where u.uid = any (v_uids) and u.left_at is not null)
  ),
  amounts as materialized (select d.uid, d.frozen_points, d.basis, app.release_amount(d.basis) as amount from due as d),
  moved as (
    update app.user_balances as b
    set frozen_points = b.frozen_points - a.amount, available_points = b.available_points + a.amount
    from amounts as a
    where b.uid = a.uid and a.amount > 0
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points, a.frozen_points as frozen_before, a.basis,
      a.amount
  ),
  logged as (
    insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
    select m.uid, p_release_date, m.frozen_before, m.amount, m.frozen_points, v_now from moved as m order by m.uid
  ),
  billed as (
    insert into app.user_bill (
      uid, type, source, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, basis, rate,
      add_time
    )
    select
      m.uid, 'frozen_points_release', 'release', -m.amount, m.amount, m.brokerage_price, m.frozen_points,
      m.available_points, m.basis,
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
    case p_event.type when 'points.released' then to_date(p_event.subject_id::text, 'YYYYMMDD') end,
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
    select l.*
    from app.compacted_releases as c cross join lateral app.log_of_run(c) as l
    -- The business day of a release and the time at which it was made are less than two days apart.
    where c.last_time >= p_since and c.first_time > p_since - interval '32 days' and c.first_day <= p_to
      and c.first_day > p_from - 32
      and c.first_time > p_from::timestamp at time zone 'UTC' - interval '34 days'
      and c.first_time < p_to::timestamp at time zone 'UTC' + interval '2 days'
  ) as a
  where a.release_date between p_from and p_to and (p_since = '-infinity' or a.add_time >= p_since)
$function$;

CREATE OR REPLACE FUNCTION app.remaining_grants (
  p_order_id bigint
)
  RETURNS SETOF app.remaining_grant
  LANGUAGE sql
  STABLE
  ROWS 10
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select
    l.id, l.uid, l.type, l.source, l.rate, l.agent_level,
    l.brokerage_delta + l.frozen_delta + coalesce((
      select sum(r.brokerage_delta + r.frozen_delta + r.available_delta)
      from app.user_bill as r
      where r.order_id = p_order_id and r.reverses_id = l.id
    ), 0),
    b.frozen_points + f.frozen, f.available, f.brokerage, f.frozen
  -- With `offset 0`, the rows of the order are found before they are joined: with little known of a month, Postgres
  -- would read all of it by member.
  from (select g.* from app.user_bill as g where g.order_id = p_order_id offset 0) as l
  join app.user_balances as b on b.uid = l.uid
  cross join lateral app.forfeit_left(l.uid) as f
  where l.reverses_id is null and app.is_earned(l.type)
$function$;

CREATE OR REPLACE FUNCTION app.replay_refund (
  p_refund          app.refunds,
  p_lines           jsonb,
  p_answers_request boolean,
  p_amount          numeric     DEFAULT NULL::numeric,
  p_freight         numeric     DEFAULT NULL::numeric
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  -- A refund in a request's row has answered it. Who leaves that to the store, and who asks for what happened, ask for
  -- the same.
  v_has_answered boolean := exists (
    select from app.refund_lines as l where l.refund_id = p_refund.id and l.asked is not null
  );
  v_is_same boolean;
begin
  if p_refund.named is not null then
    v_is_same := p_refund.named - 'answers_request' = app.named_refund(
      p_lines, p_amount, p_freight, null
    ) - 'answers_request'
      and (
        to_jsonb(p_answers_request) is not distinct from nullif(p_refund.named -> 'answers_request', 'null')
        or coalesce(p_answers_request, v_has_answered) = v_has_answered
      );
  -- Refunds from before 2.0.0 named units, or nothing.
  elsif num_nonnulls(p_amount, p_freight, p_answers_request) > 0 then
    v_is_same := false;
  elsif p_lines is null then
    v_is_same := not p_refund.names_units;
  else
    v_is_same := (app.named_refund(p_lines, null, null, null) -> 'lines') is not distinct from (
      select jsonb_agg(
        jsonb_build_object('line_id', l.line_id, 'quantity', l.quantity, 'amount', null) order by l.line_id
      )
      from app.refund_lines as l where l.refund_id = p_refund.id
    );
  end if;
  if not v_is_same or not app.is_paid_back(p_refund.state) then
    perform app.fail('refund_reference_used', 'Another refund of this order has this reference.');
  end if;
  return p_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.report_periods (
  p_unit  text,
  p_first date,
  p_last  date
)
  RETURNS SETOF app.period_figures
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_hours timestamptz[];
begin
  if p_unit = 'hour' then
    v_hours := app.hour_bounds(p_first, p_last);
    return query
      select app.business_day(v_hours[b.number]), v_hours[b.number], v_hours[b.number + 1], b.orders, b.queue_orders,
        b.paid, b.refunded, b.queue_revenue,
        b.commission, b.points_frozen, null::numeric, b.members
      from app.sum_between(v_hours) as b order by b.number;
    return;
  end if;
  return query
    select date_trunc(p_unit, d.day)::date, min(d.begins_at), max(d.ends_at), sum(d.orders)::bigint,
      sum(d.queue_orders)::bigint, sum(d.paid), sum(d.refunded),
      sum(d.queue_revenue), sum(d.commission), sum(d.points_frozen), sum(d.points_released), sum(d.members)::bigint
    from app.report_days(p_first, p_last) as d
    group by 1 order by 1;
end
$function$;

CREATE OR REPLACE FUNCTION app.request_answer (
  p_order_id        bigint,
  p_items           app.refund_item[],
  p_answers_request boolean
)
  RETURNS app.request_answer
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_answer app.request_answer;
begin
  select
    r.id, u.is_answer,
    case
      when u.is_answer and u.has_all then 'refunded'
      when u.is_answer or u.units_left = 0 then 'partly_refunded'
      else 'requested'
    end
  into v_answer
  from app.refunds as r
  cross join lateral (
    select
      coalesce(p_answers_request, true)
        and bool_or(
          coalesce(i.quantity > 0, false) or (coalesce(p_answers_request, false) and i.line_id is not null)
        ) as is_answer,
      -- Requests of stores that are being updated have no asked yet.
      bool_and(coalesce(i.quantity, 0) >= coalesce(l.asked, l.quantity)) as has_all,
      sum(n.quantity - n.refunded_quantity - coalesce(i.quantity, 0)) as units_left
    from app.refund_lines as l
    join app.order_lines as n on n.id = l.line_id
    left join unnest(p_items) as i on i.line_id = l.line_id
    where l.refund_id = r.id
  ) as u
  where r.order_id = p_order_id and r.state = 'requested';
  if v_answer.request_id is null and p_answers_request then
    perform app.fail('refund_not_found', 'This order has no open refund request.');
  end if;
  return v_answer;
end
$function$;

CREATE OR REPLACE FUNCTION app.request_refund (
  p_order_id bigint,
  p_lines    jsonb,
  p_reason   text,
  p_now      timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders;
  v_items app.refund_item[];
  v_facts app.refund_facts;
  v_refund app.refunds;
  v_now timestamptz;
begin
  perform app.check_refund_reason(p_reason);
  perform app.refuse_words(p_reason, '/reason');
  v_order := app.lock_for_refund(p_order_id);
  if v_order.refund_status = 1 then
    perform app.fail('refund_state_conflict', 'This order already has a refund request that is not decided yet.');
  end if;
  perform app.require_open_window(v_order, app.effect_time(p_now));
  v_items := app.refund_items(p_order_id, p_lines, false);
  v_facts := app.load_refund(v_order, p_items => null, p_is_requested => true);
  v_now := app.effect_time(p_now);
  v_refund := app.insert_refund(
    p_order_id, 'requested', v_items, p_lines is not null, null, p_reason, v_now, app.default_freight(v_order, v_items)
  );
  perform app.queue_text_check('refund_reason', v_refund.id, v_order.uid, p_reason, v_now);
  perform app.book_refund_effects(v_facts, v_refund, v_now);
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.request_withdrawal (
  p_uid        bigint,
  p_amount     numeric,
  p_method     text,
  p_account_id bigint,
  p_now        timestamp with time zone,
  p_payee_name text                     DEFAULT NULL::text
)
  RETURNS app.withdrawals
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_account app.payout_accounts;
  v_withdrawal app.withdrawals;
  v_parts record;
  v_now timestamptz;
begin
  perform app.require_user(p_uid);
  perform app.check_withdrawal_terms(p_amount, p_method);
  perform app.check_transfer_terms(p_amount, p_method, p_payee_name);
  perform app.lock_balances(array[p_uid]);
  perform app.reject_leaving(p_uid);
  perform app.require_real_name(p_uid, p_amount);
  v_now := app.effect_time(p_now);
  select a.* into v_account from app.payout_accounts as a
  where a.id = p_account_id and a.uid = p_uid and a.method = p_method and a.deleted_at is null;
  if v_account.id is null and (p_method <> 'wechat' or p_account_id is not null) then
    perform app.fail('account_not_found');
  elsif exists (select from app.withdrawals as w where w.uid = p_uid and w.ended_at is null) then
    perform app.fail('withdrawal_open', 'Your last withdrawal is not finished yet.');
  end if;
  v_parts := app.commission_parts(p_uid, app.trusted_time(p_now));
  if p_amount > v_parts.withdrawable then
    perform app.fail('withdrawal_exceeds_balance', case
      when v_parts.held_by_refunds > 0
        then format(
          'You can withdraw at most %s now. Open refund requests hold %s.', greatest(v_parts.withdrawable, 0),
          v_parts.held_by_refunds
        )
      else format('You can withdraw at most %s now.', greatest(v_parts.withdrawable, 0))
    end);
  end if;
  insert into app.withdrawals (withdrawal_no, uid, method, account_id, account_hint, amount, fee, add_time)
  select
    'W' || app.dated_number(v_now, nextval('app.withdrawal_no_seq')),
    p_uid, p_method, v_account.id,
    case p_method
      when 'wechat' then 'WeChat'
      else concat_ws(' ', v_account.bank, app.masked_account(v_account.account_no))
    end,
    p_amount,
    app.withdrawal_fee(p_amount, s.withdrawal_fee_rate), v_now
  from app.settings as s
  returning * into v_withdrawal;
  perform app.book_withdrawal(v_withdrawal, 'withdrawal', v_now);
  perform app.add_transfer(v_withdrawal, p_payee_name) where p_method = 'wechat';
  perform app.write_events(array[app.withdrawal_event(v_withdrawal)], v_now);
  return v_withdrawal;
end
$function$;

CREATE OR REPLACE FUNCTION app.requested_items (
  p_order_id bigint
)
  RETURNS app.refund_item[]
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select array(
    select (i.line_id, i.quantity, 0)::app.refund_item
    from app.refunds as r join app.refund_lines as i on i.refund_id = r.id
    where r.order_id = p_order_id and r.state = 'requested' and i.quantity > 0
    order by i.line_id
  )
$function$;

CREATE OR REPLACE FUNCTION app.require_admin (
  p_area text DEFAULT 'records'::text
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_may boolean;
begin
  if app.is_key() then
    perform app.require_key();
    return;
  end if;
  select p_area is null
    or exists (select from app.role_areas() as r where r.role = any (a.roles) and p_area = any (r.areas))
  into v_may
  from app.administrators as a join auth.users as u on u.id = a.auth_id
  where a.auth_id = auth.uid() and app.is_active_administrator(u);
  if v_may is null then
    perform app.fail('forbidden', 'This account is not an administrator.');
  elsif not v_may then
    perform app.fail(
      'forbidden', 'The roles of this account do not allow this. An administrator with the role owner can do it.'
    );
  elsif p_area is not null and app.lacks_second_factor(p_area) then
    perform app.fail('second_factor_required');
  end if;
  -- For app.store_response.
  perform set_config(
    'store.required_areas', concat_ws(' ', nullif(current_setting('store.required_areas', true), ''), p_area), true
  )
  where p_area is not null;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_key()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_key app.machine_keys;
  v_scope text;
begin
  select k.* into v_key from app.machine_keys as k where k.id = (auth.jwt() ->> 'key')::bigint;
  perform app.require_working_key(v_key);
  -- Row order: a function has one scope.
  select s.scope into v_scope from app.key_scopes() as s
  where current_setting('store.called', true) = any (s.functions);
  if v_scope is null then
    perform app.fail('forbidden', 'Machine keys cannot do this, only people can.');
  elsif not v_scope = any (v_key.scopes) then
    perform app.fail(
      'forbidden', format('This machine key needs the scope %s for this. Make a key that has it.', v_scope)
    );
  elsif v_scope = any (app.lost_scopes(v_key)) then
    perform app.fail(
      'forbidden',
      format(
        'The roles of the owner of this machine key no longer allow the scope %s. Give them such a role again, or make a key of another administrator.',
        v_scope
      )
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_open_window (
  p_order app.orders,
  p_now   timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if app.refund_window_end(p_order.received_at) <= p_now then
    perform app.fail('refund_window_over');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_tracking_number (
  p_text text,
  p_code text
)
  RETURNS text
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_number text := app.tracking_number(p_text);
begin
  if p_text is not null and v_number is null then
    perform app.fail(
      'invalid_argument',
      'A tracking number has 6 to 40 letters, digits and hyphens, at least four of them digits. A date, a word and a number that a spreadsheet has rounded are none.',
      '/tracking_no'
    );
  end if;
  perform app.check_carrier_of_number(v_number, p_code);
  return v_number;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_working_key (
  p_key app.machine_keys
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  case app.key_state(p_key, clock_timestamp())
    when 'active' then null;
    when 'revoked' then perform app.fail('invalid_key', 'This machine key was revoked.');
    when 'expired' then perform app.fail('invalid_key', 'This machine key has expired.');
    when 'ended' then perform app.fail(
      'invalid_key', 'The owner of this machine key has left, and nobody took it over within 30 days.'
    );
    else perform app.fail('invalid_key', case
      when p_key.owner_left_at is null then 'The owner of this machine key is blocked.'
      else 'The owner of this machine key has left. Hand it over to an administrator, or make a new one.'
    end);
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION app.reserved_stock (
  p_before bigint,
  p_limit  integer,
  OUT      list jsonb,
  OUT      next_cursor bigint,
  OUT      examined_to timestamp with time zone
)
  RETURNS record
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with held as materialized (
    select l.product_id as id, sum(l.stock_taken) as units, count(distinct o.id) as orders,
      array_agg(distinct o.uid order by o.uid) as uids, min(o.add_time) as oldest_at
    from app.orders as o join app.order_lines as l on l.order_id = o.id
    where o.state = 'unpaid' and l.stock_taken > 0 and l.product_id < p_before
    group by l.product_id
  ), examined as materialized (
    select h.*, p.title, p.stock, p.add_time from held as h join app.products as p on p.id = h.id
    where p.stock is not null
    order by h.id desc limit app.signal_read_limit()
  ), found as materialized (
    select e.* from examined as e cross join app.settings as s where e.units >= s.max_unpaid_share * (e.stock + e.units)
    order by e.id desc limit p_limit
  ), last_read as (
    select app.last_read(
      array(select f.id from found as f order by f.id), array(select e.id from examined as e order by e.id), p_limit
    ) as id
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'reserved_stock', 'product_id', f.id, 'title', f.title, 'stock', f.stock, 'units', f.units, 'orders',
        f.orders,
        'members', cardinality(f.uids), 'first_members', app.sharers_json(f.uids), 'oldest_at', app.utc(f.oldest_at)
      ) order by f.id desc), '[]')
      from found as f
    ),
    l.id,
    (select e.add_time from examined as e where e.id = l.id)
  from last_read as l
$function$;

CREATE OR REPLACE FUNCTION app.restore_state (
  p_settlement app.settlements
)
  RETURNS app.engine_state
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_state app.engine_state;
  v_uids bigint[] := app.chain_at(p_settlement.uid, p_settlement.position);
begin
  v_state.levels := (select l.rules from app.level_versions as l where l.version = p_settlement.level_version);
  v_state.level_version := p_settlement.level_version;
  v_state.plan_in_force := p_settlement.plan_in_force;
  -- The referrer of each member is the next element of the array.
  select
    array_agg((
      m.uid, case when m.ordinality < cardinality(v_uids) then m.ordinality + 1 end,
      app.level_at(m.uid, p_settlement.position),
      true, false, 0, 0, 0, 0, 0, false, app.had_left(m.uid, p_settlement.position)
    )::app.tree_member order by m.ordinality),
    array_agg(case when m.uid = p_settlement.earner_uid then app.cycle_at(p_settlement) end order by m.ordinality)
  into v_state.members, v_state.cycles
  from unnest(v_uids) with ordinality as m (uid);
  v_state.plans := app.load_plans(
    array[p_settlement.order_plan_version, p_settlement.cycle_plan_version, p_settlement.plan_in_force]
  );
  return v_state;
end
$function$;

CREATE OR REPLACE FUNCTION app.return_stock (
  p_order_id bigint,
  p_items    app.refund_item[]
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  perform from app.products as p
  where p.stock is not null
    and p.id in (select l.product_id from app.order_lines as l where l.order_id = p_order_id and l.stock_taken > 0)
  order by p.id for no key update;
  with returned as (
    update app.order_lines as l set stock_taken = l.stock_taken - i.quantity
    from unnest(p_items) as i
    where l.id = i.line_id and l.order_id = p_order_id and l.stock_taken > 0 and i.quantity > 0
    returning l.product_id, i.quantity
  )
  update app.products as p set stock = p.stock + r.units
  from (select r.product_id, sum(r.quantity) as units from returned as r group by r.product_id) as r
  -- The limit may have been lifted since.
  where p.id = r.product_id and p.stock is not null;
end
$function$;

CREATE OR REPLACE FUNCTION app.reversal_of (
  p_type text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select case p_type when 'brokerage' then 'brokerage_reversal' when 'frozen_points_brokerage' then 'frozen_points_reversal' end
$function$;

CREATE OR REPLACE FUNCTION app.reversals (
  p_order  app.orders,
  p_rate   numeric,
  p_grants app.remaining_grant[]
)
  RETURNS app.bill_entry[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with due as (
    select g.*, l.basis as basis_left, app.is_money(g.type) as is_money,
      g.remaining - app.grant_amount(g.type, l.basis, g.rate) as excess
    from unnest(p_grants) as g
    cross join lateral (
      select app.basis_left(g.type, g.source, p_order.queue_base, p_order.queue_units, p_rate) as basis
    ) as l
  ),
  split as (
    select d.*, least(d.excess, greatest(
      d.frozen_points - coalesce(sum(d.excess) filter (where not d.is_money) over earlier, 0), 0
    )) as from_frozen
    from due as d
    window earlier as (partition by d.uid order by d.bill_id rows between unbounded preceding and 1 preceding)
  ),
  restored as (
    select
      x.uid, least(coalesce(sum(x.excess) filter (where x.is_money), 0), max(x.forfeited_brokerage)) as brokerage,
      least(coalesce(sum(x.from_frozen) filter (where not x.is_money), 0), max(x.forfeited_frozen)) as frozen,
      least(
        coalesce(sum(x.excess - x.from_frozen) filter (where not x.is_money), 0), max(x.forfeited_available)
      ) as available
    from split as x
    where x.excess > 0
    group by x.uid
  )
  select coalesce((
    select array_agg(
      app.new_entry(r.uid, 'adjustment', 'adjustment', r.brokerage, r.frozen, r.available) order by r.uid
    )
    from restored as r where greatest(r.brokerage, r.frozen, r.available) > 0
  ), '{}') || coalesce(array_agg(app.new_entry(
    x.uid, app.reversal_of(x.type), x.source,
    p_brokerage => case when x.is_money then -x.excess else 0 end,
    p_frozen => case when x.is_money then 0 else -x.from_frozen end,
    p_available => case when x.is_money then 0 else x.from_frozen - x.excess end,
    p_order_id => p_order.id, p_basis => x.basis_left, p_rate => x.rate, p_agent_level => x.agent_level,
    p_reverses_id => x.bill_id
  ) order by x.bill_id), '{}')
  from split as x
  where x.excess > 0
$function$;

CREATE OR REPLACE FUNCTION app.rise_review (
  p_after bigint,
  p_limit integer
)
  RETURNS TABLE (
    uid           bigint,
    reached_level smallint,
    counts        app.user_balances,
    next_after    bigint
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
  with examined as materialized (
    select u.uid, u.agent_level, u.is_held, u.left_at is not null as has_left from app.users as u where u.uid > p_after
    order by u.uid limit app.page_read_limit()
  ),
  found as materialized (
    select b as counts, e.agent_level
    from examined as e join app.user_balances as b on b.uid = e.uid
    where not e.is_held and b.umbrella_orders > 0 and app.meets_next_level((
      e.uid, null, e.agent_level, e.is_held, false, b.own_orders, b.direct_orders, b.umbrella_orders, b.direct_members,
      b.umbrella_members, false, e.has_left
    )::app.tree_member,
    (select l.rules[e.agent_level + 1] from app.level_versions as l order by l.version desc limit 1))
    order by e.uid limit p_limit
  )
  select (f.counts).uid, app.level_by_tasks(f.counts, f.agent_level), f.counts, null::bigint from found as f
  union all
  select null, null, null, n.after
  from (
    select case
      when (select count(*) from found) = p_limit then (select max((f.counts).uid) from found as f)
      when (select count(*) from examined) = app.page_read_limit() then (select max(e.uid) from examined as e)
    end as after
  ) as n
  where n.after is not null
$function$;

CREATE OR REPLACE FUNCTION app.rules_at (
  p_position bigint
)
  RETURNS smallint
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select max(v.version) from app.rule_versions as v where v.position <= p_position
$function$;

CREATE OR REPLACE FUNCTION app.run_statement (
  p_job text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_run record;
begin
  v_run := app.begin_run(p_job, 1);
  execute (select j.command from app.scheduled_jobs as j where j.name = p_job);
  perform app.end_run(v_run.id);
exception when others then
  raise warning 'the scheduled job % failed: %', p_job, sqlerrm;
end
$function$;

CREATE OR REPLACE FUNCTION app.runs_to_start (
  p_now timestamp with time zone
)
  RETURNS TABLE (
    job       text,
    from_day  date,
    to_day    date,
    is_missed boolean,
    tried_at  timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  with missed as (
    select j.name, j.rank, j.tried_at, m.due
    from app.scheduled_jobs as j cross join lateral app.missed_time(j, p_now) as m (due)
    where j.name <> 'continue_unfinished_runs'
      and coalesce(j.tried_at < greatest(m.due, p_now - interval '1 hour'), m.due is not null)
      and not exists (select from app.imports as i where i.finished_at is null)
  ), runs as (
    select m.name as job, null::date as from_day, null::date as to_day, true as is_missed, m.tried_at,
      row_number() over (order by m.due, m.rank) as place
    from missed as m
    union all
    select u.job, u.from_day, u.to_day, false, null, u.place
    from app.unfinished_runs() with ordinality as u (job, from_day, to_day, place)
    where u.from_day is not null or not exists (select from missed as m where m.name = u.job)
  )
  select r.job, r.from_day, r.to_day, r.is_missed, r.tried_at from runs as r order by r.is_missed desc, r.place
$function$;

CREATE OR REPLACE FUNCTION app.search_members (
  p_text text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_idle constant bigint[] := app.idle_administrators();
begin
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'uid', u.uid, 'nickname', u.nickname, 'agent_level_name', g.name, 'left_at', app.utc(u.left_at)
        )
        order by f.rank, lower(u.nickname), u.uid
      ),
      '[]'
    )
    from (
      select m.uid, min(m.rank) as rank
      from (
        select u.uid, 1 as rank from app.users as u where u.uid = app.search_number(p_text)
        union all
        (
          select u.uid, 2 from app.users as u
          where app.may_search_names() and char_length(p_text) > 1 and lower(u.nickname) ~>=~ lower(p_text)
            and lower(u.nickname) ~<=~ (lower(p_text) || U&'\+10FFFF')
            and u.uid <> all (v_idle)
          order by lower(u.nickname) using ~<~ limit app.most_found()
        )
      ) as m
      group by m.uid order by rank, m.uid limit app.most_found()
    ) as f
    join app.users as u on u.uid = f.uid
    join app.agent_levels as g on g.grade = u.agent_level
    where u.uid <> all (v_idle)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.search_orders (
  p_text text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', o.id, 'order_no', o.order_no, 'state', o.state, 'shown_state', app.shown_state(o.state, o.refund_status),
      'pay_price', o.pay_price::text, 'uid', o.uid, 'nickname', u.nickname
    ) order by f.rank, o.id desc), '[]')
    from (
      select m.id, min(m.rank) as rank
      from (
        select o.id, 1 as rank from app.orders as o where o.id = app.search_number(p_text)
        union all
        (
          select o.id, 2 from app.orders as o
          where char_length(p_text) >= 4 and reverse(o.order_no) ~>=~ reverse(p_text)
            and reverse(o.order_no) ~<=~ (reverse(p_text) || U&'\+10FFFF')
          order by reverse(o.order_no) using ~<~ limit app.most_found()
        )
        union all
        (
          select p.order_id, 2 from app.parcels as p where p.tracking_no in (p_text, upper(p_text)) order by p.order_id
          limit app.most_found()
        )
      ) as m
      group by m.id order by rank, m.id desc limit app.most_found()
    ) as f
    join app.orders as o on o.id = f.id
    join app.users as u on u.uid = o.uid
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.sequence_differences (
  p_max_orders integer DEFAULT 20000
)
  RETURNS TABLE (
    uid        bigint,
    nickname   text,
    commission numeric,
    points     numeric
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_from timestamptz := (select min(w.settled_at) from app.paid_positions() as w);
begin
  if v_from is null then
    return;
  end if;
  return query
    select m.uid, m.nickname, d.commission, d.points
    from jsonb_to_recordset(
      app.simulate(
        null, null, v_from, clock_timestamp() + interval '1 day', p_max_orders, 2147483647, true
      ) -> 'members'
    ) as m (uid bigint, nickname text, commission numeric, points numeric, paid_commission numeric, paid_points numeric)
    left join (
      select d.uid, sum(d.brokerage_delta) as commission, sum(d.frozen_delta + d.available_delta) as points
      from app.adjustments as d where d.reason = app.sequence_reason() and d.state <> 'refused'
      group by d.uid
    ) as a on a.uid = m.uid
    -- Null is no limit.
    cross join lateral (select case when app.gave_up(m.uid) then 0 end as most) as g
    cross join lateral (
      select least(m.commission - m.paid_commission - coalesce(a.commission, 0), g.most) as commission,
        least(m.points - m.paid_points - coalesce(a.points, 0), g.most) as points
    ) as d
    where (d.commission, d.points) <> (0, 0)
    order by m.uid;
end
$function$;

CREATE OR REPLACE FUNCTION app.set_agent_level (
  p_uid        bigint,
  p_grade      smallint,
  p_changed_by uuid,
  p_now        timestamp with time zone,
  p_held       boolean                  DEFAULT NULL::boolean
)
  RETURNS app.users
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_was app.users;
  v_is app.users;
  v_position bigint;
  v_now timestamptz;
begin
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.* into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif p_grade is null or not exists (select from app.agent_levels as l where l.grade = p_grade and l.is_active) then
    perform app.fail('level_unknown', 'There is no active level of this grade.');
  end if;
  update app.users as u
  set agent_level = p_grade, is_held = coalesce(p_held, p_grade < v_was.agent_level or v_was.is_held)
  where u.uid = p_uid
  returning u.* into v_is;
  if (v_is.agent_level, v_is.is_held) = (v_was.agent_level, v_was.is_held) then
    return v_is;
  end if;
  insert into app.level_changes (uid, from_level, to_level, from_held, to_held, reason, changed_by, add_time)
  values (p_uid, v_was.agent_level, v_is.agent_level, v_was.is_held, v_is.is_held, 'manual', p_changed_by, v_now)
  returning position into v_position;
  if v_is.agent_level > v_was.agent_level then
    perform app.write_event(
      'level.reached', p_uid, p_uid, jsonb_build_object('from_level', v_was.agent_level, 'to_level', v_is.agent_level),
      v_now
    );
  end if;
  if v_was.agent_level >= app.top_grade() then
    perform app.rebuild_task_counts(array[p_uid]);
  end if;
  if v_was.is_held and not v_is.is_held and v_is.agent_level >= v_was.agent_level then
    v_is := app.raise_after_hold(v_is, v_position, v_now);
  end if;
  return v_is;
end
$function$;

CREATE OR REPLACE FUNCTION app.set_no_assess (
  p_uid        bigint,
  p_no_assess  boolean,
  p_changed_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_was boolean;
  v_state app.engine_state;
  v_decision record;
  v_position bigint;
  v_now timestamptz;
begin
  if p_no_assess is null then
    perform app.fail('invalid_argument', 'no_assess must be true or false.');
  end if;
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.no_assess into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_was = p_no_assess then
    return;
  end if;
  v_state := app.load_state(array[p_uid]);
  v_decision := app.decide_levels(
    array[app.new_tree_change('assess', app.member_index(v_state, p_uid), p_is_set => p_no_assess, p_raises => true)],
    v_state.members, v_state.levels
  );
  perform app.book_entries('{}', v_decision.members, '{}', v_now);
  update app.users set no_assess = p_no_assess where uid = p_uid;
  insert into app.no_assess_changes (uid, from_value, to_value, changed_by, add_time)
  values (p_uid, v_was, p_no_assess, p_changed_by, v_now)
  returning position into v_position;
  perform app.raise_members(v_decision.rises, v_position, v_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.set_settings (
  p_changes jsonb,
  p_now     timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_before app.settings;
begin
  select s.* into v_before from app.settings as s for update;
  perform app.store_settings(v_before, app.changed_settings(v_before, p_changes), p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.set_spread (
  p_uid        bigint,
  p_spread_uid bigint,
  p_reason     text,
  p_changed_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_was app.users;
  v_orders bigint[];
  v_position bigint;
  v_now timestamptz;
begin
  if not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif not coalesce(app.is_visible(p_reason) and char_length(p_reason) <= 500, false) then
    perform app.fail('invalid_argument', 'Say in 1 to 500 characters why the referrer is set.', '/reason');
  end if;
  perform app.lock_structure();
  -- Waits for orders that are being placed.
  select u.* into v_was from app.users as u where u.uid = p_uid for update;
  if v_was.spread_uid = p_spread_uid then
    return;
  end if;
  perform app.check_new_spread(p_uid, p_spread_uid);
  v_orders := array(
    select o.id from app.orders as o where o.id in (select app.waiting_orders(p_uid)) order by o.id for update
  );
  v_now := app.effect_time(p_now);
  v_position := nextval('app.positions');
  update app.users set spread_uid = p_spread_uid, spread_time = v_now, spread_position = v_position where uid = p_uid;
  update app.orders set referrer_uid = p_spread_uid where id = any (v_orders);
  insert into app.spread_changes (
    uid, from_uid, from_time, from_position, to_uid, reason, changed_by, position, add_time
  )
  values (
    p_uid, v_was.spread_uid, v_was.spread_time, case when v_was.spread_uid is not null then v_was.spread_position end,
    p_spread_uid, p_reason,
    p_changed_by, v_position, v_now
  );
  perform app.write_event('member.referred', p_uid, p_spread_uid, '{}', v_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.setting_list (
  p_kind    text,
  p_list    jsonb,
  p_minimum numeric,
  p_maximum numeric,
  p_longest integer,
  p_choices text[]
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case p_kind
    when 'choices' then case when p_list <@ to_jsonb(p_choices) then to_jsonb(array(
      select c.choice from unnest(p_choices) with ordinality as c (choice, place) where p_list ? c.choice
      order by c.place
    )) end
    when 'minutes' then (
      select case
        when count(*) = count(m.minutes) and count(*) <= p_longest then
          coalesce(jsonb_agg(distinct m.minutes order by m.minutes), '[]')
      end
      from (
        select case jsonb_typeof(e) when 'number' then app.setting_number(e, p_minimum, p_maximum, 0) end
        from jsonb_array_elements(p_list) as e
      ) as m (minutes)
    )
    else (
      select case
        when cardinality(d.texts) <= p_longest
          and case p_kind when 'words' then app.are_words(d.texts) else app.are_https_origins(d.texts) end
        then to_jsonb(d.texts)
      end
      from (
        select coalesce(array_agg(f.text order by f.place), '{}')
        from (
          select case p_kind when 'words' then app.folded_text(t.value) else lower(t.value) end as text,
            min(t.place) as place
          from jsonb_array_elements_text(p_list) with ordinality as t (value, place)
          group by 1
        ) as f
      ) as d (texts)
    )
  end
$function$;

CREATE OR REPLACE FUNCTION app.setting_number (
  p_value    jsonb,
  p_minimum  numeric,
  p_maximum  numeric,
  p_decimals integer
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select to_jsonb(n.number)
  from (
    select case when p_value #>> '{}' ~ '^[0-9]{1,20}(\.[0-9]{1,20})?$' then trim_scale((p_value #>> '{}')::numeric) end
  ) as n (number)
  where n.number between p_minimum and p_maximum and scale(n.number) <= p_decimals
$function$;

CREATE OR REPLACE FUNCTION app.setting_problem (
  p_name  text,
  p_value jsonb
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case
    when s.kind = 'integer' then format('Expected a whole number from %s to %s.', s.minimum, s.maximum)
    when s.kind in ('number', 'percent') then
      format('Expected a number from %s to %s with at most %s decimals.', s.minimum, s.maximum, s.decimals)
    when s.kind = 'amount' then format(
      'Expected an amount from %s to %s.',
      to_char(s.minimum, 'FM999999999990.00'), to_char(s.maximum, 'FM999999999990.00')
    )
    when s.kind = 'switch' then 'Expected true or false.'
    when s.kind = 'line' then format('Expected 1 to %s characters in one line, not all of them blank.', s.longest)
    when s.kind = 'phone' then 'Enter a valid phone number.'
    when s.kind = 'colour' then 'The colour must be # and six hexadecimal digits, such as #c8102e.'
    when s.kind = 'zone' then 'There is no time zone of this name. Use a name such as Asia/Shanghai.'
    when s.kind = 'day' then 'A day is written as 2027-01-01.'
    when s.kind = 'web_address' then
      format('The URL must begin with http:// or https:// and have at most %s characters.', s.longest)
    when s.kind = 'share_address' and app.share_address(p_value #>> '{}') is null then
      'The share link URL must begin with http:// or https:// and a host, and have at most 500 characters and no blanks.'
    when s.kind = 'share_address' then format(
      'Share links name the member behind the share link URL, so it must contain no #, no user, no spread and no share, and not end with ?. Use %s instead.',
      app.share_address(p_value #>> '{}')
    )
    when s.kind = 'choice' then format('Expected one of %s.', array_to_string(s.choices, ', '))
    when s.kind = 'choices' then format('Expected a list of %s.', array_to_string(s.choices, ', '))
    when s.kind = 'minutes' then
      format('Expected at most %s whole numbers from %s to %s.', s.longest, s.minimum, s.maximum)
    when s.kind = 'origins' then
      format('Expected at most %s origins such as https://example.com: https, the host, and no path.', s.longest)
    when s.kind = 'words' then format('Expected at most %s words, each of 1 to 50 characters.', s.longest)
    when s.kind = 'postal' then
      'A return address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.'
  end
  from app.declared_settings() as s
  where s.name = p_name
$function$;

CREATE OR REPLACE FUNCTION app.setting_text (
  p_kind    text,
  p_text    text,
  p_longest integer,
  p_choices text[]
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case
    when case p_kind
      when 'line' then app.is_line(p_text) and char_length(p_text) <= p_longest
      when 'web_address' then app.is_web_address(p_text) and char_length(p_text) <= p_longest
      when 'share_address' then app.share_address(p_text) = p_text
      when 'phone' then app.is_phone_number(p_text)
      when 'colour' then p_text ~ '^#[0-9a-fA-F]{6}$'
      when 'choice' then p_text = any (p_choices)
      when 'zone' then exists (select from pg_timezone_names as z where z.name = p_text)
      when 'day' then case
        when p_text ~ '^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then
          right(p_text, 2)::integer <= extract(
            day from (left(p_text, 8) || '01')::date + interval '1 month' - interval '1 day'
          )
      end
    end then case p_kind when 'colour' then lower(p_text) else p_text end
  end
$function$;

CREATE OR REPLACE FUNCTION app.setting_value (
  p_name  text,
  p_value jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_setting record;
  v_text text := p_value #>> '{}';
  v_type text := jsonb_typeof(p_value);
begin
  -- Row order: a setting has one row.
  select s.* into v_setting from app.declared_settings() as s where s.name = p_name;
  if v_setting.removable
    and (
      case v_setting.kind
        when 'amount' then v_text ~ '^0+(\.0+)?$'
        when 'postal' then p_value = '{}'
        else v_text = ''
      end
    )
  then
    return 'null'::jsonb;
  end if;
  return case
    when v_setting.kind = 'switch' then case v_type when 'boolean' then p_value end
    when v_setting.kind = 'postal' then case when app.is_address(p_value) then p_value end
    when v_setting.kind in ('integer', 'number', 'percent', 'amount') then
      case when v_type = 'number' or v_type = 'string' and v_setting.kind = 'amount' then
        app.setting_number(p_value, v_setting.minimum, v_setting.maximum, v_setting.decimals)
      end
    when v_setting.kind in ('choices', 'minutes', 'origins', 'words') then
      case v_type when 'array' then app.setting_list(
        v_setting.kind, p_value, v_setting.minimum, v_setting.maximum, v_setting.longest, v_setting.choices
      ) end
    when v_type = 'string' then
      to_jsonb(app.setting_text(v_setting.kind, v_text, v_setting.longest, v_setting.choices))
  end;
end
$function$;

CREATE OR REPLACE FUNCTION app.settings_json (
  p_settings app.settings
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_object_agg(d.name, case
    when d.kind = 'amount' then to_jsonb(s.fields ->> d.name)
    when jsonb_typeof(s.fields -> d.name) = 'number' then to_jsonb(trim_scale((s.fields ->> d.name)::numeric))
    else s.fields -> d.name
  end)
  from app.declared_settings() as d cross join to_jsonb(p_settings) as s (fields)
$function$;

CREATE OR REPLACE FUNCTION app.share_address (
  p_text text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select a.address
  from (
    select rtrim(regexp_replace(regexp_replace(
      regexp_replace(btrim(p_text), '[#＃].*$', ''), '^(https?://)[^/?]*@', '\1', 'i'),
      '(?<=[?&])(spread|share)(=[^&]*)?(&|$)', '', 'g'
    ), '?&')
  ) as a (address)
  where app.is_web_address(a.address) and char_length(a.address) <= 500
    and a.address ~* '^https?://([^]/?@:[]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?([/?]|$)'
$function$;

CREATE OR REPLACE FUNCTION app.share_url (
  p_uid        bigint,
  p_product_id bigint
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select s.h5_share_url || case when strpos(s.h5_share_url, '?') > 0 then '&' else '?' end || 'spread=' || p_uid
    || case when p_product_id > 0 then '#/products/' || p_product_id else '' end
  from app.settings as s
$function$;

CREATE OR REPLACE FUNCTION app.ship_parcel (
  p_order_id    bigint,
  p_carrier     text,
  p_tracking_no text,
  p_by          uuid,
  p_now         timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_carrier app.carriers := app.require_carrier(p_carrier);
  v_number text := app.require_tracking_number(coalesce(p_tracking_no, ''), v_carrier.code);
  v_same app.parcels;
begin
  select l.* into v_same from app.parcels as l where l.order_id = p_order_id and l.tracking_no = v_number;
  if v_same.carrier_code = v_carrier.code then
    return v_order;
  elsif v_same.id is not null then
    perform app.fail('invalid_argument', 'Another parcel of the order has this tracking number.', '/tracking_no');
  elsif v_order.state not in ('paid', 'delivered') or v_order.refund_status = 2 then
    perform app.fail(
      'order_state_conflict', 'Only an order that is paid or shipped, and not refunded, takes a parcel.'
    );
  end if;
  return app.add_parcel(v_order, v_carrier.name_zh, v_carrier.code, v_number, p_by, p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.shipment_lines (
  p_lines jsonb
)
  RETURNS app.shipment_line[]
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_is_list boolean := coalesce(
    jsonb_typeof(p_lines) = 'array' and jsonb_array_length(p_lines) between 1 and 500, false
  );
  v_lines app.shipment_line[];
begin
  -- Checked first, because jsonb_array_elements fails for a value that is not an array.
  if v_is_list then
    v_lines := array(
      select (
        (e.line ->> 'line')::integer, app.cell_text(e.line ->> 'order_no'), app.visible_text(e.line ->> 'carrier'),
        app.visible_text(e.line ->> 'tracking_no')
      )::app.shipment_line
      from jsonb_array_elements(p_lines) with ordinality as e (line, place)
      where jsonb_typeof(e.line) = 'object' and jsonb_typeof(e.line -> 'line') = 'number'
        and e.line ->> 'line' ~ '^[1-9][0-9]{0,5}$'
      order by e.place
    );
  end if;
  if not v_is_list or cardinality(v_lines) < jsonb_array_length(p_lines) then
    perform app.fail('invalid_argument', 'Send 1 to 500 lines, each with its number in the file.', '/lines');
  end if;
  return v_lines;
end
$function$;

CREATE OR REPLACE FUNCTION app.shown_state (
  p_state         text,
  p_refund_status smallint
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  AS $function$
  select case when p_refund_status = 2 then 'refunded' else p_state end
$function$;

CREATE OR REPLACE FUNCTION app.simulate (
  p_plan       jsonb,
  p_levels     jsonb,
  p_from       timestamp with time zone,
  p_to         timestamp with time zone,
  p_max_orders integer                  DEFAULT 20000,
  p_limit      integer                  DEFAULT 20,
  p_by_payment boolean                  DEFAULT false
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_plan app.commission_plans;
  v_orders app.simulated_order[];
  v_start bigint;
  v_uids bigint[];
  v_plans app.commission_plans[];
  v_state record;
  v_chunk record;
  v_money record;
  v_points record;
  v_amounts app.simulated_amount[] := '{}';
  v_done integer := 0;
begin
  if p_from is null or p_to is null or p_from >= p_to then
    perform app.fail('invalid_argument', 'The end of a period must be after its beginning.');
  elsif p_max_orders is null or p_max_orders < 1 or p_limit is null or p_limit < 1 then
    perform app.fail('invalid_argument', 'A simulation has at least one order and one member.');
  end if;
  perform app.require_time(p_from);
  perform app.require_time(p_to);
  if p_plan is not null then
    v_plan := app.draft_plan(p_plan, '/plan');
    v_plan.version := app.active_plan_version() + 1;
  end if;
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;
  -- Row order: a set; app.simulated_timeline puts the orders in sequence.
  v_orders := array(
    select o from app.simulated_orders(p_from, p_to, v_plan, p_max_orders::bigint + 1, p_by_payment) as o
  );
  if cardinality(v_orders) > p_max_orders then
    perform app.fail('simulation_too_large', format('More than %s orders. Choose a shorter period.', p_max_orders));
  end if;
  v_start := app.first_position(p_from);
  v_uids := app.simulated_uids(v_orders, v_start, p_to);
  v_state := app.simulated_members(v_uids, v_start, p_from, v_plan);
  v_plans := app.load_plans(array( -- Row order: a set.
    select o.plan_version from unnest(v_orders) as o union select o.plan_in_force from unnest(v_orders) as o
    union select c.plan_version from unnest(v_state.cycles) as c
  ));
  if v_plan.version is not null then
    v_plans[v_plan.version] := v_plan;
  end if;
  for v_chunk in
    select c.* from app.simulated_chunks(v_orders, v_uids, v_start, p_from, p_to, v_plan, p_levels) with ordinality as c
    order by c.ordinality
  loop
    -- No referrer changes and nobody leaves after the first settlement of a chunk, so the tree after all of its changes
    -- is the one that its orders are decided with.
    v_points := app.decide_levels(v_chunk.changes, v_state.members, v_chunk.levels);
    v_money := app.decide_cycles(v_chunk.facts, v_points.members, v_state.cycles, v_plans);
    v_amounts := v_amounts || app.simulated_amounts(v_orders, v_money.settlements, v_points.grants, v_plans);
    select v_points.members as members, v_money.cycles as cycles into v_state;
    v_done := v_done + cardinality(v_money.settlements);
    raise notice 'replayed % of %', v_done, cardinality(v_orders);
  end loop;
  return app.simulation_report(v_orders, v_amounts, p_to, p_limit);
end
$function$;

CREATE OR REPLACE FUNCTION app.simulated_amounts (
  p_orders      app.simulated_order[],
  p_settlements app.settlements[],
  p_grants      app.level_grant[],
  p_plans       app.commission_plans[]
)
  RETURNS app.simulated_amount[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
  -- Row order: a set; app.simulation_report sums it.
  select coalesce(array_agg((
    b.order_id, b.uid, case when app.is_money(b.type) then a.amount end,
    case when not app.is_money(b.type) then a.amount end
  )::app.simulated_amount), '{}')
  from unnest(app.settlement_entries(p_settlements, p_grants, p_plans)) as b
  join unnest(p_orders) as o on o.order_id = b.order_id
  left join unnest(p_settlements) as s on s.order_id = b.order_id
  cross join lateral (
    select app.grant_amount(
      b.type, app.basis_left(b.type, b.source, o.base_left, o.units_left, s.rate), b.rate
    ) as amount
  ) as a
$function$;

CREATE OR REPLACE FUNCTION app.simulated_changes (
  p_uids  bigint[],
  p_start bigint,
  p_to    timestamp with time zone
)
  RETURNS TABLE (
    at            timestamp with time zone,
    "position"    bigint,
    level_version integer,
    change        app.tree_change
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
  select n.add_time, n.position, case when x.raises and not n.to_value then app.level_version_at(n.position) end,
    app.new_tree_change('assess', width_bucket(n.uid, p_uids), p_is_set => n.to_value, p_raises => x.raises)
  from app.no_assess_changes as n cross join lateral (select app.rules_at(n.position) >= 2 as raises) as x
  where n.position >= p_start and n.add_time < p_to
  union all
  select c.add_time, c.position, case when x.raises then app.level_version_at(c.position) end,
    app.new_tree_change(
      'grade', width_bucket(c.uid, p_uids), p_is_set => c.to_held, p_to_level => c.to_level, p_raises => x.raises
    )
  from app.level_changes as c
  -- As app.set_agent_level.
  cross join lateral (
    select c.from_held and not c.to_held and c.to_level >= c.from_level and app.rules_at(c.position) >= 2 as raises
  ) as x
  where c.reason <> 'tasks' and c.position >= p_start and c.add_time < p_to
  union all
  select i.finished_at, i.finished_position, app.level_version_at(i.finished_position),
    app.new_tree_change('import', m.ordinality::integer, p_raises => app.rules_at(i.finished_position) >= 2)
  from app.imports as i cross join unnest(p_uids) with ordinality as m (uid)
  where i.finished_position >= p_start and i.finished_at < p_to
  union all
  select u.spread_time, u.spread_position, case when x.raises then app.level_version_at(u.spread_position) end,
    app.new_tree_change(
      'refer', width_bucket(u.uid, p_uids), p_referrer => width_bucket(u.spread_uid, p_uids), p_raises => x.raises
    )
  from app.referred_later(p_start) as l (uid) join app.users as u on u.uid = l.uid
  cross join lateral (select app.rules_at(u.spread_position) >= 2 as raises) as x
  where u.uid = any (p_uids)
  union all
  select u.left_at, u.left_position, null, app.new_tree_change('leave', width_bucket(u.uid, p_uids))
  from app.users as u where u.left_position >= p_start and u.left_at < p_to and u.uid = any (p_uids)
$function$;

CREATE OR REPLACE FUNCTION app.simulated_chunks (
  p_orders app.simulated_order[],
  p_uids   bigint[],
  p_start  bigint,
  p_from   timestamp with time zone,
  p_to     timestamp with time zone,
  p_plan   app.commission_plans,
  p_levels jsonb
)
  RETURNS TABLE (
    facts   app.order_facts[],
    changes app.tree_change[],
    levels  app.level_rule[]
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
  with versioned as (
    select
      t.ordinal, t.fact, t.change,
      case
        when p_levels is not null and t.level_version is not null
          and coalesce((t.fact).paid_at >= p_from or (t.fact).kind <> 'settle', true) then 0
        else t.level_version
      end as level_version,
      count(t.level_version) over (order by t.ordinal) as piece
    from app.simulated_timeline(p_orders, p_uids, p_start, p_from, p_to, p_plan) as t
  ),
  -- Other changes belong to the settlement before them.
  filled as (
    select v.ordinal, v.fact, v.change, max(v.level_version) over (partition by v.piece) as level_version
    from versioned as v
  ),
  compared as (
    select f.*, lag(f.level_version) over (order by f.ordinal) is distinct from f.level_version or f.ordinal % 5000 = 0
      or (f.change).kind in ('refer', 'leave')
      and coalesce(lag((f.change).kind) over (order by f.ordinal) not in ('refer', 'leave'), true) as begins
    from filled as f
  ),
  numbered as (
    select c.*, count(*) filter (where c.begins) over (order by c.ordinal) as chunk from compared as c
  )
  select
    coalesce(array_agg(n.fact order by n.ordinal) filter (where (n.fact).kind is not null), '{}'),
    coalesce(array_agg(n.change order by n.ordinal) filter (where (n.change).kind is not null), '{}'),
    case
      when max(n.level_version) = 0 then app.level_rules(p_levels, true)
      else (
        select app.level_rules(l.levels, true) from app.level_versions as l
        where l.version = max(n.level_version) or max(n.level_version) is null
        order by l.version desc limit 1
      )
    end
  from numbered as n
  group by n.chunk
  order by n.chunk
$function$;

CREATE OR REPLACE FUNCTION app.simulated_members (
  p_uids     bigint[],
  p_position bigint,
  p_from     timestamp with time zone,
  p_plan     app.commission_plans,
  OUT        members app.tree_member[],
  OUT        cycles app.cycle_state[]
)
  RETURNS record
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
  with levels as (
    select distinct on (c.uid) c.uid, c.from_level, c.from_held
    from app.level_changes as c where c.position >= p_position order by c.uid, c.position, c.id
  ),
  flags as (
    select distinct on (n.uid) n.uid, n.from_value from app.no_assess_changes as n where n.position >= p_position
    order by n.uid, n.position
  ),
  places as (
    select
      s.earner_uid as uid, s.cycle_no, min(s.cycle_plan_version) as plan_version,
      -- Row order: places and their orders: two aggregates of one query read its rows in one sequence.
      array_agg(s.place) filter (where s.place_freed_position is null or s.place_freed_position >= p_position) as taken,
      -- Row order: as above.
      array_agg(s.order_id) filter (
        where s.place_freed_position is null or s.place_freed_position >= p_position
      ) as orders
    from app.taken_places as s
    where s.position < p_position
    group by s.earner_uid, s.cycle_no
  ),
  last_cycles as (select distinct on (p.uid) p.* from places as p order by p.uid, p.cycle_no desc),
  reported as (
    select o.uid, min(o.paid_at) as since
    from app.orders as o
    where o.paid_at is not null and o.has_queue_goods and not app.simulated_below_minimum(o, p_from, p_plan)
      and (o.queue_units > 0 or (app.order_at(o.id, null, p_position - 1, false)).units > 0)
    group by o.uid
  )
  select
    array_agg((
      u.uid, case when a.uid is null and u.spread_uid = p_uids[width_bucket(u.spread_uid, p_uids)]
        then width_bucket(u.spread_uid, p_uids) end,
      coalesce(l.from_level, u.agent_level), coalesce(l.from_held, u.is_held), coalesce(f.from_value, u.no_assess),
      coalesce(c.own_orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0),
      coalesce(c.direct_members, 0),
      coalesce(c.umbrella_members, 0), false, coalesce(u.left_position < p_position, false)
    )::app.tree_member order by u.uid),
    array_agg((
      u.uid, r.since, coalesce(y.cycle_no, 0), y.plan_version,
      coalesce(
        coalesce(cardinality(y.taken), 0) < (
          select p.people_per_cycle from app.commission_plans as p where p.version = y.plan_version
        ),
        false
      ),
      coalesce(y.taken, '{}'), coalesce(y.orders, '{}'), 0
    )::app.cycle_state order by u.uid)
  from app.users as u
  left join levels as l on l.uid = u.uid
  left join flags as f on f.uid = u.uid
  left join app.referred_later(p_position) as a (uid) on a.uid = u.uid
  left join app.computed_task_counts(p_position) as c on c.uid = u.uid
  left join last_cycles as y on y.uid = u.uid
  left join reported as r on r.uid = u.uid
  where u.uid = any (p_uids)
$function$;

CREATE OR REPLACE FUNCTION app.simulated_timeline (
  p_orders app.simulated_order[],
  p_uids   bigint[],
  p_start  bigint,
  p_from   timestamp with time zone,
  p_to     timestamp with time zone,
  p_plan   app.commission_plans
)
  RETURNS TABLE (
    ordinal       bigint,
    level_version integer,
    fact          app.order_facts,
    change        app.tree_change
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET jit TO 'off'
  AS $function$
  with refunds as materialized (select * from app.simulated_refunds(p_orders, p_start, p_from, p_to, p_plan)),
  happenings as (
    select
      o.at, o.position, 1 as rank, o.order_id, o.level_version, f.fact,
      case
        -- An imported order only counts. Who rises by it, rises at the end of the import.
        when o.is_imported then app.new_tree_change(
          'count', (f.fact).member, o.order_id, p_step => (f.fact).is_counted::integer
        )
        else app.settlement_change(
          f.fact, case when o.plan_version = p_plan.version then p_plan.max_depth else p.max_depth end
        )
      end as change
    from unnest(p_orders) as o
    cross join lateral (
      select app.new_facts(
        'settle', width_bucket(o.uid, p_uids), o.order_id, o.uid, o.referrer_uid, o.plan_version, o.plan_in_force,
        o.paid_at, o.base, o.units,
        p_reason => app.barring_reason(o.units, o.base, o.below_minimum, o.referrer_uid, o.is_imported),
        p_is_counted => app.is_counted(o.units, o.refund_status, o.below_minimum)
      ) as fact
    ) as f
    left join app.commission_plans as p on p.version = o.plan_version
    union all
    select r.at, r.position, 1, r.order_id, case when x.raises and r.step > 0 then app.level_version_at(r.position) end,
      case when r.frees then app.new_facts('free', width_bucket(r.uid, p_uids), r.order_id) end,
      case
        when r.step <> 0 then app.new_tree_change(
          'count', width_bucket(r.uid, p_uids), r.order_id, p_step => r.step, p_raises => x.raises
        )
      end
    from refunds as r cross join lateral (select app.rules_at(r.position) >= 2 as raises) as x
    where r.step <> 0 or r.frees
    union all
    -- Without a draft plan, eligibility is what the settlement found.
    select a.at, a.position, 0, a.order_id, null,
      app.new_facts('report', width_bucket(a.uid, p_uids), p_paid_at => a.reported_since), null
    from app.asked_members(p_orders) as a
    where p_plan.version is null
    union all
    -- With a draft plan, it follows from the member's first reported order that is left.
    select r.at, r.position, 1, r.order_id, null,
      app.new_facts('report', width_bucket(r.uid, p_uids), p_paid_at => (
        select min(o.paid_at) from app.orders as o
        where o.uid = r.uid and o.paid_at is not null and o.has_queue_goods
          and not app.simulated_below_minimum(o, p_from, p_plan)
          and (app.order_at(o.id, r.at, r.position, true)).units > 0
      )), null
    from refunds as r
    where r.ends and p_plan.version is not null
    union all
    select c.at, c.position, 1, 0, c.level_version, null, c.change
    from app.simulated_changes(p_uids, p_start, p_to) as c
  )
  select
    row_number() over (order by case when p_plan.version is not null then h.at end, h.position, h.rank, h.order_id),
    h.level_version, h.fact, h.change
  from happenings as h
$function$;

CREATE OR REPLACE FUNCTION app.sold_products (
  p_from timestamp with time zone,
  p_to   timestamp with time zone
)
  RETURNS TABLE (
    product_id     bigint,
    is_queue_goods boolean,
    title          text,
    orders         bigint,
    units          bigint,
    units_refunded bigint,
    paid           numeric,
    refunded       numeric
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return query
    with sums as (
      select m.product_id, m.is_queue_goods, max(m.line_id) as last_line, count(distinct m.order_id) as orders,
        sum(m.units) as units,
        sum(m.units_refunded) as units_refunded, sum(m.paid) as paid, sum(m.refunded) as refunded
      from (
        select l.product_id, l.is_queue_goods, l.id as line_id, l.order_id, l.quantity as units, 0 as units_refunded,
          l.paid, 0.00 as refunded
        from app.orders as o join app.order_lines as l on l.order_id = o.id
        where o.paid_at >= p_from and o.paid_at < p_to
        union all
        select f.product_id, f.is_queue_goods, f.line_id, null, 0, f.units, 0.00, f.amount
        from app.refunded_lines(p_from, p_to) as f where f.line_id is not null
      ) as m
      group by m.product_id, m.is_queue_goods
    )
    select s.product_id, s.is_queue_goods, l.title, s.orders, s.units, s.units_refunded, s.paid, s.refunded
    from sums as s join app.order_lines as l on l.id = s.last_line;
end
$function$;

CREATE OR REPLACE FUNCTION app.spread_json (
  p_uid        bigint,
  p_spread_uid bigint
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'uid', p_uid,
    'from',
    (
      select jsonb_build_object('uid', r.uid, 'nickname', r.nickname) from app.users as u
      join app.users as r on r.uid = u.spread_uid where u.uid = p_uid
    ),
    'to',
    (select jsonb_build_object('uid', r.uid, 'nickname', r.nickname) from app.users as r where r.uid = p_spread_uid),
    'orders', (select count(*) from app.waiting_orders(p_uid))
  )
$function$;

CREATE OR REPLACE FUNCTION app.spread_over (
  p_lines  app.spread_line[],
  p_amount numeric
)
  RETURNS app.refund_item[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(array_agg((s.line_id, 0, s.share)::app.refund_item order by s.line_id), '{}')
  from (
    select l.line_id,
      app.money_share(p_amount, sum(l.amount) over up_to, w.whole) - app.money_share(
        p_amount, sum(l.amount) over up_to - l.amount, w.whole
      ) as share
    from unnest(p_lines) as l cross join (select sum(n.amount) as whole from unnest(p_lines) as n) as w
    window up_to as (order by l.line_id)
  ) as s
  where s.share > 0
$function$;

CREATE OR REPLACE FUNCTION app.spread_refund (
  p_order_id bigint,
  p_amount   numeric
)
  RETURNS app.refund_item[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_lines app.spread_line[] := array(
    select (l.line_id, l.amount, case when l.is_queue_goods and l.amount > 0 then 0.01 else 0 end)::app.spread_line
    from app.lines_with_refund(p_order_id, '{}') as l order by l.line_id
  );
  v_whole numeric := (select sum(l.amount) from unnest(v_lines) as l);
  v_items app.refund_item[];
begin
  perform app.require_cents(p_amount);
  if p_amount < 0 then
    perform app.fail('invalid_argument', 'The amount of a refund is at least 0.00.');
  elsif p_amount > v_whole then
    perform app.fail('refund_exceeds_order', 'The refund pays back more than is left of what was paid for the goods.');
  elsif p_amount = 0 then
    return array[]::app.refund_item[];
  elsif p_amount = v_whole then
    return app.all_refund_items(p_order_id);
  elsif p_amount > v_whole - (select sum(l.kept) from unnest(v_lines) as l) then
    perform app.fail(
      'refund_exceeds_order',
      'An amount leaves at least 0.01 of a line with queue goods. To pay all of it back, name its units.'
    );
  end if;
  v_items := app.spread_over(v_lines, p_amount);
  if exists (
    select from unnest(v_items) as i join unnest(v_lines) as l on l.line_id = i.line_id
    where i.amount > l.amount - l.kept
  ) then
    -- In proportion, a line with queue goods would keep less than 0.01: that cent is left out.
    v_items := app.spread_over(
      array(select (l.line_id, l.amount - l.kept, 0)::app.spread_line from unnest(v_lines) as l order by l.line_id),
      p_amount
    );
  end if;
  return v_items;
end
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
          b.type, b.source, count(*) as rows, sum(b.brokerage_delta) as brokerage, sum(b.frozen_delta) as frozen,
          sum(b.available_delta) as available
        from app.bill(v_from, v_to) as b
        where b.uid = p_uid
        group by b.type, b.source
      ) as s
    ),
    'months',
    (select coalesce(jsonb_agg(m.month order by m.month desc), '[]') from app.months_with_rows(p_uid) as m (month)),
    'seal', app.seal_json(app.month_start(v_month))
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.store_settings (
  p_before app.settings,
  p_after  app.settings,
  p_now    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_changed text[] := array(
    select a.key from jsonb_each(to_jsonb(p_after)) as a where a.value <> to_jsonb(p_before) -> a.key order by a.key
  );
begin
  if v_changed = '{}' then
    return;
  end if;
  p_after.updated_at := p_now;
  execute format(
    'update app.settings as s set %s from jsonb_populate_record(null::app.settings, $1) as n where s.id',
    (
      select string_agg(format('%1$I = n.%1$I', c.name), ', ' order by c.name)
      from unnest(v_changed || '{updated_at}') as c (name)
    )
  ) using to_jsonb(p_after);
  if v_changed && '{time_zone, night_sessions}' then
    perform app.apply_schedule(p_now);
  end if;
  if 'real_name_check' = any (v_changed) and p_after.real_name_check = 'provider' then
    perform app.ask_provider_about(r.id, p_now) from app.real_names as r where r.state = 'given';
  end if;
end
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
begin
  return query
    with sold as (
      select width_bucket(o.paid_at, p_bounds) as number, count(*) as orders,
        count(*) filter (where o.has_queue_goods) as queue_orders,
        sum(o.pay_price) as paid, sum(q.paid) as queue_paid
      from app.orders as o
      left join lateral (
        select sum(l.paid) as paid from app.order_lines as l where l.order_id = o.id and l.is_queue_goods
      ) as q on o.has_queue_goods
      where o.paid_at >= v_from and o.paid_at < v_to group by 1
    ), returned as (
      select width_bucket(f.decided_at, p_bounds) as number, sum(f.amount) as amount,
        sum(f.amount) filter (where f.is_queue_goods) as queue_amount
      from app.refunded_lines(v_from, v_to) as f group by 1
    ), booked as (
      select width_bucket(b.add_time, p_bounds) as number, sum(b.brokerage_delta) as commission,
        sum(b.frozen_delta + b.available_delta) as points
      from app.bill(v_from, v_to) as b
      where b.source <> 'release' and b.order_id is not null and app.is_earned(b.type) group by 1
    ), joined as (
      select width_bucket(u.add_time, p_bounds) as number, count(*) as members from app.users as u
      where u.add_time >= v_from and u.add_time < v_to group by 1
    )
    select n.number, coalesce(s.orders, 0), coalesce(s.queue_orders, 0), coalesce(s.paid, 0.00),
      coalesce(r.amount, 0.00),
      coalesce(s.queue_paid, 0.00) - coalesce(r.queue_amount, 0.00),
      coalesce(b.commission, 0.00), coalesce(b.points, 0), coalesce(j.members, 0)
    from generate_series(1, cardinality(p_bounds) - 1) as n (number)
    left join sold as s on s.number = n.number
    left join returned as r on r.number = n.number
    left join booked as b on b.number = n.number
    left join joined as j on j.number = n.number;
end
$function$;

CREATE OR REPLACE FUNCTION app.sum_next_days (
  p_now   timestamp with time zone,
  p_limit integer
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_end date := app.business_day(p_now - interval '24 hours') - 1;
  v_first date := app.business_day(
    least((select min(o.paid_at) from app.orders as o), (select min(u.add_time) from app.users as u))
  );
  v_last date;
  v_bounds timestamptz[];
begin
  if exists (select from app.imports as i where coalesce(i.finished_at, 'infinity') >= p_now) then
    return false;
  end if;
  perform pg_advisory_xact_lock(app.lock_number('day_sums'));
  select min(d.day) into v_first
  from (select v_first + n.number as day from generate_series(0, v_end - v_first) as n (number)) as d
  where not exists (select from app.valid_day_sums(v_first, v_end) as s where s.day = d.day);
  if v_first is null then
    return false;
  end if;
  v_last := least(v_first + p_limit - 1, v_end);
  v_bounds := app.day_bounds(v_first, v_last);
  insert into app.day_sums as s (
    day, begins_at, ends_at, orders, queue_orders, paid, refunded, queue_revenue, commission, points_frozen, members,
    summed_at
  )
  select v_first + b.number - 1, v_bounds[b.number], v_bounds[b.number + 1], b.orders, b.queue_orders, b.paid,
    b.refunded, b.queue_revenue, b.commission,
    b.points_frozen, b.members, p_now
  from app.sum_between(v_bounds) as b
  order by b.number
  on conflict (day) do update
    set (
      begins_at, ends_at, orders, queue_orders, paid, refunded, queue_revenue, commission, points_frozen, members,
      summed_at
    ) = (
      excluded.begins_at, excluded.ends_at, excluded.orders, excluded.queue_orders, excluded.paid, excluded.refunded,
      excluded.queue_revenue,
      excluded.commission, excluded.points_frozen, excluded.members, excluded.summed_at
    );
  return v_last < v_end;
end
$function$;

CREATE OR REPLACE FUNCTION app.sum_of_periods (
  p_periods app.period_figures[]
)
  RETURNS app.period_figures
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select row(
    null, null, null, coalesce(sum(p.orders), 0), coalesce(sum(p.queue_orders), 0), coalesce(sum(p.paid), 0),
    coalesce(sum(p.refunded), 0), coalesce(sum(p.queue_revenue), 0),
    coalesce(sum(p.commission), 0), coalesce(sum(p.points_frozen), 0), sum(p.points_released),
    coalesce(sum(p.members), 0)
  )::app.period_figures
  from unnest(p_periods) as p
$function$;

CREATE OR REPLACE FUNCTION app.take_back_refund (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_refund app.refunds := app.require_open_request(p_order_id);
begin
  if coalesce(v_refund.return_sent_at, v_refund.return_received_at) is not null then
    perform app.fail('refund_state_conflict', 'The goods were sent back, so the store answers the request.');
  end if;
  return app.end_request(v_order, 'taken_back', p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.take_payment (
  p_provider   text,
  p_payment_no text,
  p_pay_ref    text,
  p_amount     numeric,
  p_currency   text,
  p_now        timestamp with time zone,
  OUT          order_id bigint,
  OUT          outcome text,
  OUT          reason text
)
  RETURNS record
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_attempt app.payment_attempts;
  v_order app.orders;
begin
  select a.* into v_attempt from app.payment_attempts as a where a.attempt_no = p_payment_no;
  order_id := coalesce(v_attempt.order_id, (select o.id from app.orders as o where o.order_no = p_payment_no));
  select o.* into v_order from app.orders as o where o.id = take_payment.order_id for update;
  select a.* into v_attempt from app.payment_attempts as a where a.id = v_attempt.id for update;
  reason := case
    when v_order.id is null then 'order_unknown'
    when v_attempt.provider <> p_provider then 'provider_differs'
    when p_pay_ref is null then 'reference_missing'
    when p_currency is distinct from 'CNY' then 'currency_differs'
    when p_amount is distinct from v_order.pay_price then 'amount_differs'
  end;
  if reason is not null then
    outcome := 'refused';
  elsif v_order.pay_type = p_provider and v_order.pay_ref = p_pay_ref then
    outcome := 'repeated';
  elsif v_attempt.state <> 'open' and v_order.state = 'unpaid' then
    -- Once the money of an attempt that had ended is recorded, the attempt is paid, and the same payment comes here
    -- again.
    outcome := 'attention';
    reason := 'attempt_' || case v_attempt.state when 'paid' then 'closed' else v_attempt.state end;
  else
    begin
      perform app.pay_locked_order(v_order, p_provider, p_pay_ref, p_now);
      outcome := 'paid';
    exception when sqlstate 'PT409' then
      outcome := 'attention';
      reason := sqlerrm;
    end;
  end if;
  perform app.record_paid_attempt(v_attempt, p_pay_ref, p_now) where outcome <> 'refused' and v_attempt.state <> 'paid';
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
begin
  return (
    select jsonb_build_object(
      'order_id', p_order.id, 'uid', u.uid, 'nickname', u.nickname, 'avatar', app.shown_avatar(u.avatar), 'is_direct',
      u.spread_uid = p_uid,
      'paid_at', app.utc(p_order.paid_at), 'settled_at', app.utc(v_settled_at), 'base', p_order.queue_base::text,
      'units', p_order.queue_units, 'refund_status', p_order.refund_status, 'counts', c.counts,
      'commission', e.commission::text, 'points', trim_scale(e.points)
    )
    from app.users as u
    cross join lateral (
      select p_can_rise and not u.no_assess
        and app.is_counted(p_order.queue_units, p_order.refund_status, p_order.below_minimum) as counts
    ) as c
    cross join lateral (
      select
        coalesce(sum(l.brokerage_delta), 0.00) as commission,
          coalesce(sum(l.frozen_delta + l.available_delta), 0) as points,
        count(*) as rows
      from app.bill(v_settled_at, 'infinity') as l
      where l.order_id = p_order.id and l.uid = p_uid
    ) as e
    where u.uid = p_order.uid and v_settled_at is not null and (c.counts or e.rows > 0)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.team_orders (
  p_uid     bigint,
  p_paid_at timestamp with time zone,
  p_id      bigint,
  p_limit   integer,
  OUT       list jsonb,
  OUT       next_cursor text
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_limit constant integer := app.page_read_limit();
  v_team constant bigint[] := app.small_team(p_uid);
  v_can_rise constant boolean := (select u.agent_level < app.top_grade() from app.users as u where u.uid = p_uid);
  v_paid_at timestamptz := p_paid_at;
  v_id bigint := p_id;
  v_count integer := p_limit;
  v_rows_read integer := 0;
  v_orders app.orders[];
  v_order app.orders;
  v_below bigint[];
  v_json jsonb;
begin
  list := '[]';
  loop
    v_orders := app.paid_orders(v_team, v_paid_at, v_id, v_count);
    if v_team is null then
      select b.uids, v_rows_read + b.rows_read into v_below, v_rows_read
      from app.members_below(p_uid, array(select distinct o.uid from unnest(v_orders) as o order by o.uid)) as b;
    end if;
    foreach v_order in array v_orders loop
      exit when jsonb_array_length(list) = p_limit;
      v_paid_at := v_order.paid_at;
      v_id := v_order.id;
      v_rows_read := v_rows_read + 1;
      if v_order.has_queue_goods and (v_team is not null or v_order.uid = any (v_below)) then
        v_json := app.team_order_json(p_uid, v_can_rise, v_order);
        list := case when v_json is null then list else list || v_json end;
      end if;
    end loop;
    exit when jsonb_array_length(list) = p_limit or cardinality(v_orders) < v_count or v_rows_read >= v_limit;
    -- Not more, because each order is looked up in an array of their buyers.
    v_count := least(4 * v_count, 500, v_limit - v_rows_read);
  end loop;
  if jsonb_array_length(list) = p_limit or cardinality(v_orders) = v_count then
    next_cursor := app.make_cursor(v_paid_at, v_id);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.times_count_for (
  p_job app.scheduled_jobs
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_number text;
begin
  if to_regclass('cron.job') is null or pg_is_in_recovery() or not p_job.is_active then
    return null;
  end if;
  execute 'select j.jobid::text from cron.job as j where j.jobname = $1 and j.active' into v_number using p_job.name;
  return (
    select concat_ws(
      ' ', p_job.schedule, s.time_zone, c.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid,
      'app.scheduled_jobs'::regclass::oid, 'cron.job'::regclass::oid, v_number
    )
    from app.settings as s
    cross join pg_control_system() as c
    join pg_database as d on d.datname = current_database() and v_number is not null
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.times_of_days (
  p_schedule  text,
  p_time_zone text,
  p_from      date,
  p_to        date
)
  RETURNS TABLE (
    first timestamp with time zone,
    again timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case
    when (t.minute - interval '1 hour') at time zone p_time_zone = l.minute then t.minute - interval '1 hour'
    else t.minute
  end,
    t.minute
  from (select string_to_array(p_schedule, ' ') as field) as s
  cross join generate_series(0, p_to - p_from) as n (number)
  cross join lateral (
    select p_from + n.number + case
      when s.field[2] <> '*' then make_time(s.field[2]::integer, s.field[1]::integer, 0)
    end as minute
  ) as l
  cross join lateral (select l.minute at time zone p_time_zone as minute) as t
  where s.field[5] = '*' or extract(dow from l.minute) = s.field[5]::integer
$function$;

CREATE OR REPLACE FUNCTION app.tracking_number (
  p_text text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select upper(n.number)
  from app.cell_text(p_text) as n (number)
  where n.number ~ '^[A-Za-z0-9][A-Za-z0-9-]{5,39}$' and n.number ~ '([0-9].*){4}'
    -- A spreadsheet that takes a long number for an amount shows it as 1.23E+17, and keeps 15 digits of it.
    and n.number !~* '^[0-9]{1,4}E-?[0-9]{1,3}$' and n.number !~ '^[0-9]{15}0{3,}$'
    and not app.is_date(n.number)
    and translate(n.number, '-', '') !~ '^(.)\1*$'
    and not string_to_array(lower(n.number),
      '-') && '{null,nil,none,nan,na,tba,tbd,todo,true,false,undefined,unknown,pending,ref,value,name,div,num,err,error}'
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
  row_count := 0;
  for v_uid, v_text, v_salt, v_node in execute $sql$
    select s.uid, s.text, s.salt, sha256('\x00' || s.salt || convert_to(s.text, 'UTF8')) as hash
    from (
      select l.*, sha256($2 || sha256($1 || convert_to(l.id::text, 'UTF8'))) as salt from app.leaves($3, $4) as l
      order by l.add_time, l.id offset 0
    ) as s
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
        v_paths := app.extend_paths(
          v_paths, v_places, row_count - 2 * v_size, row_count - v_size, v_halves[v_level], v_node
        );
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
    select coalesce(
      jsonb_agg(
        r.of_row || jsonb_build_object('path', to_jsonb(string_to_array(ltrim(r.path), ' '))) order by r.ordinality
      ),
      '[]'
    )
    from unnest(v_rows, v_paths) with ordinality as r (of_row, path, ordinality)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.unpaid_units (
  p_uid        bigint,
  p_product_id bigint DEFAULT NULL::bigint
)
  RETURNS bigint
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select coalesce(sum(l.stock_taken), 0)
  from app.orders as o join app.order_lines as l on l.order_id = o.id
  where o.uid = p_uid and o.state = 'unpaid' and (p_product_id is null or l.product_id = p_product_id)
$function$;

CREATE OR REPLACE FUNCTION app.upline_of (
  p_uids   bigint[],
  p_levels app.level_rule[],
  OUT      uids bigint[],
  OUT      written bigint[]
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_hashjoin TO 'off'
  SET enable_mergejoin TO 'off'
  AS $function$
begin
  with recursive upline as (
    select u.uid, u.spread_uid, u.agent_level, u.left_at is not null as has_left, 0 as steps, 0::numeric as passed_on
    from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select
      r.uid, r.spread_uid, r.agent_level, r.left_at is not null, least(p.steps + 1, 2),
      case
        when p.steps = 0 then 0
        when p.has_left then p.passed_on
        else greatest(p.passed_on, p_levels[p.agent_level + 1].umbrella_points)
      end
    from upline as p join app.users as r on r.uid = p.spread_uid
  )
  select array_agg(m.uid order by m.uid), array_agg(m.uid order by m.uid) filter (where m.is_written)
  into uids, written
  from (
    select p.uid, bool_or(
      p.steps < 2 or p_levels[p.agent_level + 1].keeps_counts
      or p_levels[p.agent_level + 1].umbrella_points > p.passed_on
    ) as is_written
    from upline as p
    group by p.uid
  ) as m;
end
$function$;

CREATE OR REPLACE FUNCTION app.use_of_member (
  p_uid bigint
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select case
    when exists (select from app.orders as o where o.uid = p_uid) then 'has orders'
    when exists (select from app.users as u where u.spread_uid = p_uid) then 'has referred other members'
    when exists (select from app.user_bill as b where b.uid = p_uid) then 'has a bill'
    when exists (select from app.imported_members as i where i.uid = p_uid) then 'is an imported member'
    when exists (
      select from app.level_changes as l where l.uid = p_uid
    ) then 'has a level that an administrator has set'
    when exists (select from app.adjustments as a where a.uid = p_uid) then 'has an adjustment of balances'
    when exists (
      select from app.no_assess_changes as n where n.uid = p_uid
    ) then 'has a no-assess flag that an administrator has set'
    when exists (
      select from app.spread_changes as c where p_uid in (c.uid, c.from_uid)
    ) then 'has a referrer that an administrator has corrected, or was one'
    when exists (
      select from app.tax_allowances as t where t.uid = p_uid
    ) then 'has an allowance of tax that an administrator has recorded'
  end
$function$;

CREATE OR REPLACE FUNCTION app.use_quota (
  p_uid  bigint,
  p_kind text,
  p_now  timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_hour constant interval := interval '1 hour';
  v_used app.used_quotas;
  v_most integer;
  v_seconds integer;
begin
  insert into app.used_quotas as q (uid, kind, began_at, used) values (p_uid, p_kind, p_now, 1)
  on conflict (uid, kind) do update
  set (began_at, used) = (
    select case when h.is_open then q.began_at else p_now end, case when h.is_open then q.used + 1 else 1 end
    from (select q.began_at > p_now - v_hour and q.began_at < p_now + v_hour as is_open) as h
  )
  returning q.* into v_used;
  select case p_kind
    when 'order' then s.orders_per_hour
    when 'cancellation' then s.cancellations_per_hour
    when 'key' then s.keys_per_hour
    when 'profile_change' then s.profile_changes_per_hour
    when 'poster' then s.posters_per_hour
    when 'export' then 3
    when 'free_order' then 10
    when 'refund_picture' then 30
    when 'real_name' then 5
  end into v_most from app.settings as s;
  if v_used.used > v_most then
    v_seconds := ceil(extract(epoch from v_used.began_at + v_hour - p_now))::integer;
    perform app.fail('too_many_requests', format(case p_kind
      when 'order' then 'You can place at most %s orders in an hour. Try again in %s minutes.'
      when 'cancellation'
        then 'You can cancel orders and withdrawals at most %s times in an hour. Try again in %s minutes.'
      when 'key' then 'You can make at most %s changes in an hour. Try again in %s minutes.'
      when 'profile_change' then 'You can change your profile at most %s times in an hour. Try again in %s minutes.'
      when 'poster' then 'Your poster can be drawn at most %s times in an hour. Try again in %s minutes.'
      when 'export' then 'You can get your data at most %s times in an hour. Try again in %s minutes.'
      when 'free_order' then 'You can place at most %s orders that cost nothing in an hour. Try again in %s minutes.'
      when 'refund_picture'
        then 'You can upload at most %s pictures for refund requests in an hour. Try again in %s minutes.'
      when 'real_name' then 'You can give your real name at most %s times in an hour. Try again in %s minutes.'
    end, v_most, ceil(v_seconds / 60.0)), p_retry_after => v_seconds);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.user_json (
  p_user     app.users,
  p_balances app.user_balances
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_build_object(
    'uid', p_user.uid, 'nickname', p_user.nickname, 'nickname_in_doubt', p_user.nickname_in_doubt, 'phone',
    p_user.phone, 'spread_uid', p_user.spread_uid,
    'referrer_nickname', (select r.nickname from app.users as r where r.uid = p_user.spread_uid),
    'agent_level', p_user.agent_level, 'agent_level_name',
    (select l.name from app.agent_levels as l where l.grade = p_user.agent_level),
    'level_is_held', p_user.is_held,
    'no_assess', p_user.no_assess,
    'brokerage_price', p_balances.brokerage_price::text, 'frozen_points', trim_scale(p_balances.frozen_points),
    'available_points', trim_scale(p_balances.available_points),
    'total_points_earned', trim_scale(p_balances.total_points_earned), 'add_time', app.utc(p_user.add_time), 'left_at',
    app.utc(p_user.left_at)
  )
$function$;

CREATE OR REPLACE FUNCTION app.verify_addresses()
  RETURNS TABLE (
    check_id text,
    severity text,
    subject  text,
    message  text,
    hint     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.verify_machine_keys()
  RETURNS TABLE (
    check_id text,
    severity text,
    subject  text,
    message  text,
    hint     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.verify_schedule()
  RETURNS TABLE (
    check_id text,
    severity text,
    subject  text,
    message  text,
    hint     text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.waiting_orders (
  p_uid bigint
)
  RETURNS SETOF bigint
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select o.id from app.orders as o
  where o.uid = p_uid and o.referrer_uid is not null and o.has_queue_goods and o.state <> 'cancelled'
    and not exists (select from app.settlements as s where s.order_id = o.id)
  order by o.id
$function$;

CREATE OR REPLACE FUNCTION app.withdrawable (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS numeric
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  return (app.commission_parts(p_uid, p_now)).withdrawable;
end
$function$;

CREATE OR REPLACE FUNCTION app.without_person (
  p_response jsonb,
  p_uid      bigint
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select jsonb_object_agg(e.key, case
    when e.key in ('created_by', 'decided_by', 'closed_by')
      and e.value -> 'uid' = to_jsonb(p_uid) then e.value || '{"uid": null, "nickname": null}'
    when not w.is_theirs then e.value
    when e.key = 'nickname' then to_jsonb(app.deleted_nickname())
    when e.key = 'address' then 'null'
    when e.key = 'goods_return'
      and jsonb_typeof(e.value) = 'object' then e.value
        || '{"carrier": null, "tracking_no": null, "tracking_url": null}'
    when e.key in ('account', 'remark', 'reason', 'refusal_reason', 'note', 'answer', 'name', 'number')
      and jsonb_typeof(e.value) = 'string' then '""'
    else e.value
  end)
  from jsonb_each(p_response) as e
  cross join (
    select coalesce(p_response -> 'uid' = to_jsonb(p_uid), false)
      or exists (
        select from app.orders as o where o.uid = p_uid and to_jsonb(o.id) = p_response -> 'order_id'
      ) as is_theirs
  ) as w
$function$;

CREATE OR REPLACE FUNCTION app.working_scopes (
  p_key app.machine_keys
)
  RETURNS text[]
  LANGUAGE sql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
  select array(
    select s.scope from unnest(p_key.scopes) with ordinality as s (scope, place)
    where exists (
      select from app.administrators as a join app.role_areas() as r on r.role = any (a.roles)
      where a.auth_id = p_key.owner and replace(split_part(s.scope, ':', 1), 'personal', 'records') = any (r.areas)
    )
    order by s.place
  )
$function$;

CREATE OR REPLACE FUNCTION app.worst_order (
  p_plan   app.commission_plans,
  p_levels jsonb,
  OUT      price numeric,
  OUT      ratio numeric,
  OUT      commission numeric,
  OUT      payout_share numeric,
  OUT      commission_points numeric,
  OUT      level_points numeric,
  OUT      points numeric,
  OUT      cycle jsonb,
  OUT      cycle_share numeric
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_rules app.level_rule[] := app.level_rules(p_levels);
  v_top smallint := (select r.grade from unnest(v_rules) as r order by r.umbrella_points desc limit 1);
  v_members app.tree_member[];
  v_settlements app.settlements[];
  v_plans app.commission_plans[];
begin
  price := (select coalesce(max(g.price), 0.00) from app.products as g where g.is_queue_goods and not g.is_del);
  v_plans[p_plan.version] := p_plan;
  -- For each grade, by depth: a buyer (0), a referrer of that grade (1), and above them a member of the grade with the
  -- most umbrella points per unit (2).
  v_members := array(
    select (
      m.depth + 1, case when m.depth < 2 then 3 * (m.number - 1) + m.depth + 2 end,
      case m.depth when 1 then m.grade when 2 then v_top else 0 end,
      true, false, 0, 0, 0, 0, 0, false, false
    )::app.tree_member
    from (
      select dense_rank() over (order by r.grade) as number, r.grade, d.depth from unnest(v_rules) as r
      cross join generate_series(0, 2) as d (depth)
    ) as m
    order by m.number, m.depth
  );
  level_points := (
    select coalesce(max(o.points), 0) from (
      select sum(g.points) as points
      from unnest((app.decide_levels(array(
        select app.new_tree_change(
          'settle', 3 * (n - 1) + 1, n, p_units => 1, p_max_depth => p_plan.max_depth, p_step => 0
        )
        from generate_series(1, cardinality(v_rules)) as n order by n
      ), v_members, v_rules)).grants) as g
      group by g.order_id
    ) as o
  );
  -- One order of the first buyer for each place of a cycle.
  v_settlements := (app.decide_cycles(
    array(
      select app.new_facts(
        'settle', 1, n, p_uid => 1, p_referrer_uid => 2, p_plan_version => p_plan.version,
        p_plan_in_force => p_plan.version, p_paid_at => 'infinity',
        p_base => worst_order.price, p_units => 1, p_is_counted => true
      )
      from generate_series(1, p_plan.people_per_cycle) as n order by n
    ),
    v_members, array[null, (2, '-infinity', 0, null, false, null, null, 0)::app.cycle_state]::app.cycle_state[], v_plans
  )).settlements;
  select
    max(s.rate), max(s.commission), max(s.commission_points),
    jsonb_agg(
      jsonb_build_object('place', s.place, 'ratio', trim_scale(s.rate), 'commission', s.commission::text)
      order by s.place
    ),
    app.round_down(sum(s.commission) / nullif(worst_order.price * count(*), 0), 5)
  into ratio, commission, commission_points, cycle, cycle_share
  from unnest(v_settlements) as s;
  payout_share := app.round_down(commission / nullif(price, 0), 5);
  points := commission_points + level_points;
end
$function$;

CREATE OR REPLACE FUNCTION app.you_would_earn (
  p_products app.products[]
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_uid bigint := app.current_uid();
  v_buyer constant bigint := 9223372036854775807;
  v_plan integer;
  v_read record;
  v_plans app.commission_plans[];
  v_members app.tree_member[];
  v_cycles app.cycle_state[];
  v_rules app.level_rule[];
  v_product app.products;
  v_order app.orders;
  v_facts app.order_facts[];
  v_money record;
  v_points record;
  v_result jsonb := jsonb_build_object();
begin
  if v_uid is null or not exists (select from unnest(p_products) as p where p.is_queue_goods) then
    return v_result;
  end if;
  v_plan := app.active_plan_version();
  v_read := app.read_members(array[v_uid], array[v_uid]);
  v_plans := app.load_plans(v_plan || v_read.plans);
  v_members := v_read.members || (v_buyer, 1, 0, false, false, 0, 0, 0, 0, 0, false, false)::app.tree_member;
  v_cycles := v_read.cycles || null::app.cycle_state;
  v_rules := (select l.rules from app.level_versions as l order by l.version desc limit 1);
  v_order.uid := v_buyer;
  v_order.referrer_uid := v_uid;
  v_order.plan_version := v_plan;
  v_order.paid_at := clock_timestamp();
  v_order.queue_units := 1;
  v_order.refund_status := 0;
  foreach v_product in array p_products loop
    continue when not v_product.is_queue_goods;
    v_order.queue_base := v_product.price;
    v_order.below_minimum := app.is_below_minimum(v_product.price, v_plans[v_plan].minimum_base);
    v_facts := app.order_facts(array[v_order], v_members, v_plan);
    v_money := app.decide_cycles(v_facts, v_members, v_cycles, v_plans);
    v_points := app.decide_levels(app.settlement_changes(v_facts, v_plans), v_members, v_rules);
    v_result := v_result || jsonb_build_object(v_product.id, (
      select jsonb_build_object(
        'commission', coalesce(sum(e.brokerage_delta), 0.00)::text, 'points',
        trim_scale(coalesce(sum(e.frozen_delta), 0)),
        'reason', v_money.settlements[1].reason
      )
      from unnest(app.settlement_entries(v_money.settlements, v_points.grants, v_plans)) as e
      where e.uid = v_uid
    ));
  end loop;
  return v_result;
end
$function$;

CREATE OR REPLACE FUNCTION entry.admin_get_orders (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'admin_get_orders') then p_args - '{p_uid,p_state,p_refund_status,p_order_no,p_from,p_to,p_page,p_limit,p_cursor,p_search,p_waiting,p_paid_from,p_paid_to,p_refunded_from,p_refunded_to,p_sort,p_product_id,p_is_queue_goods}'::pg_catalog.text[] <> '{}' or not p_args ?& '{}' end) then
            perform app.check_arguments('admin_get_orders', p_args);
          end if;
          
          begin
            p_args := '{"p_page": 1, "p_sort": "-id", "p_limit": 20}' || p_args;
            return api.admin_get_orders(p_uid => (p_args ->> 'p_uid')::pg_catalog.int8, p_state => (p_args ->> 'p_state')::pg_catalog.text, p_refund_status => (p_args ->> 'p_refund_status')::pg_catalog.int2, p_order_no => (p_args ->> 'p_order_no')::pg_catalog.text, p_from => (p_args ->> 'p_from')::pg_catalog.timestamptz, p_to => (p_args ->> 'p_to')::pg_catalog.timestamptz, p_page => (p_args ->> 'p_page')::pg_catalog.int4, p_limit => (p_args ->> 'p_limit')::pg_catalog.int4, p_cursor => (p_args ->> 'p_cursor')::pg_catalog.text, p_search => (p_args ->> 'p_search')::pg_catalog.text, p_waiting => (p_args ->> 'p_waiting')::pg_catalog.text, p_paid_from => (p_args ->> 'p_paid_from')::pg_catalog.timestamptz, p_paid_to => (p_args ->> 'p_paid_to')::pg_catalog.timestamptz, p_refunded_from => (p_args ->> 'p_refunded_from')::pg_catalog.timestamptz, p_refunded_to => (p_args ->> 'p_refunded_to')::pg_catalog.timestamptz, p_sort => (p_args ->> 'p_sort')::pg_catalog.text, p_product_id => (p_args ->> 'p_product_id')::pg_catalog.int8, p_is_queue_goods => (p_args ->> 'p_is_queue_goods')::pg_catalog.bool);
          exception when data_exception then
            perform app.check_arguments('admin_get_orders', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE FUNCTION entry.admin_get_users (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'admin_get_users') then p_args - '{p_search,p_agent_level,p_no_assess,p_spread_uid,p_sort,p_page,p_limit,p_has_left}'::pg_catalog.text[] <> '{}' or not p_args ?& '{}' end) then
            perform app.check_arguments('admin_get_users', p_args);
          end if;
          
          begin
            p_args := '{"p_page": 1, "p_sort": "-uid", "p_limit": 20}' || p_args;
            return api.admin_get_users(p_search => (p_args ->> 'p_search')::pg_catalog.text, p_agent_level => (p_args ->> 'p_agent_level')::pg_catalog.int2, p_no_assess => (p_args ->> 'p_no_assess')::pg_catalog.bool, p_spread_uid => (p_args ->> 'p_spread_uid')::pg_catalog.int8, p_sort => (p_args ->> 'p_sort')::pg_catalog.text, p_page => (p_args ->> 'p_page')::pg_catalog.int4, p_limit => (p_args ->> 'p_limit')::pg_catalog.int4, p_has_left => (p_args ->> 'p_has_left')::pg_catalog.bool);
          exception when data_exception then
            perform app.check_arguments('admin_get_users', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE FUNCTION entry.get_level_review (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'get_level_review') then p_args - '{p_limit,p_cursor,p_kind}'::pg_catalog.text[] <> '{}' or not p_args ?& '{}' end) then
            perform app.check_arguments('get_level_review', p_args);
          end if;
          
          begin
            p_args := '{"p_kind": "fall", "p_limit": 20, "p_cursor": 0}' || p_args;
            return api.get_level_review(p_limit => (p_args ->> 'p_limit')::pg_catalog.int4, p_cursor => (p_args ->> 'p_cursor')::pg_catalog.int8, p_kind => (p_args ->> 'p_kind')::pg_catalog.text);
          exception when data_exception then
            perform app.check_arguments('get_level_review', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE FUNCTION entry.get_spread_changes (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'get_spread_changes') then p_args - '{p_uid,p_page,p_limit}'::pg_catalog.text[] <> '{}' or not p_args ?& '{p_uid}' end) then
            perform app.check_arguments('get_spread_changes', p_args);
          end if;
          
          begin
            p_args := '{"p_page": 1, "p_limit": 20}' || p_args;
            return api.get_spread_changes(p_uid => (p_args ->> 'p_uid')::pg_catalog.int8, p_page => (p_args ->> 'p_page')::pg_catalog.int4, p_limit => (p_args ->> 'p_limit')::pg_catalog.int4);
          exception when data_exception then
            perform app.check_arguments('get_spread_changes', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE FUNCTION entry.preview_own_refund (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'preview_own_refund') then p_args - '{p_order_id,p_lines}'::pg_catalog.text[] <> '{}' or not p_args ?& '{p_order_id}' end) then
            perform app.check_arguments('preview_own_refund', p_args);
          end if;
          
          begin
            p_args := '{}' || p_args;
            return api.preview_own_refund(p_order_id => (p_args ->> 'p_order_id')::pg_catalog.int8, p_lines => (p_args ->> 'p_lines')::pg_catalog.jsonb);
          exception when data_exception then
            perform app.check_arguments('preview_own_refund', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE FUNCTION entry.preview_refund (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'preview_refund') then p_args - '{p_order_id,p_lines,p_amount,p_freight,p_answers_request}'::pg_catalog.text[] <> '{}' or not p_args ?& '{p_order_id}' end) then
            perform app.check_arguments('preview_refund', p_args);
          end if;
          
          begin
            p_args := '{}' || p_args;
            return api.preview_refund(p_order_id => (p_args ->> 'p_order_id')::pg_catalog.int8, p_lines => (p_args ->> 'p_lines')::pg_catalog.jsonb, p_amount => (p_args ->> 'p_amount')::pg_catalog."numeric", p_freight => (p_args ->> 'p_freight')::pg_catalog."numeric", p_answers_request => (p_args ->> 'p_answers_request')::pg_catalog.bool);
          exception when data_exception then
            perform app.check_arguments('preview_refund', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE FUNCTION entry.preview_refusal (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'preview_refusal') then p_args - '{p_order_id}'::pg_catalog.text[] <> '{}' or not p_args ?& '{p_order_id}' end) then
            perform app.check_arguments('preview_refusal', p_args);
          end if;
          
          begin
            p_args := '{}' || p_args;
            return api.preview_refusal(p_order_id => (p_args ->> 'p_order_id')::pg_catalog.int8);
          exception when data_exception then
            perform app.check_arguments('preview_refusal', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE FUNCTION entry.preview_spread (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'preview_spread') then p_args - '{p_uid,p_spread_uid}'::pg_catalog.text[] <> '{}' or not p_args ?& '{p_uid,p_spread_uid}' end) then
            perform app.check_arguments('preview_spread', p_args);
          end if;
          
          begin
            p_args := '{}' || p_args;
            return api.preview_spread(p_uid => (p_args ->> 'p_uid')::pg_catalog.int8, p_spread_uid => (p_args ->> 'p_spread_uid')::pg_catalog.int8);
          exception when data_exception then
            perform app.check_arguments('preview_spread', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE FUNCTION entry.preview_withdrawal_batch (
  p_claims     text,
  p_role       text,
  p_request_id text,
  p_args       jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  AS $function$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, 'preview_withdrawal_batch') then p_args - '{p_method}'::pg_catalog.text[] <> '{}' or not p_args ?& '{p_method}' end) then
            perform app.check_arguments('preview_withdrawal_batch', p_args);
          end if;
          
          begin
            p_args := '{}' || p_args;
            return api.preview_withdrawal_batch(p_method => (p_args ->> 'p_method')::pg_catalog.text);
          exception when data_exception then
            perform app.check_arguments('preview_withdrawal_batch', p_args);
            raise;
          end;
        
        end
        $function$;

CREATE OR REPLACE PROCEDURE app.continue_unfinished_runs()
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_run record;
begin
  perform app.count_times(pg_catalog.clock_timestamp());
  perform app.mark_cut_runs();
  commit;
  for v_run in select u.* from app.runs_to_start(pg_catalog.clock_timestamp()) with ordinality as u
    order by u.ordinality loop
    -- What a job does by a clock that nobody trusts is too little: it would do the rest a day later.
    continue when v_run.is_missed and (
      app.clock_state(pg_catalog.clock_timestamp()) = 'doubtful'
      or not app.claim_missed_run(v_run.job, v_run.tried_at, pg_catalog.clock_timestamp())
    );
    commit;
    case v_run.job
      when 'fsgx_release_frozen_points' then call app.release_frozen_points(v_run.from_day);
      when 'settle_waiting_orders' then call app.drain_settlement_jobs();
      when 'expire_orders' then call app.expire_orders();
      when 'receive_delivered_orders' then call app.receive_delivered_orders();
      when 'sum_team_totals' then call app.sum_team_totals();
      when 'sum_days' then call app.sum_days();
      when 'reconcile_bill' then call app.record_reconcile();
      when 'ensure_month_partitions' then call app.ensure_month_partitions(
        coalesce(v_run.from_day, current_date),
        coalesce(v_run.to_day, (current_date + interval '2 months')::pg_catalog.date)
      );
      when 'forget_idempotency_keys' then call app.forget_idempotency_keys();
      when 'compact_due_months' then call app.compact_due_months();
      when 'purge_old_records' then call app.purge_old_records();
      when 'purge_cron_history' then call app.purge_cron_history();
      when 'write_due_events' then call app.write_due_events();
      when 'delete_due_accounts' then call app.delete_due_accounts();
      when 'tell_notices' then call app.tell_notices();
      when 'write_deliveries' then call app.write_deliveries();
      else
        perform app.run_statement(v_run.job);
        commit;
    end case;
  end loop;
end
$procedure$;

CREATE OR REPLACE PROCEDURE app.release_frozen_points (
  IN p_business_day date            DEFAULT NULL::date,
  IN p_now timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  IN p_chunk integer                DEFAULT 250
)
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_run record;
  v_today pg_catalog.date := app.business_day(app.effect_time(p_now));
  v_days pg_catalog.date[] := app.days_to_release(p_business_day, v_today);
  v_day pg_catalog.date;
  v_range app.release_ranges;
  v_batch integer;
  v_failures integer;
  -- A transaction that holds one row for too long may hold many: after the first timeout the procedure no longer waits.
  v_waits boolean := true;
begin
  if p_chunk is null or p_chunk not between 1 and 1000 then
    -- With 0, the day would be finished without releasing anybody.
    perform app.fail('invalid_argument', 'A chunk has between 1 and 1000 members.');
  end if;
  perform app.reject_compacted_release(p_business_day);
  v_run := app.begin_run('fsgx_release_frozen_points', p_chunk, p_business_day, p_business_day);
  v_batch := v_run.batch;
  if p_now is null and app.clock_state(pg_catalog.clock_timestamp()) = 'doubtful' then
    commit;
    raise warning 'no points are released: the clock has jumped, and no second clock has agreed yet (see docs/operations.md)';
    return;
  end if;
  perform app.begin_release(coalesce(p_business_day, v_today), p_business_day is not null, app.effect_time(p_now));
  commit;
  foreach v_day in array v_days loop
    perform app.begin_release(v_day, p_business_day is not null, app.effect_time(p_now));
    perform app.begin_part(v_run.id, v_day::pg_catalog.text);
    commit;
    if not app.is_divided(v_day) then
      call app.visit_members(v_day, null, p_now, v_run.id, v_batch, v_waits, v_failures);
    end if;
    while exists (select from app.release_ranges as g where g.release_date = v_day and app.is_open(g, v_run.id)) loop
      v_range := app.take_range(v_day, v_run.id);
      commit;
      if v_range.last_uid is null then
        perform pg_catalog.pg_sleep(0.1);
      else
        call app.visit_members(v_day, v_range, p_now, v_run.id, v_batch, v_waits, v_failures);
        perform app.end_range(v_day, v_range.last_uid, v_failures);
        commit;
      end if;
    end loop;
    perform app.end_release(v_day, v_failures, app.effect_time(p_now));
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$procedure$;

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "adjustment_limit_money_is_valid" CHECK (((adjustment_limit_money >= (0)::numeric) AND (adjustment_limit_money <= (100000000)::numeric)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "adjustment_limit_points_is_valid" CHECK (((adjustment_limit_points >= (0)::numeric) AND (adjustment_limit_points <= (100000000)::numeric)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "analyst_minutes_is_valid" CHECK (((analyst_minutes >= 1) AND (analyst_minutes <= 120)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "cancellations_per_hour_is_valid" CHECK (((cancellations_per_hour >= 1) AND (cancellations_per_hour <= 100000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "colour_is_valid" CHECK ((colour ~ '^#[0-9a-f]{6}$'::text));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "first_order_minutes_is_valid" CHECK (((first_order_minutes >= 5) AND (first_order_minutes <= 129600)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "keys_per_hour_is_valid" CHECK (((keys_per_hour >= 1) AND (keys_per_hour <= 100000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "max_unpaid_orders_is_valid" CHECK (((max_unpaid_orders >= 1) AND (max_unpaid_orders <= 1000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "max_unpaid_share_is_valid" CHECK (((max_unpaid_share >= (0)::numeric) AND (max_unpaid_share <= (1)::numeric)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "max_unpaid_units_is_valid" CHECK (((max_unpaid_units >= 1) AND (max_unpaid_units <= 1000000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "network_depth_is_valid" CHECK (((network_depth >= 1) AND (network_depth <= 1000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "network_people_is_valid" CHECK (((network_people >= 1) AND (network_people <= 1000000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "night_sessions_is_valid" CHECK (((night_sessions >= 1) AND (night_sessions <= 8)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "offline_payment_days_is_valid" CHECK (((offline_payment_days >= 1) AND (offline_payment_days <= 90)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "offline_payment_limit_is_valid" CHECK (((offline_payment_limit >= (0)::numeric) AND (offline_payment_limit <= (100000000)::numeric)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "order_expiry_minutes_is_valid" CHECK (((order_expiry_minutes >= 5) AND (order_expiry_minutes <= 10080)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "orders_per_hour_is_valid" CHECK (((orders_per_hour >= 1) AND (orders_per_hour <= 100000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "payment_minutes_is_valid" CHECK (((payment_minutes >= 5) AND (payment_minutes <= 1440)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "payment_query_minutes_is_valid"
    CHECK
    (((cardinality(payment_query_minutes) <= 10) AND (array_position(payment_query_minutes, NULL::integer) IS NULL) AND (1 <= ALL (payment_query_minutes)) AND (1440 >= ALL
    (payment_query_minutes))));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "person_request_days_is_valid" CHECK (((person_request_days >= 1) AND (person_request_days <= 90)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "points_max_share_is_valid" CHECK (((points_max_share >= (0)::numeric) AND (points_max_share <= 0.99999)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "points_rate_is_valid" CHECK (((points_rate >= 0.01) AND (points_rate <= 999999.99)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "poster_design_is_valid" CHECK ((poster_design = ANY ('{warm,light,dark}'::text[])));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "posters_per_hour_is_valid" CHECK (((posters_per_hour >= 1) AND (posters_per_hour <= 100000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "profile_changes_per_hour_is_valid" CHECK (((profile_changes_per_hour >= 1) AND (profile_changes_per_hour <= 100000)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "real_name_check_is_valid" CHECK ((real_name_check = ANY ('{none,administrator,provider}'::text[])));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "real_name_from_is_valid" CHECK (((real_name_from >= 0.01) AND (real_name_from <= (1000000)::numeric)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "receipt_days_is_valid" CHECK (((receipt_days >= 1) AND (receipt_days <= 90)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "refund_window_days_is_valid" CHECK (((refund_window_days >= 0) AND (refund_window_days <= 3650)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "second_factor_areas_is_valid" CHECK ((second_factor_areas <@ '{records,content,orders,refunds,members,money,plan,system,administrators,keys}'::text[]));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "settlement_slots_is_valid" CHECK (((settlement_slots >= 0) AND (settlement_slots <= 16)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "tax_method_is_valid" CHECK ((tax_method = ANY ('{none,cumulative,per_month,per_payment}'::text[])));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "transfer_maximum_is_valid" CHECK (((transfer_maximum >= 0.01) AND (transfer_maximum <= 999999999999.99) AND (transfer_maximum >= transfer_minimum)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "transfer_minimum_is_valid" CHECK (((transfer_minimum >= 0.01) AND (transfer_minimum <= (1000000)::numeric)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "transfer_name_from_is_valid" CHECK (((transfer_name_from >= 0.3) AND (transfer_name_from <= (2000)::numeric)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "withdrawal_fee_rate_is_valid" CHECK (((withdrawal_fee_rate >= (0)::numeric) AND (withdrawal_fee_rate <= 0.99999)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "withdrawal_limit_is_valid" CHECK (((withdrawal_limit >= (0)::numeric) AND (withdrawal_limit <= (100000000)::numeric)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "withdrawal_maximum_is_valid" CHECK (((withdrawal_maximum >= 0.01) AND (withdrawal_maximum <= 999999999999.99) AND (withdrawal_maximum >= withdrawal_minimum)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "withdrawal_methods_is_valid" CHECK ((withdrawal_methods <@ '{bank,alipay,wechat}'::text[]));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "withdrawal_minimum_is_valid" CHECK (((withdrawal_minimum >= 0.01) AND (withdrawal_minimum <= (1000000)::numeric)));

ALTER TABLE "app"."spread_changes"
  ADD CONSTRAINT "spread_changes_from_uid_fkey" FOREIGN KEY (from_uid) REFERENCES app.users(uid);

ALTER TABLE "app"."spread_changes"
  ADD CONSTRAINT "spread_changes_to_uid_fkey" FOREIGN KEY (to_uid) REFERENCES app.users(uid);

ALTER TABLE "app"."spread_changes"
  ADD CONSTRAINT "spread_changes_uid_fkey" FOREIGN KEY (uid) REFERENCES app.users(uid);

CREATE VIEW "compacted"."bill" AS  SELECT r.id,
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
     CROSS JOIN LATERAL report.releases_of_run(c.*) r(id, uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, order_id, basis, rate, agent_level, passed_on, reverses_id, withdrawal_id, adjustment_id, add_time));

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
            r.uid,
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
           FROM compacted.bill r) b
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

CREATE VIEW "report"."members" AS  SELECT u.uid,
    u.spread_uid AS referrer_uid,
    u.agent_level AS level,
    g.name AS level_name,
    u.is_held AS level_is_held,
    u.no_assess,
    u.add_time AS joined_at,
    ((u.add_time AT TIME ZONE s.time_zone))::date AS joined_day,
    b.brokerage_price AS commission_balance,
    b.frozen_points,
    b.available_points,
    b.total_brokerage AS commission_earned,
    b.total_points_earned AS points_earned,
    u.left_at,
    ( SELECT (LEAST(GREATEST((b.brokerage_price - COALESCE(( SELECT sum(w.amount_left) AS sum
                   FROM app.commission_maturities w
                  WHERE ((w.uid = u.uid) AND ((w.matures_at IS NULL) OR (w.matures_at > now())))), 0.00)), 0.00), COALESCE(sum(m.amount_left), 0.00)))::numeric(14,2) AS "least"
           FROM (app.commission_maturities m
             JOIN app.refunds r ON (((r.order_id = m.order_id) AND (r.state = 'requested'::text))))
          WHERE ((m.uid = u.uid) AND (m.matures_at <= now()) AND (EXISTS ( SELECT
                   FROM (app.refund_lines x
                     JOIN app.order_lines l ON ((l.id = x.line_id)))
                  WHERE ((x.refund_id = r.id) AND l.is_queue_goods))))) AS commission_held
   FROM (((app.users u
     JOIN app.user_balances b ON ((b.uid = u.uid)))
     JOIN app.agent_levels g ON ((g.grade = u.agent_level)))
     CROSS JOIN app.settings s);

CREATE VIEW "report"."order_lines" AS  SELECT l.id AS line_id,
    l.order_id,
    l.product_id,
    l.title,
    l.price,
    l.quantity,
    l.discount,
    l.paid_by_points,
    l.points,
    l.paid,
    l.is_queue_goods,
    l.refunded_quantity,
    (COALESCE(c.amount, 0.00))::numeric(14,2) AS conceded
   FROM (app.order_lines l
     LEFT JOIN LATERAL ( SELECT sum(x.concession) AS amount
           FROM (app.refund_lines x
             JOIN app.refunds r ON ((r.id = x.refund_id)))
          WHERE ((x.line_id = l.id) AND app.is_paid_back(r.state))) c ON (true));

CREATE VIEW "report"."orders" AS  SELECT o.id AS order_id,
    o.order_no,
    o.uid,
    o.referrer_uid,
    o.state,
    o.add_time AS placed_at,
    o.paid_at,
    ((o.paid_at AT TIME ZONE s.time_zone))::date AS paid_day,
    o.delivered_at AS shipped_at,
    o.received_at,
    o.cancelled_at,
    o.is_expired,
    o.total_price,
    o.discount,
    o.freight,
    o.paid_by_points,
    o.points_spent,
    o.pay_price,
    (COALESCE(r.amount, 0.00))::numeric(14,2) AS refunded,
    o.pay_type,
    o.has_queue_goods,
    o.queue_base,
    o.queue_units,
    o.plan_version,
    o.is_imported
   FROM ((app.orders o
     CROSS JOIN app.settings s)
     LEFT JOIN LATERAL ( SELECT sum(f.amount) AS amount
           FROM app.refunds f
          WHERE ((f.order_id = o.id) AND app.is_paid_back(f.state))) r ON (true));

CREATE VIEW "report"."points_by_day" AS  SELECT b.booked_day AS day,
    b.type,
    b.source,
    count(*) AS bill_rows,
    sum(b.frozen_points) AS frozen_points,
    sum(b.available_points) AS available_points
   FROM report.bill b
  WHERE ((b.frozen_points <> (0)::numeric) OR (b.available_points <> (0)::numeric))
  GROUP BY b.booked_day, b.type, b.source;

CREATE VIEW "report"."refunds" AS  SELECT r.id AS refund_id,
    r.order_id,
    r.state,
    r.amount,
    r.points,
    r.created_at AS requested_at,
    r.decided_at,
    ((r.decided_at AT TIME ZONE s.time_zone))::date AS decided_day,
    (( SELECT sum(l.asked) AS sum
           FROM app.refund_lines l
          WHERE (l.refund_id = r.id)))::integer AS units_asked,
    (( SELECT sum(l.quantity) AS sum
           FROM app.refund_lines l
          WHERE (l.refund_id = r.id)))::integer AS units,
    r.freight
   FROM (app.refunds r
     CROSS JOIN app.settings s);

CREATE VIEW "report"."withdrawals" AS  SELECT w.id AS withdrawal_id,
    w.withdrawal_no,
    w.uid,
    w.method,
    w.amount,
    w.fee,
    w.tax,
    w.state,
    w.batch_id,
    w.add_time AS requested_at,
    w.approved_at,
    w.ended_at,
    ((w.ended_at AT TIME ZONE s.time_zone))::date AS ended_day,
    w.held_accepted
   FROM (app.withdrawals w
     CROSS JOIN app.settings s);

CREATE INDEX spread_changes_from_uid_idx ON app.spread_changes USING btree (from_uid)
  WHERE (from_uid IS NOT NULL);

CREATE INDEX spread_changes_uid_idx ON app.spread_changes USING btree (uid, id);

CREATE TRIGGER keys_stop_with_their_owner
  AFTER DELETE ON app.administrators
  FOR EACH ROW
  EXECUTE FUNCTION app.note_leaving_owner();

CREATE TRIGGER what_was_asked_and_answered_never_changes
  BEFORE UPDATE ON app.person_requests
  FOR EACH ROW
  WHEN
    ((((to_jsonb(new.*) - '{uid,note,state,answer,closed_by,closed_at}'::text[]) <> (to_jsonb(old.*) - '{uid,note,state,answer,closed_by,closed_at}'::text[])) OR ((new.note <>
    old.note) AND (new.note <> ''::text)) OR
    ((old.state <> 'open'::text) AND (((new.uid = old.uid) AND (new.note = old.note) AND (new.answer = old.answer)) OR ((new.answer <> old.answer) AND (new.answer <>
    app.forgotten_text())) OR ((to_jsonb(new.*) - '{uid,note,answer}'::text[]) <> (to_jsonb(old.*) - '{uid,note,answer}'::text[]))))))
  EXECUTE FUNCTION app.reject_change();

CREATE TRIGGER spread_changes_are_never_changed
  BEFORE DELETE OR UPDATE OF id, uid, from_uid, from_time, from_position, to_uid, changed_by, "position", add_time ON app.spread_changes
  FOR EACH ROW
  EXECUTE FUNCTION app.reject_change();

CREATE TRIGGER spread_changes_are_never_emptied
  BEFORE TRUNCATE ON app.spread_changes
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.reject_change();

CREATE TRIGGER tax_allowances_are_never_changed
  BEFORE DELETE OR UPDATE OF id, uid, month, exempt_income, other_deductions, relief, created_by, add_time ON app.tax_allowances
  FOR EACH ROW
  EXECUTE FUNCTION app.reject_change();

CREATE POLICY "admins_read_dropped_actions" ON "app"."dropped_actions"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

CREATE POLICY "admins_read_rule_versions" ON "app"."rule_versions"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

CREATE POLICY "admins_read_spread_changes" ON "app"."spread_changes"
  FOR SELECT
  TO "service_role", "store_admin", "store_key"
  USING (true);

COMMENT ON COLUMN "app"."adjustments"."kind" IS 'correction; forfeit: a member who left gave it up, or two administrators declared it given up; above zero, a refund has taken back what was given up (app.reversals); payout: what a member who left was owed was paid outside the store.';

COMMENT ON COLUMN "app"."dropped_actions"."digest" IS 'What app.digest_of_actions returned. Of a month that was archived by a version before 2.0.0: the digest of that version, a number.';

COMMENT ON COLUMN "app"."imports"."finished_position" IS 'Position in app.positions at which the import ended and members rose. Null while it is unfinished, and if it ended before such positions were stored.';

COMMENT ON COLUMN "app"."level_changes"."cause" IS 'What let a member rise by tasks. order: the settlement of the order. refund: the answer to a request for a refund of the order, or that the buyer took it back. assess: a member below is assessed again. refer: a member with orders joined below. import: an import has ended. hold: the hold of the level has ended. Null: until 1.0.0, always the settlement of the order.';

COMMENT ON COLUMN "app"."level_changes"."position" IS 'Position in app.positions. A rise by tasks has that of its cause.';

COMMENT ON COLUMN "app"."level_versions"."position" IS 'Position in app.positions from which the version is in force. Versions from before 2.0.0 have one of the update, because a settlement names its version.';

COMMENT ON COLUMN "app"."person_requests"."answer" IS 'What was done so far, or was done, or why it was refused. Members read it. Replaced by app.forgotten_text() when the account is deleted.';

COMMENT ON COLUMN "app"."refund_lines"."asked" IS 'The units that a request asked for. Null for a refund that nobody asked for, and for requests from before 2.0.0.';

COMMENT ON COLUMN "app"."refund_lines"."concession" IS 'An amount of the line that is paid back while its goods are kept.';

COMMENT ON COLUMN "app"."refund_lines"."quantity" IS 'The refunded units; of a request that is open, refused or taken back, the units that it asks for.';

COMMENT ON COLUMN "app"."refunds"."amount" IS 'What is paid back: what the refunded units cost, without what points paid, concessions, and freight. For a request, what it would pay back: while it is open, with the freight that was foreseen when it was made (app.current_freight has that of now).';

COMMENT ON COLUMN "app"."refunds"."freight" IS 'The part of amount that is freight.';

COMMENT ON COLUMN "app"."refunds"."named" IS 'With a refund_ref: what the caller named, for app.replay_refund. Null without one, and for refunds from before 2.0.0.';

COMMENT ON COLUMN "app"."refunds"."refusal_reason" IS 'Why the store has refused the request, in words for the buyer; empty: it gave no reason.';

COMMENT ON COLUMN "app"."rule_versions"."in_force_since" IS 'When the store got them. Null: it always had them, or had the first version before times were stored.';

COMMENT ON COLUMN "app"."rule_versions"."position" IS 'The first position in app.positions that is decided by these rules: 0 in a store that never had others.';

COMMENT ON COLUMN "app"."scheduled_jobs"."times_count_for" IS 'For what the times of the job count (app.times_count_for). If that has changed, no earlier time is made up.';

COMMENT ON COLUMN "app"."scheduled_jobs"."times_count_from" IS 'Since when it is that. An earlier time is not made up.';

COMMENT ON COLUMN "app"."scheduled_jobs"."tried_at" IS 'When a missed run was last started (app.continue_unfinished_runs).';

COMMENT ON COLUMN "app"."settings"."adjustment_limit_money" IS 'Daily limit for adjustments of commission. How much one administrator adjusts alone on one day, in all. Above the limits, a second administrator must approve.';

COMMENT ON COLUMN "app"."settings"."adjustment_limit_points" IS 'Daily limit for adjustments of points. How many points one administrator adjusts alone on one day, in all. Above it, a second administrator must approve.';

COMMENT ON COLUMN "app"."settings"."analyst_minutes" IS 'Queries of analysts end after (minutes). What an analyst reads with the login store_analyst is ended when it takes longer, so that it does not hold up the store.';

COMMENT ON COLUMN "app"."settings"."assistants" IS 'Assistants may read. An assistant (a language model) then reads what the machine key that you give it allows, without names, phone numbers and addresses unless the key has that scope. It changes nothing, and the action log shows each call.';

COMMENT ON COLUMN "app"."settings"."avatar_origins" IS 'Sites of pictures of members. Members can have pictures of these sites, of the project and of the page of the share link. All others are hidden, since whoever serves a picture learns who looks at it. Write each as https://example.com.';

COMMENT ON COLUMN "app"."settings"."cancellations_per_hour" IS 'Cancellations of a member per hour. Orders and withdrawals together. Orders that expire do not count.';

COMMENT ON COLUMN "app"."settings"."colour" IS 'Main colour. The colour of buttons and headers in the H5 app. Shades that are hard to read are adjusted automatically.';

COMMENT ON COLUMN "app"."settings"."contact_hours" IS 'Contact: hours. When somebody answers, as members read it, for example 9:00 to 18:00.';

COMMENT ON COLUMN "app"."settings"."contact_phone" IS 'Contact: phone. Members can call it from the H5 app.';

COMMENT ON COLUMN "app"."settings"."contact_wechat" IS 'Contact: WeChat ID. Members copy it and add you in WeChat.';

COMMENT ON COLUMN "app"."settings"."first_order_minutes" IS 'Minutes to pay a first order. An unpaid order that holds a limited stock expires after this time if its buyer has never paid an order.';

COMMENT ON COLUMN "app"."settings"."h5_share_url" IS 'Share link URL. The page that share links open, without # and what follows it. The store appends ?spread= and the member number.';

COMMENT ON COLUMN "app"."settings"."keys_per_hour" IS 'Changes of a member per hour. All requests of the app that change something, each counted once however often it is repeated.';

COMMENT ON COLUMN "app"."settings"."logo" IS 'Logo. The URL of a picture that members see beside the store name.';

COMMENT ON COLUMN "app"."settings"."max_unpaid_orders" IS 'Unpaid order limit. A member with this many unpaid orders must pay or cancel one before they can place another.';

COMMENT ON COLUMN "app"."settings"."max_unpaid_share" IS 'Unpaid share of a stock. Which share of the stock of a product the unpaid orders of a member can hold: 0.1 is a tenth, 1 is all. One unit is always possible.';

COMMENT ON COLUMN "app"."settings"."max_unpaid_units" IS 'Unpaid units of a member. How many units of goods with a limited stock the unpaid orders of a member can hold. Goods without a limit do not count.';

COMMENT ON COLUMN "app"."settings"."network_depth" IS 'Network shape: depth. The depth of that list. The plan editor and the check say if a plan pays beyond it.';

COMMENT ON COLUMN "app"."settings"."network_people" IS 'Network shape: members below. From how many members below, with members at the depth below, the page Network shape lists a member. It changes nothing that is paid.';

COMMENT ON COLUMN "app"."settings"."night_sessions" IS 'Sessions of a night. At most one for each processor of the database. Each releases the points of a range of members and reconciles a range. A change applies from the next night on.';

COMMENT ON COLUMN "app"."settings"."offline_payment" IS 'Members can pay offline. Orders for which no payment was started are then kept for longer.';

COMMENT ON COLUMN "app"."settings"."offline_payment_days" IS 'Orders to be paid offline expire after (days). Counted from the order, if no payment was started.';

COMMENT ON COLUMN "app"."settings"."offline_payment_limit" IS 'Daily limit for offline payments. Orders of how much money one administrator marks as paid alone on one day. Above it, a second administrator must mark the order, too.';

COMMENT ON COLUMN "app"."settings"."order_expiry_minutes" IS 'Unpaid orders expire after (minutes). Counted from the end of the last payment. Without a payment, and if members cannot pay offline, counted from the order.';

COMMENT ON COLUMN "app"."settings"."orders_per_hour" IS 'Orders of a member per hour. A member who has placed this many must wait until the hour that began with the first is over. The same holds for the next four limits.';

COMMENT ON COLUMN "app"."settings"."payment_minutes" IS 'Time to pay (minutes). After a payment is started at a provider, the buyer must complete it within this time.';

COMMENT ON COLUMN "app"."settings"."payment_query_minutes" IS 'Look up payments after (minutes). If a payment''s notification is lost, the store finds the payment at one of these times after its start. Without any, it is looked up only when the time to pay has passed.';

COMMENT ON COLUMN "app"."settings"."person_request_days" IS 'Requests of persons are answered within (days). Counted from the receipt of a request for a copy, a correction or the deletion of personal data. Requests from before keep their day.';

COMMENT ON COLUMN "app"."settings"."points_max_share" IS 'Largest share of the price that points can pay. Points pay neither for queue goods nor for freight. 0 % switches payment by points off. The whole price can never be paid by points.';

COMMENT ON COLUMN "app"."settings"."points_rate" IS 'Points that pay 1.00. How many points a member gives for 1.00 at checkout. Orders that are placed keep their rate.';

COMMENT ON COLUMN "app"."settings"."poster_design" IS 'Design of posters. A product can have a design of its own.';

COMMENT ON COLUMN "app"."settings"."posters_per_hour" IS 'Posters drawn for a member per hour. A poster is drawn again after its member, the store name or the share link has changed, and once every 30 days.';

COMMENT ON COLUMN "app"."settings"."profile_changes_per_hour" IS 'Profile changes of a member per hour. Changes of nickname and picture.';

COMMENT ON COLUMN "app"."settings"."real_name_check" IS 'Real name: who checks it. Who must have checked a real name before it suffices for a withdrawal. The operator sets the address of the provider first. Administrators can check or refuse every real name.';

COMMENT ON COLUMN "app"."settings"."real_name_from" IS 'Real name: from this amount on. From this amount on, a member gives name and number of a document before a withdrawal. They are encrypted with keys that the operator sets first. Without an amount, no real name is taken, and those that were given stay.';

COMMENT ON COLUMN "app"."settings"."receipt_days" IS 'Receipt is confirmed automatically after (days). Counted from the shipment. Receipt is not confirmed while a refund request is open.';

COMMENT ON COLUMN "app"."settings"."refund_window_days" IS 'Refund window (days). Counted from the receipt. Administrators may refund later, too.';

COMMENT ON COLUMN "app"."settings"."refused_words" IS 'Words that members cannot use. Nicknames, refund reasons and remarks on orders that contain one of them are refused. Case, full or half width and blanks between letters do not matter. Texts from before stay.';

COMMENT ON COLUMN "app"."settings"."return_address" IS 'Return address. Where buyers send goods back. A buyer sees it when you ask for the goods of a refund request; requests that were answered before keep theirs.';

COMMENT ON COLUMN "app"."settings"."second_factor_areas" IS 'Areas that need a second factor. Administrators prove it with a code from an app on their phone, which they set up in the menu of their account. Set up your own first: whoever changes this needs one. Whoever changes this has proved it, or signed in, within 15 minutes. With any area, the area administrators needs it, too. Nothing chosen: nobody needs one.';

COMMENT ON COLUMN "app"."settings"."settlement_slots" IS 'Settlements at the same time. At most one for each processor of the database. One of the requests that have paid settles for all. With 0, orders are settled every minute by the scheduled job.';

COMMENT ON COLUMN "app"."settings"."site_name" IS 'Store name. What members see as the name of the store, on its pages and posters.';

COMMENT ON COLUMN "app"."settings"."tax_from" IS 'Tax is withheld from. The first day on which tax is withheld. Before it, nothing is withheld, whatever the method. Without a day, tax is withheld from every day on.';

COMMENT ON COLUMN "app"."settings"."tax_method" IS 'Tax of payouts. How income tax is withheld of a withdrawal when it is given to the bank or to WeChat. The store computes by this setting. Whether and how tax applies is your decision; have it confirmed by a tax adviser. Value-added tax and points are not computed. With tax on, a withdrawal is paid through a batch, which fixes its tax. A change applies to what is paid from then on.';

COMMENT ON COLUMN "app"."settings"."time_zone" IS 'Time zone. The time zone of business days and of the schedule, for example Asia/Shanghai.';

COMMENT ON COLUMN "app"."settings"."transfer_maximum" IS 'Largest transfer to WeChat. The limit of your contract with WeChat for one transfer. Without an amount, only that of withdrawals holds.';

COMMENT ON COLUMN "app"."settings"."transfer_minimum" IS 'Smallest transfer to WeChat. WeChat transfers no smaller amount: a withdrawal less its fee.';

COMMENT ON COLUMN "app"."settings"."transfer_name_from" IS 'WeChat needs a name from. From this amount on, members state their full name. WeChat compares it with that of the account. It takes none below 0.30 and demands one from 2000.00 on.';

COMMENT ON COLUMN "app"."settings"."withdrawal_fee_rate" IS 'Withdrawal fee rate. The share of a withdrawal that the store keeps, such as 0.006. Requests that were made before keep their fee.';

COMMENT ON COLUMN "app"."settings"."withdrawal_limit" IS 'Daily limit for the approval of withdrawals. Withdrawals of how much money one administrator approves alone on one day. Above it, a second administrator must approve, too.';

COMMENT ON COLUMN "app"."settings"."withdrawal_maximum" IS 'Largest withdrawal. Members cannot request more at once. Without an amount, there is no limit.';

COMMENT ON COLUMN "app"."settings"."withdrawal_methods" IS 'Ways to withdraw. Without any, members cannot withdraw.';

COMMENT ON COLUMN "app"."settings"."withdrawal_minimum" IS 'Smallest withdrawal. Members cannot request less at once.';

COMMENT ON COLUMN "app"."spread_changes"."from_time" IS 'When the member had got the referrer that was replaced; from_position is its position.';

COMMENT ON COLUMN "app"."spread_changes"."position" IS 'That of the new referrer in app.users.spread_position.';

COMMENT ON COLUMN "app"."users"."left_at" IS 'When the member left: their account was deleted or removed. From then on they earn nothing. Null also for imported members whom nobody has claimed.';

COMMENT ON COLUMN "app"."users"."left_position" IS 'Position in app.positions at which the member left, or from which they earn nothing, if they left before such positions were stored.';

COMMENT ON COLUMN "app"."withdrawals"."held_accepted" IS 'What open refund requests held of it when it was last approved in spite of them. A transfer does not begin while they hold more. Null: nothing.';

COMMENT ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp with time zone, timestamp with time zone, integer, integer, text, text, text, timestamp
  with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, text, bigint, boolean) IS 'Returns one page of all orders, sorted by id or by time of payment, which leaves out those without it, filtered by a search (app.find_orders), buyer, product and queue-goods flag of a line, shown state, refund status, order number, time, time of payment, time of a refund and what waits for the caller: refund, or payment, an offline one that another administrator has marked (app.waiting_kinds). refunded is what was refunded, between the times of refunds if they are given; amount_left is what is left of what was paid after all refunds, return_state how far the goods of the open request have returned. Pages are numbered or follow a cursor. Serves GET /adminapi/order.';

COMMENT ON FUNCTION "api"."admin_get_system_metadata"(text, text, text) IS 'Returns the public metadata and health with the versions of runtime, database and schema. Serves GET /adminapi/system/metadata.';

COMMENT ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer, boolean) IS 'Returns one page of the members, filtered by uid or nickname (app.may_search_names), level, no-assess flag, referrer and whether they have left, sorted by p_sort (a leading - sorts in descending order). Administrators who take no part in the store are left out (app.idle_administrators). Serves GET /adminapi/user.';

COMMENT ON FUNCTION "api"."admin_get_withdrawal"(bigint) IS 'Returns a withdrawal with the amount that the member can still withdraw, the orders whose open refund requests hold commission while nobody is told to pay it, the tax of an open one as it would be now, its transfer at WeChat and, only for administrators with the area money, the account with its unmasked number. Serves GET /adminapi/withdrawal/{id}.';

COMMENT ON FUNCTION "api"."approve_withdrawal"(bigint, numeric) IS 'Approves a requested withdrawal and returns it. Above the limit of a day, a second administrator must approve it, too. p_held_by_refunds accepts what open refund requests hold of it. Serves PUT /adminapi/withdrawal/{id}/approve.';

COMMENT ON FUNCTION "api"."approve_withdrawals"(jsonb) IS 'Approves several requested withdrawals, each as api.approve_withdrawal does, and returns what became of each: approved, waits for a second administrator, or rejected, with the code of the error. A withdrawal that cannot be approved stops no other; if none can, the error of the last is raised. One of which refund requests hold something is rejected: whoever accepts that approves it alone. Serves PUT /adminapi/withdrawal/approve.';

COMMENT ON FUNCTION "api"."begin_transfer"(text, text) IS 'Moves an approved withdrawal by wechat to paying and returns what WeChat is told by the merchant p_mchid, {appid, openid, payee_name, amount_minor, must_cancel, may_request, can_be_confirmed, is_held}, {is_held} alone while refund requests hold it, or null if it has ended. First step of the worker.';

COMMENT ON FUNCTION "api"."call_tool"(text, text, jsonb) IS 'Runs a function of schema api that only reads for an assistant and returns its result, with personal data only for a machine key with the scope personal:read (app.personal_fields), by whose names no other caller finds anything (app.may_search_names). The action log records the tool and its arguments, without texts to search for (app.call_tool). Serves POST /mcp.';

COMMENT ON FUNCTION "api"."create_adjustment"(bigint, text, numeric, numeric, numeric, text) IS 'Corrects the balances of a member and returns the adjustment: booked within the limits of the settings, otherwise waiting for a second administrator, as always for a member who has left, whom p_kind pays out or takes as given up. Serves POST /adminapi/adjustment.';

COMMENT ON FUNCTION "api"."create_order"(jsonb, bigint, jsonb, text, numeric, numeric) IS 'Creates an unpaid order of the caller, or a paid one if it costs nothing, and returns it. p_items is [{"product_id", "quantity"}]; a client cannot set a discount. The order copies the address of p_address_id, or p_address. With p_expected_price, an order that costs another amount is rejected. p_use_points is the most points to use. At most ten orders an hour may cost nothing. Serves POST /api/order.';

COMMENT ON FUNCTION "api"."create_withdrawal_batch"(text, jsonb, numeric, boolean) IS 'Puts approved withdrawals of a method (bank or alipay) into a batch and returns the batch. p_ids names the withdrawals; null takes all, except those of the administrator''s own member and those that the administrator approved (app.reject_own_approval). They become paying. p_held_by_refunds accepts what open refund requests hold of them; with p_leaves_out_held, those stay as they are. Serves POST /adminapi/withdrawal/batch.';

COMMENT ON FUNCTION "api"."deliver_order"(bigint, text, text) IS 'Marks a paid order as shipped (state delivered), with carrier and tracking number of its first parcel where they are given, and returns it. An order whose receipt was confirmed before stays received. Serves PUT /adminapi/order/{id}/deliver.';

COMMENT ON FUNCTION "api"."get_actions"(text, text, text, uuid, timestamp with time zone, timestamp with time zone, integer, integer, text) IS 'Returns one page of what administrators did, newest first, filtered by function, target, administrator and time, and dropped_until, before which actions were exported and dropped. Pages are numbered or follow a cursor. Serves GET /adminapi/action.';

COMMENT ON FUNCTION "api"."get_assets_overview"() IS 'Returns the caller''s balances, what of the commission can be withdrawn, what open refund requests hold and when the rest matures, level and commission cycle. today_release is the amount that today''s release gave, or will give if it has not run yet. Serves GET /api/hjf/assets/overview.';

COMMENT ON FUNCTION "api"."get_bill_rows"(bigint, text, text, text, numeric, numeric, timestamp with time zone, timestamp with time zone, integer, integer, text, timestamp
  with time zone, timestamp with time zone, smallint) IS 'Returns one page of the bill of all members, newest first, filtered by member, the level that members have now, type, source, time, the size of the change of a balance (app.bill_window limits the time), and whether it is what orders earned, less reversals, in a period, as in app.sum_between. A row that does not change the balance has no such size. Rows are counted up to 100,001. Pages are numbered or follow a cursor. Serves GET /adminapi/bill.';

COMMENT ON FUNCTION "api"."get_level_changes"(bigint, integer, integer) IS 'Returns one page of the changes of a member''s grade, newest first, each with what caused it: for a rise by tasks the kind of the cause, and the order if there is one; else the administrator. Serves GET /adminapi/user/{uid}/level_change.';

COMMENT ON FUNCTION "api"."get_level_review"(integer, bigint, text) IS 'Returns members who would not reach their level today, after refunds, with what is missing; or, with p_kind rise, those who meet the tasks of a higher level and have not risen. Levels do not fall by themselves, and level settings raise nobody. A page reads a bounded number of members and can have fewer than p_limit. Serves GET /adminapi/agent/level/review.';

COMMENT ON FUNCTION "api"."get_member_network"(bigint) IS 'Returns how many members are below a member at each depth, what the orders of members at that depth have brought, less reversals, and which share of it came from depth 1, the own sales. Serves GET /adminapi/user/{uid}/network.';

COMMENT ON FUNCTION "api"."get_network_paid"() IS 'Returns how deep orders have ever paid, and what was booked at each depth in the last 90 business days, less reversals. Serves GET /adminapi/network/paid.';

COMMENT ON FUNCTION "api"."get_orders"(text, integer, integer) IS 'Returns one page of the caller''s orders, newest first, filtered by the state that is shown (app.shown_state). Serves GET /api/order.';

COMMENT ON FUNCTION "api"."get_report_levels"(timestamp with time zone, timestamp with time zone) IS 'Returns the figures of a period by the level that members have now: what they bought and earned, and who has joined. Serves GET /adminapi/report/level.';

COMMENT ON FUNCTION "api"."get_report_members"(timestamp with time zone, timestamp with time zone, text, integer, integer) IS 'Returns a page of the members whose direct members bought something in a period, or who earned in it, with these sales and earnings, sorted by revenue, orders, commission or points. Serves GET /adminapi/report/member.';

COMMENT ON FUNCTION "api"."get_report_products"(timestamp with time zone, timestamp with time zone, text, integer, integer) IS 'Returns a page of the products that were sold or refunded in a period (app.sold_products), as they were then, sorted by revenue, units or orders, and the freight of its orders and of its refunds: with it, what was paid for all products is what was paid, and what was refunded of them is what was refunded. Serves GET /adminapi/report/product.';

COMMENT ON FUNCTION "api"."get_settings_history"() IS 'Returns the settings of a new store, and for each setting that an administrator has changed, when and by whom it was changed last, as far as its action was not dropped: {presets, changes}. Serves GET /adminapi/system/settings/history.';

COMMENT ON FUNCTION "api"."get_spread_changes"(bigint, integer, integer) IS 'Returns one page of the referrers that administrators have set for a member, newest first, each with the referrer before it, the reason and the administrator. Serves GET /adminapi/user/{uid}/spread_change.';

COMMENT ON FUNCTION "api"."get_withdrawal_terms"(numeric) IS 'Returns what the caller needs to know before a withdrawal: ways (wechat only if they sign in with it) with their limits, fee rate, what can be withdrawn now, what open refund requests hold, why nothing can be, the real name that is missing, the open withdrawal, and the fee of p_amount and its tax as it would be now. Serves GET /api/withdrawal/terms.';

COMMENT ON FUNCTION "api"."hand_over_machine_key"(bigint, uuid) IS 'Makes another administrator, whose roles allow its scopes, answer for a machine key, also within the 30 days after its owner has left, and returns the key (app.key_json). Secret and scopes stay as they are. Needs a second factor. Serves PUT /adminapi/machine_key/{id}/owner.';

COMMENT ON FUNCTION "api"."invite_administrator"(text, jsonb, text) IS 'Invites the owner of an email address to become an administrator, for seven days, and returns what get_administrators returns. The edge function then has the Auth server send the mail. A repeated invitation replaces the earlier one. Needs a second factor. Serves POST /adminapi/administrator/invitation.';

COMMENT ON FUNCTION "api"."mark_withdrawal_paid"(bigint, text, numeric) IS 'Records that an approved withdrawal was paid, with the reference of the payment, and returns it. p_held_by_refunds accepts what open refund requests hold of it. Serves PUT /adminapi/withdrawal/{id}/paid.';

COMMENT ON FUNCTION "api"."preview_own_refund"(bigint, jsonb) IS 'Returns what a refund of these units of one of the caller''s orders would pay back (app.preview_request). With p_lines null: of all that is left. Serves POST /api/order/{id}/refund/preview.';

COMMENT ON FUNCTION "api"."preview_refund"(bigint, jsonb, numeric, numeric, boolean) IS 'Returns what this refund would pay back and reverse now and what becomes of the open request, without writing (app.preview_refund). Serves POST /adminapi/order/{id}/refund/preview.';

COMMENT ON FUNCTION "api"."preview_refusal"(bigint) IS 'Returns whose task counts and levels the refusal of the open refund request of an order would change now, without writing (app.preview_refusal). Serves GET /adminapi/order/{id}/refund/refuse/preview.';

COMMENT ON FUNCTION "api"."preview_spread"(bigint, bigint) IS 'Returns what setting the referrer of a member would change (app.spread_json), or raises why it cannot be set. Serves POST /adminapi/user/{uid}/spread/preview.';

COMMENT ON FUNCTION "api"."preview_withdrawal_batch"(text) IS 'Returns what a batch of all approved withdrawals of a method would take, and what open refund requests hold of them (app.preview_withdrawal_batch). Writes nothing. Serves POST /adminapi/withdrawal/batch/preview.';

COMMENT ON FUNCTION "api"."record_attempt"(bigint, integer, integer, text, text, integer) IS 'Records what came of an attempt of a delivery (app.record_attempt): without a problem it is delivered.';

COMMENT ON FUNCTION "api"."refund_order"(bigint, jsonb, text, numeric, numeric, boolean) IS 'Refunds units or amounts of an order, and freight, and returns the refund (app.refund_order). With p_lines and p_amount null it refunds the units of the open request, or, without a request, all that is left. p_answers_request says whether it answers the open request; null: if it has units of a line of it. Serves PUT /adminapi/order/{id}/refund.';

COMMENT ON FUNCTION "api"."refuse_refund"(bigint, text) IS 'Refuses the open refund request of an order and returns it. p_reason, which may be missing, tells the buyer why. Serves PUT /adminapi/order/{id}/refund/refuse.';

COMMENT ON FUNCTION "api"."set_administrator"(uuid, jsonb, text) IS 'Changes the roles and the name of an administrator, with effect on the next request, and returns what get_administrators returns. Null leaves a value as it is. Other roles need a second factor. Owners cannot give up their own role. Serves PUT /adminapi/administrator/{auth_id}.';

COMMENT ON FUNCTION "api"."set_agent_level"(bigint, smallint, boolean) IS 'Sets a member''s grade by hand and whether tasks still raise it. With p_held null, lowering a member holds the level; otherwise the hold stays as it is. Returns the grade after it: when a hold ends, the member may rise (app.set_agent_level). Serves PUT /adminapi/hjf/member/{uid}/level.';

COMMENT ON FUNCTION
  "api"."set_settings"(numeric, numeric, integer, boolean, jsonb, integer, text, text, text, text, integer, text, integer, text, integer, numeric, integer, integer, integer,
  integer,
  boolean,
  integer,
  numeric,
  integer,
  integer,
  integer,
  jsonb,
  integer,
  numeric,
  numeric,
  text,
  integer,
  integer,
  text,
  numeric,
  integer, integer, jsonb, jsonb, jsonb, integer, text, text, text, text, numeric, numeric, numeric, numeric, numeric, numeric, jsonb, numeric) IS 'Changes the given settings of the store and returns all of them; null leaves a setting as it is (app.change_settings). Serves PUT /adminapi/system/settings.';

COMMENT ON FUNCTION "api"."set_spread"(bigint, bigint, text) IS 'Sets or corrects the referrer of a member (app.set_spread) and returns what it changed. The reason is in app.spread_changes. Nobody does it for their own member account, nor makes it a referrer. Serves PUT /adminapi/user/{uid}/spread.';

COMMENT ON FUNCTION "api"."ship_orders"(jsonb) IS 'Ships the orders of up to 500 lines of a file of a carrier, each line with its parcel, and returns what each line did. A line that does not fit is rejected with a reason and stops no other. Raises order_state_conflict if none fits. Serves POST /adminapi/shipping.';

COMMENT ON FUNCTION "api"."take_back_refund"(bigint) IS 'Takes the open refund request of one of the caller''s orders back and returns it. Serves DELETE /api/order/{id}/refund.';

COMMENT ON FUNCTION "app"."abandon_import"(timestamp with time zone) IS 'Ends an import that was stopped, and returns it. What it has written stays and counts (app.end_import); orders that waited for it are settled.';

COMMENT ON FUNCTION "app"."accounts_json"(app.user_balances, timestamp with time zone, timestamp with time zone) IS 'Returns what a member was given and where it is now, or with p_at was then, the terms of two equations: commission brought, earned and adjusted = withdrawable, held, maturing, reserved and paid; points brought, earned and adjusted = frozen, available and spent. Earned is less reversals.';

COMMENT ON FUNCTION "app"."action_days"() IS 'Returns for how many days after its end a month of the action log is kept at least: three years.';

COMMENT ON FUNCTION "app"."action_lines"(date) IS 'Returns the actions of a month in UTC as the lines of its export, JSON with all columns, the oldest first.';

COMMENT ON FUNCTION "app"."actions_dropped_until"() IS 'Returns the time before which actions were exported and dropped (app.drop_actions); -infinity if none were.';

COMMENT ON FUNCTION "app"."actor_earned_json"(uuid, text, text) IS 'Returns what an order brought the administrator who acted on it, less reversals, as {commission, points}: the earnings of the administrator''s own member account. Null if there are none or the target is not an order.';

COMMENT ON FUNCTION "app"."add_parcel"(app.orders, text, text, text, uuid, timestamp with time zone) IS 'Adds a parcel to an order and returns the order. The first call ships the order: a paid order is then delivered, a received one stays received and was shipped no later than that. It may have neither carrier nor number, and then adds no parcel.';

COMMENT ON FUNCTION "app"."admin_withdrawal_json"(app.withdrawals) IS 'Returns a withdrawal as administrators see it, with the commission that the member owes while it has not ended: refusing it reduces that debt. Null if nothing is owed; so is held_by_refunds, what open refund requests hold of it. waits: one administrator has approved it, and above the limit a second one must, too.';

COMMENT ON FUNCTION "app"."all_refund_items"(bigint) IS 'Returns all units that are left of an order, as items of a refund.';

COMMENT ON FUNCTION "app"."amount_left_after_concessions"(numeric, integer, integer, app.concession[]) IS 'Returns what is left of an amount paid for p_quantity units if p_units of them are left: p_units times what was paid for a unit, less, for each concession, its share of a unit: its amount divided by the units that were left then. The sequence of the concessions changes nothing. Money, 2 decimals, rounded down once.';

COMMENT ON FUNCTION "app"."announce_maturities"(timestamp with time zone, integer) IS 'Writes events for up to p_limit orders whose commission has matured at p_now and is not held by an open refund request, unless refunds took all of it back or the earner has left. Returns how many orders it has marked.';

COMMENT ON FUNCTION "app"."apply_schedule"(timestamp with time zone) IS 'Schedules the active jobs of app.scheduled_jobs in pg_cron, with their times in UTC, and unschedules the others. The times of what has changed count from now on. Without pg_cron it does nothing.';

COMMENT ON FUNCTION "app"."approve_withdrawal"(app.withdrawals, timestamp with time zone, uuid, numeric) IS 'Approves a requested withdrawal and returns it, unless its account was deleted together with the member, or their real name does not suffice any more. Above the limit of the administrator p_by for a day, it stays requested until a second administrator approves it, too. One by wechat is paid by its approval: if there is a second administrator, it needs both, whatever its amount, and is given to the outbox in the same transaction. Of what open refund requests hold, nothing is approved unless p_held_by_refunds is that amount (app.reject_holds).';

COMMENT ON FUNCTION "app"."balances_until"(bigint, timestamp with time zone) IS 'Returns the three balances of a member at p_until: those of their last bill row before it, else zero.';

COMMENT ON FUNCTION "app"."begin_transfer"(text, text, timestamp with time zone) IS 'Begins a run of the worker for the transfer of a withdrawal by the merchant p_mchid: moves it to paying and returns the values of the request, whether it must be cancelled instead, whether it may be requested, and whether the member has what opens the confirmation page. Returns null for a withdrawal that has ended, and only is_held for one that is not paid yet, because refund requests hold more of it than its approval accepted.';

COMMENT ON FUNCTION "app"."bill_page"(bigint, text, timestamp with time zone, timestamp with time zone, integer, integer, text) IS 'Returns one page of a member''s bill as {list, count, next_cursor}, newest first. The rows can be limited by type and time and paged by number or cursor.';

COMMENT ON FUNCTION "app"."bill_row"(bigint) IS 'Returns the bill row with this id; null if there is none.';

COMMENT ON FUNCTION "app"."bind_spread"(bigint, bigint, timestamp with time zone) IS 'Binds a member to a referrer. A referrer can be set once, must not have left, and must not be the member or anyone below the member. The orders and members below the member begin to count for the new upline, who rise if that completes their tasks.';

COMMENT ON FUNCTION "app"."book_entries"(app.bill_entry[], app.tree_member[], app.cycle_state[], timestamp with time zone) IS 'Books decisions for members (the third step of the engine): inserts the bill entries in the given sequence, each with the balances after it, and updates balances, task counts and cycles. Members and cycles that did not change are left as they are. What comes back to a member who gave up what they had is given up, too (app.forfeit_returned).';

COMMENT ON FUNCTION "app"."book_refund_effects"(app.refund_facts, app.refunds, timestamp with time zone) IS 'Books the effects of a refund, a request or its end (the third step of the engine): the totals of the order, the decided bill entries and task counts, the commission that is left to mature, the place that is freed, the levels that are reached, and the events. The row of the refund is already written.';

COMMENT ON FUNCTION "app"."book_rises"(app.level_rise[], timestamp with time zone, bigint) IS 'Writes the levels that members reached by meeting tasks: each step with the level before it (R5), at the position of its cause: p_position, or, with null, that of the order''s settlement.';

COMMENT ON FUNCTION "app"."brokerage_progress"(bigint, timestamp with time zone) IS 'Returns the state of a member''s commission cycle now (app.progress_json). Who has left is not eligible. No row if there is no such member.';

COMMENT ON FUNCTION "app"."built_part"(text, date, text) IS 'Returns the name of a table in schema compacted while a month is compacted or expanded: original, rest (without the releases that are compacted), runs, whole.';

COMMENT ON FUNCTION "app"."carrier_stem"(text) IS 'Returns the name of a carrier without the word for its trade, for which people use any of four: 顺丰 for 顺丰速运. Freight (快运) is another trade, often of another company.';

COMMENT ON FUNCTION "app"."cell_text"(text) IS 'Returns the text of a number as a person means it: wide letters and digits made narrow, and without the formula ="…" or the leading apostrophe by which spreadsheets are kept from rounding it. Null if nothing is visible.';

COMMENT ON FUNCTION "app"."change_settings"(jsonb) IS 'Changes the given settings, as app.set_settings does, for the calling administrator. Records the action and returns all settings.';

COMMENT ON FUNCTION "app"."changed_settings"(app.settings, jsonb) IS 'Returns settings with the given changes, each as app.setting_value makes it; null leaves a setting as it is. The error names every setting that does not take its value.';

COMMENT ON FUNCTION "app"."check_batch_method"(text) IS 'Raises invalid_argument unless batches are made for this method.';

COMMENT ON FUNCTION "app"."check_carrier_of_number"(text, text) IS 'Raises invalid_argument if the carrier with the given code cannot have given this tracking number (app.is_number_of_carrier), also where only the carrier of a parcel changes.';

COMMENT ON FUNCTION "app"."check_new_spread"(bigint, bigint) IS 'Raises an error if an administrator may not make p_spread_uid the referrer of a member: import_unfinished, user_not_found, also for somebody who left, one of app.check_referrer, or spread_decided, if an order of the member or of anyone below is settled or imported (docs/decisions/0179).';

COMMENT ON FUNCTION "app"."check_referrer"(bigint, bigint) IS 'Raises an error if p_spread_uid cannot be the referrer of a member: spread_is_self, spread_unknown, also for somebody who left, or spread_in_own_downline.';

COMMENT ON FUNCTION "app"."check_refund_items"(bigint, app.refund_item[]) IS 'Raises refund_exceeds_order for items that have more than is left of a line of the order, or an amount that leaves nothing of a line with queue goods.';

COMMENT ON FUNCTION "app"."check_refund_reason"(text) IS 'Raises invalid_argument for a reason of a refund request or of its refusal that is too long or has control characters. It may be empty.';

COMMENT ON FUNCTION "app"."check_release_days"(date, date) IS 'Raises invalid_argument if a day is outside the years 1 to 9999: Postgres has days that it cannot turn into times (app.releases). A day may be null.';

COMMENT ON FUNCTION "app"."check_shipment"(app.shipment_line[], bigint) IS 'Returns what each line of a file of a carrier does: gives its order a parcel, nothing because the order or a line above has this parcel already, or nothing because it does not fit, and why. An order can be in several lines, with a parcel each, and a parcel in the lines of several orders of one buyer at one address. p_uid is the member who asks, whose own orders do not fit.';

COMMENT ON FUNCTION "app"."check_sources"(timestamp with time zone, timestamp with time zone) IS 'Checks the period of a report of products, levels or members. The hour is for a period in which clocks are put back.';

COMMENT ON FUNCTION "app"."claim_missed_run"(text, timestamp with time zone, timestamp with time zone) IS 'Records that a missed run is started, and returns whether the caller is to start it: nobody has done so since p_tried_at was read, and it is still missed.';

COMMENT ON FUNCTION "app"."close_person_requests"(bigint, timestamp with time zone) IS 'Closes the requests of a member whose account is deleted, that for the deletion as done and others as lapsed, and empties what they asked for and were answered.';

COMMENT ON FUNCTION "app"."commission_parts"(bigint, timestamp with time zone) IS 'Returns what of the matured commission of a member can be withdrawn, what open refund requests hold of it (app.held_orders), at most what has matured of the balance, and how much more they would take back, which was withdrawn before. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."complete_refund"(app.orders, app.refund_item[], boolean, text, app.request_answer, numeric, timestamp with time zone) IS 'Writes a completed refund and returns it: in the row of the open request if it answers it, otherwise in a row of its own, which may leave less of the request. Adds the units to the refunded quantities of the order lines. p_freight is in the amount of the refund.';

COMMENT ON FUNCTION "app"."conceded_lines"(bigint, bigint) IS 'Returns the concessions of each line of the orders with ids from p_from to p_to that has any: all of them, and those from before the settlement of the order.';

COMMENT ON FUNCTION "app"."concessions_between"(bigint, bigint) IS 'Returns the concessions of orders with ids from p_from to p_to: amounts that were paid back while the goods were kept, each with its refund, the position of it, and the units of the line that were left then. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."count_times"(timestamp with time zone) IS 'Lets the times of each job that was scheduled, changed, restored or promoted since the last call count from p_now on.';

COMMENT ON FUNCTION "app"."create_adjustment"(bigint, numeric, numeric, numeric, text, uuid, timestamp with time zone, text) IS 'Corrects the balances of a member by the given amounts and returns the adjustment. Within the limits of a day (app.decide_alone) it is booked at once. Above them, and always for a member who has left, it waits until a second administrator approves it. Frozen points never become negative. The kinds forfeit and payout are for what a member who left is still owed (app.is_covered). Who gave up what they had gets at most what they owe (app.gives_to_who_gave_up).';

COMMENT ON FUNCTION "app"."create_order"(bigint, jsonb, timestamp with time zone, jsonb, text, numeric, numeric) IS 'Creates an unpaid order, or a paid one if it costs nothing (docs/decisions/0178), takes its units from the stock of the products that have a limited one, and returns it. Prices, the queue-goods flag (R1), the buyer''s referrer and the address are copied onto it. p_items: [{"product_id": 1, "quantity": 2, "discount": "10.00"}]. discount is optional and must never come from a client. p_expected_price is what the buyer has agreed to pay. p_use_points is the most points to use: what they pay is taken off the price of goods that are not queue goods, and the points are taken from the available ones.';

COMMENT ON FUNCTION "app"."create_part"(text, date, text) IS 'Creates an empty table in schema compacted that can become the partition of a month, and returns its name.';

COMMENT ON FUNCTION "app"."create_withdrawal_batch"(text, bigint[], bigint, uuid, timestamp with time zone, numeric, boolean) IS 'Puts approved withdrawals of a method into a batch, moves them to paying, which fixes their tax, and returns the batch. p_ids names the withdrawals; null takes all, at most the 10,000 oldest. Withdrawals of p_except_uid, the administrator''s own member, stay as they are, and so do those that another administrator than p_created_by must pay (app.needs_another_payer). If open refund requests hold some of them, p_held_by_refunds is the sum (app.reject_holds), or p_leaves_out_held leaves them as they are.';

COMMENT ON FUNCTION "app"."current_freight"(app.refunds) IS 'Returns the freight of a refund. Of an open request it is what granting it would pay back now: once the order is shipped, it is 0. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."current_uid"() IS 'Returns the uid of the calling member, or null if the caller is not a member. Raises forbidden while the account is banned: its token stays valid for up to an hour.';

COMMENT ON FUNCTION "app"."decide_adjustment"(bigint, text, uuid, timestamp with time zone) IS 'Decides an adjustment that waits and returns it: booked or refused, by another administrator than the one who made it. A machine key only refuses.';

COMMENT ON FUNCTION "app"."decide_cycles"(app.order_facts[], app.tree_member[], app.cycle_state[], app.commission_plans[]) IS 'Decides, order by order, who earns which place of which cycle and what it pays (R1, R3, R4, R10). A change, of kind free or report, only alters the cycles (see app.order_facts). An order takes the lowest free place of the earner''s open cycle; without one, a new cycle opens with the plan of the order and keeps that plan. The rate is the ratio of the place, limited by the payout caps of the cycle''s plan and of the plan in force. Returns the settlements, without position, time and level version, and the cycles after them.';

COMMENT ON FUNCTION "app"."decide_levels"(app.tree_change[], app.tree_member[], app.level_rule[], boolean) IS 'Decides, change by change and going up from the member of the change, which frozen points are granted by level (R5, R6, R7), what counts for tasks (R8, R9) and who rises. Points use the levels held before the change; who has left counts as a level without points and does not rise. Returns the grants, the rises and the members after all changes. With p_lists_all, the grants list every member above, zero amounts included, for explanations.';

COMMENT ON FUNCTION "app"."decide_refund"(app.refund_facts) IS 'Decides what a refund, a request or its end changes: the points that return to the buyer, the entries that make up the difference between what the order granted and what the rest of it should pay, the place, which is freed if no base is left and the cycle is open, and the task counts (R8). Nobody falls; who meets the tasks because the order counts again rises. Returns the entries, the members after it, the earner''s cycle if the place is freed, and the rises. An order that is not settled only returns points. An imported order paid nobody, so nothing is reversed.';

COMMENT ON FUNCTION "app"."decided_order_below"(bigint) IS 'Returns an order of a member, or of anyone below, that is settled or imported; null if there is none: only then can the referrer of the member be set by hand (docs/decisions/0179).';

COMMENT ON FUNCTION "app"."declared_bill_types"() IS 'Returns the types of bill rows: the sources that their rows have; whether they move commission and no points; whether they count towards total_brokerage and total_points_earned; the type with which a refund reverses them; whether they give back what a member had; the account on the other side of the journal; their names and meaning.';

COMMENT ON FUNCTION "app"."declared_settings"() IS 'Returns the settings in the order of the page: the section of the page, the kind of value (app.setting_value), the bounds, the most decimals of a number, the most characters of a text or entries of a list, the choices, whether the setting can be removed, the setting that is its lower bound, whether it is personal (the action log then omits its value), its name and what it does.';

COMMENT ON FUNCTION "app"."deepest_paid"() IS 'Returns the deepest commission and the deepest points by level that an order has ever paid, with the earner and the latest such order, refunded or not. No row for a kind that was never paid.';

COMMENT ON FUNCTION "app"."default_freight"(app.orders, app.refund_item[]) IS 'Returns the freight that a refund of these items pays back unless another is named: what is left of it, if no unit is left of an order that was not shipped, else 0. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."deliver_order"(bigint, timestamp with time zone, text, text, uuid) IS 'Marks a paid order as shipped (state delivered), with carrier and tracking number of its first parcel where they are given, or corrects them, and returns it. An order whose receipt was confirmed first stays received and gets the parcel as well; what its parcel has no longer changes. The carrier may be one that the list does not have.';

COMMENT ON FUNCTION "app"."digest_of_actions"(date) IS 'Returns the number of the actions of a month, and a digest by which the file of its export is checked: the SHA-256 of the SHA-256s of its lines, one after the other.';

COMMENT ON FUNCTION "app"."digest_of_rows"(text) IS 'Returns the number of rows of a query that reads a month, and a digest that changes with every value of them. The digests of two parts add up.';

COMMENT ON FUNCTION "app"."drop_actions"(date, bigint, text, timestamp with time zone) IS 'Drops the oldest month of the action log, in UTC, if it is beyond its term (app.drop_obstacle) and its actions are those that were exported: p_rows and p_digest are those of the export (app.digest_of_actions). Returns false if it was dropped before.';

COMMENT ON FUNCTION "app"."drop_obstacle"(date, timestamp with time zone) IS 'Returns why a month of the action log cannot be dropped, or null if it can.';

COMMENT ON FUNCTION "app"."earnings_of_member"(bigint) IS 'Returns what orders brought a member, less reversals, by the referrer of their buyers.';

COMMENT ON FUNCTION "app"."earnings_since"(timestamp with time zone) IS 'Returns what was booked from p_from on for orders, less reversals, by the referrer of their buyers and by earner.';

COMMENT ON FUNCTION "app"."end_import"(boolean, timestamp with time zone) IS 'Ends the unfinished import and returns it. Imported orders count for tasks (R8), and whoever meets those of the next level by all of them rises now, once.';

COMMENT ON FUNCTION "app"."end_request"(app.orders, text, timestamp with time zone, text) IS 'Ends the open refund request of an order without paying anything back and returns it, with what granting it would have paid back then: p_state is refused, p_reason then says why, or taken_back. The order counts for tasks as before (R8), and who meets them by it rises.';

COMMENT ON FUNCTION "app"."error_codes"() IS 'Returns every error code: its HTTP status, the seconds for Retry-After if a retry may succeed and the error does not say when, its title, and what the client should do next, which is also the detail of an error that has no other.';

COMMENT ON FUNCTION "app"."events_after"(integer, xid8, bigint, integer) IS 'Returns up to p_limit events after a cursor, in the sequence in which all readers see them, up to the oldest open transaction: whatever is committed later comes after what this returns.';

COMMENT ON FUNCTION "app"."exchange_compacted"(date, timestamp with time zone) IS 'The last step: lets the runs take the place of the releases. The former partitions stay in schema compacted for app.original_days. Returns false if the month is not built, or compacted before.';

COMMENT ON FUNCTION "app"."exchange_parts"(date, text, text, boolean) IS 'Exchanges the partitions of a month of the bill and of the release log for those that were built, and attaches its runs, or drops them. The former partitions go to schema compacted. Waits for transactions that began before the new ones were committed.';

COMMENT ON FUNCTION "app"."explain_hold"(bigint, timestamp with time zone) IS 'Explains why the commission of an order is held: the open refund request of queue goods, whose commission it holds and how much, and whether that has matured, so that only the request keeps it from being withdrawn. Null if nothing is held.';

COMMENT ON FUNCTION "app"."fail"(text, text, text, integer) IS 'Raises an error of the store: SQLSTATE ''PT'' followed by the HTTP status, the stable code as message, a sentence that clients may see as detail, as column the field of the request body that is at fault, as a JSON Pointer such as /plan/payout_cap (of several, each has a line of detail and column), and as hint the seconds after which a retry may succeed.';

COMMENT ON FUNCTION "app"."find_carrier"(text) IS 'Returns the carrier of the list that people mean by a text: its code, one of its names, a name under which the post is known, a Chinese name with another word for the trade (app.carrier_stem), or at least two characters with which the Chinese name of one carrier in use begins, and of no other; null if there is none.';

COMMENT ON FUNCTION "app"."find_earner"(app.order_facts, app.commission_plans, app.tree_member[], app.cycle_state[]) IS 'Returns the index of the member who earns the commission of an order (R4), or null: with scope direct the referrer if eligible, with scope umbrella the nearest eligible member of the upline, within the plan''s max_depth. Nobody is eligible who has left.';

COMMENT ON FUNCTION "app"."find_orders"(text) IS 'Returns the orders that match a search text: by id, by the last four or more characters of the order number, by the tracking number of a parcel, or by the beginning of the buyer''s nickname, ignoring case (app.may_search_names).';

COMMENT ON FUNCTION "app"."finish_import"(timestamp with time zone) IS 'Marks the import as finished and returns it; members rise (app.end_import).';

COMMENT ON FUNCTION "app"."first_order_ends_at"(app.orders) IS 'Returns until when a member who has never paid can hold a limited stock by this unpaid order. Null: the order holds none, costs nothing, was placed before version 2.0.0 of the store, its buyer has paid before, or an administrator has marked it as paid offline, which waits for a second one.';

COMMENT ON FUNCTION "app"."fits_batch"(app.withdrawals, text, bigint, uuid) IS 'Returns whether p_by can put an approved withdrawal into a batch of a method: it is of the method, its account was not deleted, it is not of p_except_uid, the administrator''s own member, and nobody else must pay it (app.needs_another_payer).';

COMMENT ON FUNCTION "app"."forecast_json"(bigint) IS 'Returns the points that will be released to one member or, with p_uid null, to all (app.forecast_of). Balances below 0.25 release nothing and are left out, as are members who have left.';

COMMENT ON FUNCTION "app"."foreseen_members"(app.tree_member[], app.tree_member[], app.level_rise[]) IS 'Returns, of a decision that is not booked, the members whose task counts would change, by uid, and those who would rise, with the level before and after, as the API shows them.';

COMMENT ON FUNCTION "app"."forfeit_balances"(bigint, text, timestamp with time zone) IS 'Takes all commission and points of a member who leaves, or has left, by an adjustment with the given reason. What they owe stays in the books.';

COMMENT ON FUNCTION "app"."forfeit_left"(bigint) IS 'Returns what a member has given up of each balance, less what refunds have taken back of it (app.reversals).';

COMMENT ON FUNCTION "app"."forfeit_returned"(app.bill_entry[], timestamp with time zone) IS 'Takes what has come back to members who left by a deletion that they asked for, such as a failed withdrawal or points of a refunded order.';

COMMENT ON FUNCTION "app"."forget_payee"(bigint) IS 'Removes what names a deleted member: the payout accounts, the real name and the reasons of tax allowances unless tax was withheld, the WeChat ids and names of the transfers, the masked accounts and reasons of the withdrawals, and what administrators wrote as reasons of adjustments. Amounts and states stay. Such a withdrawal can no longer be approved, and is put into no batch.';

COMMENT ON FUNCTION "app"."forget_person"() IS 'Trigger: removes the personal data of a deleted account and detaches the member from it, who has left. The member keeps the orders and the bill but loses nickname, phone, avatar, poster, uploaded pictures, choices, payout accounts and addresses, those of the orders and their remarks, payers, reasons of refunds and of their refusals and return parcels included. Of an imported member, the ids for claiming and the titles and notes of old bill rows are deleted, too. Idempotency keys, WeChat ids and administrator rights of the account are deleted, and the responses to administrators that are stored under their keys lose what names the member. Also fires when the Auth server only marks the account as deleted.';

COMMENT ON FUNCTION "app"."forget_real_names"(timestamp with time zone, integer) IS 'Deletes up to p_limit real names of deleted members of whose payouts tax was withheld, ten years after the end of the year of the last one, and the reasons of their tax allowances, and returns how many.';

COMMENT ON FUNCTION "app"."forgotten_text"() IS 'Returns what replaces a text that an administrator wrote about a member whose account was deleted.';

COMMENT ON FUNCTION "app"."freight_left"(app.orders) IS 'Returns what is left of the freight of an order after refunds. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."frozen_until"(bigint, timestamp with time zone) IS 'Returns the frozen points that a member had at p_until: those of their last bill row before it; 0 without one.';

COMMENT ON FUNCTION "app"."gave_up"(bigint) IS 'Returns whether a member has left by a deletion that they asked for, and so has given up what they had and what still comes back.';

COMMENT ON FUNCTION "app"."gives_back"(text) IS 'Returns whether bill rows of a type give back what a member had, so that it is given up with what they left (app.forfeit_returned).';

COMMENT ON FUNCTION "app"."gives_to_who_gave_up"(bigint, numeric, numeric, numeric) IS 'Returns whether an adjustment gives a member who gave up what they had (app.gave_up) more than they owe: it would be owed to nobody.';

COMMENT ON FUNCTION "app"."grant_request"(bigint, app.request_answer, app.refund_item[], boolean, text, numeric, timestamp with time zone) IS 'Writes a refund into the row of the request that it answers, and returns it. The lines keep how many units were asked for, beside those that are paid back.';

COMMENT ON FUNCTION "app"."had_left"(bigint, bigint) IS 'Returns whether a member had left before a position.';

COMMENT ON FUNCTION "app"."handle_new_auth_user"() IS 'Trigger: creates the member of an Auth account once its email address or phone number is confirmed, with the referrer that the share link names if there is such a member who has not left. Invalid metadata never blocks the sign-up: an unusable referrer or avatar and a nickname with a refused word are ignored, and invisible characters are removed from the nickname. An account that belongs to an imported member gets that member instead, and one that was created or invited as an administrator gets none before it is one no more.';

COMMENT ON FUNCTION "app"."has_long_reader"(regclass) IS 'Returns whether a transaction that began more than 0.1 seconds ago has read a table, such as a dump. It may go on for long.';

COMMENT ON FUNCTION "app"."health_json"(timestamp with time zone) IS 'Returns the health of the background work at p_now: settlement jobs, the scheduler, the jobs that are late, the clock, whether the database is as installed, how webhooks are reached, the version of the schema, and the last finished release. The status is ok or degraded.';

COMMENT ON FUNCTION "app"."held_at"(timestamp with time zone, timestamp with time zone, bigint, bigint) IS 'Returns the matured commission of the members after p_after up to p_to that open refund requests held at p_at, by order, after the refunds before it; with p_at null, what they hold now; nothing of members who have left, who withdraw nothing. A request that was answered, and a refund that nobody asked for, have ended.';

COMMENT ON FUNCTION "app"."held_now"(timestamp with time zone, bigint, bigint) IS 'Returns the orders whose matured commission of the members after p_after up to p_to is held, as app.held_orders does for one member.';

COMMENT ON FUNCTION "app"."held_of_matured"(numeric, numeric) IS 'Returns how much of the matured commission of a member is held, given the sum of app.held_orders: that sum, but at most what has matured of the balance, and at least 0. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."held_of_withdrawal"(app.withdrawals, timestamp with time zone) IS 'Returns how much of a withdrawal open refund requests hold: what they would take back, and what the balance of the member does not cover. 0 unless it is requested or approved. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."held_orders"(bigint, timestamp with time zone) IS 'Returns the orders whose matured commission of a member is held, because their buyers ask for a refund of queue goods and nobody has answered, each with the request and the commission; none of a member who has left, whose balance is given up or owed as a whole. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."held_orders_json"(app.withdrawals, timestamp with time zone) IS 'Returns the orders whose open refund requests hold commission of the member of a withdrawal, as administrators see them; none from paying on.';

COMMENT ON FUNCTION "app"."held_withdrawals"(bigint[], timestamp with time zone) IS 'Returns those of these withdrawals of which open refund requests hold something (app.held_of_withdrawal), and how much. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."hold_actions"(timestamp with time zone) IS 'Keeps months of the action log from being dropped until the end of the transaction. Raises serialization_failure if one was dropped since the snapshot of the caller, which is stable. p_dropped_until is app.actions_dropped_until as the caller sees it.';

COMMENT ON FUNCTION "app"."hold_events"(app.orders, app.refunds) IS 'Returns the event that a request for a refund of queue goods holds the commission of its order, or that its answer releases what is left of it; none if nothing is left, or the refund changes no hold. p_before is the order before it.';

COMMENT ON FUNCTION "app"."import_parcels"(text[]) IS 'Writes the parcels of staged orders that were shipped with a carrier or a tracking number (app.tracking_number).';

COMMENT ON FUNCTION "app"."insert_refund"(bigint, text, app.refund_item[], boolean, text, text, timestamp with time zone, numeric) IS 'Inserts a refund in the given state with its lines, the amount and the points of its items, and its freight, which the amount includes, and returns it. p_names_units tells whether the caller named units or amounts. A request keeps how many units it asked for.';

COMMENT ON FUNCTION "app"."is_covered"(bigint, numeric, numeric, numeric) IS 'Returns whether an adjustment only takes, and no more than the balances of the member have.';

COMMENT ON FUNCTION "app"."is_date"(text) IS 'Returns whether letters, digits and hyphens are a date or a month, as spreadsheets and people write them.';

COMMENT ON FUNCTION "app"."is_key"() IS 'Returns whether the caller is a machine key.';

COMMENT ON FUNCTION "app"."is_money"(text) IS 'Returns whether bill rows of a type move commission and no points.';

COMMENT ON FUNCTION "app"."is_number_of_carrier"(text, text) IS 'Returns whether a carrier can have given a tracking number, as far as its form is documented: SF, YTO and J&T have prefixes of their own before 13 digits, and numbers of the post (UPU S10) a check digit. True for a carrier whose form is not known, or changes.';

COMMENT ON FUNCTION "app"."is_paid_back"(text) IS 'Returns whether a refund in this state was carried out: granted, granted in part, or made without a request. A request that is open, refused or taken back was not.';

COMMENT ON FUNCTION "app"."is_refund_line"(jsonb, boolean) IS 'Returns whether a line of a refund is well formed: a line_id, and either a quantity between 1 and 9999 or, with p_with_amounts, an amount of at least 0.01 with at most 2 decimals.';

COMMENT ON FUNCTION "app"."journal_events"(timestamp with time zone) IS 'Returns what has happened until p_until, in sequence: plans, referrers, members who left, orders that were paid, calls that settled, and refunds, with microseconds. What happened at the same instant follows by versions of plans and by positions. The evaluator of the rules computes from it what commission must have come of it (decision 0123). Nothing that a settlement decided is in it.';

COMMENT ON FUNCTION "app"."journal_members"(timestamp with time zone, boolean, bigint, integer) IS 'Returns the balances of the next p_limit members after p_after: at the beginning of a month by their last row before it, at its end by their first row after it, else by what they have now.';

COMMENT ON FUNCTION "app"."key_ends_at"(app.machine_keys) IS 'Returns until when a machine key can work, unless it is revoked: until it expires. Without its owner, who has left, it stands still and can be handed over for 30 days.';

COMMENT ON FUNCTION "app"."key_state"(app.machine_keys, timestamp with time zone) IS 'Returns whether a machine key works: active. Otherwise revoked, expired, blocked as long as its owner is banned or no administrator, or ended: nobody took it over within 30 days after its owner had left.';

COMMENT ON FUNCTION "app"."late_jobs"(timestamp with time zone, text) IS 'Returns the active scheduled jobs that did not run when they were due, with the start of their latest run by pg_cron; p_name limits the result to one job. A daily or weekly job is late as long as it has missed its latest time (app.missed_time), another one if its latest run started more than two periods and five minutes ago. Without pg_cron, no job is late.';

COMMENT ON FUNCTION "app"."leaves"(timestamp with time zone, timestamp with time zone) IS 'Returns the texts of all bill rows from p_from until before p_to in a seal, wherever they stand.';

COMMENT ON FUNCTION "app"."left_totals"(timestamp with time zone) IS 'Returns what the store owed at p_at to members who had left and had not given it up, to how many, and which of their points would be released if they had not; with p_at null, now.';

COMMENT ON FUNCTION "app"."level_by_tasks"(app.user_balances, smallint) IS 'Returns the grade that a member with these task counts reaches from a grade, one grade at a time, computed from the tasks alone.';

COMMENT ON FUNCTION "app"."level_review"(bigint, integer) IS 'Returns members after p_after who have not left, by uid, who would not reach their level with the orders that are left after refunds, together with the grade that they would reach and their task counts. reached_level is null for a member at the top grade whose downline is too large to count on a page. A last row with next_after says where the next page begins; without it, there is none.';

COMMENT ON FUNCTION "app"."level_version_at"(bigint) IS 'Returns the version of the level settings that was in force at a position, at which a change raised that is no settlement.';

COMMENT ON FUNCTION "app"."liabilities_json"(timestamp with time zone, timestamp with time zone) IS 'Returns what the store owed its members at p_at, or owes them now if p_at is null: the figures of the glossary, with what matures by day; what it owes members who left; debts and negative points beside them; the tax withheld in the month and the one before; and the points, with the forecast of their release.';

COMMENT ON FUNCTION "app"."limit_unpaid_units"(bigint, jsonb) IS 'Raises too_many_unpaid_units if a member would hold more of a limited stock without paying than app.settings allows: units altogether, or a share of a product, but never less than one unit. Goods without a limit do not count.';

COMMENT ON FUNCTION "app"."line_left"(numeric, integer, integer, app.concession[]) IS 'Returns what is left of what was paid for a line after p_refunded_quantity of its units were refunded and amounts of it were conceded (null: none). Money, 2 decimals.';

COMMENT ON FUNCTION "app"."lines_with_refund"(bigint, app.refund_item[]) IS 'Returns what is left of each line of an order before and after a refund of these items: units, money, and the points that paid for it, by line. Money, 2 decimals; points, 4.';

COMMENT ON FUNCTION "app"."load_refund"(app.orders, app.refund_item[], boolean, boolean) IS 'Locks the members concerned and reads what decide_refund needs (the first step of the engine). p_items are what is refunded, null for a request or its end; p_is_requested tells whether a request is open afterwards; with p_locks false it only reads.';

COMMENT ON FUNCTION "app"."lock_balances"(bigint[]) IS 'Locks the balance rows of members by ascending uid, after the queue of the lowest one (R10; docs/decisions/0002-one-lock-order.md).';

COMMENT ON FUNCTION "app"."lock_compaction"() IS 'Lets one session at a time compact or expand months.';

COMMENT ON FUNCTION "app"."lock_for_refund"(bigint) IS 'Locks the structure (shared) and a paid order, and returns the order.';

COMMENT ON FUNCTION "app"."lost_scopes"(app.machine_keys) IS 'Returns the scopes of a machine key that do not count, because the roles of its owner do not allow them (app.working_scopes).';

COMMENT ON FUNCTION "app"."mark_as_left"(bigint, timestamp with time zone) IS 'Writes when, and at which position, a member left: from then on they earn nothing, and nobody joins below them.';

COMMENT ON FUNCTION "app"."maturing"(bigint, timestamp with time zone) IS 'Returns the commission of a member that has not matured at p_now, by order; none of a member who has left, whose balance is given up or owed as a whole.';

COMMENT ON FUNCTION "app"."maturing_at"(timestamp with time zone, timestamp with time zone, bigint, bigint) IS 'Returns the commission of the members after p_after up to p_to that was maturing at p_at, after the refunds before it; with p_at null, what is maturing now. Nothing matures of members who had left.';

COMMENT ON FUNCTION "app"."maturity"(bigint, numeric, timestamp with time zone, text) IS 'Returns what of a balance can be withdrawn, what open refund requests hold, what is maturing, how much of that waits for the receipt of its order, and what matures on which business day, as the API shows it. p_time_zone is that of the store.';

COMMENT ON FUNCTION "app"."may_search_names"() IS 'Returns whether the caller finds members by their names: false for an assistant from whom they are withheld, as api.call_tool notes in store.withholds.';

COMMENT ON FUNCTION "app"."meets_next_level"(app.tree_member, app.level_rule) IS 'Returns whether a member has met all tasks of the next grade (R5, R8) and may rise; a held level does not rise, and nobody rises who has left.';

COMMENT ON FUNCTION "app"."member_at"(bigint, timestamp with time zone) IS 'Returns a member with the referrer, the grade, the hold, the no-assess flag and the leaving of an instant. Name, phone and picture have no history and are those of now. All null if there is no such member. Raises invalid_argument if the member came later.';

COMMENT ON FUNCTION "app"."missed_time"(app.scheduled_jobs, timestamp with time zone) IS 'Returns the latest time of an active daily or weekly job whose minute is over at p_now, if no run of it has begun since; null if one has, if the time does not count (app.count_times), and for the jobs that are due every hour or more often.';

COMMENT ON FUNCTION "app"."month_part"(text, date) IS 'Returns the partition with the rows of a month; null if there is none.';

COMMENT ON FUNCTION "app"."most_in_batch"() IS 'Returns how many withdrawals a batch takes at most, the oldest first.';

COMMENT ON FUNCTION "app"."move_withdrawal"(app.withdrawals, text, timestamp with time zone, text, text, numeric) IS 'Moves a withdrawal to a state that app.withdrawal_may_become allows, and returns it. One that is refused or failed needs a reason. The whole amount of one that is not paid returns to the balance, and its tax is reversed. One that is paid can have the reference of the payment. Of what open refund requests hold, nothing becomes paying or paid unless p_held_by_refunds is that amount (app.reject_holds).';

COMMENT ON FUNCTION "app"."name_of_part"(text, date) IS 'Returns the name of the partition of a table for a month.';

COMMENT ON FUNCTION "app"."named_refund"(jsonb, numeric, numeric, boolean) IS 'Returns what the caller of a refund named, in one form for the same content: the sequence of lines and zeros behind a decimal point do not matter.';

COMMENT ON FUNCTION "app"."named_refund_items"(bigint, jsonb, boolean) IS 'Returns the items that p_lines names, [{"line_id", "quantity"}] or, with p_with_amounts, also [{"line_id", "amount"}], after checking them against what is left of each line. With p_with_amounts, there may be none.';

COMMENT ON FUNCTION "app"."names_queue_goods"(bigint) IS 'Returns whether a refund request asks for queue goods, so that it holds the commission of its order while it is open.';

COMMENT ON FUNCTION "app"."needs_another_payer"(app.withdrawals, uuid) IS 'Returns whether somebody other than the caller p_by must pay a withdrawal: p_by has approved it, or is a machine key, which is never the second to decide, and another administrator could pay it. Once it is in a batch, two have decided, and a key may report what the bank says.';

COMMENT ON FUNCTION "app"."new_facts"(text, integer, bigint, bigint, bigint, integer, integer, timestamp
  with time zone, numeric, integer, text, boolean) IS 'Returns what the rules know of an order or of a change (see the type).';

COMMENT ON FUNCTION "app"."new_tree_change"(text, integer, bigint, integer, integer, integer, boolean, integer, integer, integer, smallint, boolean) IS 'Returns a change of the referral tree (see the type).';

COMMENT ON FUNCTION "app"."next_level_json"(app.users, app.user_balances) IS 'Returns the next active grade above a member, with the target of each of its tasks, the current count and what is missing. in_review: all of them are met and the level is not held, but nothing has raised the member, as after a change of the level settings. Null at the top grade.';

COMMENT ON FUNCTION "app"."note_leaving_owner"() IS 'Trigger: notes when the owner of machine keys stops being an administrator, also by the deletion of the account. Their keys stand still from then on, and can be handed over for 30 days.';

COMMENT ON FUNCTION "app"."order_expires_at"(app.orders) IS 'Returns when an unpaid order expires: order_expiry_minutes after its last payment attempt ended; without any attempt, offline_payment_days after it was placed, or order_expiry_minutes if members cannot pay offline; in any case when the time of a first order is over (app.first_order_ends_at). Null while an attempt is open: only the provider can say that it will not be paid.';

COMMENT ON FUNCTION "app"."order_json"(app.orders) IS 'Returns an order with its lines and parcels in the format of the API: money as text, times as RFC 3339. Carrier and tracking number are those of the first parcel. units_to_ship are what is left after refunds of an order that waits for its shipment.';

COMMENT ON FUNCTION "app"."order_to_preview"(bigint) IS 'Returns a paid order without locking it.';

COMMENT ON FUNCTION "app"."order_with_refund"(app.orders, app.refund_item[], boolean) IS 'Returns an order as it is after a refund of these items, or with p_items null after a request or its end: what is left of its queue goods and of its points, and its refund status. p_is_requested tells whether a request is open then.';

COMMENT ON FUNCTION "app"."original_days"() IS 'Returns for how many days the rows of a compacted month stay in schema compacted as they were, too.';

COMMENT ON FUNCTION "app"."owed_at"(timestamp with time zone, timestamp with time zone, bigint, bigint) IS 'Returns what the store owed each member after p_after up to p_to at p_at, and its parts; with p_at null, what it owes now. Owed is what can be withdrawn, what open refund requests hold and what is maturing, at least 0, what open withdrawals have reserved, and what members who left have not given up (left_…), which is in no other part. What can be withdrawn is negative for a member in debt.';

COMMENT ON FUNCTION "app"."owed_totals"(timestamp with time zone, timestamp with time zone) IS 'Returns what the store owed all members at p_at, and its parts; with p_at null, what it owes now. Also what members owe: debts are the negative parts of what can be withdrawn, covered as far as they mature; points below zero stand beside the others. releasing: the frozen points of members who have something to release. left_…: what is owed to members who left and have not given it up, which is in no other part but owed.';

COMMENT ON FUNCTION "app"."paid_back_lines"(app.refunds) IS 'Returns what a refund that was carried out paid back of each line: units, and money without freight, 2 decimals.';

COMMENT ON FUNCTION "app"."placed_after"(app.orders) IS 'Returns the position at which the buyer of an order got the referrer whom the order names, if that was at the instant at which it was placed; null otherwise.';

COMMENT ON FUNCTION "app"."postpone_subject"(app.webhook_deliveries, integer, timestamp with time zone) IS 'Makes a delivery that failed, and those that wait behind it, due again: after 10 seconds, doubled with each attempt, or after the p_retry_after seconds for which the receiver asked, if that is later; at most 6 hours.';

COMMENT ON FUNCTION "app"."preview_refund"(bigint, jsonb, timestamp with time zone, numeric, numeric, boolean) IS 'Returns what this refund would pay back, reverse and for whom, which place it would free, and whose task counts and levels it would change: the decision of refund_order, without booking it. Bill rows in the preview have no id.';

COMMENT ON FUNCTION "app"."preview_refusal"(bigint) IS 'Returns whose task counts and levels the refusal of the open refund request of an order would change: the decision of refuse_refund, without booking it.';

COMMENT ON FUNCTION "app"."preview_request"(bigint, jsonb) IS 'Returns what a request for a refund of these units would pay back to the buyer, with the freight that a refund of them has by default (app.refund_preview_json). Raises refund_window_over as the request would.';

COMMENT ON FUNCTION "app"."preview_withdrawal_batch"(text, bigint, uuid, timestamp with time zone) IS 'Returns what app.create_withdrawal_batch would take of a method: {method, withdrawals, held, held_by_refunds}: how many withdrawals, how many of them open refund requests hold something of, and how much in all, null if nothing.';

COMMENT ON FUNCTION "app"."price_left"(app.orders) IS 'Returns what is left of what the buyer pays for an order, with freight, after its refunds. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."raise_after_hold"(app.users, bigint, timestamp with time zone) IS 'Raises a member whose hold has ended at p_position, as far as the tasks are met, and returns the member.';

COMMENT ON FUNCTION "app"."raise_members"(app.level_rise[], bigint, timestamp with time zone, text, bigint) IS 'Writes the levels that members reached otherwise than by a settlement, at the position of the cause, and their events. p_cause and p_cause_id are those of the events (see app.event).';

COMMENT ON FUNCTION "app"."reach_actions"(timestamp with time zone) IS 'Returns the time before which actions were dropped. Raises actions_dropped if p_from is before it, so that nobody mistakes a part for the whole.';

COMMENT ON FUNCTION "app"."read_members"(bigint[], bigint[]) IS 'Returns the members with these uids, sorted by uid, as decisions see them, the cycles of those in p_earners, and the versions of the plans of these cycles.';

COMMENT ON FUNCTION "app"."reason_of_forfeit"() IS 'Returns the reason of the adjustment by which a member who leaves gives up their balances. The update to 2.0.0 recognizes earlier ones by it.';

COMMENT ON FUNCTION "app"."reconcile"() IS 'Checks the whole database and returns one row per finding, none when all is well: balances, amounts, task counts, levels, orders, settlements, cycles, grants, reversals, jobs, a sample of decisions, releases, refunds, payments and refunds at providers, stock, the article pool, team totals, imports, maturities, withdrawals, points at checkout, adjustments, closed months, rows from the future, the tax of payouts, what refund requests hold, members who left and referrers.';

COMMENT ON FUNCTION "app"."reconcile_balances"(bigint, bigint, timestamp with time zone) IS 'Finds members whose balances differ from the sums of their bill rows or from the balances in their last bill row. With p_since, the sums until then are those that are carried (app.carried_balances).';

COMMENT ON FUNCTION "app"."reconcile_causes"(bigint, bigint) IS 'Finds rises by tasks that no settlement caused, and that nothing at their position explains: an answer to a refund request of the order, a flag that was taken away, a referrer, an import that ended, a hold that ended.';

COMMENT ON FUNCTION "app"."reconcile_closed_months"(bigint, bigint) IS 'Finds closed months whose sums are not those of their bill rows, and partitions of the bill that would accept a row of a closed month.';

COMMENT ON FUNCTION "app"."reconcile_decisions"(integer, bigint, integer, timestamp with time zone) IS 'Decides a sample of settlements again, from the state in which they were decided, and returns what differs from the booked result. Imported orders are left out, because the store decided nothing about them. p_sample is the size of the sample, null for all settlements; another p_seed draws another sample; p_skip leaves out as many of its first settlements. Only settlements since p_since are drawn.';

COMMENT ON FUNCTION "app"."reconcile_holds"() IS 'Finds members of whose commission open refund requests hold another amount than the bill rows of the requested orders say: where it is shown, or in the liabilities.';

COMMENT ON FUNCTION "app"."reconcile_leavers"(bigint, bigint) IS 'Finds orders that pay members after they left, members who joined below them since, and balances of members who have given them up.';

COMMENT ON FUNCTION "app"."reconcile_levels"(bigint, bigint) IS 'Finds members whose level, hold or assessment does not follow from its recorded changes, changes that do not follow from one another, from their settlement or from their other cause, and level settings that differ from their last version.';

COMMENT ON FUNCTION "app"."reconcile_referrers"(bigint, bigint) IS 'Finds settlements that name another referrer than the tree has for the buyer, imported orders left out, and those with scope direct that pay somebody else than the referrer.';

COMMENT ON FUNCTION "app"."reconcile_refunds"(bigint, bigint) IS 'Finds order lines whose refunded units, and orders whose refund status, do not follow from the refunds, refunds whose amount is not that of their lines and freight, and orders of which more was paid back than was paid.';

COMMENT ON FUNCTION "app"."reconcile_release_runs"(bigint, bigint) IS 'Finds business days whose release log and record of the run disagree, days before today whose release is neither finished nor going on (at most for a day), and days that have not come.';

COMMENT ON FUNCTION "app"."record_attempt"(bigint, integer, integer, text, text, timestamp with time zone, integer) IS 'Records what came of an attempt of a delivery. Without a problem, it is delivered. Otherwise it is sent again later (app.postpone_subject), for app.webhook_patience(), a test not; then it is given up. A webhook that answers 410, or of which nothing has succeeded for as long, is switched off instead, and keeps what waits.';

COMMENT ON FUNCTION "app"."record_forfeits"(app.bill_entry[], timestamp with time zone) IS 'Writes the adjustments by which a refund reduces what members who left have given up (app.reversals), and returns the entries with their numbers.';

COMMENT ON FUNCTION "app"."record_no_action"(text) IS 'Says that a call of an administrator changed nothing, so app.as_caller expects no action of it.';

COMMENT ON FUNCTION "app"."reduce_request"(app.orders, app.request_answer, app.refunds, timestamp with time zone) IS 'Leaves the open request what another refund has left of its units, and its amount. If nothing is left, the request ends as partly_refunded, with an amount of 0.';

COMMENT ON FUNCTION "app"."referred_later"(bigint) IS 'Returns the members who got their referrer at or after a position, and not when they signed up: at another time, or at that instant after an order of theirs was settled or somebody joined below them. For everyone else, nothing had happened below them that could count for somebody else.';

COMMENT ON FUNCTION "app"."refund_event"(app.refunds, bigint) IS 'Returns the event that a refund has reached its state, whose name follows refund. in its type. p_uid is the buyer.';

COMMENT ON FUNCTION "app"."refund_freight"(app.orders, app.refund_item[], numeric) IS 'Returns the freight that a refund of these items pays back: p_freight, after checking it against what is left; null: app.default_freight. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."refund_items"(bigint, jsonb, boolean, boolean, numeric, numeric) IS 'Returns the items that a refund is about, checked against what is left of the order: those of p_lines, [{"line_id", "quantity"}], with p_with_amounts also [{"line_id", "amount"}]; else p_amount, spread over the lines; else, with p_takes_request, the units of the open request; else all that is left, which may be nothing if freight is named. Only administrators name amounts (p_with_amounts).';

COMMENT ON FUNCTION "app"."refund_json"(app.refunds) IS 'Returns a refund with its lines and pictures as the API shows it, its state at the provider of the payment, and the return of its goods. Of an open request, it shows what granting it would pay back now.';

COMMENT ON FUNCTION "app"."refund_order"(bigint, jsonb, text, timestamp with time zone, numeric, numeric, boolean) IS 'Refunds units or amounts of an order and returns the refund: the units or amounts of p_lines, else p_amount of the order as a whole, else the units of the open request, else all that is left; and freight: p_freight, or by default that of an order of which nothing is left before it is shipped (app.refund_freight). p_answers_request says whether it answers the open request (app.request_answer). Books what app.decide_refund decides. An order that is not settled and has no queue goods left is settled as refunded. Units that have not left the store go back to the stock. The provider of the payment is asked to pay the money back.';

COMMENT ON FUNCTION "app"."refund_preview_json"(app.orders, app.refund_item[], numeric) IS 'Returns what a refund of these items and this freight pays back to the buyer: in all, of each line with what is left of the line before, and of the freight, as the API shows it.';

COMMENT ON FUNCTION "app"."refund_value"(bigint, app.refund_item[]) IS 'Returns what these items of a refund pay back, without freight and without what points paid, and the points that they return to the buyer. Money, 2 decimals; points, 4. An amount returns no points: they return with the units.';

COMMENT ON FUNCTION "app"."refund_window_end"(timestamp with time zone) IS 'Returns from when on the buyer of an order that was received then can no longer request a refund; null if it was not received.';

COMMENT ON FUNCTION "app"."refunded_lines"(timestamp with time zone, timestamp with time zone) IS 'Returns what each refund from p_from to before p_to paid back for each line of its order, with the times of the payment and of the refund. Freight has a row without line and product. The amounts of a refund add up to its amount.';

COMMENT ON FUNCTION "app"."refuse_refund"(bigint, timestamp with time zone, text) IS 'Refuses the open refund request of an order and returns it (app.end_request). p_reason, which may be missing, tells the buyer why.';

COMMENT ON FUNCTION "app"."reject_compacted_release"(date) IS 'Raises month_compacted if a business day cannot be released any more, because the releases of its month are compacted. Null, a run that names no day, is never rejected.';

COMMENT ON FUNCTION "app"."reject_holds"(bigint[], numeric, timestamp with time zone) IS 'Returns how much of these withdrawals open refund requests hold together (app.held_of_withdrawal), null if nothing. Raises held_by_refunds, with the amount and the numbers of the withdrawals, unless the caller has repeated that amount. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."reject_key_as_second"() IS 'Raises second_administrator_needed for a machine key, where somebody has decided already and a second person is needed: a key is no person.';

COMMENT ON FUNCTION "app"."reject_own_approval"(bigint[], uuid) IS 'Raises second_administrator_needed if one of these withdrawals has not ended, and somebody other than the caller p_by must pay it (app.needs_another_payer).';

COMMENT ON FUNCTION "app"."release_members"(date, bigint[], timestamp with time zone, timestamp with time zone) IS 'Releases the frozen points of the given members for one business day (R11). Who has left gets nothing, for a missed day neither. Returns the number of members, the sum of the points, and the members who were skipped because another transaction holds their rows. After p_until, the end of the day, the base is the smaller of the balances then and now, so that points granted later do not count. With p_now null, the releases are dated when the rows are locked.';

COMMENT ON FUNCTION "app"."release_of"(bigint, app.events) IS 'Returns what the release of an event gave a member; null if nothing, or if the event is no release.';

COMMENT ON FUNCTION "app"."replay_refund"(app.refunds, jsonb, boolean, numeric, numeric) IS 'Returns the refund that was carried out before under the same reference, for a repeated request. Raises an error if the request names anything else than the first one: other units or amounts, other freight, or another answers_request.';

COMMENT ON FUNCTION "app"."request_answer"(bigint, app.refund_item[], boolean) IS 'Returns what a refund of these items makes of the open request. It answers the request if p_answers_request says so (null: yes) and it has units of a line that the request has, or an amount of one and p_answers_request is true: refunded with all units that were asked for, or more, otherwise partly_refunded. Else the request stays requested, unless this refund leaves nothing of its lines: partly_refunded.';

COMMENT ON FUNCTION "app"."request_refund"(bigint, jsonb, text, timestamp with time zone) IS 'Requests a refund of the units in p_lines (null: all that is left) and returns it. The order does not count for tasks while the request is open (R8). Possible from the payment until the refund window after the receipt is over.';

COMMENT ON FUNCTION "app"."request_withdrawal"(bigint, numeric, text, bigint, timestamp with time zone, text) IS 'Requests the withdrawal of commission that has matured by the trusted time, and that no open refund request holds, and returns it. The amount leaves the balance at once, so that nothing can be withdrawn twice. The fee is that of the settings now. A withdrawal by wechat goes to the WeChat account with which the member signs in.';

COMMENT ON FUNCTION "app"."requested_items"(bigint) IS 'Returns the units that the open request of an order asks for, by line; empty without a request.';

COMMENT ON FUNCTION "app"."require_key"() IS 'Raises invalid_key unless the machine key of the claims works now, and forbidden unless its scopes, and the roles of its owner (app.working_scopes), allow the function that the request calls.';

COMMENT ON FUNCTION "app"."require_open_window"(app.orders, timestamp with time zone) IS 'Raises refund_window_over if the time in which the buyer can request a refund of an order is over (app.refund_window_end).';

COMMENT ON FUNCTION "app"."require_tracking_number"(text, text) IS 'Returns the tracking number that a text means (app.tracking_number), null for null. Raises invalid_argument if it means none, or none of the carrier with the given code.';

COMMENT ON FUNCTION "app"."reserved_stock"(bigint, integer) IS 'Returns a page of the products of whose stock unpaid orders hold at least the share that one member can hold (app.settings.max_unpaid_share): those with an id below p_before, the latest first. next_cursor is where the next page begins, or null after the last. examined_to is the time back to which products were examined.';

COMMENT ON FUNCTION "app"."reversal_of"(text) IS 'Returns the type of the bill rows with which a refund reverses a grant of a type; null if nothing does.';

COMMENT ON FUNCTION "app"."reversals"(app.orders, numeric, app.remaining_grant[]) IS 'Returns the entries that reduce an order''s grants to what the rest of it should pay, at the same place, rate and levels. Points are taken from the frozen ones first, then from the available ones, which may become negative. A reversal states the basis that is left: basis times rate is what the member keeps, not what is taken back. What a member gave up by leaving is reduced first, for each balance, by an adjustment before the reversals, which gets its row from app.record_forfeits; what it does not cover becomes a debt.';

COMMENT ON FUNCTION "app"."rise_review"(bigint, integer) IS 'Returns members after p_after, by uid, who meet the tasks of the next level but have not risen, as after a change of the level settings, with the grade that they reach from their own and their task counts. A last row with next_after says where the next page begins; without it, there is none.';

COMMENT ON FUNCTION "app"."rules_at"(bigint) IS 'Returns the version of the rules by which the store decides, or decided, at a position.';

COMMENT ON FUNCTION "app"."run_statement"(text) IS 'Runs a scheduled job that is one statement, and records the run with it. If it fails, nothing is recorded, and a warning says why.';

COMMENT ON FUNCTION "app"."runs_to_start"(timestamp with time zone) IS 'Returns what app.continue_unfinished_runs starts at p_now: the daily and weekly jobs that have missed their latest time (app.missed_time), the earliest first, then the runs that were cut (app.unfinished_runs). While an import is unfinished, nothing that was missed.';

COMMENT ON FUNCTION "app"."search_members"(text) IS 'Returns the members with this uid, or whose nickname begins with the text, ignoring case (app.may_search_names). A nickname needs two characters. Administrators who take no part in the store are left out (app.idle_administrators).';

COMMENT ON FUNCTION "app"."sequence_differences"(integer) IS 'Returns, for each member, what was paid too little (positive) or too much (negative) because orders that were settled together were settled out of the sequence of their payments (app.paid_positions), less what app.adjust_sequence has adjusted. What was paid too little to members who gave up what they had is given up, too. Changes nothing.';

COMMENT ON FUNCTION "app"."set_agent_level"(bigint, smallint, uuid, timestamp with time zone, boolean) IS 'Sets a member''s grade by hand, up or down, and records the change. While the level is held, tasks do not raise the member. p_held sets or ends the hold; null holds a member who is lowered and leaves the hold of others unchanged. When a hold ends, the member rises as far as the tasks are met, unless the level is lowered with it. Returns the member after it.';

COMMENT ON FUNCTION "app"."set_no_assess"(bigint, boolean, uuid, timestamp with time zone) IS 'Sets the no-assess flag of a member and removes their orders from, or adds them to, the counts of the upline (R9), who rise if that completes their tasks.';

COMMENT ON FUNCTION "app"."set_settings"(jsonb, timestamp with time zone) IS 'Changes the given settings, an object by the names of app.declared_settings. Null leaves a setting as it is; an empty text, an amount of 0 and {} remove one that can be removed.';

COMMENT ON FUNCTION "app"."set_spread"(bigint, bigint, text, uuid, timestamp with time zone) IS 'Sets or corrects the referrer of a member by hand, as long as nothing was decided below (app.check_new_spread), and records it with its reason, one text of 1 to 500 characters. No task count changes, because no order below the member counts. Orders of the member that wait and name a referrer get the new one.';

COMMENT ON FUNCTION "app"."setting_list"(text, jsonb, numeric, numeric, integer, text[]) IS 'Returns a list as a setting of the kind stores it: choices in their order, minutes in ascending order, words as app.folded_text compares them, origins in small letters, each once. Null: the setting does not take the list.';

COMMENT ON FUNCTION "app"."setting_number"(jsonb, numeric, numeric, integer) IS 'Returns a number, or a text that is one, within its bounds and with at most p_decimals decimals; otherwise null.';

COMMENT ON FUNCTION "app"."setting_problem"(text, jsonb) IS 'Returns what is wrong with a value that the setting p_name does not take, as a sentence for clients.';

COMMENT ON FUNCTION "app"."setting_text"(text, text, integer, text[]) IS 'Returns a text as a setting of the kind stores it; null if the setting does not take it.';

COMMENT ON FUNCTION "app"."setting_value"(text, jsonb) IS 'Returns a value as the setting p_name stores it. JSON null removes the setting, which an empty text, an amount of 0 and {} do if it can be removed. Null: the setting does not take the value.';

COMMENT ON FUNCTION "app"."share_address"(text) IS 'Returns the address to which share links add ?spread=<uid>, as somebody means it who copied a page of the app or a share link: without what follows #, which no query may follow, without a user, and without the member of the copied link. Null if there is none.';

COMMENT ON FUNCTION "app"."share_url"(bigint, bigint) IS 'Returns the H5 share link of a member: <h5_share_url>?spread=<uid>, or with & if the address already has a query. With a product, the link opens its page in the app.';

COMMENT ON FUNCTION "app"."shown_state"(text, smallint) IS 'Returns the state of an order that people are shown and by which they filter lists: refunded once nothing of it is left, whether it had been shipped or not; otherwise its state.';

COMMENT ON FUNCTION "app"."simulated_changes"(bigint[], bigint, timestamp with time zone) IS 'Returns what changed members in the period of a simulation otherwise than by orders and refunds, each by the rules of its position (app.rules_at): flags, levels by hand, ends of imports, referrers, and who left. p_uids are the members, sorted; level_version is set for what may raise.';

COMMENT ON FUNCTION "app"."simulated_chunks"(app.simulated_order[], bigint[], bigint, timestamp with time zone, timestamp
  with time zone, app.commission_plans, jsonb) IS 'Splits the timeline of a simulation into chunks of at most 5,000 steps, each with one version of the level settings. A new chunk begins where a member gets a referrer or leaves. Draft levels (p_levels, null: none) apply to orders paid from the start of the period and to what else raises in it; other orders have the levels that they were settled with.';

COMMENT ON FUNCTION "app"."simulated_members"(bigint[], bigint, timestamp with time zone, app.commission_plans) IS 'Returns the members p_uids, which are sorted, as they were before a position: referrer, level, hold, no-assess flag, whether they had left, task counts, cycle, and since when they have a reported order. Members at the top grade have task counts, too. The draft plan and the start of its period (p_plan, p_from; null: none) decide which orders reach the minimum base.';

COMMENT ON FUNCTION "app"."simulated_timeline"(app.simulated_order[], bigint[], bigint, timestamp with time zone, timestamp
  with time zone, app.commission_plans) IS 'Returns everything that happened in the period of a simulation, in sequence, in the form that the engine takes: facts for the cycles, changes for the tree, each by the rules of its position (app.rules_at). p_uids are the members, sorted; level_version is set for settlements and for what else may raise.';

COMMENT ON FUNCTION "app"."sold_products"(timestamp with time zone, timestamp with time zone) IS 'Returns the products that were sold or refunded from p_from to before p_to: orders, units and what was paid for them, without freight, by the time of payment; units and money that were refunded, by the time of the refund. Freight belongs to no product. The flag is that of the order lines, so a product that changed it has two rows; the title is that of the newest of these lines.';

COMMENT ON FUNCTION "app"."spread_json"(bigint, bigint) IS 'Returns what setting a referrer would change: {uid, from, to, orders}. from and to are {uid, nickname}, from null without a referrer; orders is the number of orders that get it, too.';

COMMENT ON FUNCTION "app"."spread_over"(app.spread_line[], numeric) IS 'Returns an amount as amounts of lines, in proportion to what is left of them: the differences of two running sums that are rounded down. No line gets more than its amount.';

COMMENT ON FUNCTION "app"."spread_refund"(bigint, numeric) IS 'Returns an amount for an order as a whole as amounts of its lines, in proportion to what is left of them: each line has the difference of two running sums that are rounded down, so that the lines add up and none has more than is left of it. A line with queue goods keeps 0.01; if its share is more, the amounts are in proportion to what is left without these cents. What is everything that is left of the money means all units. Money, 2 decimals.';

COMMENT ON FUNCTION "app"."statement_json"(bigint, text) IS 'Returns the statement of a member for a business month: the balances at its beginning and end, the sums for each bill type and source, the months that have bill rows, and the seal of the month. p_month is YYYY-MM; null is the present month.';

COMMENT ON FUNCTION "app"."store_settings"(app.settings, app.settings, timestamp with time zone) IS 'Stores the settings that differ between p_before and p_after, and causes their effects: a new time zone and number of sessions apply to pg_cron at once; once the provider checks real names, it is asked about all that wait.';

COMMENT ON FUNCTION "app"."sum_between"(timestamp with time zone[]) IS 'Returns the sums of the periods between bounds that ascend, each from a bound to before the next one.';

COMMENT ON FUNCTION "app"."sum_of_periods"(app.period_figures[]) IS 'Returns the sum of the figures of periods. Hours have no released points, so their sum has none, either.';

COMMENT ON FUNCTION "app"."take_back_refund"(bigint, timestamp with time zone) IS 'Takes the open refund request of an order back for its buyer and returns it (app.end_request). Not possible any more when the goods were sent back.';

COMMENT ON FUNCTION "app"."team_order_json"(bigint, boolean, app.orders) IS 'Returns an order of a member below p_uid with the commission and points that it paid p_uid, less reversals, and whether it counts for the tasks of p_uid (R8, R9). Null if it neither paid p_uid nor counts. p_can_rise: p_uid is below the top grade, so that anything counts at all.';

COMMENT ON FUNCTION "app"."times_count_for"(app.scheduled_jobs) IS 'Returns for what the times of an active job count: schedule and time zone, server, timeline, database and tables, and the number of the job in pg_cron. Null if nothing runs it here.';

COMMENT ON FUNCTION "app"."times_of_days"(text, text, date, date) IS 'Returns when a daily or weekly schedule in a time zone is due on these local days: for the first time, and again if clocks are put back in that night; otherwise, both are equal.';

COMMENT ON FUNCTION "app"."tracking_number"(text) IS 'Returns the tracking number that a text means (app.cell_text), in capitals, null if it means none: 6 to 40 letters, digits and hyphens with at least four digits, which are no date, no number that a spreadsheet has rounded, not one character repeated, and have no word that stands for nothing or for an error of a spreadsheet.';

COMMENT ON FUNCTION "app"."unpaid_units"(bigint, bigint) IS 'Returns how many units of a limited stock the unpaid orders of a member hold, of one product or of all.';

COMMENT ON FUNCTION "app"."verify_addresses"() IS 'Checks that share links, logo, pictures of products and the address of the edge functions do not lead to a local machine. That is an error in production, no finding in a local stack, and a warning while the functions have not reported where they run. A share address that hides the member of the link is an error everywhere.';

COMMENT ON FUNCTION "app"."verify_machine_keys"() IS 'Checks that every machine key that works has an owner whose roles allow its scopes, and more than 30 days left, and names those that do not, with the day on which they end or the scopes that they have lost. Returns check, severity, subject, message and hint.';

COMMENT ON FUNCTION "app"."waiting_orders"(bigint) IS 'Returns the orders of a member with queue goods that name a referrer and that no settlement has decided. A corrected referrer is theirs, too. Orders that were placed without a referrer pay nobody.';

COMMENT ON FUNCTION "app"."withdrawable"(bigint, timestamp with time zone) IS 'Returns how much commission a member can withdraw: the balance less what has not matured and less what open refund requests hold. Negative if refunds took back commission that had been paid out.';

COMMENT ON FUNCTION "app"."working_scopes"(app.machine_keys) IS 'Returns the scopes of a machine key that count now: those whose area (personal: records) the roles of its owner have. So a key never does what its owner may not do.';

COMMENT ON FUNCTION "entry"."get_spread_changes"(text, text, text, jsonb) IS 'The entry point of api.get_spread_changes.';

COMMENT ON FUNCTION "entry"."preview_own_refund"(text, text, text, jsonb) IS 'The entry point of api.preview_own_refund.';

COMMENT ON FUNCTION "entry"."preview_refusal"(text, text, text, jsonb) IS 'The entry point of api.preview_refusal.';

COMMENT ON FUNCTION "entry"."preview_spread"(text, text, text, jsonb) IS 'The entry point of api.preview_spread.';

COMMENT ON FUNCTION "entry"."preview_withdrawal_batch"(text, text, text, jsonb) IS 'The entry point of api.preview_withdrawal_batch.';

COMMENT ON PROCEDURE "app"."continue_unfinished_runs"() IS 'Starts the daily and weekly jobs that have missed their latest time, once for that time; records which runs of scheduled jobs were cut, and completes what they left, each for the days that it was called for (app.runs_to_start).';

COMMENT ON SCHEMA "compacted" IS 'What a month of the bill or of the release log had before its releases were compacted, and what is built to compact or expand it (app.compact_month).';

COMMENT ON TABLE "app"."adjustments" IS 'Corrections of balances by administrators, each with a reason, and what members who left give up. Above a limit, a second administrator must approve a correction before it is booked.';

COMMENT ON TABLE "app"."compacted_months" IS 'Months of the bill and of the release log of which app.compacted_releases has the releases (state compacted), or is about to have them, or to have them no longer (app.compact_month, app.expand_month). A month that is neither has no row.';

COMMENT ON TABLE "app"."dropped_actions" IS 'Months of the action log, in UTC, that were exported and dropped (app.drop_actions). They are the oldest: the log begins where the last of them ends (app.actions_dropped_until).';

COMMENT ON TABLE "app"."level_changes" IS 'Changes of members'' grades and holds (R5): by tasks (with the cause), by hand (with the administrator), or by the import that brought the member.';

COMMENT ON TABLE "app"."person_requests" IS 'Requests of members for a copy, a correction or the deletion of their personal data, and what was done. A copy or a deletion that a member does alone in the app has a row, too. Rows are kept; what was asked and until when never changes, nor does an answer, until the account is deleted.';

COMMENT ON TABLE "app"."refund_lines" IS 'What a refund names of an order line: units, or an amount.';

COMMENT ON TABLE "app"."refunds" IS 'Refunds of orders. A request of a buyer is answered in its own row: refunded if it was granted, partly_refunded if some of it was, refused, or taken_back by the buyer. A refund that nobody asked for begins as refunded. A request can ask for the goods of a shipped order, which then return before it is decided.';

COMMENT ON TABLE "app"."rule_versions" IS 'The versions of the rules of commission, points and levels, and from which position on each holds in this store. 1: until 1.0.0. 2: a member also rises when a count rises otherwise than by a settlement, and open refund requests hold commission.';

COMMENT ON TABLE "app"."settings" IS 'What administrators change without a deployment (app.declared_settings), and times that the store keeps about it. Always one row.';

COMMENT ON TABLE "app"."spread_changes" IS 'Referrers that administrators have set or corrected (docs/decisions/0179). changed_by is the Auth account of the administrator. A referrer that the member chose is in app.users only.';

COMMENT ON TYPE "app"."checked_line" IS 'What a line of such a file does. result is fits (it gives the order a parcel), unchanged (the order, or a line above, has this parcel) or rejected, and then problem says why.';

COMMENT ON TYPE "app"."concession" IS 'An amount that was paid back of an order line while its goods were kept, and the units that were left of the line then.';

COMMENT ON TYPE "app"."level_rise" IS 'A member reached a grade by meeting its tasks (R5).';

COMMENT ON TYPE "app"."order_facts" IS 'What the rules know of an order, or of a change (see kind).';

COMMENT ON TYPE "app"."period_figures" IS 'The figures of an hour, day, week or month of the store, whose first day is day.';

COMMENT ON TYPE "app"."refund_item" IS 'Of an order line in a refund: units, or an amount that is paid back while they are kept. The other of both is 0.';

COMMENT ON TYPE "app"."request_answer" IS 'What a refund makes of the open request of its order. All null: there is none.';

COMMENT ON TYPE "app"."shipment_line" IS 'A line of a file that says which parcel an order was given: its number in the file, and the texts of its cells, null if nothing in them is visible. The number of the order is cleaned as app.cell_text does it.';

COMMENT ON TYPE "app"."spread_line" IS 'A line over which an amount is spread: what is left of it, and how much of that an amount must leave.';

COMMENT ON VIEW "compacted"."bill" IS 'The bill rows that stand in runs of releases, for report.bill.';

COMMENT ON VIEW "report"."bill" IS 'Rows of the bill, by which every balance changed.';

COMMENT ON VIEW "report"."commissions" IS 'Commission of orders and its reversals: the rows of report.bill of these two types. Their sum by day is that of the overview.';

COMMENT ON VIEW "report"."members" IS 'Members with level and balances, by their number. Names and phone numbers are not here.';

COMMENT ON VIEW "report"."order_lines" IS 'Lines of orders. Title and price are those of the time of the order.';

COMMENT ON VIEW "report"."orders" IS 'Orders, without addresses and remarks.';

COMMENT ON VIEW "report"."points_by_day" IS 'Points that were granted, reversed, released, spent and adjusted, by business day.';

COMMENT ON VIEW "report"."refunds" IS 'Refunds and requests for them, without their reasons.';

COMMENT ON VIEW "report"."withdrawals" IS 'Withdrawals of commission, without accounts and reasons.';

REVOKE ALL
  ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text, text, text, timestamp
    WITH time zone, timestamp WITH time zone, timestamp WITH time zone, timestamp WITH time zone, text, bigint, boolean)
  FROM PUBLIC;

REVOKE ALL
  ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text, text, text, timestamp
    WITH time zone, timestamp WITH time zone, timestamp WITH time zone, timestamp WITH time zone, text, bigint, boolean)
  FROM "postgres";

GRANT EXECUTE
  ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text, text, text, timestamp
    WITH time zone, timestamp WITH time zone, timestamp WITH time zone, timestamp WITH time zone, text, bigint, boolean)
  TO "postgres";

GRANT EXECUTE
  ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text, text, text, timestamp
    WITH time zone, timestamp WITH time zone, timestamp WITH time zone, timestamp WITH time zone, text, bigint, boolean)
  TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer, boolean) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."approve_withdrawal"(bigint, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."approve_withdrawal"(bigint, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."approve_withdrawal"(bigint, numeric) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."approve_withdrawal"(bigint, numeric) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."create_adjustment"(bigint, text, numeric, numeric, numeric, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."create_adjustment"(bigint, text, numeric, numeric, numeric, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_adjustment"(bigint, text, numeric, numeric, numeric, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_adjustment"(bigint, text, numeric, numeric, numeric, text) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."create_withdrawal_batch"(text, jsonb, numeric, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."create_withdrawal_batch"(text, jsonb, numeric, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_withdrawal_batch"(text, jsonb, numeric, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."create_withdrawal_batch"(text, jsonb, numeric, boolean) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."get_level_review"(integer, bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_level_review"(integer, bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_level_review"(integer, bigint, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_level_review"(integer, bigint, text) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."get_spread_changes"(bigint, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_spread_changes"(bigint, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_spread_changes"(bigint, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_spread_changes"(bigint, integer, integer) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."mark_withdrawal_paid"(bigint, text, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."mark_withdrawal_paid"(bigint, text, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."mark_withdrawal_paid"(bigint, text, numeric) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."mark_withdrawal_paid"(bigint, text, numeric) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."preview_own_refund"(bigint, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."preview_own_refund"(bigint, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "api"."preview_own_refund"(bigint, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_own_refund"(bigint, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_own_refund"(bigint, jsonb) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."preview_refund"(bigint, jsonb, numeric, numeric, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."preview_refund"(bigint, jsonb, numeric, numeric, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_refund"(bigint, jsonb, numeric, numeric, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_refund"(bigint, jsonb, numeric, numeric, boolean) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."preview_refusal"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."preview_refusal"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_refusal"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_refusal"(bigint) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."preview_spread"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."preview_spread"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_spread"(bigint, bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_spread"(bigint, bigint) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."preview_withdrawal_batch"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."preview_withdrawal_batch"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_withdrawal_batch"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_withdrawal_batch"(text) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."record_attempt"(bigint, integer, integer, text, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."record_attempt"(bigint, integer, integer, text, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."record_attempt"(bigint, integer, integer, text, text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."record_attempt"(bigint, integer, integer, text, text, integer) TO "service_role";

REVOKE ALL ON FUNCTION "api"."refund_order"(bigint, jsonb, text, numeric, numeric, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."refund_order"(bigint, jsonb, text, numeric, numeric, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."refund_order"(bigint, jsonb, text, numeric, numeric, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."refund_order"(bigint, jsonb, text, numeric, numeric, boolean) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."refuse_refund"(bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."refuse_refund"(bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."refuse_refund"(bigint, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."refuse_refund"(bigint, text) TO "store_admin", "store_key";

REVOKE ALL
  ON FUNCTION
    "api"."set_settings"(numeric, numeric, integer, boolean, jsonb, integer, text, text, text, text, integer, text, integer, text, integer, numeric, integer, integer, integer,
    integer,
    boolean,
    integer,
    numeric,
    integer,
    integer,
    integer,
    jsonb,
    integer,
    numeric,
    numeric,
    text,
    integer, integer, text, numeric, integer, integer, jsonb, jsonb, jsonb, integer, text, text, text, text, numeric, numeric, numeric, numeric, numeric, numeric, jsonb, numeric)
  FROM PUBLIC;

REVOKE ALL
  ON FUNCTION
    "api"."set_settings"(numeric, numeric, integer, boolean, jsonb, integer, text, text, text, text, integer, text, integer, text, integer, numeric, integer, integer, integer,
    integer,
    boolean,
    integer,
    numeric,
    integer,
    integer,
    integer,
    jsonb,
    integer,
    numeric,
    numeric,
    text,
    integer, integer, text, numeric, integer, integer, jsonb, jsonb, jsonb, integer, text, text, text, text, numeric, numeric, numeric, numeric, numeric, numeric, jsonb, numeric)
  FROM "postgres";

GRANT EXECUTE
  ON FUNCTION
    "api"."set_settings"(numeric, numeric, integer, boolean, jsonb, integer, text, text, text, text, integer, text, integer, text, integer, numeric, integer, integer, integer,
    integer,
    boolean,
    integer,
    numeric,
    integer,
    integer,
    integer,
    jsonb,
    integer,
    numeric,
    numeric,
    text,
    integer, integer, text, numeric, integer, integer, jsonb, jsonb, jsonb, integer, text, text, text, text, numeric, numeric, numeric, numeric, numeric, numeric, jsonb, numeric)
  TO "postgres";

GRANT EXECUTE
  ON FUNCTION
    "api"."set_settings"(numeric, numeric, integer, boolean, jsonb, integer, text, text, text, text, integer, text, integer, text, integer, numeric, integer, integer, integer,
    integer,
    boolean,
    integer,
    numeric,
    integer,
    integer,
    integer,
    jsonb,
    integer,
    numeric,
    numeric,
    text,
    integer, integer, text, numeric, integer, integer, jsonb, jsonb, jsonb, integer, text, text, text, text, numeric, numeric, numeric, numeric, numeric, numeric, jsonb, numeric)
  TO "store_admin";

REVOKE ALL ON FUNCTION "api"."set_spread"(bigint, bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."set_spread"(bigint, bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_spread"(bigint, bigint, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_spread"(bigint, bigint, text) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "api"."take_back_refund"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."take_back_refund"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "api"."take_back_refund"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."take_back_refund"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."take_back_refund"(bigint) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."action_days"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."action_days"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."action_days"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."action_lines"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."action_lines"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."action_lines"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."actions_dropped_until"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."actions_dropped_until"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."actions_dropped_until"() TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."actions_dropped_until"() TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."all_refund_items"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."all_refund_items"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."all_refund_items"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."amount_left_after_concessions"(numeric, integer, integer, app.concession[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."amount_left_after_concessions"(numeric, integer, integer, app.concession[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."amount_left_after_concessions"(numeric, integer, integer, app.concession[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."amount_left_after_concessions"(numeric, integer, integer, app.concession[]) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."approve_withdrawal"(app.withdrawals, timestamp WITH time zone, uuid, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."approve_withdrawal"(app.withdrawals, timestamp WITH time zone, uuid, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."approve_withdrawal"(app.withdrawals, timestamp WITH time zone, uuid, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."book_rises"(app.level_rise[], timestamp WITH time zone, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."book_rises"(app.level_rise[], timestamp WITH time zone, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."book_rises"(app.level_rise[], timestamp WITH time zone, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."built_part"(text, date, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."built_part"(text, date, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."built_part"(text, date, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."carrier_stem"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."carrier_stem"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."carrier_stem"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."cell_text"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."cell_text"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."cell_text"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."change_settings"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."change_settings"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."change_settings"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "app"."changed_settings"(app.settings, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."changed_settings"(app.settings, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."changed_settings"(app.settings, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_batch_method"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_batch_method"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_batch_method"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_carrier_of_number"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_carrier_of_number"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_carrier_of_number"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_new_spread"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_new_spread"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_new_spread"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_referrer"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_referrer"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_referrer"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_refund_items"(bigint, app.refund_item[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_refund_items"(bigint, app.refund_item[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_refund_items"(bigint, app.refund_item[]) TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_refund_reason"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_refund_reason"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_refund_reason"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."check_release_days"(date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_release_days"(date, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_release_days"(date, date) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_release_days"(date, date) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."check_sources"(timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_sources"(timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_sources"(timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_sources"(timestamp WITH time zone, timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."claim_missed_run"(text, timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."claim_missed_run"(text, timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."claim_missed_run"(text, timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."commission_parts"(bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."commission_parts"(bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."commission_parts"(bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."complete_refund"(app.orders, app.refund_item[], boolean, text, app.request_answer, numeric, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."complete_refund"(app.orders, app.refund_item[], boolean, text, app.request_answer, numeric, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."complete_refund"(app.orders, app.refund_item[], boolean, text, app.request_answer, numeric, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."conceded_lines"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."conceded_lines"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."conceded_lines"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."concessions_between"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."concessions_between"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."concessions_between"(bigint, bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."concessions_between"(bigint, bigint) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."count_times"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."count_times"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."count_times"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."create_adjustment"(bigint, numeric, numeric, numeric, text, uuid, timestamp WITH time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."create_adjustment"(bigint, numeric, numeric, numeric, text, uuid, timestamp WITH time zone, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."create_adjustment"(bigint, numeric, numeric, numeric, text, uuid, timestamp WITH time zone, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."create_withdrawal_batch"(text, bigint[], bigint, uuid, timestamp WITH time zone, numeric, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."create_withdrawal_batch"(text, bigint[], bigint, uuid, timestamp WITH time zone, numeric, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."create_withdrawal_batch"(text, bigint[], bigint, uuid, timestamp WITH time zone, numeric, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."current_freight"(app.refunds) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."current_freight"(app.refunds) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."current_freight"(app.refunds) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."current_freight"(app.refunds) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."current_freight"(app.refunds) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."decide_refund"(app.refund_facts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."decide_refund"(app.refund_facts) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."decide_refund"(app.refund_facts) TO "postgres";

REVOKE ALL ON FUNCTION "app"."decided_order_below"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."decided_order_below"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."decided_order_below"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."declared_bill_types"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."declared_bill_types"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."declared_bill_types"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."declared_settings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."declared_settings"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."declared_settings"() TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."declared_settings"() TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."default_freight"(app.orders, app.refund_item[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."default_freight"(app.orders, app.refund_item[]) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."default_freight"(app.orders, app.refund_item[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."default_freight"(app.orders, app.refund_item[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."default_freight"(app.orders, app.refund_item[]) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."digest_of_actions"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."digest_of_actions"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."digest_of_actions"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."digest_of_rows"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."digest_of_rows"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."digest_of_rows"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."drop_actions"(date, bigint, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."drop_actions"(date, bigint, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."drop_actions"(date, bigint, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."drop_obstacle"(date, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."drop_obstacle"(date, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."drop_obstacle"(date, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."end_import"(boolean, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."end_import"(boolean, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."end_import"(boolean, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."end_request"(app.orders, text, timestamp WITH time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."end_request"(app.orders, text, timestamp WITH time zone, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."end_request"(app.orders, text, timestamp WITH time zone, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."error_codes"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."error_codes"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "app"."error_codes"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."error_codes"() TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."error_codes"() TO "service_role", "store_admin", "store_api", "store_key";

REVOKE ALL ON FUNCTION "app"."explain_hold"(bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."explain_hold"(bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."explain_hold"(bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."first_order_ends_at"(app.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."first_order_ends_at"(app.orders) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."first_order_ends_at"(app.orders) TO "postgres";

REVOKE ALL ON FUNCTION "app"."fits_batch"(app.withdrawals, text, bigint, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."fits_batch"(app.withdrawals, text, bigint, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."fits_batch"(app.withdrawals, text, bigint, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "app"."foreseen_members"(app.tree_member[], app.tree_member[], app.level_rise[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."foreseen_members"(app.tree_member[], app.tree_member[], app.level_rise[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."foreseen_members"(app.tree_member[], app.tree_member[], app.level_rise[]) TO "postgres";

REVOKE ALL ON FUNCTION "app"."forfeit_balances"(bigint, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."forfeit_balances"(bigint, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."forfeit_balances"(bigint, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."forfeit_left"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."forfeit_left"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."forfeit_left"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."forfeit_returned"(app.bill_entry[], timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."forfeit_returned"(app.bill_entry[], timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."forfeit_returned"(app.bill_entry[], timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."forgotten_text"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."forgotten_text"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."forgotten_text"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."freight_left"(app.orders) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."freight_left"(app.orders) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."freight_left"(app.orders) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."freight_left"(app.orders) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."freight_left"(app.orders) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."gave_up"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."gave_up"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."gave_up"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."gives_back"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."gives_back"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."gives_back"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."gives_to_who_gave_up"(bigint, numeric, numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."gives_to_who_gave_up"(bigint, numeric, numeric, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."gives_to_who_gave_up"(bigint, numeric, numeric, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."grant_request"(bigint, app.request_answer, app.refund_item[], boolean, text, numeric, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."grant_request"(bigint, app.request_answer, app.refund_item[], boolean, text, numeric, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."grant_request"(bigint, app.request_answer, app.refund_item[], boolean, text, numeric, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."had_left"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."had_left"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."had_left"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."held_at"(timestamp WITH time zone, timestamp WITH time zone, bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."held_at"(timestamp WITH time zone, timestamp WITH time zone, bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."held_at"(timestamp WITH time zone, timestamp WITH time zone, bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."held_now"(timestamp WITH time zone, bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."held_now"(timestamp WITH time zone, bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."held_now"(timestamp WITH time zone, bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."held_of_matured"(numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."held_of_matured"(numeric, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."held_of_matured"(numeric, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."held_of_withdrawal"(app.withdrawals, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."held_of_withdrawal"(app.withdrawals, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."held_of_withdrawal"(app.withdrawals, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."held_orders"(bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."held_orders"(bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."held_orders"(bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."held_orders_json"(app.withdrawals, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."held_orders_json"(app.withdrawals, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."held_orders_json"(app.withdrawals, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."held_withdrawals"(bigint[], timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."held_withdrawals"(bigint[], timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."held_withdrawals"(bigint[], timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."hold_actions"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."hold_actions"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."hold_actions"(timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."hold_actions"(timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."hold_events"(app.orders, app.refunds) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."hold_events"(app.orders, app.refunds) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."hold_events"(app.orders, app.refunds) TO "postgres";

REVOKE ALL ON FUNCTION "app"."insert_refund"(bigint, text, app.refund_item[], boolean, text, text, timestamp WITH time zone, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."insert_refund"(bigint, text, app.refund_item[], boolean, text, text, timestamp WITH time zone, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."insert_refund"(bigint, text, app.refund_item[], boolean, text, text, timestamp WITH time zone, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."is_covered"(bigint, numeric, numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."is_covered"(bigint, numeric, numeric, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_covered"(bigint, numeric, numeric, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."is_date"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."is_date"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_date"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."is_key"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."is_key"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_key"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."is_money"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."is_money"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_money"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."is_number_of_carrier"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."is_number_of_carrier"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_number_of_carrier"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."is_paid_back"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."is_paid_back"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."is_paid_back"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_paid_back"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_paid_back"(text) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."is_refund_line"(jsonb, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."is_refund_line"(jsonb, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_refund_line"(jsonb, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."is_to_ship"(text, smallint) FROM "authenticated";

GRANT EXECUTE ON FUNCTION "app"."is_to_ship"(text, smallint) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."left_totals"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."left_totals"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."left_totals"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."level_by_tasks"(app.user_balances, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."level_by_tasks"(app.user_balances, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."level_by_tasks"(app.user_balances, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."level_version_at"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."level_version_at"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."level_version_at"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."limit_unpaid_units"(bigint, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."limit_unpaid_units"(bigint, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."limit_unpaid_units"(bigint, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "app"."line_left"(numeric, integer, integer, app.concession[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."line_left"(numeric, integer, integer, app.concession[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."line_left"(numeric, integer, integer, app.concession[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."line_left"(numeric, integer, integer, app.concession[]) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."lines_with_refund"(bigint, app.refund_item[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."lines_with_refund"(bigint, app.refund_item[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."lines_with_refund"(bigint, app.refund_item[]) TO "postgres";

REVOKE ALL ON FUNCTION "app"."lost_scopes"(app.machine_keys) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."lost_scopes"(app.machine_keys) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."lost_scopes"(app.machine_keys) TO "postgres";

REVOKE ALL ON FUNCTION "app"."mark_as_left"(bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."mark_as_left"(bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."mark_as_left"(bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."maturity"(bigint, numeric, timestamp WITH time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."maturity"(bigint, numeric, timestamp WITH time zone, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."maturity"(bigint, numeric, timestamp WITH time zone, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."may_search_names"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."may_search_names"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."may_search_names"() TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."may_search_names"() TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."missed_time"(app.scheduled_jobs, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."missed_time"(app.scheduled_jobs, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."missed_time"(app.scheduled_jobs, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."month_part"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."month_part"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."month_part"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."most_in_batch"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."most_in_batch"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."most_in_batch"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."move_withdrawal"(app.withdrawals, text, timestamp WITH time zone, text, text, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."move_withdrawal"(app.withdrawals, text, timestamp WITH time zone, text, text, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."move_withdrawal"(app.withdrawals, text, timestamp WITH time zone, text, text, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."name_of_part"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."name_of_part"(text, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."name_of_part"(text, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."named_refund"(jsonb, numeric, numeric, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."named_refund"(jsonb, numeric, numeric, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."named_refund"(jsonb, numeric, numeric, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."named_refund_items"(bigint, jsonb, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."named_refund_items"(bigint, jsonb, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."named_refund_items"(bigint, jsonb, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."names_queue_goods"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."names_queue_goods"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."names_queue_goods"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."needs_another_payer"(app.withdrawals, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."needs_another_payer"(app.withdrawals, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."needs_another_payer"(app.withdrawals, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "app"."new_tree_change"(text, integer, bigint, integer, integer, integer, boolean, integer, integer, integer, smallint, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."new_tree_change"(text, integer, bigint, integer, integer, integer, boolean, integer, integer, integer, smallint, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."new_tree_change"(text, integer, bigint, integer, integer, integer, boolean, integer, integer, integer, smallint, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."order_to_preview"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."order_to_preview"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."order_to_preview"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."owed_at"(timestamp WITH time zone, timestamp WITH time zone, bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."owed_at"(timestamp WITH time zone, timestamp WITH time zone, bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."owed_at"(timestamp WITH time zone, timestamp WITH time zone, bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."owed_totals"(timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."owed_totals"(timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."owed_totals"(timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."paid_back_lines"(app.refunds) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."paid_back_lines"(app.refunds) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."paid_back_lines"(app.refunds) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."paid_back_lines"(app.refunds) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."placed_after"(app.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."placed_after"(app.orders) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."placed_after"(app.orders) TO "postgres";

REVOKE ALL ON FUNCTION "app"."postpone_subject"(app.webhook_deliveries, integer, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."postpone_subject"(app.webhook_deliveries, integer, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."postpone_subject"(app.webhook_deliveries, integer, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."preview_refund"(bigint, jsonb, timestamp WITH time zone, numeric, numeric, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."preview_refund"(bigint, jsonb, timestamp WITH time zone, numeric, numeric, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."preview_refund"(bigint, jsonb, timestamp WITH time zone, numeric, numeric, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."preview_refusal"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."preview_refusal"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."preview_refusal"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."preview_request"(bigint, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."preview_request"(bigint, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."preview_request"(bigint, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "app"."preview_withdrawal_batch"(text, bigint, uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."preview_withdrawal_batch"(text, bigint, uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."preview_withdrawal_batch"(text, bigint, uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."price_left"(app.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."price_left"(app.orders) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."price_left"(app.orders) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."price_left"(app.orders) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."raise_after_hold"(app.users, bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."raise_after_hold"(app.users, bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."raise_after_hold"(app.users, bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."raise_members"(app.level_rise[], bigint, timestamp WITH time zone, text, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."raise_members"(app.level_rise[], bigint, timestamp WITH time zone, text, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."raise_members"(app.level_rise[], bigint, timestamp WITH time zone, text, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reach_actions"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reach_actions"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reach_actions"(timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."reach_actions"(timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."reason_of_forfeit"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reason_of_forfeit"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reason_of_forfeit"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."reconcile_causes"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reconcile_causes"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reconcile_causes"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reconcile_holds"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reconcile_holds"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reconcile_holds"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."reconcile_leavers"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reconcile_leavers"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reconcile_leavers"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reconcile_referrers"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reconcile_referrers"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reconcile_referrers"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."record_attempt"(bigint, integer, integer, text, text, timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."record_attempt"(bigint, integer, integer, text, text, timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."record_attempt"(bigint, integer, integer, text, text, timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "app"."record_forfeits"(app.bill_entry[], timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."record_forfeits"(app.bill_entry[], timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."record_forfeits"(app.bill_entry[], timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."record_no_action"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."record_no_action"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."record_no_action"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reduce_request"(app.orders, app.request_answer, app.refunds, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reduce_request"(app.orders, app.request_answer, app.refunds, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reduce_request"(app.orders, app.request_answer, app.refunds, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."referred_later"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."referred_later"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."referred_later"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."refund_freight"(app.orders, app.refund_item[], numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."refund_freight"(app.orders, app.refund_item[], numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refund_freight"(app.orders, app.refund_item[], numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."refund_items"(bigint, jsonb, boolean, boolean, numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."refund_items"(bigint, jsonb, boolean, boolean, numeric, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refund_items"(bigint, jsonb, boolean, boolean, numeric, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."refund_order"(bigint, jsonb, text, timestamp WITH time zone, numeric, numeric, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."refund_order"(bigint, jsonb, text, timestamp WITH time zone, numeric, numeric, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refund_order"(bigint, jsonb, text, timestamp WITH time zone, numeric, numeric, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."refund_preview_json"(app.orders, app.refund_item[], numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."refund_preview_json"(app.orders, app.refund_item[], numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refund_preview_json"(app.orders, app.refund_item[], numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."refund_window_end"(timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."refund_window_end"(timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."refund_window_end"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refund_window_end"(timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."refund_window_end"(timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."refunded_amounts"(bigint, timestamp WITH time zone, timestamp WITH time zone) FROM "store_admin";

GRANT EXECUTE ON FUNCTION "app"."refunded_amounts"(bigint, timestamp WITH time zone, timestamp WITH time zone) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."refunded_amounts"(bigint, timestamp WITH time zone, timestamp WITH time zone) FROM "store_key";

GRANT EXECUTE ON FUNCTION "app"."refunded_amounts"(bigint, timestamp WITH time zone, timestamp WITH time zone) TO "store_key";

REVOKE ALL ON FUNCTION "app"."refuse_refund"(bigint, timestamp WITH time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."refuse_refund"(bigint, timestamp WITH time zone, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refuse_refund"(bigint, timestamp WITH time zone, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reject_compacted_release"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reject_compacted_release"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reject_compacted_release"(date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reject_holds"(bigint[], numeric, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reject_holds"(bigint[], numeric, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reject_holds"(bigint[], numeric, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reject_key_as_second"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reject_key_as_second"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reject_key_as_second"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."replay_refund"(app.refunds, jsonb, boolean, numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."replay_refund"(app.refunds, jsonb, boolean, numeric, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."replay_refund"(app.refunds, jsonb, boolean, numeric, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."request_answer"(bigint, app.refund_item[], boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."request_answer"(bigint, app.refund_item[], boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."request_answer"(bigint, app.refund_item[], boolean) TO "postgres";

REVOKE ALL ON FUNCTION "app"."requested_items"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."requested_items"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."requested_items"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."requested_items"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."requested_items"(bigint) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."require_open_window"(app.orders, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_open_window"(app.orders, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_open_window"(app.orders, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."require_tracking_number"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_tracking_number"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_tracking_number"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reserved_stock"(bigint, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reserved_stock"(bigint, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reserved_stock"(bigint, integer) TO "postgres";

REVOKE ALL ON FUNCTION "app"."reversal_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reversal_of"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reversal_of"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."rise_review"(bigint, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."rise_review"(bigint, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."rise_review"(bigint, integer) TO "postgres";

REVOKE ALL ON FUNCTION "app"."rules_at"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."rules_at"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."rules_at"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."run_statement"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."run_statement"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."run_statement"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."runs_to_start"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."runs_to_start"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."runs_to_start"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."set_settings"(jsonb, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."set_settings"(jsonb, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."set_settings"(jsonb, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."set_spread"(bigint, bigint, text, uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."set_spread"(bigint, bigint, text, uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."set_spread"(bigint, bigint, text, uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."setting_list"(text, jsonb, numeric, numeric, integer, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."setting_list"(text, jsonb, numeric, numeric, integer, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."setting_list"(text, jsonb, numeric, numeric, integer, text[]) TO "postgres";

REVOKE ALL ON FUNCTION "app"."setting_number"(jsonb, numeric, numeric, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."setting_number"(jsonb, numeric, numeric, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."setting_number"(jsonb, numeric, numeric, integer) TO "postgres";

REVOKE ALL ON FUNCTION "app"."setting_problem"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."setting_problem"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."setting_problem"(text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "app"."setting_text"(text, text, integer, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."setting_text"(text, text, integer, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."setting_text"(text, text, integer, text[]) TO "postgres";

REVOKE ALL ON FUNCTION "app"."setting_value"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."setting_value"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."setting_value"(text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "app"."share_address"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."share_address"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."share_address"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."shown_state"(text, smallint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."shown_state"(text, smallint) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."shown_state"(text, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."shown_state"(text, smallint) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."shown_state"(text, smallint) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."simulated_changes"(bigint[], bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."simulated_changes"(bigint[], bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."simulated_changes"(bigint[], bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."sold_products"(timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."sold_products"(timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."sold_products"(timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."sold_products"(timestamp WITH time zone, timestamp WITH time zone) TO "store_admin", "store_key";

REVOKE ALL ON FUNCTION "app"."spread_json"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."spread_json"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."spread_json"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."spread_over"(app.spread_line[], numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."spread_over"(app.spread_line[], numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."spread_over"(app.spread_line[], numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."spread_refund"(bigint, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."spread_refund"(bigint, numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."spread_refund"(bigint, numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."store_settings"(app.settings, app.settings, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."store_settings"(app.settings, app.settings, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."store_settings"(app.settings, app.settings, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."take_back_refund"(bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."take_back_refund"(bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."take_back_refund"(bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."times_count_for"(app.scheduled_jobs) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."times_count_for"(app.scheduled_jobs) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."times_count_for"(app.scheduled_jobs) TO "postgres";

REVOKE ALL ON FUNCTION "app"."times_of_days"(text, text, date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."times_of_days"(text, text, date, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."times_of_days"(text, text, date, date) TO "postgres";

REVOKE ALL ON FUNCTION "app"."tracking_number"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."tracking_number"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."tracking_number"(text) TO "postgres";

REVOKE ALL ON FUNCTION "app"."unpaid_units"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."unpaid_units"(bigint, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."unpaid_units"(bigint, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."waiting_orders"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."waiting_orders"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."waiting_orders"(bigint) TO "postgres";

REVOKE ALL ON FUNCTION "app"."working_scopes"(app.machine_keys) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."working_scopes"(app.machine_keys) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."working_scopes"(app.machine_keys) TO "postgres";

REVOKE ALL ON FUNCTION "entry"."get_spread_changes"(text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "entry"."get_spread_changes"(text, text, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "entry"."get_spread_changes"(text, text, text, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "entry"."get_spread_changes"(text, text, text, jsonb) TO "store_api";

REVOKE ALL ON FUNCTION "entry"."preview_own_refund"(text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "entry"."preview_own_refund"(text, text, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "entry"."preview_own_refund"(text, text, text, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "entry"."preview_own_refund"(text, text, text, jsonb) TO "store_api";

REVOKE ALL ON FUNCTION "entry"."preview_refusal"(text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "entry"."preview_refusal"(text, text, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "entry"."preview_refusal"(text, text, text, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "entry"."preview_refusal"(text, text, text, jsonb) TO "store_api";

REVOKE ALL ON FUNCTION "entry"."preview_spread"(text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "entry"."preview_spread"(text, text, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "entry"."preview_spread"(text, text, text, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "entry"."preview_spread"(text, text, text, jsonb) TO "store_api";

REVOKE ALL ON FUNCTION "entry"."preview_withdrawal_batch"(text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "entry"."preview_withdrawal_batch"(text, text, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "entry"."preview_withdrawal_batch"(text, text, text, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "entry"."preview_withdrawal_batch"(text, text, text, jsonb) TO "store_api";

REVOKE ALL ON TABLE "app"."dropped_actions" FROM "service_role";

GRANT SELECT ON TABLE "app"."dropped_actions" TO "service_role";

REVOKE ALL ON TABLE "app"."dropped_actions" FROM "store_admin";

GRANT SELECT ON TABLE "app"."dropped_actions" TO "store_admin";

REVOKE ALL ON TABLE "app"."dropped_actions" FROM "store_key";

GRANT SELECT ON TABLE "app"."dropped_actions" TO "store_key";

GRANT SELECT ON TABLE "app"."rule_versions" TO "service_role", "store_admin", "store_key";

GRANT SELECT ON TABLE "app"."spread_changes" TO "service_role", "store_admin", "store_key";

GRANT SELECT ON TABLE "report"."bill" TO "store_analyst";

GRANT SELECT ON TABLE "report"."commissions" TO "store_analyst";

GRANT SELECT ON TABLE "report"."members" TO "store_analyst";

GRANT SELECT ON TABLE "report"."order_lines" TO "store_analyst";

GRANT SELECT ON TABLE "report"."orders" TO "store_analyst";

GRANT SELECT ON TABLE "report"."points_by_day" TO "store_analyst";

GRANT SELECT ON TABLE "report"."refunds" TO "store_analyst";

GRANT SELECT ON TABLE "report"."withdrawals" TO "store_analyst";

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "avatar_origins_is_valid" CHECK ((app.are_https_origins(avatar_origins) AND (cardinality(avatar_origins) <= 20)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "contact_hours_is_valid" CHECK (((char_length(contact_hours) <= 100) AND app.is_line(contact_hours)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "contact_phone_is_valid" CHECK (app.is_phone_number(contact_phone));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "contact_wechat_is_valid" CHECK (((char_length(contact_wechat) <= 64) AND app.is_line(contact_wechat)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "h5_share_url_is_valid" CHECK (app.is_web_address(h5_share_url));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "logo_is_valid" CHECK (((char_length(logo) <= 1000) AND app.is_web_address(logo)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "refused_words_is_valid" CHECK ((app.are_words(refused_words) AND (cardinality(refused_words) <= 500)));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "return_address_is_valid" CHECK (app.is_address(return_address));

ALTER TABLE "app"."settings"
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT "site_name_is_valid" CHECK (((char_length(site_name) <= 100) AND app.is_line(site_name)));

comment on column app.level_rise.cause is 'order, refund, assess, refer, import or hold (see app.level_changes).';
comment on column app.level_rise.order_id is 'The order that was settled or whose refund was decided; null for other causes.';
comment on column app.level_rise.ordinal is 'Index of the change that raised the member.';
comment on column app.remaining_grant.forfeited_brokerage is 'Commission that the member gave up by leaving, of which refunds have taken back nothing yet (app.forfeit_left). So are the other two, of points.';
comment on column app.remaining_grant.frozen_points is 'Frozen points of the member, those that they gave up included, from which a reversal takes points first.';
comment on column app.request_answer.is_answer is 'Whether the refund answers the request and takes its row.';
comment on column app.request_answer.state is 'The state of the request after the refund.';
comment on column app.tree_change.kind is 'settle: an order is settled; units grant points (0: none), step orders begin to count, and members may rise. count: an order begins (step 1) or ceases (step -1) to count because of its refunds. assess: no_assess becomes is_set (R9). refer: the member gets the referrer at index referrer, with orders_below and members_below counted below the member. grade: an administrator sets the grade to to_level and the hold to is_set. import: an import has ended. leave: the member leaves.';
comment on column app.tree_change.raises is 'Whether a change that is no settlement raises: by grade (the end of a hold) and import the member, by others the members above of whose counts one rises.';
comment on column app.tree_member.has_left is 'Whether the member has left: nobody who left earns or rises (docs/decisions/0174).';
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
comment on column report.members.available_points is 'Points that can be spent.';
comment on column report.members.commission_balance is 'Commission that is not withdrawn, negative for a debt. Money.';
comment on column report.members.commission_earned is 'All commission, less reversals. Money.';
comment on column report.members.commission_held is 'Matured commission that open refund requests hold. Money.';
comment on column report.members.frozen_points is 'Points that are not released.';
comment on column report.members.joined_at is 'When the member joined.';
comment on column report.members.joined_day is 'The business day on which the member joined.';
comment on column report.members.left_at is 'When the member left and stopped earning; null: has not.';
comment on column report.members.level is 'The grade of the level; 0: none.';
comment on column report.members.level_is_held is 'Whether the member does not rise by tasks until an administrator ends the hold.';
comment on column report.members.level_name is 'What the level is called in English.';
comment on column report.members.no_assess is 'Whether the orders of the member count for nobody''s tasks.';
comment on column report.members.points_earned is 'All granted points, less reversals.';
comment on column report.members.referrer_uid is 'The number of the referrer; null: nobody referred them.';
comment on column report.members.uid is 'The number of the member.';
comment on column report.order_lines.conceded is 'What was paid back of the line while its goods were kept. Money.';
comment on column report.order_lines.discount is 'The discount of the line. Money.';
comment on column report.order_lines.is_queue_goods is 'Whether the line pays commission.';
comment on column report.order_lines.line_id is 'The id of the line.';
comment on column report.order_lines.order_id is 'The order: report.orders.';
comment on column report.order_lines.paid is 'What was to be paid for the line. Money.';
comment on column report.order_lines.paid_by_points is 'What points paid of the line. Money.';
comment on column report.order_lines.points is 'The points that were taken for the line.';
comment on column report.order_lines.price is 'The price of a unit. Money.';
comment on column report.order_lines.product_id is 'The product: report.products.';
comment on column report.order_lines.quantity is 'How many units.';
comment on column report.order_lines.refunded_quantity is 'How many units were refunded.';
comment on column report.order_lines.title is 'What the product was called.';
comment on column report.orders.cancelled_at is 'When it was cancelled.';
comment on column report.orders.discount is 'The discount. Money.';
comment on column report.orders.freight is 'The freight. Money.';
comment on column report.orders.has_queue_goods is 'Whether it has goods that pay commission.';
comment on column report.orders.is_expired is 'Whether it was cancelled because it was not paid in time.';
comment on column report.orders.is_imported is 'Whether it comes from an earlier system.';
comment on column report.orders.order_id is 'The id of the order.';
comment on column report.orders.order_no is 'The number that people see.';
comment on column report.orders.paid_at is 'When it was paid; null: it was not.';
comment on column report.orders.paid_by_points is 'What points paid. Money.';
comment on column report.orders.paid_day is 'The business day of the payment.';
comment on column report.orders.pay_price is 'What is or was to be paid. Money.';
comment on column report.orders.pay_type is 'How it was paid: the provider, or offline.';
comment on column report.orders.placed_at is 'When the order was placed.';
comment on column report.orders.plan_version is 'The version of the commission plan that was in force at the payment.';
comment on column report.orders.points_spent is 'The points that were taken.';
comment on column report.orders.queue_base is 'What counts for commission, less what was refunded. Money.';
comment on column report.orders.queue_units is 'Units of goods that pay commission, less those refunded.';
comment on column report.orders.received_at is 'When the buyer, or time, confirmed the receipt.';
comment on column report.orders.referrer_uid is 'The number of the referrer when the order was paid; null: none.';
comment on column report.orders.refunded is 'What was refunded so far. Money.';
comment on column report.orders.shipped_at is 'When it was shipped.';
comment on column report.orders.state is 'unpaid, paid, delivered (shipped), received or cancelled.';
comment on column report.orders.total_price is 'The price of the goods before discount. Money.';
comment on column report.orders.uid is 'The number of the buyer.';
comment on column report.points_by_day.available_points is 'By how much the available points of all members changed.';
comment on column report.points_by_day.bill_rows is 'How many rows of the bill.';
comment on column report.points_by_day.day is 'The business day on which they were booked.';
comment on column report.points_by_day.frozen_points is 'By how much the frozen points of all members changed.';
comment on column report.points_by_day.source is 'What they come from.';
comment on column report.points_by_day.type is 'The type of the rows of the bill.';
comment on column report.refunds.amount is 'What is paid back: for units, amounts and freight, without what points paid. For a request, what it would pay back, with the freight that was foreseen when it was made. Money.';
comment on column report.refunds.decided_at is 'When it was refunded, refused or taken back.';
comment on column report.refunds.decided_day is 'The business day of that.';
comment on column report.refunds.freight is 'The part of the amount that is freight. Money.';
comment on column report.refunds.order_id is 'The order: report.orders.';
comment on column report.refunds.points is 'The points that return to the buyer.';
comment on column report.refunds.refund_id is 'The id of the refund.';
comment on column report.refunds.requested_at is 'When it was requested.';
comment on column report.refunds.state is 'requested, refused, taken_back, refunded (granted, or without a request) or partly_refunded (granted in part).';
comment on column report.refunds.units is 'How many units are paid back; for a request that is open, refused or taken back, how many it asks for.';
comment on column report.refunds.units_asked is 'How many units the buyer asked for; null: it was no request, or an earlier version answered it.';
comment on column report.withdrawals.amount is 'What was taken from the balance. Money.';
comment on column report.withdrawals.approved_at is 'When it was approved.';
comment on column report.withdrawals.batch_id is 'The batch in which it was paid.';
comment on column report.withdrawals.ended_at is 'When it was paid, or ended otherwise.';
comment on column report.withdrawals.ended_day is 'The business day of that.';
comment on column report.withdrawals.fee is 'What the store keeps as its fee. Money.';
comment on column report.withdrawals.held_accepted is 'What refund requests held of it when it was approved in spite of that; null: nothing. Money.';
comment on column report.withdrawals.method is 'bank, alipay or wechat.';
comment on column report.withdrawals.requested_at is 'When it was requested.';
comment on column report.withdrawals.state is 'requested, approved, paying, paid, refused, failed or cancelled.';
comment on column report.withdrawals.tax is 'What was withheld as tax. Money.';
comment on column report.withdrawals.uid is 'The number of the member.';
comment on column report.withdrawals.withdrawal_id is 'The id of the withdrawal.';
comment on column report.withdrawals.withdrawal_no is 'The number that people see.';

delete from app.manifest where (kind, name) in (
  ('column', 'app.archived_balances.available'),
  ('column', 'app.archived_balances.brokerage'),
  ('column', 'app.archived_balances.commission'),
  ('column', 'app.archived_balances.frozen'),
  ('column', 'app.archived_balances.negative_openings'),
  ('column', 'app.archived_balances.opening_balances'),
  ('column', 'app.archived_balances.opening_brokerage'),
  ('column', 'app.archived_balances.opening_points'),
  ('column', 'app.archived_balances.points'),
  ('column', 'app.archived_balances.uid'),
  ('column', 'app.archived_months.archived_at'),
  ('column', 'app.archived_months.digest'),
  ('column', 'app.archived_months.ends_at'),
  ('column', 'app.archived_months.month'),
  ('column', 'app.archived_months.moved_at'),
  ('column', 'app.archived_months.row_count'),
  ('column', 'app.archived_months.table_name'),
  ('column', 'app.day_sums.commission'),
  ('column', 'app.day_sums.points_frozen'),
  ('constraint', 'app.archived_balances.archived_balances_pkey'),
  ('constraint', 'app.archived_balances.archived_balances_uid_fkey'),
  ('constraint', 'app.archived_months.archived_months_pkey'),
  ('constraint', 'app.archived_months.month_is_its_first_day'),
  ('constraint', 'app.archived_months.table_is_known'),
  ('constraint', 'app.day_sums.commission_iff_points'),
  ('constraint', 'app.level_changes.tasks_name_the_order'),
  ('constraint', 'app.refund_lines.quantity_is_positive'),
  ('constraint', 'app.refunds.state_is_known'),
  ('constraint', 'app.settings.analyst_minutes_is_between_1_and_120'),
  ('constraint', 'app.settings.avatar_origins_are_at_most_20_origins'),
  ('constraint', 'app.settings.colour_has_six_hexadecimal_digits'),
  ('constraint', 'app.settings.contact_phone_is_a_phone_number'),
  ('constraint', 'app.settings.contact_wechat_and_hours_are_short_texts'),
  ('constraint', 'app.settings.every_withdrawal_method_is_known'),
  ('constraint', 'app.settings.h5_share_url_is_an_address'),
  ('constraint', 'app.settings.limits_of_one_administrator_are_between_0_and_100_million'),
  ('constraint', 'app.settings.logo_is_an_address_of_at_most_1000_characters'),
  ('constraint', 'app.settings.max_unpaid_orders_is_between_1_and_1000'),
  ('constraint', 'app.settings.network_depth_is_between_1_and_1000'),
  ('constraint', 'app.settings.network_people_is_between_1_and_a_million'),
  ('constraint', 'app.settings.night_sessions_are_between_1_and_8'),
  ('constraint', 'app.settings.offline_payment_days_is_between_1_and_90'),
  ('constraint', 'app.settings.order_expiry_minutes_is_between_5_and_10080'),
  ('constraint', 'app.settings.payment_minutes_is_between_5_and_1440'),
  ('constraint', 'app.settings.payment_query_minutes_are_at_most_ten_between_1_and_1440'),
  ('constraint', 'app.settings.person_request_days_is_between_1_and_90'),
  ('constraint', 'app.settings.points_max_share_is_at_least_0_and_below_1'),
  ('constraint', 'app.settings.points_rate_is_positive'),
  ('constraint', 'app.settings.poster_design_is_known'),
  ('constraint', 'app.settings.quotas_are_between_1_and_100000'),
  ('constraint', 'app.settings.real_name_check_is_known'),
  ('constraint', 'app.settings.real_name_from_is_positive'),
  ('constraint', 'app.settings.receipt_days_is_between_1_and_90'),
  ('constraint', 'app.settings.refund_window_days_is_between_0_and_3650'),
  ('constraint', 'app.settings.refused_words_are_at_most_500_words'),
  ('constraint', 'app.settings.return_address_is_complete'),
  ('constraint', 'app.settings.second_factor_areas_are_known'),
  ('constraint', 'app.settings.settlement_slots_are_between_0_and_16'),
  ('constraint', 'app.settings.site_name_is_a_short_text'),
  ('constraint', 'app.settings.tax_method_is_known'),
  ('constraint', 'app.settings.transfer_maximum_is_at_least_the_minimum'),
  ('constraint', 'app.settings.transfer_minimum_is_at_least_1_cent'),
  ('constraint', 'app.settings.transfer_name_from_is_positive'),
  ('constraint', 'app.settings.withdrawal_fee_rate_is_at_least_0_and_below_1'),
  ('constraint', 'app.settings.withdrawal_maximum_is_at_least_the_minimum'),
  ('constraint', 'app.settings.withdrawal_minimum_is_between_1_cent_and_a_million'),
  ('constraint', 'app.settlements.reason_is_known'),
  ('constraint', 'app.used_quotas.kind_is_known'),
  ('function', 'api.admin_get_orders(bigint,text,smallint,text,timestamp with time zone,timestamp with time zone,integer,integer,text,text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,bigint)'),
  ('function', 'api.admin_get_users(text,smallint,boolean,bigint,text,integer,integer)'),
  ('function', 'api.approve_withdrawal(bigint)'),
  ('function', 'api.create_adjustment(bigint,text,numeric,numeric,numeric)'),
  ('function', 'api.create_withdrawal_batch(text,jsonb)'),
  ('function', 'api.get_level_review(integer,bigint)'),
  ('function', 'api.mark_withdrawal_paid(bigint,text)'),
  ('function', 'api.preview_refund(bigint,jsonb)'),
  ('function', 'api.record_attempt(bigint,integer,integer,text,text)'),
  ('function', 'api.refund_order(bigint,jsonb,text)'),
  ('function', 'api.refuse_refund(bigint)'),
  ('function', 'api.set_settings(text,text,text,integer,integer,jsonb,integer,boolean,integer,integer,text,text,numeric,numeric,numeric,numeric,numeric,numeric,numeric,jsonb,numeric,numeric,numeric,integer,numeric,numeric,jsonb,integer,integer,integer,integer,integer,integer,jsonb,text,text,text,text,jsonb,jsonb,integer,integer,text,text,integer,integer,numeric,text,boolean,integer)'),
  ('function', 'app.add_archived_sums(regclass,integer)'),
  ('function', 'app.approve_withdrawal(app.withdrawals,timestamp with time zone,uuid)'),
  ('function', 'app.archive_due_months()'),
  ('function', 'app.archive_month(text,date,timestamp with time zone)'),
  ('function', 'app.archive_obstacle(text,date,timestamp with time zone)'),
  ('function', 'app.archive_part(text,date)'),
  ('function', 'app.archived_log_json(jsonb,bigint,text[],integer,text)'),
  ('function', 'app.archived_until(text)'),
  ('function', 'app.attach_month(text,date)'),
  ('function', 'app.attach_months(text,text)'),
  ('function', 'app.book_rises(app.level_rise[],timestamp with time zone)'),
  ('function', 'app.bound_month(regclass,text,date)'),
  ('function', 'app.bring_back_months(text,text)'),
  ('function', 'app.check_archived_months()'),
  ('function', 'app.check_sources(timestamp with time zone,timestamp with time zone)'),
  ('function', 'app.complete_refund(bigint,app.refund_item[],boolean,text,timestamp with time zone)'),
  ('function', 'app.copy_month(text,date)'),
  ('function', 'app.copy_month_back(text,date)'),
  ('function', 'app.copy_rows(regclass,regclass,text,date)'),
  ('function', 'app.create_adjustment(bigint,numeric,numeric,numeric,text,uuid,timestamp with time zone)'),
  ('function', 'app.create_withdrawal_batch(text,bigint[],bigint,uuid,timestamp with time zone)'),
  ('function', 'app.first_release_day()'),
  ('function', 'app.forfeit_balances(bigint,timestamp with time zone)'),
  ('function', 'app.forget_copy(text,date)'),
  ('function', 'app.has_refund_request(regclass)'),
  ('function', 'app.hold_months(text,timestamp with time zone,date[])'),
  ('function', 'app.insert_refund(bigint,text,app.refund_item[],boolean,text,text,timestamp with time zone)'),
  ('function', 'app.is_order_archived(bigint)'),
  ('function', 'app.level_by_tasks(app.user_balances)'),
  ('function', 'app.lift_other_limit()'),
  ('function', 'app.lock_archived_month(text,date)'),
  ('function', 'app.lock_for_tax(bigint[])'),
  ('function', 'app.maturity(bigint,numeric,timestamp with time zone,text)'),
  ('function', 'app.month_part(text,date,text)'),
  ('function', 'app.move_months(text,text)'),
  ('function', 'app.move_withdrawal(app.withdrawals,text,timestamp with time zone,text,text)'),
  ('function', 'app.moved_months(text)'),
  ('function', 'app.name_of_part(text,date,text)'),
  ('function', 'app.named_refund_items(bigint,jsonb)'),
  ('function', 'app.new_tree_change(text,integer,bigint,integer,integer,integer,boolean,integer,integer,integer,smallint)'),
  ('function', 'app.oldest_part(text)'),
  ('function', 'app.open_order_of_part(regclass,timestamp with time zone,timestamp with time zone)'),
  ('function', 'app.other_digest(app.archived_months)'),
  ('function', 'app.other_server_script()'),
  ('function', 'app.other_server_state()'),
  ('function', 'app.other_table(text)'),
  ('function', 'app.owed_at(timestamp with time zone,timestamp with time zone,bigint,bigint)'),
  ('function', 'app.postpone_subject(app.webhook_deliveries,timestamp with time zone)'),
  ('function', 'app.preview_refund(bigint,jsonb,timestamp with time zone)'),
  ('function', 'app.reach_months(text,timestamp with time zone,timestamp with time zone)'),
  ('function', 'app.record_attempt(bigint,integer,integer,text,text,timestamp with time zone)'),
  ('function', 'app.refund_items(bigint,jsonb,boolean)'),
  ('function', 'app.refund_order(bigint,jsonb,text,timestamp with time zone)'),
  ('function', 'app.refuse_refund(bigint,timestamp with time zone)'),
  ('function', 'app.reject_archived_order(bigint)'),
  ('function', 'app.reject_archived_release(date)'),
  ('function', 'app.replay_refund(app.refunds,jsonb)'),
  ('function', 'app.require_archived_rows(app.archived_months,bigint,numeric)'),
  ('function', 'app.require_monthly_table(text)'),
  ('function', 'app.require_other_server()'),
  ('function', 'app.set_administrator_limits(numeric,numeric,numeric,numeric)'),
  ('function', 'app.set_analyst_minutes(integer)'),
  ('function', 'app.set_avatar_origins(jsonb)'),
  ('function', 'app.set_contact(text,text,text)'),
  ('function', 'app.set_network_thresholds(integer,integer)'),
  ('function', 'app.set_night_sessions(integer,timestamp with time zone)'),
  ('function', 'app.set_order_times(integer,integer,boolean,integer,integer,integer,jsonb)'),
  ('function', 'app.set_other_server(jsonb,text,text)'),
  ('function', 'app.set_person_request_days(integer)'),
  ('function', 'app.set_points_terms(numeric,numeric)'),
  ('function', 'app.set_poster_design(text)'),
  ('function', 'app.set_quotas(integer,integer,integer,integer,integer)'),
  ('function', 'app.set_real_name_terms(numeric,text,timestamp with time zone)'),
  ('function', 'app.set_refused_words(jsonb)'),
  ('function', 'app.set_return_address(jsonb)'),
  ('function', 'app.set_second_factor_areas(jsonb)'),
  ('function', 'app.set_settings(text,text,text,integer,text,text,timestamp with time zone)'),
  ('function', 'app.set_settlement_slots(integer)'),
  ('function', 'app.set_tax_terms(text,text)'),
  ('function', 'app.set_transfer_limits(numeric,numeric,numeric)'),
  ('function', 'app.set_withdrawal_terms(numeric,numeric,numeric,jsonb)'),
  ('function', 'app.show_month(text,date)'),
  ('function', 'app.sold_products(timestamp with time zone,timestamp with time zone)'),
  ('function', 'app.sorted_words()'),
  ('function', 'app.swap_part(text,date,text)'),
  ('function', 'app.unreachable_until(text,timestamp with time zone,timestamp with time zone)'),
  ('function', 'app.use_copy(text,date)'),
  ('function', 'app.use_copy_here(text,date)'),
  ('policy', 'app.archived_balances.admins_read_all_archived_balances'),
  ('policy', 'app.archived_balances.members_read_their_archived_balances'),
  ('policy', 'app.archived_months.everyone_reads_archived_months'),
  ('privilege', 'execute on function api.admin_get_orders(bigint,text,smallint,text,timestamp with time zone,timestamp with time zone,integer,integer,text,text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,bigint) to store_admin'),
  ('privilege', 'execute on function api.admin_get_orders(bigint,text,smallint,text,timestamp with time zone,timestamp with time zone,integer,integer,text,text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,bigint) to store_key'),
  ('privilege', 'execute on function api.admin_get_users(text,smallint,boolean,bigint,text,integer,integer) to store_admin'),
  ('privilege', 'execute on function api.admin_get_users(text,smallint,boolean,bigint,text,integer,integer) to store_key'),
  ('privilege', 'execute on function api.approve_withdrawal(bigint) to store_admin'),
  ('privilege', 'execute on function api.approve_withdrawal(bigint) to store_key'),
  ('privilege', 'execute on function api.create_adjustment(bigint,text,numeric,numeric,numeric) to store_admin'),
  ('privilege', 'execute on function api.create_adjustment(bigint,text,numeric,numeric,numeric) to store_key'),
  ('privilege', 'execute on function api.create_withdrawal_batch(text,jsonb) to store_admin'),
  ('privilege', 'execute on function api.create_withdrawal_batch(text,jsonb) to store_key'),
  ('privilege', 'execute on function api.get_level_review(integer,bigint) to store_admin'),
  ('privilege', 'execute on function api.get_level_review(integer,bigint) to store_key'),
  ('privilege', 'execute on function api.mark_withdrawal_paid(bigint,text) to store_admin'),
  ('privilege', 'execute on function api.mark_withdrawal_paid(bigint,text) to store_key'),
  ('privilege', 'execute on function api.preview_refund(bigint,jsonb) to store_admin'),
  ('privilege', 'execute on function api.preview_refund(bigint,jsonb) to store_key'),
  ('privilege', 'execute on function api.record_attempt(bigint,integer,integer,text,text) to service_role'),
  ('privilege', 'execute on function api.refund_order(bigint,jsonb,text) to store_admin'),
  ('privilege', 'execute on function api.refund_order(bigint,jsonb,text) to store_key'),
  ('privilege', 'execute on function api.refuse_refund(bigint) to store_admin'),
  ('privilege', 'execute on function api.refuse_refund(bigint) to store_key'),
  ('privilege', 'execute on function api.set_settings(text,text,text,integer,integer,jsonb,integer,boolean,integer,integer,text,text,numeric,numeric,numeric,numeric,numeric,numeric,numeric,jsonb,numeric,numeric,numeric,integer,numeric,numeric,jsonb,integer,integer,integer,integer,integer,integer,jsonb,text,text,text,text,jsonb,jsonb,integer,integer,text,text,integer,integer,numeric,text,boolean,integer) to store_admin'),
  ('privilege', 'execute on function app.archive_part(text,date) to authenticated'),
  ('privilege', 'execute on function app.archive_part(text,date) to store_admin'),
  ('privilege', 'execute on function app.archive_part(text,date) to store_key'),
  ('privilege', 'execute on function app.archived_log_json(jsonb,bigint,text[],integer,text) to authenticated'),
  ('privilege', 'execute on function app.archived_log_json(jsonb,bigint,text[],integer,text) to store_admin'),
  ('privilege', 'execute on function app.archived_log_json(jsonb,bigint,text[],integer,text) to store_key'),
  ('privilege', 'execute on function app.archived_until(text) to authenticated'),
  ('privilege', 'execute on function app.archived_until(text) to store_admin'),
  ('privilege', 'execute on function app.archived_until(text) to store_key'),
  ('privilege', 'execute on function app.first_release_day() to store_admin'),
  ('privilege', 'execute on function app.first_release_day() to store_key'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone,date[]) to authenticated'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone,date[]) to store_admin'),
  ('privilege', 'execute on function app.hold_months(text,timestamp with time zone,date[]) to store_key'),
  ('privilege', 'execute on function app.is_order_archived(bigint) to store_admin'),
  ('privilege', 'execute on function app.is_order_archived(bigint) to store_key'),
  ('privilege', 'execute on function app.month_part(text,date,text) to authenticated'),
  ('privilege', 'execute on function app.month_part(text,date,text) to store_admin'),
  ('privilege', 'execute on function app.month_part(text,date,text) to store_key'),
  ('privilege', 'execute on function app.moved_months(text) to authenticated'),
  ('privilege', 'execute on function app.moved_months(text) to store_admin'),
  ('privilege', 'execute on function app.moved_months(text) to store_key'),
  ('privilege', 'execute on function app.name_of_part(text,date,text) to authenticated'),
  ('privilege', 'execute on function app.name_of_part(text,date,text) to store_admin'),
  ('privilege', 'execute on function app.name_of_part(text,date,text) to store_key'),
  ('privilege', 'execute on function app.reach_months(text,timestamp with time zone,timestamp with time zone) to authenticated'),
  ('privilege', 'execute on function app.reach_months(text,timestamp with time zone,timestamp with time zone) to store_admin'),
  ('privilege', 'execute on function app.reach_months(text,timestamp with time zone,timestamp with time zone) to store_key'),
  ('privilege', 'execute on function app.unreachable_until(text,timestamp with time zone,timestamp with time zone) to authenticated'),
  ('privilege', 'execute on function app.unreachable_until(text,timestamp with time zone,timestamp with time zone) to store_admin'),
  ('privilege', 'execute on function app.unreachable_until(text,timestamp with time zone,timestamp with time zone) to store_key'),
  ('privilege', 'select on table app.archived_balances to authenticated'),
  ('privilege', 'select on table app.archived_balances to service_role'),
  ('privilege', 'select on table app.archived_balances to store_admin'),
  ('privilege', 'select on table app.archived_balances to store_key'),
  ('privilege', 'select on table app.archived_months to authenticated'),
  ('privilege', 'select on table app.archived_months to service_role'),
  ('privilege', 'select on table app.archived_months to store_admin'),
  ('privilege', 'select on table app.archived_months to store_key'),
  ('privilege', 'select on table archive.points_release_log to authenticated'),
  ('privilege', 'select on table archive.points_release_log to service_role'),
  ('privilege', 'select on table archive.points_release_log to store_admin'),
  ('privilege', 'select on table archive.points_release_log to store_key'),
  ('privilege', 'select on table archive.user_bill to authenticated'),
  ('privilege', 'select on table archive.user_bill to service_role'),
  ('privilege', 'select on table archive.user_bill to store_admin'),
  ('privilege', 'select on table archive.user_bill to store_key'),
  ('privilege', 'usage on schema archive to authenticated'),
  ('privilege', 'usage on schema archive to service_role'),
  ('privilege', 'usage on schema archive to store_admin'),
  ('privilege', 'usage on schema archive to store_key'),
  ('table', 'app.archived_balances'),
  ('table', 'app.archived_months'),
  ('trigger', 'app.administrators.keys_outlive_their_owner'),
  ('trigger', 'app.person_requests.what_was_asked_and_answered_never_changes'),
  ('trigger', 'app.tax_allowances.tax_allowances_are_never_changed'),
  ('view', 'report.bill'),
  ('view', 'report.members'),
  ('view', 'report.order_lines'),
  ('view', 'report.orders'),
  ('view', 'report.refunds'),
  ('view', 'report.withdrawals')
);
insert into app.manifest (kind, name, definition) values
  ('column', 'app.adjustments.kind', 'text not null default ''correction''::text'),
  ('column', 'app.day_sums.commission', 'numeric(16,2) not null'),
  ('column', 'app.day_sums.points_frozen', 'numeric(20,4) not null'),
  ('column', 'app.dropped_actions.digest', 'text not null'),
  ('column', 'app.dropped_actions.dropped_at', 'timestamp with time zone not null'),
  ('column', 'app.dropped_actions.month', 'date not null'),
  ('column', 'app.dropped_actions.row_count', 'bigint not null'),
  ('column', 'app.imports.finished_position', 'bigint'),
  ('column', 'app.level_changes.cause', 'text'),
  ('column', 'app.level_versions."position"', 'bigint not null default nextval(''app.positions''::regclass)'),
  ('column', 'app.refund_lines.asked', 'integer'),
  ('column', 'app.refund_lines.concession', 'numeric(14,2) not null default 0'),
  ('column', 'app.refunds.freight', 'numeric(14,2) not null default 0'),
  ('column', 'app.refunds.named', 'jsonb'),
  ('column', 'app.refunds.refusal_reason', 'text not null default ''''::text'),
  ('column', 'app.rule_versions."position"', 'bigint not null'),
  ('column', 'app.rule_versions.in_force_since', 'timestamp with time zone'),
  ('column', 'app.rule_versions.version', 'smallint not null'),
  ('column', 'app.scheduled_jobs.times_count_for', 'text'),
  ('column', 'app.scheduled_jobs.times_count_from', 'timestamp with time zone not null default now()'),
  ('column', 'app.scheduled_jobs.tried_at', 'timestamp with time zone'),
  ('column', 'app.settings.first_order_minutes', 'integer not null default 30'),
  ('column', 'app.settings.max_unpaid_share', 'numeric(6,5) not null default 0.1'),
  ('column', 'app.settings.max_unpaid_units', 'integer not null default 20'),
  ('column', 'app.spread_changes."position"', 'bigint not null'),
  ('column', 'app.spread_changes.add_time', 'timestamp with time zone not null'),
  ('column', 'app.spread_changes.changed_by', 'uuid'),
  ('column', 'app.spread_changes.from_position', 'bigint'),
  ('column', 'app.spread_changes.from_time', 'timestamp with time zone'),
  ('column', 'app.spread_changes.from_uid', 'bigint'),
  ('column', 'app.spread_changes.id', 'bigint not null generated always as identity'),
  ('column', 'app.spread_changes.reason', 'text not null'),
  ('column', 'app.spread_changes.to_uid', 'bigint not null'),
  ('column', 'app.spread_changes.uid', 'bigint not null'),
  ('column', 'app.users.left_at', 'timestamp with time zone'),
  ('column', 'app.users.left_position', 'bigint'),
  ('column', 'app.withdrawals.held_accepted', 'numeric(14,2)'),
  ('constraint', 'app.adjustments.a_payout_only_takes', 'CHECK (((kind <> ''payout''::text) OR (GREATEST(brokerage_delta, frozen_delta, available_delta) <= (0)::numeric)))'),
  ('constraint', 'app.adjustments.kind_is_known', 'CHECK ((kind = ANY (ARRAY[''correction''::text, ''forfeit''::text, ''payout''::text])))'),
  ('constraint', 'app.dropped_actions.digest_is_a_number', 'CHECK ((digest ~ ''^-?[0-9a-f]{1,64}$''::text))'),
  ('constraint', 'app.dropped_actions.dropped_actions_pkey', 'PRIMARY KEY (month)'),
  ('constraint', 'app.dropped_actions.month_is_its_first_day', 'CHECK ((EXTRACT(day FROM month) = (1)::numeric))'),
  ('constraint', 'app.level_changes.cause_is_known', 'CHECK ((cause = ANY (ARRAY[''order''::text, ''refund''::text, ''assess''::text, ''refer''::text, ''import''::text, ''hold''::text])))'),
  ('constraint', 'app.level_changes.only_a_rise_by_tasks_has_a_cause', 'CHECK (((reason = ''tasks''::text) OR (cause IS NULL)))'),
  ('constraint', 'app.level_changes.settlements_and_refunds_name_the_order', 'CHECK ((((reason = ''tasks''::text) AND (COALESCE(cause, ''order''::text) = ANY (ARRAY[''order''::text, ''refund''::text]))) = (order_id IS NOT NULL)))'),
  ('constraint', 'app.refund_lines.asked_is_positive', 'CHECK ((asked > 0))'),
  ('constraint', 'app.refund_lines.concession_is_not_negative', 'CHECK ((concession >= (0)::numeric))'),
  ('constraint', 'app.refund_lines.quantity_is_not_negative', 'CHECK ((quantity >= 0))'),
  ('constraint', 'app.refund_lines.something_is_named', 'CHECK (((quantity > 0) OR (asked > 0) OR (concession > (0)::numeric)))'),
  ('constraint', 'app.refund_lines.units_or_an_amount', 'CHECK (((quantity = 0) OR (concession = (0)::numeric)))'),
  ('constraint', 'app.refunds.freight_is_part_of_the_amount', 'CHECK (((freight >= (0)::numeric) AND (freight <= amount)))'),
  ('constraint', 'app.refunds.refusal_reason_is_a_short_text', 'CHECK (((char_length(refusal_reason) <= 500) AND app.is_text(refusal_reason)))'),
  ('constraint', 'app.refunds.refusal_reason_only_if_refused', 'CHECK (((refusal_reason = ''''::text) OR (state = ''refused''::text)))'),
  ('constraint', 'app.refunds.state_is_known', 'CHECK ((state = ANY (ARRAY[''requested''::text, ''refused''::text, ''taken_back''::text, ''refunded''::text, ''partly_refunded''::text])))'),
  ('constraint', 'app.rule_versions.position_is_not_negative', 'CHECK (("position" >= 0))'),
  ('constraint', 'app.rule_versions.rule_versions_pkey', 'PRIMARY KEY (version)'),
  ('constraint', 'app.rule_versions.version_is_positive', 'CHECK ((version > 0))'),
  ('constraint', 'app.settings.adjustment_limit_money_is_valid', 'CHECK (((adjustment_limit_money >= (0)::numeric) AND (adjustment_limit_money <= (100000000)::numeric)))'),
  ('constraint', 'app.settings.adjustment_limit_points_is_valid', 'CHECK (((adjustment_limit_points >= (0)::numeric) AND (adjustment_limit_points <= (100000000)::numeric)))'),
  ('constraint', 'app.settings.analyst_minutes_is_valid', 'CHECK (((analyst_minutes >= 1) AND (analyst_minutes <= 120)))'),
  ('constraint', 'app.settings.avatar_origins_is_valid', 'CHECK ((app.are_https_origins(avatar_origins) AND (cardinality(avatar_origins) <= 20)))'),
  ('constraint', 'app.settings.cancellations_per_hour_is_valid', 'CHECK (((cancellations_per_hour >= 1) AND (cancellations_per_hour <= 100000)))'),
  ('constraint', 'app.settings.colour_is_valid', 'CHECK ((colour ~ ''^#[0-9a-f]{6}$''::text))'),
  ('constraint', 'app.settings.contact_hours_is_valid', 'CHECK (((char_length(contact_hours) <= 100) AND app.is_line(contact_hours)))'),
  ('constraint', 'app.settings.contact_phone_is_valid', 'CHECK (app.is_phone_number(contact_phone))'),
  ('constraint', 'app.settings.contact_wechat_is_valid', 'CHECK (((char_length(contact_wechat) <= 64) AND app.is_line(contact_wechat)))'),
  ('constraint', 'app.settings.first_order_minutes_is_valid', 'CHECK (((first_order_minutes >= 5) AND (first_order_minutes <= 129600)))'),
  ('constraint', 'app.settings.h5_share_url_is_valid', 'CHECK (app.is_web_address(h5_share_url))'),
  ('constraint', 'app.settings.keys_per_hour_is_valid', 'CHECK (((keys_per_hour >= 1) AND (keys_per_hour <= 100000)))'),
  ('constraint', 'app.settings.logo_is_valid', 'CHECK (((char_length(logo) <= 1000) AND app.is_web_address(logo)))'),
  ('constraint', 'app.settings.max_unpaid_orders_is_valid', 'CHECK (((max_unpaid_orders >= 1) AND (max_unpaid_orders <= 1000)))'),
  ('constraint', 'app.settings.max_unpaid_share_is_valid', 'CHECK (((max_unpaid_share >= (0)::numeric) AND (max_unpaid_share <= (1)::numeric)))'),
  ('constraint', 'app.settings.max_unpaid_units_is_valid', 'CHECK (((max_unpaid_units >= 1) AND (max_unpaid_units <= 1000000)))'),
  ('constraint', 'app.settings.network_depth_is_valid', 'CHECK (((network_depth >= 1) AND (network_depth <= 1000)))'),
  ('constraint', 'app.settings.network_people_is_valid', 'CHECK (((network_people >= 1) AND (network_people <= 1000000)))'),
  ('constraint', 'app.settings.night_sessions_is_valid', 'CHECK (((night_sessions >= 1) AND (night_sessions <= 8)))'),
  ('constraint', 'app.settings.offline_payment_days_is_valid', 'CHECK (((offline_payment_days >= 1) AND (offline_payment_days <= 90)))'),
  ('constraint', 'app.settings.offline_payment_limit_is_valid', 'CHECK (((offline_payment_limit >= (0)::numeric) AND (offline_payment_limit <= (100000000)::numeric)))'),
  ('constraint', 'app.settings.order_expiry_minutes_is_valid', 'CHECK (((order_expiry_minutes >= 5) AND (order_expiry_minutes <= 10080)))'),
  ('constraint', 'app.settings.orders_per_hour_is_valid', 'CHECK (((orders_per_hour >= 1) AND (orders_per_hour <= 100000)))'),
  ('constraint', 'app.settings.payment_minutes_is_valid', 'CHECK (((payment_minutes >= 5) AND (payment_minutes <= 1440)))'),
  ('constraint', 'app.settings.payment_query_minutes_is_valid', 'CHECK (((cardinality(payment_query_minutes) <= 10) AND (array_position(payment_query_minutes, NULL::integer) IS NULL) AND (1 <= ALL (payment_query_minutes)) AND (1440 >= ALL (payment_query_minutes))))'),
  ('constraint', 'app.settings.person_request_days_is_valid', 'CHECK (((person_request_days >= 1) AND (person_request_days <= 90)))'),
  ('constraint', 'app.settings.points_max_share_is_valid', 'CHECK (((points_max_share >= (0)::numeric) AND (points_max_share <= 0.99999)))'),
  ('constraint', 'app.settings.points_rate_is_valid', 'CHECK (((points_rate >= 0.01) AND (points_rate <= 999999.99)))'),
  ('constraint', 'app.settings.poster_design_is_valid', 'CHECK ((poster_design = ANY (''{warm,light,dark}''::text[])))'),
  ('constraint', 'app.settings.posters_per_hour_is_valid', 'CHECK (((posters_per_hour >= 1) AND (posters_per_hour <= 100000)))'),
  ('constraint', 'app.settings.profile_changes_per_hour_is_valid', 'CHECK (((profile_changes_per_hour >= 1) AND (profile_changes_per_hour <= 100000)))'),
  ('constraint', 'app.settings.real_name_check_is_valid', 'CHECK ((real_name_check = ANY (''{none,administrator,provider}''::text[])))'),
  ('constraint', 'app.settings.real_name_from_is_valid', 'CHECK (((real_name_from >= 0.01) AND (real_name_from <= (1000000)::numeric)))'),
  ('constraint', 'app.settings.receipt_days_is_valid', 'CHECK (((receipt_days >= 1) AND (receipt_days <= 90)))'),
  ('constraint', 'app.settings.refund_window_days_is_valid', 'CHECK (((refund_window_days >= 0) AND (refund_window_days <= 3650)))'),
  ('constraint', 'app.settings.refused_words_is_valid', 'CHECK ((app.are_words(refused_words) AND (cardinality(refused_words) <= 500)))'),
  ('constraint', 'app.settings.return_address_is_valid', 'CHECK (app.is_address(return_address))'),
  ('constraint', 'app.settings.second_factor_areas_is_valid', 'CHECK ((second_factor_areas <@ ''{records,content,orders,refunds,members,money,plan,system,administrators,keys}''::text[]))'),
  ('constraint', 'app.settings.settlement_slots_is_valid', 'CHECK (((settlement_slots >= 0) AND (settlement_slots <= 16)))'),
  ('constraint', 'app.settings.site_name_is_valid', 'CHECK (((char_length(site_name) <= 100) AND app.is_line(site_name)))'),
  ('constraint', 'app.settings.tax_method_is_valid', 'CHECK ((tax_method = ANY (''{none,cumulative,per_month,per_payment}''::text[])))'),
  ('constraint', 'app.settings.transfer_maximum_is_valid', 'CHECK (((transfer_maximum >= 0.01) AND (transfer_maximum <= 999999999999.99) AND (transfer_maximum >= transfer_minimum)))'),
  ('constraint', 'app.settings.transfer_minimum_is_valid', 'CHECK (((transfer_minimum >= 0.01) AND (transfer_minimum <= (1000000)::numeric)))'),
  ('constraint', 'app.settings.transfer_name_from_is_valid', 'CHECK (((transfer_name_from >= 0.3) AND (transfer_name_from <= (2000)::numeric)))'),
  ('constraint', 'app.settings.withdrawal_fee_rate_is_valid', 'CHECK (((withdrawal_fee_rate >= (0)::numeric) AND (withdrawal_fee_rate <= 0.99999)))'),
  ('constraint', 'app.settings.withdrawal_limit_is_valid', 'CHECK (((withdrawal_limit >= (0)::numeric) AND (withdrawal_limit <= (100000000)::numeric)))'),
  ('constraint', 'app.settings.withdrawal_maximum_is_valid', 'CHECK (((withdrawal_maximum >= 0.01) AND (withdrawal_maximum <= 999999999999.99) AND (withdrawal_maximum >= withdrawal_minimum)))'),
  ('constraint', 'app.settings.withdrawal_methods_is_valid', 'CHECK ((withdrawal_methods <@ ''{bank,alipay,wechat}''::text[]))'),
  ('constraint', 'app.settings.withdrawal_minimum_is_valid', 'CHECK (((withdrawal_minimum >= 0.01) AND (withdrawal_minimum <= (1000000)::numeric)))'),
  ('constraint', 'app.settlements.reason_is_known', 'CHECK ((reason = ANY (ARRAY[''refunded''::text, ''below_minimum''::text, ''zero_base''::text, ''no_referrer''::text, ''referrer_not_eligible''::text, ''nobody_eligible''::text, ''imported''::text, ''referrer_left''::text])))'),
  ('constraint', 'app.spread_changes.reason_is_a_short_text', 'CHECK ((app.is_visible(reason) AND ((char_length(reason) >= 1) AND (char_length(reason) <= 500)) AND app.is_text(reason)))'),
  ('constraint', 'app.spread_changes.spread_changes_from_uid_fkey', 'FOREIGN KEY (from_uid) REFERENCES app.users(uid)'),
  ('constraint', 'app.spread_changes.spread_changes_pkey', 'PRIMARY KEY (id)'),
  ('constraint', 'app.spread_changes.spread_changes_to_uid_fkey', 'FOREIGN KEY (to_uid) REFERENCES app.users(uid)'),
  ('constraint', 'app.spread_changes.spread_changes_uid_fkey', 'FOREIGN KEY (uid) REFERENCES app.users(uid)'),
  ('constraint', 'app.spread_changes.the_referrer_changes', 'CHECK ((from_uid IS DISTINCT FROM to_uid))'),
  ('constraint', 'app.spread_changes.time_and_position_iff_from_uid', 'CHECK ((num_nonnulls(from_uid, from_time, from_position) = ANY (ARRAY[0, 3])))'),
  ('constraint', 'app.used_quotas.kind_is_known', 'CHECK ((kind = ANY (ARRAY[''order''::text, ''cancellation''::text, ''key''::text, ''profile_change''::text, ''poster''::text, ''mail''::text, ''export''::text, ''refund_picture''::text, ''real_name''::text, ''free_order''::text])))'),
  ('constraint', 'app.users.left_at_has_a_position', 'CHECK (((left_at IS NULL) = (left_position IS NULL)))'),
  ('constraint', 'app.withdrawals.held_accepted_is_part_of_the_amount', 'CHECK (((held_accepted > (0)::numeric) AND (held_accepted <= amount)))'),
  ('function', 'api.admin_get_orders(bigint,text,smallint,text,timestamp with time zone,timestamp with time zone,integer,integer,text,text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,bigint,boolean)', 'function, returns jsonb, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.admin_get_users(text,smallint,boolean,bigint,text,integer,integer,boolean)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'api.approve_withdrawal(bigint,numeric)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.create_adjustment(bigint,text,numeric,numeric,numeric,text)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.create_withdrawal_batch(text,jsonb,numeric,boolean)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.get_level_review(integer,bigint,text)', 'function, returns jsonb, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.get_spread_changes(bigint,integer,integer)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'api.mark_withdrawal_paid(bigint,text,numeric)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.preview_own_refund(bigint,jsonb)', 'function, returns jsonb, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.preview_refund(bigint,jsonb,numeric,numeric,boolean)', 'function, returns jsonb, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.preview_refusal(bigint)', 'function, returns jsonb, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.preview_spread(bigint,bigint)', 'function, returns jsonb, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.preview_withdrawal_batch(text)', 'function, returns jsonb, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.record_attempt(bigint,integer,integer,text,text,integer)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.refund_order(bigint,jsonb,text,numeric,numeric,boolean)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.refuse_refund(bigint,text)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.set_settings(numeric,numeric,integer,boolean,jsonb,integer,text,text,text,text,integer,text,integer,text,integer,numeric,integer,integer,integer,integer,boolean,integer,numeric,integer,integer,integer,jsonb,integer,numeric,numeric,text,integer,integer,text,numeric,integer,integer,jsonb,jsonb,jsonb,integer,text,text,text,text,numeric,numeric,numeric,numeric,numeric,numeric,jsonb,numeric)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.set_spread(bigint,bigint,text)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'api.take_back_refund(bigint)', 'function, returns jsonb, volatile, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'app.action_days()', 'function, returns integer, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.action_lines(date)', 'function, returns SETOF text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp, TimeZone=UTC'),
  ('function', 'app.actions_dropped_until()', 'function, returns timestamp with time zone, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.all_refund_items(bigint)', 'function, returns app.refund_item[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.amount_left_after_concessions(numeric,integer,integer,app.concession[])', 'function, returns numeric, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.approve_withdrawal(app.withdrawals,timestamp with time zone,uuid,numeric)', 'function, returns app.withdrawals, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.book_rises(app.level_rise[],timestamp with time zone,bigint)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, plan_cache_mode=force_generic_plan'),
  ('function', 'app.built_part(text,date,text)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.carrier_stem(text)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.cell_text(text)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.change_settings(jsonb)', 'function, returns jsonb, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.changed_settings(app.settings,jsonb)', 'function, returns app.settings, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_batch_method(text)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_carrier_of_number(text,text)', 'function, returns void, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_new_spread(bigint,bigint)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_referrer(bigint,bigint)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_refund_items(bigint,app.refund_item[])', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_refund_reason(text)', 'function, returns void, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_release_days(date,date)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.check_sources(timestamp with time zone,timestamp with time zone)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.claim_missed_run(text,timestamp with time zone,timestamp with time zone)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.commission_parts(bigint,timestamp with time zone)', 'function, returns record, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.complete_refund(app.orders,app.refund_item[],boolean,text,app.request_answer,numeric,timestamp with time zone)', 'function, returns app.refunds, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.conceded_lines(bigint,bigint)', 'function, returns TABLE(line_id bigint, list app.concession[], list_settled app.concession[]), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.concessions_between(bigint,bigint)', 'function, returns TABLE(order_id bigint, refund_id bigint, line_id bigint, decided_position bigint, amount numeric, units integer), stable, with the rights of the caller'),
  ('function', 'app.count_times(timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.create_adjustment(bigint,numeric,numeric,numeric,text,uuid,timestamp with time zone,text)', 'function, returns app.adjustments, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.create_withdrawal_batch(text,bigint[],bigint,uuid,timestamp with time zone,numeric,boolean)', 'function, returns app.withdrawal_batches, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.current_freight(app.refunds)', 'function, returns numeric, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.decided_order_below(bigint)', 'function, returns bigint, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.declared_bill_types()', 'function, returns TABLE(type text, sources text[], is_money boolean, is_earned boolean, reversal text, gives_back boolean, counter_account text, title text, title_zh text, meaning text), immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.declared_settings()', 'function, returns TABLE(name text, section text, kind text, minimum numeric, maximum numeric, decimals integer, longest integer, choices text[], removable boolean, no_less_than text, personal boolean, title text, title_zh text, hint text, hint_zh text), immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.default_freight(app.orders,app.refund_item[])', 'function, returns numeric, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.digest_of_actions(date)', 'function, returns record, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.drop_actions(date,bigint,text,timestamp with time zone)', 'function, returns boolean, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, lock_timeout=100ms'),
  ('function', 'app.drop_obstacle(date,timestamp with time zone)', 'function, returns text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.end_import(boolean,timestamp with time zone)', 'function, returns SETOF app.imports, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, jit=off'),
  ('function', 'app.end_request(app.orders,text,timestamp with time zone,text)', 'function, returns app.refunds, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.error_codes()', 'function, returns TABLE(code text, status integer, retry_after integer, title text, title_zh text, hint text, hint_zh text), immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.explain_hold(bigint,timestamp with time zone)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.first_order_ends_at(app.orders)', 'function, returns timestamp with time zone, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.fits_batch(app.withdrawals,text,bigint,uuid)', 'function, returns boolean, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.foreseen_members(app.tree_member[],app.tree_member[],app.level_rise[])', 'function, returns jsonb, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.forfeit_balances(bigint,text,timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.forfeit_left(bigint)', 'function, returns record, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.forfeit_returned(app.bill_entry[],timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.forgotten_text()', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.freight_left(app.orders)', 'function, returns numeric, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.gave_up(bigint)', 'function, returns boolean, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.gives_back(text)', 'function, returns boolean, immutable, with the rights of the caller'),
  ('function', 'app.gives_to_who_gave_up(bigint,numeric,numeric,numeric)', 'function, returns boolean, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.grant_request(bigint,app.request_answer,app.refund_item[],boolean,text,numeric,timestamp with time zone)', 'function, returns app.refunds, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.had_left(bigint,bigint)', 'function, returns boolean, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.held_at(timestamp with time zone,timestamp with time zone,bigint,bigint)', 'function, returns TABLE(uid bigint, order_id bigint, amount numeric), stable, with the rights of the caller, search_path=pg_catalog, pg_temp, plan_cache_mode=force_custom_plan'),
  ('function', 'app.held_now(timestamp with time zone,bigint,bigint)', 'function, returns TABLE(uid bigint, order_id bigint, refund_id bigint, amount numeric), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.held_of_matured(numeric,numeric)', 'function, returns numeric, immutable, with the rights of the caller'),
  ('function', 'app.held_of_withdrawal(app.withdrawals,timestamp with time zone)', 'function, returns numeric, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.held_orders(bigint,timestamp with time zone)', 'function, returns TABLE(order_id bigint, refund_id bigint, amount numeric), stable, with the rights of the caller'),
  ('function', 'app.held_orders_json(app.withdrawals,timestamp with time zone)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.held_withdrawals(bigint[],timestamp with time zone)', 'function, returns TABLE(id bigint, withdrawal_no text, amount numeric), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.hold_actions(timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.hold_events(app.orders,app.refunds)', 'function, returns app.event[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.insert_refund(bigint,text,app.refund_item[],boolean,text,text,timestamp with time zone,numeric)', 'function, returns app.refunds, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.is_covered(bigint,numeric,numeric,numeric)', 'function, returns boolean, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.is_date(text)', 'function, returns boolean, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.is_key()', 'function, returns boolean, stable, with the rights of the caller'),
  ('function', 'app.is_money(text)', 'function, returns boolean, immutable, with the rights of the caller'),
  ('function', 'app.is_number_of_carrier(text,text)', 'function, returns boolean, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.is_paid_back(text)', 'function, returns boolean, immutable, with the rights of the caller'),
  ('function', 'app.is_refund_line(jsonb,boolean)', 'function, returns boolean, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.left_totals(timestamp with time zone)', 'function, returns record, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.level_by_tasks(app.user_balances,smallint)', 'function, returns smallint, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.level_version_at(bigint)', 'function, returns integer, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.limit_unpaid_units(bigint,jsonb)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.line_left(numeric,integer,integer,app.concession[])', 'function, returns numeric, immutable, with the rights of the caller'),
  ('function', 'app.lines_with_refund(bigint,app.refund_item[])', 'function, returns TABLE(line_id bigint, is_queue_goods boolean, units integer, units_left integer, amount numeric, amount_left numeric, points numeric, points_left numeric), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.lost_scopes(app.machine_keys)', 'function, returns text[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.mark_as_left(bigint,timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.maturity(bigint,numeric,timestamp with time zone,text)', 'function, returns TABLE(withdrawable numeric, held_by_refunds numeric, maturing numeric, after_receipt numeric, matures json), stable, with the rights of the caller'),
  ('function', 'app.may_search_names()', 'function, returns boolean, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.missed_time(app.scheduled_jobs,timestamp with time zone)', 'function, returns timestamp with time zone, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'app.month_part(text,date)', 'function, returns regclass, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.most_in_batch()', 'function, returns integer, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.move_withdrawal(app.withdrawals,text,timestamp with time zone,text,text,numeric)', 'function, returns app.withdrawals, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.name_of_part(text,date)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.named_refund(jsonb,numeric,numeric,boolean)', 'function, returns jsonb, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.named_refund_items(bigint,jsonb,boolean)', 'function, returns app.refund_item[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.names_queue_goods(bigint)', 'function, returns boolean, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.needs_another_payer(app.withdrawals,uuid)', 'function, returns boolean, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.new_tree_change(text,integer,bigint,integer,integer,integer,boolean,integer,integer,integer,smallint,boolean)', 'function, returns app.tree_change, immutable, with the rights of the caller'),
  ('function', 'app.order_to_preview(bigint)', 'function, returns app.orders, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.owed_at(timestamp with time zone,timestamp with time zone,bigint,bigint)', 'function, returns TABLE(uid bigint, owed numeric, withdrawable numeric, held_by_refunds numeric, maturing numeric, after_receipt numeric, next_maturity timestamp with time zone, reserved numeric, frozen numeric, available numeric, left_commission numeric, left_frozen numeric, left_available numeric), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.paid_back_lines(app.refunds)', 'function, returns TABLE(line_id bigint, product_id bigint, is_queue_goods boolean, units integer, amount numeric), stable, with the rights of the caller'),
  ('function', 'app.placed_after(app.orders)', 'function, returns bigint, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.postpone_subject(app.webhook_deliveries,integer,timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, enable_sort=off'),
  ('function', 'app.preview_refund(bigint,jsonb,timestamp with time zone,numeric,numeric,boolean)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.preview_refusal(bigint)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.preview_request(bigint,jsonb)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.preview_withdrawal_batch(text,bigint,uuid,timestamp with time zone)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.price_left(app.orders)', 'function, returns numeric, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.raise_after_hold(app.users,bigint,timestamp with time zone)', 'function, returns app.users, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.raise_members(app.level_rise[],bigint,timestamp with time zone,text,bigint)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp, plan_cache_mode=force_generic_plan'),
  ('function', 'app.reach_actions(timestamp with time zone)', 'function, returns timestamp with time zone, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reason_of_forfeit()', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reconcile_causes(bigint,bigint)', 'function, returns TABLE(check_name text, subject text, expected text, actual text), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reconcile_holds()', 'function, returns TABLE(check_name text, subject text, expected text, actual text), stable, with the rights of the caller, search_path=pg_catalog, pg_temp, enable_seqscan=off, jit=off'),
  ('function', 'app.reconcile_leavers(bigint,bigint)', 'function, returns TABLE(check_name text, subject text, expected text, actual text), stable, with the rights of the caller, search_path=pg_catalog, pg_temp, plan_cache_mode=force_custom_plan'),
  ('function', 'app.reconcile_referrers(bigint,bigint)', 'function, returns TABLE(check_name text, subject text, expected text, actual text), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.record_attempt(bigint,integer,integer,text,text,timestamp with time zone,integer)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.record_forfeits(app.bill_entry[],timestamp with time zone)', 'function, returns app.bill_entry[], volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.record_no_action(text)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reduce_request(app.orders,app.request_answer,app.refunds,timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.referred_later(bigint)', 'function, returns SETOF bigint, stable, with the rights of the caller, search_path=pg_catalog, pg_temp, jit=off'),
  ('function', 'app.refund_freight(app.orders,app.refund_item[],numeric)', 'function, returns numeric, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.refund_items(bigint,jsonb,boolean,boolean,numeric,numeric)', 'function, returns app.refund_item[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.refund_order(bigint,jsonb,text,timestamp with time zone,numeric,numeric,boolean)', 'function, returns app.refunds, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.refund_preview_json(app.orders,app.refund_item[],numeric)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.refund_window_end(timestamp with time zone)', 'function, returns timestamp with time zone, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.refuse_refund(bigint,timestamp with time zone,text)', 'function, returns app.refunds, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reject_compacted_release(date)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reject_holds(bigint[],numeric,timestamp with time zone)', 'function, returns numeric, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reject_key_as_second()', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.replay_refund(app.refunds,jsonb,boolean,numeric,numeric)', 'function, returns app.refunds, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.request_answer(bigint,app.refund_item[],boolean)', 'function, returns app.request_answer, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.requested_items(bigint)', 'function, returns app.refund_item[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.require_open_window(app.orders,timestamp with time zone)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.require_tracking_number(text,text)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reserved_stock(bigint,integer)', 'function, returns record, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.reversal_of(text)', 'function, returns text, immutable, with the rights of the caller'),
  ('function', 'app.rise_review(bigint,integer)', 'function, returns TABLE(uid bigint, reached_level smallint, counts app.user_balances, next_after bigint), stable, with the rights of the caller, search_path=pg_catalog, pg_temp, jit=off'),
  ('function', 'app.rules_at(bigint)', 'function, returns smallint, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.run_statement(text)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.runs_to_start(timestamp with time zone)', 'function, returns TABLE(job text, from_day date, to_day date, is_missed boolean, tried_at timestamp with time zone), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.set_settings(jsonb,timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.set_spread(bigint,bigint,text,uuid,timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.setting_list(text,jsonb,numeric,numeric,integer,text[])', 'function, returns jsonb, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.setting_number(jsonb,numeric,numeric,integer)', 'function, returns jsonb, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.setting_problem(text,jsonb)', 'function, returns text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.setting_text(text,text,integer,text[])', 'function, returns text, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.setting_value(text,jsonb)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.share_address(text)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.shown_state(text,smallint)', 'function, returns text, immutable, with the rights of the caller'),
  ('function', 'app.simulated_changes(bigint[],bigint,timestamp with time zone)', 'function, returns TABLE(at timestamp with time zone, "position" bigint, level_version integer, change app.tree_change), stable, with the rights of the caller, search_path=pg_catalog, pg_temp, jit=off'),
  ('function', 'app.sold_products(timestamp with time zone,timestamp with time zone)', 'function, returns TABLE(product_id bigint, is_queue_goods boolean, title text, orders bigint, units bigint, units_refunded bigint, paid numeric, refunded numeric), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.spread_json(bigint,bigint)', 'function, returns jsonb, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.spread_over(app.spread_line[],numeric)', 'function, returns app.refund_item[], immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.spread_refund(bigint,numeric)', 'function, returns app.refund_item[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.store_settings(app.settings,app.settings,timestamp with time zone)', 'function, returns void, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.take_back_refund(bigint,timestamp with time zone)', 'function, returns app.refunds, volatile, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.times_count_for(app.scheduled_jobs)', 'function, returns text, stable, with the rights of the owner, search_path=pg_catalog, pg_temp'),
  ('function', 'app.times_of_days(text,text,date,date)', 'function, returns TABLE(first timestamp with time zone, again timestamp with time zone), stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.tracking_number(text)', 'function, returns text, immutable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.unpaid_units(bigint,bigint)', 'function, returns bigint, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.waiting_orders(bigint)', 'function, returns SETOF bigint, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'app.working_scopes(app.machine_keys)', 'function, returns text[], stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('function', 'entry.get_spread_changes(text,text,text,jsonb)', 'function, returns jsonb, volatile, with the rights of the caller'),
  ('function', 'entry.preview_own_refund(text,text,text,jsonb)', 'function, returns jsonb, volatile, with the rights of the caller'),
  ('function', 'entry.preview_refusal(text,text,text,jsonb)', 'function, returns jsonb, volatile, with the rights of the caller'),
  ('function', 'entry.preview_spread(text,text,text,jsonb)', 'function, returns jsonb, volatile, with the rights of the caller'),
  ('function', 'entry.preview_withdrawal_batch(text,text,text,jsonb)', 'function, returns jsonb, volatile, with the rights of the caller'),
  ('index', 'app.spread_changes_from_uid_idx', 'CREATE INDEX spread_changes_from_uid_idx ON app.spread_changes USING btree (from_uid) WHERE (from_uid IS NOT NULL)'),
  ('index', 'app.spread_changes_uid_idx', 'CREATE INDEX spread_changes_uid_idx ON app.spread_changes USING btree (uid, id)'),
  ('policy', 'app.dropped_actions.admins_read_dropped_actions', 'permissive select to service_role, store_admin, store_key using true'),
  ('policy', 'app.rule_versions.admins_read_rule_versions', 'permissive select to service_role, store_admin, store_key using true'),
  ('policy', 'app.spread_changes.admins_read_spread_changes', 'permissive select to service_role, store_admin, store_key using true'),
  ('privilege', 'execute on function api.admin_get_orders(bigint,text,smallint,text,timestamp with time zone,timestamp with time zone,integer,integer,text,text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,bigint,boolean) to store_admin', 'granted'),
  ('privilege', 'execute on function api.admin_get_orders(bigint,text,smallint,text,timestamp with time zone,timestamp with time zone,integer,integer,text,text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,bigint,boolean) to store_key', 'granted'),
  ('privilege', 'execute on function api.admin_get_users(text,smallint,boolean,bigint,text,integer,integer,boolean) to store_admin', 'granted'),
  ('privilege', 'execute on function api.admin_get_users(text,smallint,boolean,bigint,text,integer,integer,boolean) to store_key', 'granted'),
  ('privilege', 'execute on function api.approve_withdrawal(bigint,numeric) to store_admin', 'granted'),
  ('privilege', 'execute on function api.approve_withdrawal(bigint,numeric) to store_key', 'granted'),
  ('privilege', 'execute on function api.create_adjustment(bigint,text,numeric,numeric,numeric,text) to store_admin', 'granted'),
  ('privilege', 'execute on function api.create_adjustment(bigint,text,numeric,numeric,numeric,text) to store_key', 'granted'),
  ('privilege', 'execute on function api.create_withdrawal_batch(text,jsonb,numeric,boolean) to store_admin', 'granted'),
  ('privilege', 'execute on function api.create_withdrawal_batch(text,jsonb,numeric,boolean) to store_key', 'granted'),
  ('privilege', 'execute on function api.get_level_review(integer,bigint,text) to store_admin', 'granted'),
  ('privilege', 'execute on function api.get_level_review(integer,bigint,text) to store_key', 'granted'),
  ('privilege', 'execute on function api.get_spread_changes(bigint,integer,integer) to store_admin', 'granted'),
  ('privilege', 'execute on function api.get_spread_changes(bigint,integer,integer) to store_key', 'granted'),
  ('privilege', 'execute on function api.mark_withdrawal_paid(bigint,text,numeric) to store_admin', 'granted'),
  ('privilege', 'execute on function api.mark_withdrawal_paid(bigint,text,numeric) to store_key', 'granted'),
  ('privilege', 'execute on function api.preview_own_refund(bigint,jsonb) to authenticated', 'granted'),
  ('privilege', 'execute on function api.preview_own_refund(bigint,jsonb) to store_admin', 'granted'),
  ('privilege', 'execute on function api.preview_refund(bigint,jsonb,numeric,numeric,boolean) to store_admin', 'granted'),
  ('privilege', 'execute on function api.preview_refund(bigint,jsonb,numeric,numeric,boolean) to store_key', 'granted'),
  ('privilege', 'execute on function api.preview_refusal(bigint) to store_admin', 'granted'),
  ('privilege', 'execute on function api.preview_refusal(bigint) to store_key', 'granted'),
  ('privilege', 'execute on function api.preview_spread(bigint,bigint) to store_admin', 'granted'),
  ('privilege', 'execute on function api.preview_spread(bigint,bigint) to store_key', 'granted'),
  ('privilege', 'execute on function api.preview_withdrawal_batch(text) to store_admin', 'granted'),
  ('privilege', 'execute on function api.preview_withdrawal_batch(text) to store_key', 'granted'),
  ('privilege', 'execute on function api.record_attempt(bigint,integer,integer,text,text,integer) to service_role', 'granted'),
  ('privilege', 'execute on function api.refund_order(bigint,jsonb,text,numeric,numeric,boolean) to store_admin', 'granted'),
  ('privilege', 'execute on function api.refund_order(bigint,jsonb,text,numeric,numeric,boolean) to store_key', 'granted'),
  ('privilege', 'execute on function api.refuse_refund(bigint,text) to store_admin', 'granted'),
  ('privilege', 'execute on function api.refuse_refund(bigint,text) to store_key', 'granted'),
  ('privilege', 'execute on function api.set_settings(numeric,numeric,integer,boolean,jsonb,integer,text,text,text,text,integer,text,integer,text,integer,numeric,integer,integer,integer,integer,boolean,integer,numeric,integer,integer,integer,jsonb,integer,numeric,numeric,text,integer,integer,text,numeric,integer,integer,jsonb,jsonb,jsonb,integer,text,text,text,text,numeric,numeric,numeric,numeric,numeric,numeric,jsonb,numeric) to store_admin', 'granted'),
  ('privilege', 'execute on function api.set_spread(bigint,bigint,text) to store_admin', 'granted'),
  ('privilege', 'execute on function api.set_spread(bigint,bigint,text) to store_key', 'granted'),
  ('privilege', 'execute on function api.take_back_refund(bigint) to authenticated', 'granted'),
  ('privilege', 'execute on function api.take_back_refund(bigint) to store_admin', 'granted'),
  ('privilege', 'execute on function app.actions_dropped_until() to store_admin', 'granted'),
  ('privilege', 'execute on function app.actions_dropped_until() to store_key', 'granted'),
  ('privilege', 'execute on function app.amount_left_after_concessions(numeric,integer,integer,app.concession[]) to store_admin', 'granted'),
  ('privilege', 'execute on function app.amount_left_after_concessions(numeric,integer,integer,app.concession[]) to store_key', 'granted'),
  ('privilege', 'execute on function app.check_release_days(date,date) to store_admin', 'granted'),
  ('privilege', 'execute on function app.check_release_days(date,date) to store_key', 'granted'),
  ('privilege', 'execute on function app.concessions_between(bigint,bigint) to store_admin', 'granted'),
  ('privilege', 'execute on function app.concessions_between(bigint,bigint) to store_key', 'granted'),
  ('privilege', 'execute on function app.current_freight(app.refunds) to authenticated', 'granted'),
  ('privilege', 'execute on function app.current_freight(app.refunds) to store_admin', 'granted'),
  ('privilege', 'execute on function app.current_freight(app.refunds) to store_key', 'granted'),
  ('privilege', 'execute on function app.declared_settings() to store_admin', 'granted'),
  ('privilege', 'execute on function app.declared_settings() to store_key', 'granted'),
  ('privilege', 'execute on function app.default_freight(app.orders,app.refund_item[]) to authenticated', 'granted'),
  ('privilege', 'execute on function app.default_freight(app.orders,app.refund_item[]) to store_admin', 'granted'),
  ('privilege', 'execute on function app.default_freight(app.orders,app.refund_item[]) to store_key', 'granted'),
  ('privilege', 'execute on function app.error_codes() to anon', 'granted'),
  ('privilege', 'execute on function app.error_codes() to authenticated', 'granted'),
  ('privilege', 'execute on function app.error_codes() to service_role', 'granted'),
  ('privilege', 'execute on function app.error_codes() to store_admin', 'granted'),
  ('privilege', 'execute on function app.error_codes() to store_api', 'granted'),
  ('privilege', 'execute on function app.error_codes() to store_key', 'granted'),
  ('privilege', 'execute on function app.freight_left(app.orders) to authenticated', 'granted'),
  ('privilege', 'execute on function app.freight_left(app.orders) to store_admin', 'granted'),
  ('privilege', 'execute on function app.freight_left(app.orders) to store_key', 'granted'),
  ('privilege', 'execute on function app.hold_actions(timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.hold_actions(timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function app.is_paid_back(text) to authenticated', 'granted'),
  ('privilege', 'execute on function app.is_paid_back(text) to store_admin', 'granted'),
  ('privilege', 'execute on function app.is_paid_back(text) to store_key', 'granted'),
  ('privilege', 'execute on function app.is_to_ship(text,smallint) to authenticated', 'granted'),
  ('privilege', 'execute on function app.line_left(numeric,integer,integer,app.concession[]) to store_admin', 'granted'),
  ('privilege', 'execute on function app.line_left(numeric,integer,integer,app.concession[]) to store_key', 'granted'),
  ('privilege', 'execute on function app.may_search_names() to store_admin', 'granted'),
  ('privilege', 'execute on function app.may_search_names() to store_key', 'granted'),
  ('privilege', 'execute on function app.paid_back_lines(app.refunds) to store_admin', 'granted'),
  ('privilege', 'execute on function app.paid_back_lines(app.refunds) to store_key', 'granted'),
  ('privilege', 'execute on function app.price_left(app.orders) to store_admin', 'granted'),
  ('privilege', 'execute on function app.price_left(app.orders) to store_key', 'granted'),
  ('privilege', 'execute on function app.reach_actions(timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.reach_actions(timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function app.refund_window_end(timestamp with time zone) to authenticated', 'granted'),
  ('privilege', 'execute on function app.refund_window_end(timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.refund_window_end(timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function app.refunded_amounts(bigint,timestamp with time zone,timestamp with time zone) to store_admin', 'granted'),
  ('privilege', 'execute on function app.refunded_amounts(bigint,timestamp with time zone,timestamp with time zone) to store_key', 'granted'),
  ('privilege', 'execute on function app.requested_items(bigint) to authenticated', 'granted'),
  ('privilege', 'execute on function app.requested_items(bigint) to store_admin', 'granted'),
  ('privilege', 'execute on function app.requested_items(bigint) to store_key', 'granted'),
  ('privilege', 'execute on function app.shown_state(text,smallint) to authenticated', 'granted'),
  ('privilege', 'execute on function app.shown_state(text,smallint) to store_admin', 'granted'),
  ('privilege', 'execute on function app.shown_state(text,smallint) to store_key', 'granted'),
  ('privilege', 'execute on function entry.get_spread_changes(text,text,text,jsonb) to store_api', 'granted'),
  ('privilege', 'execute on function entry.preview_own_refund(text,text,text,jsonb) to store_api', 'granted'),
  ('privilege', 'execute on function entry.preview_refusal(text,text,text,jsonb) to store_api', 'granted'),
  ('privilege', 'execute on function entry.preview_spread(text,text,text,jsonb) to store_api', 'granted'),
  ('privilege', 'execute on function entry.preview_withdrawal_batch(text,text,text,jsonb) to store_api', 'granted'),
  ('privilege', 'select on table app.dropped_actions to service_role', 'granted'),
  ('privilege', 'select on table app.dropped_actions to store_admin', 'granted'),
  ('privilege', 'select on table app.dropped_actions to store_key', 'granted'),
  ('privilege', 'select on table app.rule_versions to service_role', 'granted'),
  ('privilege', 'select on table app.rule_versions to store_admin', 'granted'),
  ('privilege', 'select on table app.rule_versions to store_key', 'granted'),
  ('privilege', 'select on table app.spread_changes to service_role', 'granted'),
  ('privilege', 'select on table app.spread_changes to store_admin', 'granted'),
  ('privilege', 'select on table app.spread_changes to store_key', 'granted'),
  ('table', 'app.dropped_actions', 'row-level security'),
  ('table', 'app.rule_versions', 'row-level security'),
  ('table', 'app.spread_changes', 'row-level security'),
  ('trigger', 'app.administrators.keys_stop_with_their_owner', 'AFTER DELETE FOR EACH ROW EXECUTE FUNCTION app.note_leaving_owner()'),
  ('trigger', 'app.person_requests.what_was_asked_and_answered_never_changes', 'BEFORE UPDATE FOR EACH ROW WHEN ((((to_jsonb(new.*) - ''{uid,note,state,answer,closed_by,closed_at}''::text[]) <> (to_jsonb(old.*) - ''{uid,note,state,answer,closed_by,closed_at}''::text[])) OR ((new.note <> old.note) AND (new.note <> ''''::text)) OR ((old.state <> ''open''::text) AND (((new.uid = old.uid) AND (new.note = old.note) AND (new.answer = old.answer)) OR ((new.answer <> old.answer) AND (new.answer <> app.forgotten_text())) OR ((to_jsonb(new.*) - ''{uid,note,answer}''::text[]) <> (to_jsonb(old.*) - ''{uid,note,answer}''::text[])))))) EXECUTE FUNCTION app.reject_change()'),
  ('trigger', 'app.spread_changes.spread_changes_are_never_changed', 'BEFORE DELETE OR UPDATE OF id, uid, from_uid, from_time, from_position, to_uid, changed_by, "position", add_time FOR EACH ROW EXECUTE FUNCTION app.reject_change()'),
  ('trigger', 'app.spread_changes.spread_changes_are_never_emptied', 'BEFORE TRUNCATE FOR EACH STATEMENT EXECUTE FUNCTION app.reject_change()'),
  ('trigger', 'app.tax_allowances.tax_allowances_are_never_changed', 'BEFORE DELETE OR UPDATE OF id, uid, month, exempt_income, other_deductions, relief, created_by, add_time FOR EACH ROW EXECUTE FUNCTION app.reject_change()'),
  ('view', 'report.bill', 'SELECT b.id AS bill_id, b.uid, b.type, b.source, b.order_id, b.withdrawal_id, b.brokerage_delta AS commission, b.frozen_delta AS frozen_points, b.available_delta AS available_points, b.basis, b.rate, b.agent_level AS level, b.reverses_id AS reverses_bill_id, b.add_time AS booked_at, ((b.add_time AT TIME ZONE s.time_zone))::date AS booked_day FROM (( SELECT l.id, l.uid, l.type, l.source, l.order_id, l.withdrawal_id, l.brokerage_delta, l.frozen_delta, l.available_delta, l.basis, l.rate, l.agent_level, l.reverses_id, l.add_time FROM app.user_bill l UNION ALL SELECT r.id, r.uid, r.type, r.source, r.order_id, r.withdrawal_id, r.brokerage_delta, r.frozen_delta, r.available_delta, r.basis, r.rate, r.agent_level, r.reverses_id, r.add_time FROM compacted.bill r) b CROSS JOIN app.settings s);'),
  ('view', 'report.members', 'SELECT u.uid, u.spread_uid AS referrer_uid, u.agent_level AS level, g.name AS level_name, u.is_held AS level_is_held, u.no_assess, u.add_time AS joined_at, ((u.add_time AT TIME ZONE s.time_zone))::date AS joined_day, b.brokerage_price AS commission_balance, b.frozen_points, b.available_points, b.total_brokerage AS commission_earned, b.total_points_earned AS points_earned, u.left_at, ( SELECT (LEAST(GREATEST((b.brokerage_price - COALESCE(( SELECT sum(w.amount_left) AS sum FROM app.commission_maturities w WHERE ((w.uid = u.uid) AND ((w.matures_at IS NULL) OR (w.matures_at > now())))), 0.00)), 0.00), COALESCE(sum(m.amount_left), 0.00)))::numeric(14,2) AS "least" FROM (app.commission_maturities m JOIN app.refunds r ON (((r.order_id = m.order_id) AND (r.state = ''requested''::text)))) WHERE ((m.uid = u.uid) AND (m.matures_at <= now()) AND (EXISTS ( SELECT FROM (app.refund_lines x JOIN app.order_lines l ON ((l.id = x.line_id))) WHERE ((x.refund_id = r.id) AND l.is_queue_goods))))) AS commission_held FROM (((app.users u JOIN app.user_balances b ON ((b.uid = u.uid))) JOIN app.agent_levels g ON ((g.grade = u.agent_level))) CROSS JOIN app.settings s);'),
  ('view', 'report.order_lines', 'SELECT l.id AS line_id, l.order_id, l.product_id, l.title, l.price, l.quantity, l.discount, l.paid_by_points, l.points, l.paid, l.is_queue_goods, l.refunded_quantity, (COALESCE(c.amount, 0.00))::numeric(14,2) AS conceded FROM (app.order_lines l LEFT JOIN LATERAL ( SELECT sum(x.concession) AS amount FROM (app.refund_lines x JOIN app.refunds r ON ((r.id = x.refund_id))) WHERE ((x.line_id = l.id) AND app.is_paid_back(r.state))) c ON (true));'),
  ('view', 'report.orders', 'SELECT o.id AS order_id, o.order_no, o.uid, o.referrer_uid, o.state, o.add_time AS placed_at, o.paid_at, ((o.paid_at AT TIME ZONE s.time_zone))::date AS paid_day, o.delivered_at AS shipped_at, o.received_at, o.cancelled_at, o.is_expired, o.total_price, o.discount, o.freight, o.paid_by_points, o.points_spent, o.pay_price, (COALESCE(r.amount, 0.00))::numeric(14,2) AS refunded, o.pay_type, o.has_queue_goods, o.queue_base, o.queue_units, o.plan_version, o.is_imported FROM ((app.orders o CROSS JOIN app.settings s) LEFT JOIN LATERAL ( SELECT sum(f.amount) AS amount FROM app.refunds f WHERE ((f.order_id = o.id) AND app.is_paid_back(f.state))) r ON (true));'),
  ('view', 'report.refunds', 'SELECT r.id AS refund_id, r.order_id, r.state, r.amount, r.points, r.created_at AS requested_at, r.decided_at, ((r.decided_at AT TIME ZONE s.time_zone))::date AS decided_day, (( SELECT sum(l.asked) AS sum FROM app.refund_lines l WHERE (l.refund_id = r.id)))::integer AS units_asked, (( SELECT sum(l.quantity) AS sum FROM app.refund_lines l WHERE (l.refund_id = r.id)))::integer AS units, r.freight FROM (app.refunds r CROSS JOIN app.settings s);'),
  ('view', 'report.withdrawals', 'SELECT w.id AS withdrawal_id, w.withdrawal_no, w.uid, w.method, w.amount, w.fee, w.tax, w.state, w.batch_id, w.add_time AS requested_at, w.approved_at, w.ended_at, ((w.ended_at AT TIME ZONE s.time_zone))::date AS ended_day, w.held_accepted FROM (app.withdrawals w CROSS JOIN app.settings s);');
