SET local check_function_bodies = off;

DROP FUNCTION "api"."set_agent_levels"(jsonb);

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
  perform app.set_agent_levels(p_levels, auth.uid(), clock_timestamp());
  return api.get_agent_levels();
end
$function$;

CREATE OR REPLACE FUNCTION app.fail (
  p_code   text,
  p_detail text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_status text := case p_code
    when 'unauthenticated' then '401'
    when 'forbidden' then '403'
    when 'order_not_found' then '404'
    when 'product_not_found' then '404'
    when 'user_not_found' then '404'
    when 'job_not_found' then '404'
    when 'refund_not_found' then '404'
    when 'crontab_not_found' then '404'
    when 'poster_not_found' then '404'
    when 'article_not_found' then '404'
    when 'article_category_not_found' then '404'
    when 'order_state_conflict' then '409'
    when 'order_already_paid' then '409'
    when 'changed_meanwhile' then '409'
    when 'payment_reference_used' then '409'
    when 'spread_already_bound' then '409'
    when 'refund_state_conflict' then '409'
    when 'refund_reference_used' then '409'
    when 'article_category_in_use' then '409'
    when 'idempotency_key_in_use' then '409'
    when 'invalid_argument' then '422'
    when 'idempotency_key_reused' then '422'
    when 'spread_unknown' then '422'
    when 'spread_is_self' then '422'
    when 'spread_in_own_downline' then '422'
    when 'product_unavailable' then '422'
    when 'refund_exceeds_order' then '422'
    when 'level_unknown' then '422'
    when 'plan_invalid' then '422'
    when 'levels_invalid' then '422'
    when 'simulation_too_large' then '422'
    when 'schedule_unavailable' then '503'
  end;
begin
  raise exception using
    errcode = 'PT' || coalesce(v_status, '500'), message = p_code, detail = coalesce(p_detail, '');
end
$function$;

REVOKE ALL ON FUNCTION "api"."set_agent_levels"(jsonb, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."set_agent_levels"(jsonb, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_agent_levels"(jsonb, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."set_agent_levels"(jsonb, integer) TO "store_admin";
