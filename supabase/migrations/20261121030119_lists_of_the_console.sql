SET local check_function_bodies = off;

DROP FUNCTION "api"."admin_get_orders"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer);

DROP FUNCTION "api"."admin_get_users"(text, smallint, boolean, text, integer, integer);

DROP FUNCTION "api"."get_bill"(text, integer, integer, text);

CREATE OR REPLACE FUNCTION api.admin_get_bill (
  p_uid    bigint,
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
  perform app.require_user(p_uid);
  return app.bill_page(p_uid, p_type, p_from, p_to, p_page, p_limit, p_cursor);
end
$function$;

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
  v_skip bigint := app.check_page(p_page, p_limit);
  v_after record := app.parse_cursor(p_cursor);
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
      and (p_cursor is null or q.id < v_after.id)
    order by q.id desc
    offset case when p_cursor is null then v_skip else 0 end
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

CREATE OR REPLACE FUNCTION api.admin_get_user (
  p_uid bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_answer jsonb;
begin
  select app.user_json(u, b) || jsonb_build_object(
    'referrer', case when r.uid is not null then jsonb_build_object('uid', r.uid, 'nickname', r.nickname) end,
    'next_level', app.next_level_json(u, b),
    'progress', app.brokerage_progress(u.uid, clock_timestamp())
  )
  into v_answer
  from app.users as u
  join app.user_balances as b on b.uid = u.uid
  left join app.users as r on r.uid = u.spread_uid
  where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  return v_answer;
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
  SET search_path TO ''
  AS $function$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_filter constant text := $sql$
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    where ($1 is null or u.uid::text = $1 or u.phone = $1 or position(lower($1) in lower(u.nickname)) > 0)
      and ($2 is null or u.agent_level = $2) and ($3 is null or u.no_assess = $3) and ($4 is null or u.spread_uid = $4)
  $sql$;
  v_count bigint;
  v_list jsonb;
begin
  if p_sort is null or p_sort !~ '^-?(uid|add_time|frozen_points|available_points|total_points_earned|brokerage_price)$' then
    perform app.fail('invalid_argument', 'sort is uid, add_time, frozen_points, available_points, total_points_earned or brokerage_price, with a leading - for descending.');
  end if;
  -- Dynamic, so that members in the order of their uid are read by index and only as many as a page has.
  execute format($sql$
    select coalesce(jsonb_agg(app.user_json(u, b) order by %2$s %3$s, u.uid %3$s), '[]')
    from (select u.uid %1$s order by %2$s %3$s, u.uid %3$s offset $5 limit $6) as m
    join app.users as u on u.uid = m.uid
    join app.user_balances as b on b.uid = m.uid
  $sql$,
    v_filter,
    case when p_sort ~ '(uid|add_time)$' then 'u.' else 'b.' end || ltrim(p_sort, '-'),
    case when p_sort like '-%' then 'desc' else 'asc' end
  ) into v_list using p_search, p_agent_level, p_no_assess, p_spread_uid, v_skip, p_limit;
  execute 'select count(*) ' || v_filter into v_count using p_search, p_agent_level, p_no_assess, p_spread_uid;
  return jsonb_build_object('list', v_list, 'count', v_count);
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
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select app.bill_page(app.require_uid(), p_type, p_from, p_to, p_page, p_limit, p_cursor)
$function$;

CREATE OR REPLACE FUNCTION api.get_level_changes (
  p_uid   bigint,
  p_page  integer DEFAULT 1,
  p_limit integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
begin
  perform app.require_user(p_uid);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'from_level', c.from_level, 'to_level', c.to_level, 'reason', c.reason, 'order_id', c.order_id,
        'changed_by', app.actor_json(c.changed_by), 'add_time', app.utc(c.add_time)
      ) order by c.id desc)
      from (select * from app.level_changes as l where l.uid = p_uid order by l.id desc offset v_skip limit p_limit) as c
    ), '[]'),
    'count', (select count(*) from app.level_changes as l where l.uid = p_uid)
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_no_assess_changes (
  p_uid   bigint,
  p_page  integer DEFAULT 1,
  p_limit integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
begin
  perform app.require_user(p_uid);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'from_value', c.from_value, 'to_value', c.to_value, 'changed_by', app.actor_json(c.changed_by),
        'add_time', app.utc(c.add_time)
      ) order by c.id desc)
      from (select * from app.no_assess_changes as n where n.uid = p_uid order by n.id desc offset v_skip limit p_limit) as c
    ), '[]'),
    'count', (select count(*) from app.no_assess_changes as n where n.uid = p_uid)
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
  SET search_path TO ''
  AS $function$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
