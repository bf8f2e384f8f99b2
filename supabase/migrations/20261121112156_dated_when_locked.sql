SET local check_function_bodies = off;

DROP FUNCTION "app"."run_settlement_jobs"(integer, timestamp WITH time zone);

ALTER TABLE "app"."refunds"
  ADD COLUMN "names_units" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION api.bind_spread (
  p_spread_uid bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.bind_spread(v_uid, p_spread_uid, null);
  return jsonb_build_object('uid', v_uid, 'spread_uid', p_spread_uid);
end
$function$;

CREATE OR REPLACE FUNCTION api.cancel_order (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  -- A statement of its own, so that the answer is read after the change.
  v_order := app.cancel_order(p_order_id, null);
  return app.order_json(v_order);
end
$function$;

CREATE OR REPLACE FUNCTION api.confirm_receipt (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  -- A statement of its own, so that the answer is read after the change.
  v_order := app.confirm_receipt(p_order_id, null);
  return app.order_json(v_order);
end
$function$;

CREATE OR REPLACE FUNCTION api.create_product (
  p_title          text,
  p_price          numeric,
  p_freight        numeric DEFAULT 0,
  p_is_queue_goods boolean DEFAULT false,
  p_is_show        boolean DEFAULT true
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_product app.products;
  v_constraint text;
begin
  perform app.require_admin();
  perform app.require_cents(p_price);
  perform app.require_cents(p_freight);
  insert into app.products (title, price, freight, is_queue_goods, is_show, updated_by)
  values (p_title, p_price, p_freight, p_is_queue_goods, p_is_show, auth.uid())
  returning * into v_product;
  return app.admin_product_json(v_product);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION api.deliver_order (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  perform app.require_admin();
  -- A statement of its own, so that the answer is read after the change.
  v_order := app.deliver_order(p_order_id, null);
  return app.order_json(v_order);
end
$function$;

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
  v_released numeric := (select l.release_points from app.points_release_log as l where l.uid = v_uid and l.release_date = v_today);
begin
  if v_released is null and exists (select from app.release_runs as r where r.release_date = v_today and r.finished_at is not null) then
    v_released := 0;
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

CREATE OR REPLACE FUNCTION api.pay_order_offline (
  p_order_id bigint,
  p_pay_ref  text   DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  perform app.require_admin();
  -- A statement of its own, so that the answer is read after the change.
  v_order := app.pay_order(p_order_id, 'offline', coalesce(p_pay_ref, 'order-' || p_order_id), null);
  return app.order_json(v_order);
end
$function$;

CREATE OR REPLACE FUNCTION api.preview_refund (
  p_order_id bigint,
  p_lines    jsonb  DEFAULT NULL::jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  return app.preview_refund(p_order_id, p_lines, null);
end
$function$;

CREATE OR REPLACE FUNCTION api.record_payment_notification (
  p_provider     text,
  p_event_id     text,
  p_kind         text,
  p_fault        text   DEFAULT NULL::text,
  p_order_no     text   DEFAULT NULL::text,
  p_pay_ref      text   DEFAULT NULL::text,
  p_amount_minor bigint DEFAULT NULL::bigint,
  p_currency     text   DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_result record;
begin
  v_result := app.record_payment_notification(
    p_provider, p_event_id, p_kind, p_fault, p_order_no, p_pay_ref, p_amount_minor / 100.0, p_currency, null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$function$;

CREATE OR REPLACE FUNCTION api.refund_order (
  p_order_id   bigint,
  p_lines      jsonb  DEFAULT NULL::jsonb,
  p_refund_ref text   DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_refund app.refunds;
begin
  perform app.require_admin();
  -- A statement of its own, so that the answer is read after the change.
  v_refund := app.refund_order(p_order_id, p_lines, p_refund_ref, null);
  return app.refund_json(v_refund);
end
$function$;

CREATE OR REPLACE FUNCTION api.refuse_refund (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_refund app.refunds;
begin
  perform app.require_admin();
  -- A statement of its own, so that the answer is read after the change.
  v_refund := app.refuse_refund(p_order_id, null);
  return app.refund_json(v_refund);
end
$function$;

CREATE OR REPLACE FUNCTION api.request_refund (
  p_order_id bigint,
  p_lines    jsonb  DEFAULT NULL::jsonb,
  p_reason   text   DEFAULT ''::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_refund app.refunds;
begin
  perform app.require_own_order(p_order_id);
  -- A statement of its own, so that the answer is read after the change.
  v_refund := app.request_refund(p_order_id, p_lines, p_reason, null);
  return app.refund_json(v_refund);
end
$function$;

CREATE OR REPLACE FUNCTION api.set_agent_level (
  p_uid   bigint,
  p_grade smallint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  perform app.set_agent_level(p_uid, p_grade, auth.uid(), null);
  return jsonb_build_object('uid', p_uid, 'agent_level', p_grade);
end
$function$;

CREATE OR REPLACE FUNCTION api.set_agent_levels (
  p_levels  jsonb,
  p_version integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  perform app.own_structure();
  if p_version <> (select max(v.version) from app.level_versions as v) then
    perform app.fail('changed_meanwhile', 'Somebody else has changed the levels since you read them.');
  end if;
  perform app.set_agent_levels(p_levels, auth.uid(), null);
  return api.get_agent_levels();
end
$function$;

CREATE OR REPLACE FUNCTION api.set_no_assess (
  p_uid       bigint,
  p_no_assess boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform app.require_admin();
  perform app.set_no_assess(p_uid, p_no_assess, auth.uid(), null);
  return jsonb_build_object('uid', p_uid, 'no_assess', p_no_assess);
end
$function$;

CREATE OR REPLACE FUNCTION api.set_product (
  p_id             bigint,
  p_title          text    DEFAULT NULL::text,
  p_price          numeric DEFAULT NULL::numeric,
  p_freight        numeric DEFAULT NULL::numeric,
  p_is_queue_goods boolean DEFAULT NULL::boolean,
  p_is_show        boolean DEFAULT NULL::boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_product app.products;
  v_constraint text;
begin
  perform app.require_admin();
  perform app.require_cents(p_price);
  perform app.require_cents(p_freight);
  update app.products as p
  set title = coalesce(p_title, p.title), price = coalesce(p_price, p.price), freight = coalesce(p_freight, p.freight),
      is_queue_goods = coalesce(p_is_queue_goods, p.is_queue_goods), is_show = coalesce(p_is_show, p.is_show),
      updated_at = clock_timestamp(), updated_by = auth.uid()
  where p.id = p_id and not p.is_del
  returning p.* into v_product;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.admin_product_json(v_product);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$function$;

CREATE OR REPLACE FUNCTION app.bind_spread (
  p_uid        bigint,
  p_spread_uid bigint,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_user app.users;
  v_below record;
  v_own integer;
  v_now timestamptz;
begin
  perform app.own_structure();
  v_now := app.moment(p_now);
  select u.* into v_user from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_user.spread_uid = p_spread_uid then
    return;
  elsif v_user.spread_uid is not null then
    perform app.fail('spread_already_bound', 'A referrer can be set only once.');
  elsif p_uid = p_spread_uid then
    perform app.fail('spread_is_self', 'Nobody can be their own referrer.');
  elsif p_spread_uid is null or not exists (select from app.users as u where u.uid = p_spread_uid) then
    perform app.fail('spread_unknown', 'There is no member with this uid.');
  elsif exists (select from app.get_upline(p_spread_uid) as a where a.uid = p_uid) then
    perform app.fail('spread_in_own_downline', 'The referrer stands below this member.');
  end if;

  update app.users set spread_uid = p_spread_uid, spread_time = v_now where uid = p_uid;
  perform app.lock_balances(array(select a.uid from app.get_upline(p_uid) as a) || p_uid);
  select * into v_below from app.count_downline(p_uid);
  select case when v_user.no_assess then 0 else b.own_orders end into v_own from app.user_balances as b where b.uid = p_uid;
  perform app.book_entries('{}', app.upline_counts(
    array(select app.upline_shares(p_uid)), v_own, least(v_own, 1), v_below.umbrella_orders, v_below.umbrella_members
  ), v_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.cancel_order (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.moment(p_now);
begin
  if v_order.state = 'unpaid' then
    update app.orders set state = 'cancelled', cancelled_at = v_now where id = p_order_id returning * into v_order;
  elsif v_order.state <> 'cancelled' then
    perform app.fail('order_state_conflict', 'Only an unpaid order can be cancelled; ask for a refund instead.');
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.carry_out_refund (
  p_order_id   bigint,
  p_lines      jsonb,
  p_refund_ref text,
  p_now        timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_refund app.refunds;
begin
  update app.refunds as r
  set state = case when p_lines is null then 'refunded' else 'refused' end,
      refund_ref = case when p_lines is null then p_refund_ref end, names_units = false, decided_at = p_now
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if v_refund.state = 'refunded' then
    return v_refund;
  end if;
  return app.record_refund(p_order_id, 'refunded', p_lines, p_refund_ref, v_refund.reason, p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.check_levels (
  p_levels jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_problem text;
  v_constraint text;
begin
  if p_levels is null or jsonb_typeof(p_levels) <> 'array' or jsonb_array_length(p_levels) not between 1 and 101 then
    perform app.fail('levels_invalid', 'Levels are a list of 1 to 101 grades.');
  end if;
  with levels as (
    select l.*, row_number() over (order by l.grade) - 1 as place,
      lag(l.direct_points) over (order by l.grade) as direct_below, lag(l.umbrella_points) over (order by l.grade) as umbrella_below
    from jsonb_to_recordset(p_levels) as l (grade integer, direct_points numeric, umbrella_points numeric, tasks jsonb)
  ),
  targets as (
    select l.grade, t.key as type, t.value::numeric as target, lag(t.value::numeric) over (partition by t.key order by l.grade) as target_below
    from levels as l cross join lateral jsonb_each_text(coalesce(l.tasks, '{}')) as t
  )
  select min(p.problem) into v_problem
  from (
    select 'Grades start at 0 and have no gap and no repetition.' as problem from levels as l where l.grade is distinct from l.place
    union all
    select format('The points of grade %s are below those of the grade before.', l.grade) from levels as l
    where l.direct_points < l.direct_below or l.umbrella_points < l.umbrella_below
    union all
    select format('The points of grade %s have more than four decimals.', l.grade) from levels as l
    where greatest(scale(trim_scale(l.direct_points)), scale(trim_scale(l.umbrella_points))) > 4
    union all
    select format('Grade %s has no tasks.', l.grade) from levels as l where l.grade > 0 and coalesce(l.tasks, '{}') = '{}'
    union all
    select format('The target %s of grade %s is below that of the grade before.', t.type, t.grade) from targets as t
    where t.target < t.target_below
  ) as p;
  if v_problem is not null then
    perform app.fail('levels_invalid', v_problem);
  end if;
  -- The time comes with the writing; any will do here.
  perform app.check_rows('app.agent_levels', (
    select jsonb_agg(to_jsonb(l) || jsonb_build_object('is_active', coalesce(l.is_active, true), 'updated_at', 'epoch'))
    from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  ));
  perform app.check_rows('app.agent_level_tasks', (
    select coalesce(jsonb_agg(jsonb_build_object('grade', l.value -> 'grade', 'type', t.key, 'target', t.value)), '[]')
    from jsonb_array_elements(p_levels) as l cross join lateral jsonb_each(coalesce(l.value -> 'tasks', '{}')) as t
  ));
  if exists (select from app.users as u where u.agent_level > 0 and u.agent_level >= jsonb_array_length(p_levels)) then
    perform app.fail('levels_invalid', 'A grade that members hold can be switched off but not removed.');
  end if;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail('levels_invalid', 'The levels are refused; what must hold: ' || replace(v_constraint, '_', ' ') || '.');
  when data_exception or not_null_violation then
    perform app.fail('levels_invalid', 'A value of the levels is missing, not of the right type or too large.');
end
$function$;

CREATE OR REPLACE FUNCTION app.check_plan_keys (
  p_plan jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  if p_plan is null or jsonb_typeof(p_plan) <> 'object' then
    perform app.fail('plan_invalid', 'A plan is an object.');
  elsif exists (
    select from jsonb_object_keys(p_plan) as k
    where k not in (
      'people_per_cycle', 'tier_ratios', 'brokerage_scope', 'brokerage_timing', 'points_per_brokerage', 'max_depth', 'payout_cap'
    )
  ) then
    perform app.fail('plan_invalid', 'The plan names a setting that does not exist.');
  elsif jsonb_typeof(p_plan -> 'tier_ratios') = 'array' and exists (
    select from jsonb_array_elements(p_plan -> 'tier_ratios') as r
    where jsonb_typeof(r.value) <> 'number' or scale(trim_scale((r.value #>> '{}')::numeric)) > 5
  ) then
    perform app.fail('plan_invalid', 'A ratio is a number with at most five decimals.');
  elsif jsonb_typeof(p_plan -> 'payout_cap') = 'number' and scale(trim_scale((p_plan ->> 'payout_cap')::numeric)) > 5 then
    perform app.fail('plan_invalid', 'payout_cap has at most five decimals.');
  elsif jsonb_typeof(p_plan -> 'points_per_brokerage') = 'number' and scale(trim_scale((p_plan ->> 'points_per_brokerage')::numeric)) > 4 then
    perform app.fail('plan_invalid', 'points_per_brokerage has at most four decimals.');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.confirm_receipt (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
  v_now timestamptz;
begin
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  v_now := app.moment(p_now);
  if v_order.state = 'received' then
    return v_order;
  elsif v_order.state not in ('paid', 'delivered') or v_order.refund_status = 2 then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be received.');
  end if;
  update app.orders set state = 'received', received_at = v_now where id = p_order_id returning * into v_order;
  if v_order.has_queue_goods and exists (
    select from app.commission_plans as p where p.version = v_order.plan_version and p.brokerage_timing = 'confirm'
  ) then
    perform app.settle_order(p_order_id, p_now);
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.cron_in_utc (
  p_schedule  text,
  p_time_zone text,
  p_now       timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_field text[] := regexp_match(p_schedule, '^(\*|\*/(?:[1-9]|[1-5][0-9])|[0-9]{1,2}) (\*|[0-9]{1,2}) \* \* (\*|[0-6])$');
  v_offset integer := extract(epoch from (p_now at time zone p_time_zone) - (p_now at time zone 'UTC'))::integer / 60;
  v_minute integer;
begin
  if v_field is null
    or (v_field[1] like '*%' and v_field[2] <> '*') or (v_field[2] = '*' and v_field[3] <> '*')
    or (v_field[1] !~ '\*' and v_field[1]::integer > 59) or (v_field[2] <> '*' and v_field[2]::integer > 23)
  then
    perform app.fail('invalid_argument', 'A schedule is "minute hour * * *", "minute hour * * weekday", "minute * * * *" or "*/n * * * *".');
  end if;
  if v_field[1] like '*%' then
    return p_schedule;
  elsif v_field[2] = '*' then
    return format('%s * * * *', (v_field[1]::integer - v_offset % 60 + 60) % 60);
  end if;
  v_minute := v_field[2]::integer * 60 + v_field[1]::integer - v_offset;
  return format(
    '%s %s * * %s', (v_minute + 2880) % 60, (v_minute + 2880) % 1440 / 60,
    case when v_field[3] = '*' then '*' else ((v_field[3]::integer + 7 + floor(v_minute / 1440.0)::integer) % 7)::text end
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.deliver_order (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.moment(p_now);
begin
  if v_order.state = 'paid' and v_order.refund_status <> 2 then
    update app.orders set state = 'delivered', delivered_at = v_now where id = p_order_id returning * into v_order;
  elsif v_order.state not in ('delivered', 'received') then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be delivered.');
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.free_place (
  p_order app.orders,
  p_now   timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with freed as (
    update app.settlements as s set place_freed_at = p_now
    from app.user_balances as b
    where s.order_id = p_order.id and p_order.queue_base = 0 and s.place_freed_at is null
      and b.uid = s.earner_uid and b.cycle_is_open and b.cycle_no = s.cycle_no
    returning s.earner_uid
  )
  update app.user_balances as b set total_places = b.total_places - 1 from freed as f where b.uid = f.earner_uid
$function$;

CREATE OR REPLACE FUNCTION app.moment (
  p_now timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if p_now is null then
    return clock_timestamp();
  end if;
  perform app.require_time(p_now);
  return p_now;
end
$function$;

CREATE OR REPLACE FUNCTION app.pay_order (
  p_order_id bigint,
  p_pay_type text,
  p_pay_ref  text,
  p_now      timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
  v_plan_version integer;
  v_now timestamptz;
begin
  if coalesce(p_pay_type, '') !~ '^[a-z][a-z0-9_]{0,31}$' or coalesce(char_length(p_pay_ref), 0) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment needs a type and a reference of 1 to 128 characters.');
  end if;
  v_order := app.lock_order(p_order_id);
  v_now := app.moment(p_now);
  if v_order.paid_at is not null then
    if v_order.pay_type = p_pay_type and v_order.pay_ref = p_pay_ref then
      return v_order;
    end if;
    perform app.fail('order_already_paid', 'This order was paid before, with another payment reference.');
  elsif v_order.state <> 'unpaid' then
    perform app.fail('order_state_conflict', format('This order is %s and cannot be paid.', v_order.state));
  end if;

  v_plan_version := app.active_plan_version();
  begin
    update app.orders
    set state = 'paid', plan_version = v_plan_version, pay_type = p_pay_type, pay_ref = p_pay_ref, paid_at = v_now
    where id = p_order_id
    returning * into v_order;
  exception when unique_violation then
    perform app.fail('payment_reference_used', 'This payment reference already paid another order.');
  end;
  insert into app.settlement_jobs (order_id, run_after, created_at)
  select p_order_id, v_now, v_now
  from app.commission_plans as p
  where p.version = v_plan_version and p.brokerage_timing = 'on_pay' and v_order.has_queue_goods;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.play_main_job (
  p_now timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_plan app.commission_plans;
  v_product bigint;
  v_uid bigint := app.play_sign_up(null);
  v_buyers integer;
  v_order_id bigint;
  v_before app.user_balances;
  v_after app.user_balances;
  v_results jsonb;
begin
  select p.* into v_plan from app.commission_plans as p where p.version = app.active_plan_version();
  v_buyers := v_plan.people_per_cycle + 1;
  insert into app.products (title, price, is_queue_goods) values ('Configuration check', 1000, true) returning id into v_product;
  perform app.play_order(v_uid, v_product, p_now);
  for i in 1..v_buyers loop
    select b.* into v_before from app.user_balances as b where b.uid = v_uid;
    v_order_id := app.play_order(app.play_sign_up(v_uid), v_product, p_now);
  end loop;
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  v_results := jsonb_build_array(
    jsonb_build_object('subject', 'commission over a cycle and its wrap-around', 'actual', v_after.brokerage_price::text, 'expected', (
      select sum(trunc(1000 * v_plan.tier_ratios[(i - 1) % v_plan.people_per_cycle + 1], 2))::numeric(14,2)::text from generate_series(1, v_buyers) as i
    )),
    jsonb_build_object('subject', 'orders and members counted', 'expected', format('%s orders %s members', v_buyers, v_buyers),
      'actual', (select format('%s orders %s members', c.umbrella_orders, c.direct_members) from app.count_downline(v_uid) as c)),
    jsonb_build_object('subject', 'kept counters equal the recount', 'expected', null, 'actual', (
      select string_agg(r.subject, ', ') from app.reconcile_counters() as r where r.subject = format('uid %s', v_uid)
    )),
    jsonb_build_object('subject', 'points equal the bill', 'actual', v_after.frozen_points::text, 'expected', (
      select coalesce(sum(l.frozen_delta), 0)::numeric(18,4)::text from app.user_bill as l where l.uid = v_uid
    )),
    jsonb_build_object('subject', 'level reached', 'actual', (select u.agent_level::text from app.users as u where u.uid = v_uid),
      'expected', app.play_expected_level(v_after)::text)
  );

  perform app.refund_order(v_order_id, null, null, p_now);
  v_results := v_results || jsonb_build_object('subject', 'refund of the last order', 'expected', v_before.brokerage_price::text,
    'actual', (select b.brokerage_price::text from app.user_balances as b where b.uid = v_uid));

  select b.* into v_before from app.user_balances as b where b.uid = v_uid;
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  return v_results || jsonb_build_object('subject', 'release of a day, run twice',
    'expected', trunc(v_before.frozen_points * 0.0004, 4)::text, 'actual', v_after.available_points::text);
end
$function$;

CREATE OR REPLACE FUNCTION app.preview_refund (
  p_order_id bigint,
  p_lines    jsonb,
  p_now      timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_counts jsonb;
  v_refund app.refunds;
  v_preview text;
  v_now timestamptz;
begin
  perform app.lock_for_refund(p_order_id);
  v_now := app.moment(p_now);
  v_counts := app.counters_json(p_order_id);
  v_refund := app.refund_order(p_order_id, p_lines, null, v_now);
  select jsonb_build_object(
    'amount', v_refund.amount::text,
    'refund_status', o.refund_status,
    'reversals', coalesce((
      select jsonb_agg(app.bill_json(l) order by l.id) from app.user_bill as l where l.order_id = o.id and l.add_time = v_now
        and l.reverses_id is not null
    ), '[]'),
    'reopened_place', (
      select jsonb_build_object('uid', s.earner_uid, 'cycle_no', s.cycle_no, 'place', s.place)
      from app.settlements as s where s.order_id = o.id and s.place_freed_at = v_now
    ),
    'counts', coalesce((
      select jsonb_agg(jsonb_build_object('uid', a.key::bigint, 'before', v_counts -> a.key, 'after', a.value) order by a.key::bigint)
      from jsonb_each(app.counters_json(o.id)) as a
      where a.value <> v_counts -> a.key
    ), '[]')
  )::text
  into v_preview
  from app.orders as o
  where o.id = p_order_id;
  -- The block's work is undone by leaving it with an error; the answer travels in the error's detail.
  raise exception using errcode = 'PV000', message = 'preview', detail = v_preview;
exception
  when sqlstate 'PV000' then
    get stacked diagnostics v_preview = pg_exception_detail;
    return v_preview::jsonb;
end
$function$;

CREATE OR REPLACE FUNCTION app.record_payment_notification (
  p_provider text,
  p_event_id text,
  p_kind     text,
  p_fault    text,
  p_order_no text,
  p_pay_ref  text,
  p_amount   numeric,
  p_currency text,
  p_now      timestamp with time zone,
  OUT        outcome text,
  OUT        reason text
)
  RETURNS record
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order_id bigint;
begin
  if p_fault is not null then
    outcome := 'refused';
    reason := p_fault;
  elsif p_kind = 'payment' then
    select t.order_id, t.outcome, t.reason into v_order_id, outcome, reason
    from app.take_payment(p_provider, p_order_no, p_pay_ref, p_amount, p_currency, p_now) as t;
  else
    outcome := 'ignored';
    reason := 'not_a_payment';
  end if;

  if (
    select count(*) from (
      select from app.payment_notifications as n where n.provider = p_provider and n.event_id = p_event_id limit 30
    ) as known
  ) < 30 then
    insert into app.payment_notifications
      (provider, event_id, order_id, order_no, pay_ref, amount, currency, outcome, reason, add_time)
    values (p_provider, p_event_id, v_order_id, p_order_no, p_pay_ref, p_amount, p_currency, outcome, reason, app.moment(p_now));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.record_refund (
  p_order_id   bigint,
  p_state      text,
  p_lines      jsonb,
  p_refund_ref text,
  p_reason     text,
  p_now        timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_refund app.refunds;
begin
  insert into app.refunds (order_id, state, refund_ref, reason, amount, names_units, created_at, decided_at)
  select
    p_order_id, p_state, p_refund_ref, coalesce(p_reason, ''),
    sum(app.amount_left(l.paid, l.quantity, l.refunded_quantity)
      - app.amount_left(l.paid, l.quantity, l.refunded_quantity + i.quantity)),
    p_lines is not null, p_now, case when p_state <> 'requested' then p_now end
  from app.refund_items(p_order_id, p_lines) as i
  join app.order_lines as l on l.id = i.line_id and l.order_id = p_order_id
  having count(*) > 0
  returning * into v_refund;
  if not found then
    perform app.fail('refund_exceeds_order', 'Nothing of this order is left to refund.');
  end if;
  insert into app.refund_lines (refund_id, line_id, quantity)
  select v_refund.id, i.line_id, i.quantity from app.refund_items(p_order_id, p_lines) as i;
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.refund_order (
  p_order_id   bigint,
  p_lines      jsonb,
  p_refund_ref text,
  p_now        timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_now timestamptz := app.moment(p_now);
  v_refund app.refunds;
begin
  if char_length(p_refund_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A refund reference has between 1 and 128 characters.');
  end if;
  select r.* into v_refund from app.refunds as r where r.order_id = p_order_id and r.refund_ref = p_refund_ref;
  if found then
    return app.replay_refund(v_refund, p_lines);
  end if;
  v_refund := app.carry_out_refund(p_order_id, p_lines, p_refund_ref, v_now);

  update app.order_lines as l set refunded_quantity = l.refunded_quantity + i.quantity
  from app.refund_lines as i
  where i.refund_id = v_refund.id and l.id = i.line_id;
  v_order := app.set_refund_status(v_order, v_now);
  if exists (select from app.settlements as s where s.order_id = p_order_id) then
    perform app.book_entries(app.reversal_entries(v_order), '{}', v_now);
    perform app.free_place(v_order, v_now);
  elsif v_order.has_queue_goods and v_order.queue_units = 0 then
    perform app.settle_order(p_order_id, v_now);
  end if;
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.refuse_refund (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_now timestamptz := app.moment(p_now);
  v_refund app.refunds;
begin
  update app.refunds as r set state = 'refused', decided_at = v_now
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if not found then
    perform app.fail('refund_not_found', 'This order has no open refund request.');
  end if;
  perform app.set_refund_status(v_order, v_now);
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.release_members (
  p_release_date date,
  p_uids         bigint[],
  p_now          timestamp with time zone,
  OUT            users integer,
  OUT            points numeric,
  OUT            skipped bigint[]
)
  RETURNS record
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with locked as (
    select b.uid, b.frozen_points
    from app.user_balances as b
    where b.uid = any (p_uids)
    order by b.uid
    for update skip locked
  ),
  released as (
    insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
    select l.uid, p_release_date, l.frozen_points, a.amount, l.frozen_points - a.amount, coalesce(p_now, clock_timestamp())
    from locked as l
    cross join lateral (select app.release_amount(l.frozen_points) as amount) as a
    where a.amount > 0
    order by l.uid
    on conflict do nothing
    returning uid, frozen_before, release_points, add_time
  ),
  moved as (
    update app.user_balances as b
    set frozen_points = b.frozen_points - r.release_points, available_points = b.available_points + r.release_points
    from released as r
    where b.uid = r.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points, r.frozen_before, r.release_points, r.add_time
  ),
  billed as (
    insert into app.user_bill (
      uid, type, source, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, basis, rate, add_time
    )
    select
      m.uid, 'frozen_points_release', 'release', -m.release_points, m.release_points,
      m.brokerage_price, m.frozen_points, m.available_points, m.frozen_before, app.release_rate(), m.add_time
    from moved as m
    order by m.uid
  )
  select
    (select count(*)::integer from released),
    (select coalesce(sum(r.release_points), 0) from released as r),
    array(select c.uid from unnest(p_uids) as c (uid) where not exists (select from locked as l where l.uid = c.uid))
$function$;

CREATE OR REPLACE FUNCTION app.replay_refund (
  p_refund app.refunds,
  p_lines  jsonb
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_is_same boolean;
begin
  if p_lines is null then
    v_is_same := not p_refund.names_units;
  else
    v_is_same := (
      select jsonb_agg(jsonb_build_array(i.value ->> 'line_id', i.value ->> 'quantity') order by i.value ->> 'line_id')
      from jsonb_array_elements(case jsonb_typeof(p_lines) when 'array' then p_lines else '[]' end) as i
    ) is not distinct from (
      select jsonb_agg(jsonb_build_array(l.line_id::text, l.quantity::text) order by l.line_id::text)
      from app.refund_lines as l where l.refund_id = p_refund.id
    );
  end if;
  if not v_is_same then
    perform app.fail('refund_reference_used', 'Another refund of this order has this reference.');
  end if;
  return p_refund;
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
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
  v_refund app.refunds;
  v_now timestamptz;
begin
  if char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A reason has at most 500 characters.');
  end if;
  v_order := app.lock_for_refund(p_order_id);
  v_now := app.moment(p_now);
  if v_order.refund_status = 1 then
    perform app.fail('refund_state_conflict', 'A refund of this order was requested before and is not decided yet.');
  end if;
  v_refund := app.record_refund(p_order_id, 'requested', p_lines, null, p_reason, v_now);
  perform app.set_refund_status(v_order, v_now);
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_cents (
  p_amount numeric
)
  RETURNS void
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
begin
  if scale(trim_scale(p_amount)) > 2 then
    perform app.fail('invalid_argument', 'An amount of money has at most two decimals.');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.run_settlement_jobs (
  p_limit integer                  DEFAULT 50,
  p_now   timestamp with time zone DEFAULT NULL::timestamp WITH time zone
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_orders app.orders[];
  v_order app.orders;
  v_uids bigint[] := '{}';
  v_now timestamptz := app.moment(p_now);
begin
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'A batch has between 1 and 1000 jobs.');
  end if;
  perform app.share_structure();
  v_orders := array(
    select o
    from app.settlement_jobs as j
    join app.orders as o on o.id = j.order_id
    where j.state = 'waiting' and j.run_after <= v_now
    order by j.run_after, j.order_id
    limit p_limit
    for update of o skip locked
  );
  foreach v_order in array v_orders loop
    v_uids := v_uids || app.order_participants(v_order);
  end loop;
  perform app.lock_balances(v_uids);
  v_now := app.moment(p_now);
  foreach v_order in array v_orders loop
    begin
      perform app.settle_locked_order(v_order, v_now);
    exception when others then
      perform app.postpone_job(v_order.id, format('%s: %s', sqlstate, sqlerrm), v_now);
    end;
  end loop;
  return cardinality(v_orders);
end
$function$;

CREATE OR REPLACE FUNCTION app.set_agent_level (
  p_uid        bigint,
  p_grade      smallint,
  p_changed_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_was smallint;
  v_now timestamptz;
begin
  perform app.own_structure();
  v_now := app.moment(p_now);
  select u.agent_level into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif p_grade is null or not exists (select from app.agent_levels as l where l.grade = p_grade and l.is_active) then
    perform app.fail('level_unknown', 'There is no active level of this grade.');
  elsif v_was = p_grade then
    return;
  end if;
  update app.users set agent_level = p_grade where uid = p_uid;
  insert into app.level_changes (uid, from_level, to_level, reason, changed_by, add_time)
  values (p_uid, v_was, p_grade, 'manual', p_changed_by, v_now);
  if v_was >= app.top_grade() then
    perform app.rebuild_counters(array[p_uid]);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.set_agent_levels (
  p_levels     jsonb,
  p_created_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_old_top smallint;
  v_now timestamptz;
begin
  -- First, so that nobody comes to hold a grade that is about to go.
  perform app.own_structure();
  v_now := app.moment(p_now);
  perform app.check_levels(p_levels);
  v_old_top := app.top_grade();
  delete from app.agent_level_tasks;
  insert into app.agent_levels (grade, name, name_zh, direct_points, umbrella_points, is_active, updated_at)
  select l.grade, l.name, l.name_zh, l.direct_points, l.umbrella_points, coalesce(l.is_active, true), v_now
  from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  on conflict (grade) do update set
    name = excluded.name, name_zh = excluded.name_zh, direct_points = excluded.direct_points,
    umbrella_points = excluded.umbrella_points, is_active = excluded.is_active, updated_at = excluded.updated_at;
  delete from app.agent_levels as l where l.grade >= jsonb_array_length(p_levels);
  insert into app.agent_level_tasks (grade, type, target)
  select (l.value ->> 'grade')::smallint, t.key, t.value::integer
  from jsonb_array_elements(p_levels) as l cross join lateral jsonb_each_text(coalesce(l.value -> 'tasks', '{}')) as t;

  insert into app.level_versions (levels, created_by, created_at)
  select app.levels_json(), p_created_by, v_now
  where app.levels_json() is distinct from (select v.levels from app.level_versions as v order by v.version desc limit 1);
  perform app.rebuild_counters(array(
    select u.uid from app.users as u where u.agent_level >= v_old_top and u.agent_level < app.top_grade()
  ));
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
  SET search_path TO ''
  AS $function$
declare
  v_was boolean;
  v_own integer;
  v_now timestamptz;
begin
  if p_no_assess is null then
    perform app.fail('invalid_argument', 'no_assess must be true or false.');
  end if;
  perform app.own_structure();
  v_now := app.moment(p_now);
  select u.no_assess into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_was = p_no_assess then
    return;
  end if;
  update app.users set no_assess = p_no_assess where uid = p_uid;
  insert into app.no_assess_changes (uid, from_value, to_value, changed_by, add_time)
  values (p_uid, v_was, p_no_assess, p_changed_by, v_now);

  perform app.lock_balances(array(select a.uid from app.get_upline(p_uid) as a));
  select case when p_no_assess then -b.own_orders else b.own_orders end into v_own
  from app.user_balances as b where b.uid = p_uid;
  perform app.book_entries('{}', app.upline_counts(array(select app.upline_shares(p_uid)), v_own, sign(v_own)::integer), v_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.settle_order (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS app.settlements
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  perform app.lock_balances(app.order_participants(v_order));
  return app.settle_locked_order(v_order, app.moment(p_now));
end
$function$;

CREATE OR REPLACE PROCEDURE app.release_frozen_points (
  IN p_business_day date            DEFAULT NULL::date,
  IN p_now timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  IN p_chunk integer                DEFAULT 250
)
  LANGUAGE plpgsql
  AS $procedure$
declare
  v_day date;
  v_uids bigint[];
  v_skipped bigint[];
  v_tries integer;
begin
  perform app.moment(p_now);
  if p_chunk is null or p_chunk not between 1 and 1000 then
    -- With 0 the day would be finished and nobody released.
    perform app.fail('invalid_argument', 'A chunk has between 1 and 1000 members.');
  end if;
  foreach v_day in array app.days_to_release(p_business_day, app.business_day(app.moment(p_now))) loop
    insert into app.release_runs (release_date, started_at) values (v_day, app.moment(p_now))
    on conflict (release_date) do update set failures = 0, last_error = null;
    commit;

    v_skipped := '{}';
    v_uids := array[0::bigint];
    loop
      v_uids := app.release_candidates(v_day, v_uids[cardinality(v_uids)], p_chunk);
      exit when cardinality(v_uids) = 0;
      v_skipped := v_skipped || app.release_chunk(v_day, v_uids, p_now);
      commit;
    end loop;

    v_tries := 0;
    while cardinality(v_skipped) > 0 loop
      v_tries := v_tries + 1;
      if v_tries > 20 then
        perform app.lock_balances(v_skipped[1:1]);
      elsif v_tries > 1 then
        perform pg_catalog.pg_sleep(0.02);
      end if;
      v_skipped := app.release_chunk(v_day, v_skipped[1:p_chunk], p_now) || v_skipped[p_chunk + 1:];
      commit;
    end loop;

    update app.release_runs as r set finished_at = app.moment(p_now)
    where r.release_date = v_day and r.failures = 0;
    commit;
  end loop;
end
$procedure$;

COMMENT ON TABLE "app"."refunds" IS 'Refunds of orders: requested, refused or refunded. amount is what their units cost, without freight; names_units: these were named when it was carried out, else they are those of the request, or all that was left.';

REVOKE ALL ON FUNCTION "app"."moment"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."moment"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."moment"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."require_cents"(numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_cents"(numeric) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_cents"(numeric) TO "postgres";

REVOKE ALL ON FUNCTION "app"."run_settlement_jobs"(integer, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."run_settlement_jobs"(integer, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."run_settlement_jobs"(integer, timestamp WITH time zone) TO "postgres";

-- Once an hour instead of once a day, unless an administrator has chosen otherwise.
UPDATE app.scheduled_jobs AS j
SET preset = '20 * * * *', schedule = CASE j.schedule WHEN j.preset THEN '20 * * * *' ELSE j.schedule END
WHERE j.name = 'apply_schedule';

SELECT app.apply_schedule();
