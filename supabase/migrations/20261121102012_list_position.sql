SET local check_function_bodies = off;

DROP FUNCTION "app"."parse_cursor"(text);

CREATE OR REPLACE FUNCTION api.admin_get_orders (
  p_uid           bigint                   DEFAULT NULL::bigint,
  p_state         text                     DEFAULT NULL::text,
  p_refund_status smallint                 DEFAULT NULL::smallint,
  p_order_no      text                     DEFAULT NULL::text,
  p_from          timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_to            timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_page          integer                  DEFAULT 1,
  p_limit         integer                  DEFAULT 20,
  p_cursor        text                     DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_position record := app.list_position(p_page, p_limit, p_cursor);
  v_list jsonb;
  v_next text;
begin
  select
    coalesce(jsonb_agg(app.order_json(o) order by o.id desc), '[]'),
    case when count(*) = p_limit then (array_agg(app.make_cursor(o.add_time, o.id) order by o.id))[1] end
  into v_list, v_next
  from (
    select q.* from app.orders as q
    where (p_uid is null or q.uid = p_uid) and (p_state is null or q.state = p_state)
      and (p_refund_status is null or q.refund_status = p_refund_status) and (p_order_no is null or q.order_no = p_order_no)
      and (p_from is null or q.add_time >= p_from) and (p_to is null or q.add_time < p_to)
      and q.id < v_position.id
    order by q.id desc
    offset v_position.skip
    limit p_limit
  ) as o;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next,
    'count', (
      select count(*) from app.orders as q
      where (p_uid is null or q.uid = p_uid) and (p_state is null or q.state = p_state)
        and (p_refund_status is null or q.refund_status = p_refund_status) and (p_order_no is null or q.order_no = p_order_no)
        and (p_from is null or q.add_time >= p_from) and (p_to is null or q.add_time < p_to)
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_payment_notifications (
  p_outcome text    DEFAULT NULL::text,
  p_page    integer DEFAULT 1,
  p_limit   integer DEFAULT 20,
  p_cursor  text    DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_position record := app.list_position(p_page, p_limit, p_cursor);
  v_list jsonb;
  v_next text;
begin
  select
    coalesce(jsonb_agg(jsonb_build_object(
      'id', l.id, 'provider', l.provider, 'event_id', l.event_id, 'order_id', l.order_id, 'order_no', l.order_no, 'pay_ref', l.pay_ref,
      'amount', l.amount::text, 'currency', l.currency, 'outcome', l.outcome, 'reason', l.reason, 'add_time', app.utc(l.add_time)
    ) order by l.add_time desc, l.id desc), '[]'),
    case when count(*) = p_limit then (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1] end
  into v_list, v_next
  from (
    select n.* from app.payment_notifications as n
    where (p_outcome is null or n.outcome = p_outcome) and (n.add_time, n.id) < (v_position.add_time, v_position.id)
    order by n.add_time desc, n.id desc
    offset v_position.skip
    limit p_limit
  ) as l;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next,
    'count', (select count(*) from app.payment_notifications as n where p_outcome is null or n.outcome = p_outcome)
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
  v_position record := app.list_position(p_page, p_limit, p_cursor);
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
      where g.release_date between v_from and v_to and (g.add_time, g.id) < (v_position.add_time, v_position.id)
      order by g.add_time desc, g.id desc offset v_position.skip limit p_limit
    );
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0) into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between v_from and v_to;
  else
    v_rows := array(
      select g from app.points_release_log as g
      where g.uid = p_uid and g.release_date between v_from and v_to and (g.add_time, g.id) < (v_position.add_time, v_position.id)
      order by g.add_time desc, g.id desc offset v_position.skip limit p_limit
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
  v_position record := app.list_position(p_page, p_limit, p_cursor);
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
      and (b.add_time, b.id) < (v_position.add_time, v_position.id)
    order by b.add_time desc, b.id desc
    offset v_position.skip limit p_limit
  ) as l;
  return v_answer;
end
$function$;

CREATE OR REPLACE FUNCTION app.list_position (
  p_page   integer,
  p_limit  integer,
  p_cursor text,
  OUT      skip bigint,
  OUT      add_time timestamp with time zone,
  OUT      id bigint
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  skip := app.check_page(p_page, p_limit);
  if p_cursor is null then
    add_time := 'infinity';
    id := 9223372036854775807;
    return;
  end if;
  skip := 0;
  begin
    add_time := split_part(p_cursor, '_', 1)::timestamptz;
    id := split_part(p_cursor, '_', 2)::bigint;
  exception when others then
    perform app.fail('invalid_argument', 'cursor is not one that this list gave.');
  end;
end
$function$;

REVOKE ALL ON FUNCTION "app"."list_position"(integer, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."list_position"(integer, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."list_position"(integer, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."list_position"(integer, integer, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."list_position"(integer, integer, text) TO "store_admin";
