SET local check_function_bodies = off;

DROP FUNCTION "api"."record_unverified_notification"(text, text);

DROP PROCEDURE "app"."release_frozen_points"(date, timestamp WITH time zone, integer);

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
    p_provider, p_event_id, p_kind, p_fault, p_order_no, p_pay_ref, p_amount_minor / 100.0, p_currency, clock_timestamp()
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$function$;

CREATE OR REPLACE FUNCTION api.record_unverified_notification (
  p_provider text,
  p_reason   text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object('kept', app.record_unverified(p_provider, p_reason, clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The provider or the reason is missing or too long.');
end
$function$;

CREATE OR REPLACE FUNCTION api.save_poster (
  p_uid         bigint,
  p_template    text,
  p_code_source text   DEFAULT NULL::text,
  p_code        text   DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return app.poster_json(app.save_poster(p_uid, p_template, p_code_source, decode(p_code, 'base64'), clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the poster is missing, not base64 or too large.');
end
$function$;

CREATE OR REPLACE FUNCTION api.save_poster_picture (
  p_token uuid,
  p_image text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update app.posters set image = decode(p_image, 'base64') where token = p_token;
  return jsonb_build_object('kept', found);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The picture is not base64 or too large.');
end
$function$;

CREATE OR REPLACE FUNCTION api.save_wechat_token (
  p_appid        text,
  p_access_token text,
  p_expires_in   integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into app.wechat_tokens (appid, access_token, expires_at)
  values (p_appid, p_access_token, clock_timestamp() + make_interval(secs => p_expires_in))
  on conflict (appid) do update set access_token = excluded.access_token, expires_at = excluded.expires_at;
  return '{}';
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the token is missing or too large.');
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
begin
  perform app.require_time(p_now);
  perform app.own_structure();
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

  update app.users set spread_uid = p_spread_uid, spread_time = p_now where uid = p_uid;
  perform app.lock_balances(array(select a.uid from app.get_upline(p_uid) as a) || p_uid);
  select * into v_below from app.count_downline(p_uid);
  select case when v_user.no_assess then 0 else b.own_orders end into v_own from app.user_balances as b where b.uid = p_uid;
  perform app.book_entries('{}', app.upline_counts(
    array(select app.upline_shares(p_uid)), v_own, least(v_own, 1), v_below.umbrella_orders, v_below.umbrella_members
  ), p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.blame_arguments (
  p_function text,
  p_args     jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_function pg_catalog.pg_proc;
  v_argument record;
  v_types jsonb;
begin
  select p.* into v_function from pg_catalog.pg_proc as p where p.pronamespace = 'api'::regnamespace and p.proname = p_function;
  if not found then
    return;
  end if;
  select coalesce(jsonb_object_agg(v_function.proargnames[t.place], format_type(t.type, null)), '{}') into v_types
  from unnest(v_function.proargtypes::oid[]) with ordinality as t (type, place);
  for v_argument in
    select a.key as name, a.value, v_types ->> a.key as type
    from jsonb_each_text(p_args) as a
  loop
    if v_argument.type is null then
      perform app.fail('invalid_argument', format('There is no argument %s.', left(v_argument.name, 64)));
    end if;
    begin
      execute format('select %L::%s', v_argument.value, v_argument.type);
    exception when data_exception then
      perform app.fail('invalid_argument', format('%s is not a value of type %s, or too large for it.', v_argument.name, v_argument.type));
    end;
  end loop;
  if exists (
    select from generate_series(1, v_function.pronargs - v_function.pronargdefaults) as r (place)
    where not p_args ? v_function.proargnames[r.place]
  ) then
    perform app.fail('invalid_argument', 'An argument is missing.');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.call_api (
  p_function text,
  p_args     jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_arguments text;
  v_answer jsonb;
begin
  select string_agg(format('%I => %L', a.key, a.value), ', ') into v_arguments
  from jsonb_each_text(p_args) as a;
  execute format('select api.%I(%s)', p_function, v_arguments) into v_answer;
  return v_answer;
exception when data_exception or undefined_function then
  -- Who is to blame is asked only now, so that a good call pays nothing for it.
  perform app.blame_arguments(p_function, p_args);
  raise;
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
begin
  perform app.require_time(p_now);
  if v_order.state = 'unpaid' then
    update app.orders set state = 'cancelled', cancelled_at = p_now where id = p_order_id returning * into v_order;
  elsif v_order.state <> 'cancelled' then
    perform app.fail('order_state_conflict', 'Only an unpaid order can be cancelled; ask for a refund instead.');
  end if;
  return v_order;
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
begin
  perform app.require_time(p_now);
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  if v_order.state = 'received' then
    return v_order;
  elsif v_order.state not in ('paid', 'delivered') or v_order.refund_status = 2 then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be received.');
  end if;
  update app.orders set state = 'received', received_at = p_now where id = p_order_id returning * into v_order;
  if v_order.has_queue_goods and exists (
    select from app.commission_plans as p where p.version = v_order.plan_version and p.brokerage_timing = 'confirm'
  ) then
    perform app.settle_order(p_order_id, p_now);
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.create_order (
  p_uid   bigint,
  p_items jsonb,
  p_now   timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_buyer app.users;
  v_lines app.order_lines[];
  v_order app.orders;
begin
  perform app.require_time(p_now);
  select u.* into v_buyer from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  v_lines := app.price_items(p_items);

  insert into app.orders (
    order_no, uid, referrer_uid, total_price, discount, freight, pay_price, has_queue_goods, queue_base, queue_units, add_time
  )
  select
    to_char(p_now at time zone 'UTC', 'YYYYMMDDHH24MISS') || lpad(nextval('app.order_no_seq')::text, 8, '0'),
    p_uid, v_buyer.spread_uid,
    sum(l.price * l.quantity), sum(l.discount), sum(p.freight * l.quantity), sum(l.paid + p.freight * l.quantity),
    bool_or(l.is_queue_goods),
    coalesce(sum(l.paid) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity) filter (where l.is_queue_goods), 0),
    p_now
  from unnest(v_lines) as l join app.products as p on p.id = l.product_id
  returning * into v_order;

  insert into app.order_lines (order_id, product_id, title, price, quantity, discount, paid, is_queue_goods)
  select v_order.id, l.product_id, l.title, l.price, l.quantity, l.discount, l.paid, l.is_queue_goods
  from unnest(v_lines) with ordinality as l order by l.ordinality;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.create_plan (
  p_plan       jsonb,
  p_created_by uuid,
  p_now        timestamp with time zone
)
  RETURNS app.commission_plans
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_old app.commission_plans;
  v_new app.commission_plans;
  v_constraint text;
begin
  perform app.require_time(p_now);
  perform app.check_plan_keys(p_plan);
  select p.* into v_old from app.commission_plans as p where p.version = app.active_plan_version();
  v_new := jsonb_populate_record(v_old, p_plan);
  if to_jsonb(v_new) = to_jsonb(v_old) then
    return v_old;
  end if;
  insert into app.commission_plans (
    people_per_cycle, tier_ratios, brokerage_scope, brokerage_timing, points_per_brokerage, max_depth, payout_cap,
    created_by, created_at
  )
  values (
    v_new.people_per_cycle, v_new.tier_ratios, v_new.brokerage_scope, v_new.brokerage_timing, v_new.points_per_brokerage,
    v_new.max_depth, v_new.payout_cap, p_created_by, p_now
  )
  returning * into v_new;
  return v_new;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail('plan_invalid', 'The plan is refused; what must hold: ' || replace(v_constraint, '_', ' ') || '.');
  when data_exception or not_null_violation or array_subscript_error then
    perform app.fail('plan_invalid', 'A value of the plan is missing, not of the right type or too large.');
end
$function$;

CREATE OR REPLACE FUNCTION app.days_to_release (
  p_business_day date,
  p_today        date
)
  RETURNS date[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  if p_business_day > p_today then
    perform app.fail('invalid_argument', format('Business day %s has not come yet; today is %s.', p_business_day, p_today));
  elsif p_business_day < p_today - 366 then
    perform app.fail('invalid_argument', format('Business day %s is more than a year ago.', p_business_day));
  end if;
  return array(
    select d.day::date
    from generate_series(
      coalesce(p_business_day, (select min(r.release_date) from app.release_runs as r), p_today)::timestamp,
      coalesce(p_business_day, p_today)::timestamp,
      interval '1 day'
    ) as d (day)
    where not exists (select from app.release_runs as r where r.release_date = d.day::date and r.finished_at is not null)
    order by d.day
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
begin
  perform app.require_time(p_now);
  if v_order.state = 'paid' and v_order.refund_status <> 2 then
    update app.orders set state = 'delivered', delivered_at = p_now where id = p_order_id returning * into v_order;
  elsif v_order.state not in ('delivered', 'received') then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be delivered.');
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.ensure_month_partitions (
  p_from date,
  p_to   date
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_month date;
  v_table text;
begin
  if p_from is null or p_to is null or p_from not between '2000-01-01' and '2999-12-31' or p_to not between '2000-01-01' and '2999-12-31' then
    perform app.fail('invalid_argument', 'Partitions are made for months between the years 2000 and 3000.');
  elsif p_to - p_from > 3660 then
    perform app.fail('invalid_argument', 'Partitions are made for at most ten years at a time.');
  end if;
  for v_month in
    select m::date from generate_series(date_trunc('month', p_from::timestamp), p_to::timestamp, interval '1 month') as m
  loop
    foreach v_table in array array['user_bill', 'points_release_log'] loop
      if to_regclass(format('app.%I', v_table || to_char(v_month, '_YYYYMM'))) is null then
        perform app.create_month_partition(v_table, v_month);
      end if;
    end loop;
  end loop;
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
begin
  perform app.require_time(p_now);
  if coalesce(p_pay_type, '') !~ '^[a-z][a-z0-9_]{0,31}$' or coalesce(char_length(p_pay_ref), 0) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment needs a type and a reference of 1 to 128 characters.');
  end if;
  v_order := app.lock_order(p_order_id);
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
    set state = 'paid', plan_version = v_plan_version, pay_type = p_pay_type, pay_ref = p_pay_ref, paid_at = p_now
    where id = p_order_id
    returning * into v_order;
  exception when unique_violation then
    perform app.fail('payment_reference_used', 'This payment reference already paid another order.');
  end;
  insert into app.settlement_jobs (order_id, run_after, created_at)
  select p_order_id, p_now, p_now
  from app.commission_plans as p
  where p.version = v_plan_version and p.brokerage_timing = 'on_pay' and v_order.has_queue_goods;
  return v_order;
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
begin
  perform app.require_time(p_now);
  perform app.lock_for_refund(p_order_id);
  v_counts := app.counters_json(p_order_id);
  v_refund := app.refund_order(p_order_id, p_lines, null, p_now);
  select jsonb_build_object(
    'amount', v_refund.amount::text,
    'refund_status', o.refund_status,
    'reversals', coalesce((
      select jsonb_agg(app.bill_json(l) order by l.id) from app.user_bill as l where l.order_id = o.id and l.add_time = p_now
        and l.reverses_id is not null
    ), '[]'),
    'reopened_place', (
      select jsonb_build_object('uid', s.earner_uid, 'cycle_no', s.cycle_no, 'place', s.place)
      from app.settlements as s where s.order_id = o.id and s.place_freed_at = p_now
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
  v_refund app.refunds;
begin
  perform app.require_time(p_now);
  if char_length(p_refund_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A refund reference has between 1 and 128 characters.');
  end if;
  select r.* into v_refund from app.refunds as r where r.order_id = p_order_id and r.refund_ref = p_refund_ref;
  if found then
    return app.replay_refund(v_refund, p_lines);
  end if;
  v_refund := app.carry_out_refund(p_order_id, p_lines, p_refund_ref, p_now);

  update app.order_lines as l set refunded_quantity = l.refunded_quantity + i.quantity
  from app.refund_lines as i
  where i.refund_id = v_refund.id and l.id = i.line_id;
  v_order := app.set_refund_status(v_order, p_now);
  if exists (select from app.settlements as s where s.order_id = p_order_id) then
    perform app.book_entries(app.reversal_entries(v_order), '{}', p_now);
    perform app.free_place(v_order, p_now);
  elsif v_order.has_queue_goods and v_order.queue_units = 0 then
    perform app.settle_order(p_order_id, p_now);
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
  v_refund app.refunds;
begin
  perform app.require_time(p_now);
  update app.refunds as r set state = 'refused', decided_at = p_now
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if not found then
    perform app.fail('refund_not_found', 'This order has no open refund request.');
  end if;
  perform app.set_refund_status(v_order, p_now);
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.release_candidates (
  p_release_date date,
  p_after_uid    bigint,
  p_limit        integer
)
  RETURNS bigint[]
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  SET enable_mergejoin TO 'off'
  SET enable_hashjoin TO 'off'
  AS $function$
  select array(
    select b.uid
    from app.user_balances as b
    where b.uid > p_after_uid and app.release_amount(b.frozen_points) > 0
      and not exists (select from app.points_release_log as l where l.uid = b.uid and l.release_date = p_release_date)
    order by b.uid
    limit p_limit
  )
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
begin
  perform app.require_time(p_now);
  if char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A reason has at most 500 characters.');
  end if;
  v_order := app.lock_for_refund(p_order_id);
  if v_order.refund_status = 1 then
    perform app.fail('refund_state_conflict', 'A refund of this order was requested before and is not decided yet.');
  end if;
  v_refund := app.record_refund(p_order_id, 'requested', p_lines, null, p_reason, p_now);
  perform app.set_refund_status(v_order, p_now);
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.require_time (
  p_now timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
begin
  if p_now is null or p_now < '2000-01-01T00:00:00Z' or p_now >= '3000-01-01T00:00:00Z' then
    perform app.fail('invalid_argument', 'A time between the years 2000 and 3000 is needed.');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.run_settlement_jobs (
  p_limit integer                  DEFAULT 50,
  p_now   timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_orders app.orders[];
  v_order app.orders;
  v_uids bigint[] := '{}';
begin
  perform app.require_time(p_now);
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'A batch has between 1 and 1000 jobs.');
  end if;
  perform app.share_structure();
  v_orders := array(
    select o
    from app.settlement_jobs as j
    join app.orders as o on o.id = j.order_id
    where j.state = 'waiting' and j.run_after <= p_now
    order by j.run_after, j.order_id
    limit p_limit
    for update of o skip locked
  );
  foreach v_order in array v_orders loop
    v_uids := v_uids || app.order_participants(v_order);
  end loop;
  perform app.lock_balances(v_uids);
  foreach v_order in array v_orders loop
    begin
      perform app.settle_locked_order(v_order, p_now);
    exception when others then
      perform app.postpone_job(v_order.id, format('%s: %s', sqlstate, sqlerrm), p_now);
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
begin
  perform app.require_time(p_now);
  perform app.own_structure();
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
  values (p_uid, v_was, p_grade, 'manual', p_changed_by, p_now);
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
  v_constraint text;
begin
  perform app.require_time(p_now);
  perform app.check_levels(p_levels);
  perform app.own_structure();
  v_old_top := app.top_grade();
  delete from app.agent_level_tasks;
  insert into app.agent_levels (grade, name, name_zh, direct_points, umbrella_points, is_active, updated_at)
  select l.grade, l.name, l.name_zh, l.direct_points, l.umbrella_points, coalesce(l.is_active, true), p_now
  from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  on conflict (grade) do update set
    name = excluded.name, name_zh = excluded.name_zh, direct_points = excluded.direct_points,
    umbrella_points = excluded.umbrella_points, is_active = excluded.is_active, updated_at = excluded.updated_at;
  delete from app.agent_levels as l where l.grade >= jsonb_array_length(p_levels);
  insert into app.agent_level_tasks (grade, type, target)
  select (l.value ->> 'grade')::smallint, t.key, t.value::integer
  from jsonb_array_elements(p_levels) as l cross join lateral jsonb_each_text(coalesce(l.value -> 'tasks', '{}')) as t;

  insert into app.level_versions (levels, created_by, created_at)
  select app.levels_json(), p_created_by, p_now
  where app.levels_json() is distinct from (select v.levels from app.level_versions as v order by v.version desc limit 1);
  perform app.rebuild_counters(array(
    select u.uid from app.users as u where u.agent_level >= v_old_top and u.agent_level < app.top_grade()
  ));
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail('levels_invalid', 'The levels are refused; what must hold: ' || replace(v_constraint, '_', ' ') || '.');
  when foreign_key_violation then
    perform app.fail('levels_invalid', 'A grade that members hold can be switched off but not removed.');
  when data_exception or not_null_violation then
    perform app.fail('levels_invalid', 'A value of the levels is missing, not of the right type or too large.');
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
begin
  perform app.require_time(p_now);
  if p_no_assess is null then
    perform app.fail('invalid_argument', 'no_assess must be true or false.');
  end if;
  perform app.own_structure();
  select u.no_assess into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_was = p_no_assess then
    return;
  end if;
  update app.users set no_assess = p_no_assess where uid = p_uid;
  insert into app.no_assess_changes (uid, from_value, to_value, changed_by, add_time)
  values (p_uid, v_was, p_no_assess, p_changed_by, p_now);

  perform app.lock_balances(array(select a.uid from app.get_upline(p_uid) as a));
  select case when p_no_assess then -b.own_orders else b.own_orders end into v_own
  from app.user_balances as b where b.uid = p_uid;
  perform app.book_entries('{}', app.upline_counts(array(select app.upline_shares(p_uid)), v_own, sign(v_own)::integer), p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.set_schedule (
  p_name       text,
  p_schedule   text,
  p_is_active  boolean,
  p_changed_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from app.scheduled_jobs as j where j.name = p_name for update;
  if not found then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.cron_in_utc(p_schedule, 'UTC', p_now) where p_schedule is not null;
  perform app.require_scheduler();
  update app.scheduled_jobs as j
  set schedule = coalesce(p_schedule, j.schedule), is_active = coalesce(p_is_active, j.is_active), changed_by = p_changed_by, changed_at = p_now
  where j.name = p_name and (j.schedule, j.is_active) <> (coalesce(p_schedule, j.schedule), coalesce(p_is_active, j.is_active));
  if found then
    perform app.apply_schedule(p_now);
  end if;
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
  perform app.require_time(p_now);
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  perform app.lock_balances(app.order_participants(v_order));
  return app.settle_locked_order(v_order, p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.simulate (
  p_plan       jsonb,
  p_levels     jsonb,
  p_from       timestamp with time zone,
  p_to         timestamp with time zone,
  p_max_orders integer                  DEFAULT 20000,
  p_limit      integer                  DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_schema text := 'simulation_' || pg_backend_pid();
  v_orders integer;
  v_report text;
begin
  if p_from is null or p_to is null or p_from >= p_to then
    perform app.fail('invalid_argument', 'A period has a beginning and a later end.');
  elsif p_max_orders is null or p_max_orders < 1 or p_limit is null or p_limit < 1 then
    perform app.fail('invalid_argument', 'A simulation has at least one order and one member.');
  end if;
  perform app.require_time(p_from);
  perform app.require_time(p_to);
  -- Looked at before the work of copying the engine, too.
  perform app.check_plan_keys(coalesce(p_plan, '{}'));
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;
  perform app.copy_engine(v_schema);
  perform app.copy_members(v_schema, p_from, p_to);
  execute format('select from %1$I.create_plan(coalesce($1, %2$L), null, $2)', v_schema, '{}') using p_plan, p_from;
  if p_levels is not null then
    execute format('select %I.set_agent_levels($1, null, $2)', v_schema) using p_levels, p_from;
  end if;
  v_orders := app.replay_orders(v_schema, p_from, p_to, p_max_orders);
  v_report := app.simulation_report(v_schema, v_orders, p_limit)::text;
  raise exception using errcode = 'PV000', message = 'undo', detail = v_report;
exception
  when sqlstate 'PV000' then
    get stacked diagnostics v_report = pg_exception_detail;
    return v_report::jsonb;
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
  v_now timestamptz;
  v_day date;
  v_uids bigint[];
  v_skipped bigint[];
  v_tries integer;
begin
  perform app.require_time(coalesce(p_now, clock_timestamp()));
  if p_chunk is null or p_chunk not between 1 and 1000 then
    -- With 0 the day would be finished and nobody released.
    perform app.fail('invalid_argument', 'A chunk has between 1 and 1000 members.');
  end if;
  foreach v_day in array app.days_to_release(p_business_day, app.business_day(coalesce(p_now, clock_timestamp()))) loop
    insert into app.release_runs (release_date, started_at) values (v_day, coalesce(p_now, clock_timestamp()))
    on conflict (release_date) do update set failures = 0, last_error = null;
    commit;

    v_skipped := '{}';
    v_uids := array[0::bigint];
    loop
      v_now := coalesce(p_now, clock_timestamp());
      v_uids := app.release_candidates(v_day, v_uids[cardinality(v_uids)], p_chunk);
      exit when cardinality(v_uids) = 0;
      v_skipped := v_skipped || app.release_chunk(v_day, v_uids, v_now);
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
      v_skipped := app.release_chunk(v_day, v_skipped[1:p_chunk], coalesce(p_now, clock_timestamp())) || v_skipped[p_chunk + 1:];
      commit;
    end loop;

    update app.release_runs as r set finished_at = coalesce(p_now, clock_timestamp())
    where r.release_date = v_day and r.failures = 0;
    commit;
  end loop;
end
$procedure$;

REVOKE ALL ON FUNCTION "api"."record_unverified_notification"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."record_unverified_notification"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."record_unverified_notification"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."record_unverified_notification"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "app"."blame_arguments"(text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."blame_arguments"(text, jsonb) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "app"."blame_arguments"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."blame_arguments"(text, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."blame_arguments"(text, jsonb) TO "service_role", "store_admin";

REVOKE ALL ON FUNCTION "app"."require_time"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_time"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_time"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON PROCEDURE "app"."release_frozen_points"(date, timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON PROCEDURE "app"."release_frozen_points"(date, timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON PROCEDURE "app"."release_frozen_points"(date, timestamp WITH time zone, integer) TO "postgres";