begin
  perform app.require_user(p_uid);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(jsonb_build_object(
        'cycle_no', s.cycle_no, 'place', s.place, 'cycle_plan_version', s.cycle_plan_version, 'order_id', s.order_id,
        'uid', s.uid, 'base', s.base::text, 'ratio', trim_scale(s.ratio), 'commission', s.commission::text,
        'commission_points', trim_scale(s.commission_points), 'settled_at', app.utc(s.settled_at)
      ) order by s.cycle_no desc, s.place desc)
      from (
        select * from app.settlements as t where t.earner_uid = p_uid and t.place_freed_at is null
        order by t.cycle_no desc, t.place desc offset v_skip limit p_limit
      ) as s
    ), '[]'),
    'count', (select count(*) from app.settlements as t where t.earner_uid = p_uid and t.place_freed_at is null)
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
  SET search_path TO ''
  AS $function$
declare
  v_skip bigint;
  v_list jsonb;
  v_count bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  with upline as materialized (select a.depth, a.uid from app.get_upline(p_uid) as a)
  select
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'depth', p.depth, 'uid', p.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', l.name,
        'no_assess', u.no_assess
      ) order by p.depth)
      from (select * from upline order by depth offset v_skip limit p_limit) as p
      join app.users as u on u.uid = p.uid
      join app.agent_levels as l on l.grade = u.agent_level
    ), '[]'),
    (select count(*) from upline)
  into v_list, v_count;
  return jsonb_build_object('list', v_list, 'count', v_count);
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
  AS $function$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_after record := app.parse_cursor(p_cursor);
  v_answer jsonb;
begin
  select jsonb_build_object(
    'list', coalesce(jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), '[]'),
    'count', (
      select count(*) from app.user_bill as c
      where c.uid = p_uid and (p_type is null or c.type = p_type)
        and (p_from is null or c.add_time >= p_from) and (p_to is null or c.add_time < p_to)
    ),
    'next_cursor', case when count(*) = p_limit then
      (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1]
    end
  )
  into v_answer
  from (
    select b.* from app.user_bill as b
    where b.uid = p_uid and (p_type is null or b.type = p_type)
      and (p_from is null or b.add_time >= p_from) and (p_to is null or b.add_time < p_to)
      and (p_cursor is null or (b.add_time, b.id) < (v_after.add_time, v_after.id))
    order by b.add_time desc, b.id desc
    offset case when p_cursor is null then v_skip else 0 end
    limit p_limit
  ) as l;
  return v_answer;
end
$function$;

CREATE OR REPLACE FUNCTION app.copy_auth_phone()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update app.users set phone = nullif(left(new.phone, 32), '') where auth_id = new.id;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION app.next_level_json (
  p_user     app.users,
  p_balances app.user_balances
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'agent_level', l.grade, 'agent_level_name', l.name,
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object('type', t.type, 'target', t.target, 'current', c.current, 'met', c.current >= t.target) order by t.type)
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

CREATE OR REPLACE FUNCTION app.require_user (
  p_uid bigint
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from app.users as u where u.uid = p_uid) then
    perform app.fail('user_not_found');
  end if;
end
$function$;

CREATE TRIGGER members_have_the_phone_of_their_account
  AFTER UPDATE OF phone ON auth.users
  FOR EACH ROW
  WHEN ((old.phone IS DISTINCT FROM new.phone))
  EXECUTE FUNCTION app.copy_auth_phone();

REVOKE ALL ON FUNCTION "api"."admin_get_bill"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."admin_get_bill"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_bill"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_bill"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_orders"(bigint, text, smallint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_users"(text, smallint, boolean, bigint, text, integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_bill"(text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_level_changes"(bigint, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_level_changes"(bigint, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_level_changes"(bigint, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_level_changes"(bigint, integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_no_assess_changes"(bigint, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_no_assess_changes"(bigint, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_no_assess_changes"(bigint, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_no_assess_changes"(bigint, integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_places"(bigint, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_places"(bigint, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_places"(bigint, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_places"(bigint, integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_upline"(bigint, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_upline"(bigint, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_upline"(bigint, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_upline"(bigint, integer, integer) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."bill_page"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."bill_page"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."bill_page"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."bill_page"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."bill_page"(bigint, text, timestamp WITH time zone, timestamp WITH time zone, integer, integer, text) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."copy_auth_phone"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."copy_auth_phone"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."copy_auth_phone"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."next_level_json"(app.users, app.user_balances) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."next_level_json"(app.users, app.user_balances) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."next_level_json"(app.users, app.user_balances) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."next_level_json"(app.users, app.user_balances) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."require_user"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."require_user"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_user"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."require_user"(bigint) TO "store_admin";
