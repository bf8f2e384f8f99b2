SET local check_function_bodies = off;

DROP POLICY "members_read_their_level_changes" ON "app"."level_changes";

DROP POLICY "members_read_their_order_lines" ON "app"."order_lines";

DROP POLICY "members_read_their_orders" ON "app"."orders";

DROP POLICY "members_read_their_releases" ON "app"."points_release_log";

DROP POLICY "members_read_their_refund_lines" ON "app"."refund_lines";

DROP POLICY "members_read_their_refunds" ON "app"."refunds";

DROP POLICY "earners_read_their_settlements" ON "app"."settlements";

DROP POLICY "members_read_their_balances" ON "app"."user_balances";

DROP POLICY "members_read_their_bill" ON "app"."user_bill";

DROP POLICY "members_read_themselves" ON "app"."users";

DROP FUNCTION "api"."get_assets_overview"();

DROP FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text);

DROP FUNCTION "api"."get_brokerage_progress"();

DROP FUNCTION "api"."get_me"();

DROP FUNCTION "api"."get_products"(integer, integer);

DROP FUNCTION "api"."get_required_article"();

DROP FUNCTION "api"."run_settlement_jobs"(integer);

DROP FUNCTION "app"."brokerage_progress"(bigint, timestamp WITH time zone);

DROP FUNCTION "app"."business_day"(timestamp WITH time zone);

DROP FUNCTION "app"."current_uid"();

DROP FUNCTION "app"."order_json"(app.orders);

DROP FUNCTION "app"."release_json"(app.points_release_log);

CREATE OR REPLACE FUNCTION api.get_assets_overview()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
declare
  v_now timestamptz := clock_timestamp();
  v_uid bigint := app.require_uid();
  v_today date := app.business_day(v_now);
  v_released numeric;
