SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION api.admin_get_order (
  p_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return app.order_json(v_order) || jsonb_build_object(
    'pay_type', v_order.pay_type, 'pay_ref', v_order.pay_ref, 'plan_version', v_order.plan_version, 'refunds', app.refunds_json(p_id)
  );
end
$function$;

CREATE OR REPLACE FUNCTION api.get_refunds (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_uid bigint := app.require_uid();
  v_list jsonb;
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
  v_list := app.refunds_json(p_order_id);
  return jsonb_build_object('list', v_list, 'count', jsonb_array_length(v_list));
end
$function$;

CREATE OR REPLACE FUNCTION app.refunds_json (
  p_order_id bigint
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(app.refund_json(r) order by r.id desc), '[]') from app.refunds as r where r.order_id = p_order_id
$function$;

REVOKE ALL ON FUNCTION "api"."admin_get_order"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."admin_get_order"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_order"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."admin_get_order"(bigint) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_refunds"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_refunds"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "api"."get_refunds"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_refunds"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_refunds"(bigint) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."refunds_json"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."refunds_json"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."refunds_json"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refunds_json"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."refunds_json"(bigint) TO "store_admin";
