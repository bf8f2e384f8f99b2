SET local check_function_bodies = off;

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
    when 'order_state_conflict' then '409'
    when 'order_already_paid' then '409'
    when 'payment_reference_used' then '409'
    when 'spread_already_bound' then '409'
    when 'refund_state_conflict' then '409'
    when 'refund_reference_used' then '409'
    when 'invalid_argument' then '422'
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

CREATE OR REPLACE FUNCTION app.reconcile()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  SET jit TO 'off'
  AS $function$
  select * from app.reconcile_balances()
  union all select * from app.reconcile_amounts()
  union all select * from app.reconcile_counters()
  union all select * from app.reconcile_settlements()
  union all select * from app.reconcile_releases()
  union all select * from app.reconcile_refunds()
  union all select * from app.reconcile_article_pool()
$function$;