begin
  if exists (select from app.release_runs as r where r.release_date = v_today and r.finished_at is not null) then
    v_released := coalesce((select l.release_points from app.points_release_log as l where l.uid = v_uid and l.release_date = v_today), 0);
  end if;
  return (
    select jsonb_build_object(
      'brokerage_price', b.brokerage_price::text,
      'frozen_points', trim_scale(b.frozen_points),
      'available_points', trim_scale(b.available_points),
      'today_release', trim_scale(coalesce(v_released, app.release_amount(b.frozen_points))),
      'total_points_earned', trim_scale(b.total_points_earned),
      'agent_level', u.agent_level,
      'agent_level_name', v.name,
      'progress', app.brokerage_progress(v_uid, v_now)
    )
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    join app.agent_levels as v on v.grade = u.agent_level
    where u.uid = v_uid
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_bill (
  p_type   text                     DEFAULT NULL::text,
  p_from   timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_to     timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_page   integer                  DEFAULT 1,
  p_limit  integer                  DEFAULT 20,
  p_cursor text                     DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return app.bill_page(app.require_uid(), p_type, p_from, p_to, p_page, p_limit, p_cursor);
end
$function$;

CREATE OR REPLACE FUNCTION api.get_brokerage_progress()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return app.brokerage_progress(app.require_uid(), clock_timestamp());
end
$function$;

CREATE OR REPLACE FUNCTION api.get_me()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return (
    select jsonb_build_object(
      'uid', u.uid, 'nickname', u.nickname, 'spread_uid', u.spread_uid, 'agent_level', u.agent_level,
      'agent_level_name', l.name, 'no_assess', u.no_assess, 'add_time', app.utc(u.add_time)
    )
    from app.users as u join app.agent_levels as l on l.grade = u.agent_level
    where u.uid = app.require_uid()
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_products (
  p_page  integer DEFAULT 1,
  p_limit integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return (
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.product_json(p) order by p.id desc)
        from (
          select * from app.products as q where q.is_show and not q.is_del
          order by q.id desc offset app.check_page(p_page, p_limit) limit p_limit
        ) as p
      ), '[]'),
      'count', (select count(*) from app.products as q where q.is_show and not q.is_del)
    )
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
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
declare
  v_page_skip bigint := app.check_page(p_page, p_limit);
  v_skip bigint := case when p_cursor is null then v_page_skip else 0 end;
  v_after record := app.parse_cursor(p_cursor);
  -- Where no cursor is given, everything comes after it.
  v_after_time timestamptz := coalesce(v_after.add_time, 'infinity');
  v_after_id bigint := coalesce(v_after.id, 0);
  v_from date := coalesce(p_date_from, '-infinity');
  v_to date := coalesce(p_date_to, 'infinity');
  v_rows app.points_release_log[];
  v_count bigint;
  v_users bigint;
  v_points numeric;
begin
  if p_uid is null then
    v_rows := array(
      select g from app.points_release_log as g
      where g.release_date between v_from and v_to and (g.add_time, g.id) < (v_after_time, v_after_id)
      order by g.add_time desc, g.id desc offset v_skip limit p_limit
    );
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0) into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between v_from and v_to;
  else
    v_rows := array(
      select g from app.points_release_log as g
      where g.uid = p_uid and g.release_date between v_from and v_to and (g.add_time, g.id) < (v_after_time, v_after_id)
      order by g.add_time desc, g.id desc offset v_skip limit p_limit
    );
    select count(*), least(count(*), 1), coalesce(sum(g.release_points), 0) into v_count, v_users, v_points
    from app.points_release_log as g
    where g.uid = p_uid and g.release_date between v_from and v_to;
  end if;

  return jsonb_build_object(
    'list', (
      select coalesce(jsonb_agg(app.release_json(l, u.nickname) order by l.add_time desc, l.id desc), '[]')
      from unnest(v_rows) as l join app.users as u on u.uid = l.uid
    ),
    'count', v_count,
    'next_cursor', (
      select app.make_cursor(l.add_time, l.id) from unnest(v_rows) as l
      where cardinality(v_rows) = p_limit order by l.add_time, l.id limit 1
    ),
    'statistics', jsonb_build_object(
      'total_released', trim_scale(v_points), 'users', v_users,
      'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_required_article()
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  return (
    with drawn as materialized (
      -- Drawn once: where it is compared it would be drawn for every row.
      select c.id as cid, 1 + floor(random() * last.slot)::bigint as slot
      from app.article_categories as c
      cross join lateral (select p.slot from app.article_pool as p where p.cid = c.id order by p.slot desc limit 1) as last
      where c.is_sign_in_ad and not c.hidden and not c.is_del
    )
    select jsonb_build_object(
      'id', a.id, 'cid', a.cid, 'title', a.title, 'author', a.author, 'image_input', a.image_input,
      'synopsis', a.synopsis, 'content', a.content, 'url', a.url, 'add_time', app.utc(a.add_time)
    )
    from drawn as d
    join app.article_pool as p on p.cid = d.cid and p.slot = d.slot
    join app.articles as a on a.id = p.article_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.run_settlement_jobs (
  p_limit integer DEFAULT 50
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object('handled', app.run_settlement_jobs(p_limit));
end
$function$;

CREATE OR REPLACE FUNCTION app.bill_json (
  p_row app.user_bill
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  AS $function$
  select jsonb_build_object(
    'id', p_row.id, 'uid', p_row.uid, 'type', p_row.type, 'source', p_row.source,
    'brokerage', p_row.brokerage_delta::text, 'frozen_points', trim_scale(p_row.frozen_delta),
    'available_points', trim_scale(p_row.available_delta), 'brokerage_after', p_row.brokerage_after::text,
    'frozen_points_after', trim_scale(p_row.frozen_after), 'available_points_after', trim_scale(p_row.available_after),
    'order_id', p_row.order_id, 'basis', trim_scale(p_row.basis), 'rate', trim_scale(p_row.rate),
    'agent_level', p_row.agent_level, 'passed_on', trim_scale(p_row.passed_on), 'reverses_id', p_row.reverses_id,
    'add_time', app.utc(p_row.add_time)
  )
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
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
declare
  v_page_skip bigint := app.check_page(p_page, p_limit);
  v_skip bigint := case when p_cursor is null then v_page_skip else 0 end;
  v_after record := app.parse_cursor(p_cursor);
  -- Where no cursor is given, everything comes after it.
  v_after_time timestamptz := coalesce(v_after.add_time, 'infinity');
  v_after_id bigint := coalesce(v_after.id, 0);
  v_from timestamptz := coalesce(p_from, '-infinity');
  v_to timestamptz := coalesce(p_to, 'infinity');
  v_answer jsonb;
begin
  select jsonb_build_object(
    'list', coalesce(jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), '[]'),
    'count', (
      select count(*) from app.user_bill as c
      where c.uid = p_uid and (p_type is null or c.type = p_type) and c.add_time >= v_from and c.add_time < v_to
    ),
    'next_cursor', case when count(*) = p_limit then
      (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1]
    end
  )
  into v_answer
  from (
    select b.* from app.user_bill as b
    where b.uid = p_uid and (p_type is null or b.type = p_type) and b.add_time >= v_from and b.add_time < v_to
      and (b.add_time, b.id) < (v_after_time, v_after_id)
    order by b.add_time desc, b.id desc
    offset v_skip limit p_limit
  ) as l;
  return v_answer;
end
$function$;

CREATE OR REPLACE FUNCTION app.brokerage_progress (
  p_uid bigint,
  p_now timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return (
    select jsonb_build_object(
      'plan_version', p.version,
      'people_per_cycle', p.people_per_cycle,
      'tier_ratios', (select jsonb_agg(trim_scale(r.ratio) order by r.place) from unnest(p.tier_ratios) with ordinality as r (ratio, place)),
      'brokerage_scope', active.brokerage_scope,
      'brokerage_timing', active.brokerage_timing,
      'eligible', app.has_reported_order(p_uid, p_now),
      'cycle_no', c.cycle_no,
      'cycle_current', p.people_per_cycle - f.free_places,
      'cycle_remaining', f.free_places,
      'next_ratio', trim_scale(p.tier_ratios[f.next_place]),
      'total_places', b.total_places,
      'total_brokerage', b.total_brokerage::text
    )
    from app.user_balances as b
    join app.commission_plans as active on active.version = app.active_plan_version()
    cross join lateral (
      select case when b.cycle_is_open then b.cycle_no else b.cycle_no + 1 end as cycle_no
    ) as c
    join app.commission_plans as p on p.version = case when b.cycle_is_open then b.cycle_plan_version else active.version end
    cross join lateral (
      select count(*)::integer as free_places, min(g.place) as next_place
      from generate_series(1, p.people_per_cycle) as g (place)
      where not exists (
        select from app.settlements as s
        where s.earner_uid = p_uid and s.cycle_no = c.cycle_no and s.place = g.place and s.place_freed_at is null
      )
    ) as f
    where b.uid = p_uid
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.business_day (
  p_at timestamp with time zone
)
  RETURNS date
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return (select (p_at at time zone s.time_zone)::date from app.settings as s);
end
$function$;

CREATE OR REPLACE FUNCTION app.current_uid()
  RETURNS bigint
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return (select u.uid from app.users as u where u.auth_id = auth.uid());
end
$function$;

CREATE OR REPLACE FUNCTION app.make_cursor (
  p_add_time timestamp with time zone,
  p_id       bigint
)
  RETURNS text
  LANGUAGE sql
  STABLE
  AS $function$
  select to_char(p_add_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || p_id
$function$;

CREATE OR REPLACE FUNCTION app.order_json (
  p_order app.orders
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return (
    select jsonb_build_object(
      'id', p_order.id, 'order_no', p_order.order_no, 'uid', p_order.uid, 'referrer_uid', p_order.referrer_uid,
      'state', p_order.state, 'total_price', p_order.total_price::text, 'discount', p_order.discount::text,
      'freight', p_order.freight::text, 'pay_price', p_order.pay_price::text, 'queue_base', p_order.queue_base::text,
      'queue_units', p_order.queue_units, 'refund_status', p_order.refund_status, 'paid_at', app.utc(p_order.paid_at),
      'delivered_at', app.utc(p_order.delivered_at), 'received_at', app.utc(p_order.received_at),
      'cancelled_at', app.utc(p_order.cancelled_at), 'add_time', app.utc(p_order.add_time),
      'lines', (
        select jsonb_agg(jsonb_build_object(
          'id', l.id, 'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity,
          'paid', l.paid::text, 'is_queue_goods', l.is_queue_goods, 'refunded_quantity', l.refunded_quantity
        ) order by l.id)
        from app.order_lines as l
        where l.order_id = p_order.id
      )
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.product_json (
  p_product app.products
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  AS $function$
  select jsonb_build_object(
    'id', p_product.id, 'title', p_product.title, 'price', p_product.price::text, 'freight', p_product.freight::text,
    'is_queue_goods', p_product.is_queue_goods, 'is_show', p_product.is_show, 'add_time', app.utc(p_product.add_time)
  )
$function$;

CREATE OR REPLACE FUNCTION app.release_json (
  p_row      app.points_release_log,
  p_nickname text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  AS $function$
  select jsonb_build_object(
    'id', p_row.id, 'uid', p_row.uid, 'nickname', p_nickname, 'frozen_before', trim_scale(p_row.frozen_before),
    'release_points', trim_scale(p_row.release_points), 'frozen_after', trim_scale(p_row.frozen_after),
    'release_date', p_row.release_date, 'add_time', app.utc(p_row.add_time)
  )
$function$;

CREATE OR REPLACE FUNCTION app.run_json (
  p_run app.release_runs
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  AS $function$
  select jsonb_build_object(
    'release_date', p_run.release_date, 'users', p_run.users, 'points', trim_scale(p_run.points),
    'failures', p_run.failures, 'started_at', app.utc(p_run.started_at), 'finished_at', app.utc(p_run.finished_at)
  )
$function$;

CREATE OR REPLACE FUNCTION app.utc (
  p_at timestamp with time zone
)
  RETURNS text
  LANGUAGE sql
  STABLE
  AS $function$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$function$;

CREATE POLICY "members_read_their_level_changes" ON "app"."level_changes"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

CREATE POLICY "members_read_their_order_lines" ON "app"."order_lines"
  FOR SELECT
  TO "authenticated"
  USING ((order_id IN ( SELECT o.id
   FROM app.orders o
  WHERE (o.uid = ( SELECT app.current_uid() AS current_uid)))));

CREATE POLICY "members_read_their_orders" ON "app"."orders"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

CREATE POLICY "members_read_their_releases" ON "app"."points_release_log"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

CREATE POLICY "members_read_their_refund_lines" ON "app"."refund_lines"
  FOR SELECT
  TO "authenticated"
  USING ((refund_id IN ( SELECT r.id
   FROM (app.refunds r
     JOIN app.orders o ON ((o.id = r.order_id)))
  WHERE (o.uid = ( SELECT app.current_uid() AS current_uid)))));

CREATE POLICY "members_read_their_refunds" ON "app"."refunds"
  FOR SELECT
  TO "authenticated"
  USING ((order_id IN ( SELECT o.id
   FROM app.orders o
  WHERE (o.uid = ( SELECT app.current_uid() AS current_uid)))));

CREATE POLICY "earners_read_their_settlements" ON "app"."settlements"
  FOR SELECT
  TO "authenticated"
  USING ((earner_uid = ( SELECT app.current_uid() AS current_uid)));

CREATE POLICY "members_read_their_balances" ON "app"."user_balances"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

CREATE POLICY "members_read_their_bill" ON "app"."user_bill"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

CREATE POLICY "members_read_themselves" ON "app"."users"
  FOR SELECT
  TO "authenticated"
  USING ((uid = ( SELECT app.current_uid() AS current_uid)));

REVOKE ALL ON FUNCTION "api"."get_assets_overview"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_assets_overview"() TO "authenticated";

REVOKE ALL ON FUNCTION "api"."get_assets_overview"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_assets_overview"() TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_assets_overview"() TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_brokerage_progress"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_brokerage_progress"() TO "authenticated";

REVOKE ALL ON FUNCTION "api"."get_brokerage_progress"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_brokerage_progress"() TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_brokerage_progress"() TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_me"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_me"() TO "authenticated";

REVOKE ALL ON FUNCTION "api"."get_me"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_me"() TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_me"() TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_products"(integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_products"(integer, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "api"."get_products"(integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_products"(integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_products"(integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_required_article"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_required_article"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "api"."get_required_article"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_required_article"() TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_required_article"() TO "store_admin";

REVOKE ALL ON FUNCTION "api"."run_settlement_jobs"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."run_settlement_jobs"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."run_settlement_jobs"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."run_settlement_jobs"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "app"."brokerage_progress"(bigint, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."brokerage_progress"(bigint, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."brokerage_progress"(bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."brokerage_progress"(bigint, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."brokerage_progress"(bigint, timestamp WITH time zone) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."business_day"(timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."business_day"(timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."business_day"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."business_day"(timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."business_day"(timestamp WITH time zone) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."current_uid"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."current_uid"() TO "authenticated";

REVOKE ALL ON FUNCTION "app"."current_uid"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."current_uid"() TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."current_uid"() TO "store_admin";

REVOKE ALL ON FUNCTION "app"."order_json"(app.orders) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."order_json"(app.orders) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."order_json"(app.orders) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."order_json"(app.orders) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."order_json"(app.orders) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."release_json"(app.points_release_log, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."release_json"(app.points_release_log, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."release_json"(app.points_release_log, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."release_json"(app.points_release_log, text) TO "store_admin";
