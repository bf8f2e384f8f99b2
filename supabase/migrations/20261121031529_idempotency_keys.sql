SET local check_function_bodies = off;

DROP FUNCTION "app"."as_caller"(jsonb, text, jsonb);

CREATE TABLE "app"."idempotency_keys" (
  "auth_id"     uuid                     NOT NULL,
  "role"        text                     NOT NULL,
  "key"         text                     NOT NULL,
  "fingerprint" bytea                    NOT NULL,
  "answer"      jsonb                    NOT NULL,
  "created_at"  timestamp with time zone NOT NULL,
  CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY (auth_id, ROLE, key),
  CONSTRAINT "key_is_a_short_visible_text" CHECK ((key ~ '^[!-~]{1,255}$'::text))
);

ALTER TABLE "app"."idempotency_keys"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION app.as_caller (
  p_claims   jsonb,
  p_function text,
  p_args     jsonb DEFAULT '{}'::jsonb,
  p_key      text  DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_role text := coalesce(p_claims ->> 'role', 'anon');
begin
  if v_role not in ('anon', 'authenticated', 'store_admin') then
    perform app.fail('forbidden', 'This token carries a role that may not call the store.');
  end if;
  perform set_config('request.jwt.claims', p_claims::text, true);
  perform set_config('role', v_role, true);
  if p_key is null then
    return app.call_api(p_function, p_args);
  end if;
  return app.call_once(p_key, p_function, p_args, clock_timestamp());
end
$function$;

CREATE OR REPLACE FUNCTION app.call_once (
  p_key      text,
  p_function text,
  p_args     jsonb,
  p_now      timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  -- jsonb has one text for equal values, however the client wrote them.
  v_fingerprint bytea := sha256(convert_to(p_function || ' ' || p_args::text, 'UTF8'));
  v_answer jsonb := app.find_answer(p_key, v_fingerprint);
begin
  if v_answer is null then
    v_answer := app.call_api(p_function, p_args);
    perform app.keep_answer(p_key, v_fingerprint, v_answer, p_now);
  end if;
  return v_answer;
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

CREATE OR REPLACE FUNCTION app.find_answer (
  p_key         text,
  p_fingerprint bytea
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_role text := auth.jwt() ->> 'role';
  v_kept app.idempotency_keys;
begin
  if p_key !~ '^[!-~]{1,255}$' then
    perform app.fail('invalid_argument', 'An idempotency key has 1 to 255 visible characters of ASCII.');
  elsif not pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', auth.uid(), v_role, p_key), 74010004)) then
    perform app.fail('idempotency_key_in_use');
  end if;
  select k.* into v_kept from app.idempotency_keys as k where k.auth_id = auth.uid() and k.role = v_role and k.key = p_key;
  if v_kept.fingerprint <> p_fingerprint then
    perform app.fail('idempotency_key_reused');
  end if;
  return v_kept.answer;
end
$function$;

CREATE OR REPLACE FUNCTION app.forget_idempotency_keys (
  p_now timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  delete from app.idempotency_keys as k where k.created_at < p_now - interval '24 hours'
$function$;

CREATE OR REPLACE FUNCTION app.keep_answer (
  p_key         text,
  p_fingerprint bytea,
  p_answer      jsonb,
  p_now         timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into app.idempotency_keys (auth_id, role, key, fingerprint, answer, created_at)
  values (auth.uid(), auth.jwt() ->> 'role', p_key, p_fingerprint, coalesce(p_answer, 'null'), p_now)
$function$;

CREATE INDEX idempotency_keys_created_at_idx ON app.idempotency_keys USING btree (created_at);

COMMENT ON TABLE "app"."idempotency_keys" IS 'Answers by caller and key; fingerprint is that of function and arguments. Answers are the caller''s: no client role reads them.';

REVOKE ALL ON FUNCTION "app"."as_caller"(jsonb, text, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."as_caller"(jsonb, text, jsonb, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."as_caller"(jsonb, text, jsonb, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."as_caller"(jsonb, text, jsonb, text) TO "store_api";

REVOKE ALL ON FUNCTION "app"."call_once"(text, text, jsonb, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."call_once"(text, text, jsonb, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."call_once"(text, text, jsonb, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."call_once"(text, text, jsonb, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."call_once"(text, text, jsonb, timestamp WITH time zone) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."find_answer"(text, bytea) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."find_answer"(text, bytea) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."find_answer"(text, bytea) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."find_answer"(text, bytea) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."find_answer"(text, bytea) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."forget_idempotency_keys"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."forget_idempotency_keys"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."forget_idempotency_keys"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."keep_answer"(text, bytea, jsonb, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."keep_answer"(text, bytea, jsonb, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."keep_answer"(text, bytea, jsonb, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."keep_answer"(text, bytea, jsonb, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."keep_answer"(text, bytea, jsonb, timestamp WITH time zone) TO "store_admin";

-- Rows are no part of a schema difference.
insert into app.scheduled_jobs (name, title, title_zh, command, schedule, preset)
values ('forget_idempotency_keys', 'Answers to repeated requests forgotten', '清理幂等请求记录', 'select app.forget_idempotency_keys()', '40 * * * *', '40 * * * *')
on conflict do nothing;

select app.apply_schedule();
