SET local check_function_bodies = off;

CREATE TABLE "app"."payment_notifications" (
  "id"       bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "provider" text                     NOT NULL,
  "event_id" text,
  "order_id" bigint,
  "order_no" text,
  "pay_ref"  text,
  "amount"   numeric(14,2),
  "currency" text,
  "outcome"  text                     NOT NULL,
  "reason"   text,
  "add_time" timestamp with time zone NOT NULL,
  CONSTRAINT "a_reason_iff_it_is_needed" CHECK (((reason IS NULL) = (outcome = ANY (ARRAY['paid'::text, 'repeated'::text])))),
  CONSTRAINT "outcome_is_known" CHECK ((outcome = ANY (ARRAY['paid'::text, 'repeated'::text, 'ignored'::text, 'refused'::text, 'attention'::text, 'unverified'::text]))),
  CONSTRAINT "payment_notifications_pkey" PRIMARY KEY (id),
  CONSTRAINT "provider_is_a_name" CHECK ((provider ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
  CONSTRAINT "texts_are_short"
    CHECK (((GREATEST(char_length(event_id), char_length(order_no), char_length(pay_ref), char_length(reason)) <= 128) AND (char_length(currency) <= 16))),
  CONSTRAINT "what_is_unverified_says_nothing"
    CHECK (((outcome <> 'unverified'::text) OR (COALESCE(event_id, order_no, pay_ref, currency, (order_id)::text, (amount)::text) IS NULL))),
  CONSTRAINT "what_paid_is_complete" CHECK (((outcome <> ALL (ARRAY['paid'::text, 'repeated'::text, 'attention'::text])) OR ((order_id IS NOT NULL) AND (pay_ref IS
    NOT NULL) AND (amount IS NOT NULL) AND (currency IS NOT NULL))))
);

ALTER TABLE "app"."payment_notifications"
  ENABLE ROW LEVEL SECURITY;

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
  v_skip bigint := app.check_page(p_page, p_limit);
  v_after record := app.parse_cursor(p_cursor);
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
    where (p_outcome is null or n.outcome = p_outcome) and (p_cursor is null or (n.add_time, n.id) < (v_after.add_time, v_after.id))
    order by n.add_time desc, n.id desc
    offset case when p_cursor is null then v_skip else 0 end
    limit p_limit
  ) as l;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next,
    'count', (select count(*) from app.payment_notifications as n where p_outcome is null or n.outcome = p_outcome)
  );
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
  v_result record := app.record_payment_notification(
    p_provider, p_event_id, p_kind, p_fault, p_order_no, p_pay_ref, p_amount_minor / 100.0, p_currency, clock_timestamp()
  );
begin
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
end
$function$;

CREATE OR REPLACE FUNCTION api.record_unverified_notification (
  p_provider text,
  p_reason   text
)
  RETURNS jsonb
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('kept', app.record_unverified(p_provider, p_reason, clock_timestamp()))
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
    values (p_provider, p_event_id, v_order_id, p_order_no, p_pay_ref, p_amount, p_currency, outcome, reason, p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION app.record_unverified (
  p_provider text,
  p_reason   text,
  p_now      timestamp with time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_kept integer;
begin
  if not pg_try_advisory_xact_lock(74010003) then
    return false;
  end if;
  select count(*) into v_kept from (
    select from app.payment_notifications as n
    where n.provider = p_provider and n.outcome = 'unverified' and n.add_time > p_now - interval '1 hour'
    limit 20
  ) as recent;
  if v_kept < 20 then
    insert into app.payment_notifications (provider, outcome, reason, add_time) values (p_provider, 'unverified', p_reason, p_now);
  end if;
  return v_kept < 20;
end
$function$;

CREATE OR REPLACE FUNCTION app.take_payment (
  p_provider text,
  p_order_no text,
  p_pay_ref  text,
  p_amount   numeric,
  p_currency text,
  p_now      timestamp with time zone,
  OUT        order_id bigint,
  OUT        outcome text,
  OUT        reason text
)
  RETURNS record
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.order_no = p_order_no for update;
  order_id := v_order.id;
  reason := case
    when v_order.id is null then 'order_unknown'
    when p_pay_ref is null then 'reference_missing'
    when p_currency is distinct from 'CNY' then 'currency_differs'
    when p_amount is distinct from v_order.pay_price then 'amount_differs'
  end;
  if reason is not null then
    outcome := 'refused';
  elsif v_order.pay_type = p_provider and v_order.pay_ref = p_pay_ref then
    outcome := 'repeated';
  else
    begin
      perform app.pay_order(v_order.id, p_provider, p_pay_ref, p_now);
      outcome := 'paid';
    exception when sqlstate 'PT409' then
      outcome := 'attention';
      reason := sqlerrm;
    end;
  end if;
end
$function$;

ALTER TABLE "app"."payment_notifications"
  ADD CONSTRAINT "payment_notifications_order_id_fkey" FOREIGN KEY (order_id) REFERENCES app.orders(id);

CREATE INDEX payment_notifications_add_time_idx ON app.payment_notifications USING btree (add_time, id);

CREATE INDEX payment_notifications_event_idx ON app.payment_notifications USING btree (PROVIDER, event_id)
  WHERE (event_id IS NOT NULL);

CREATE INDEX payment_notifications_order_idx ON app.payment_notifications USING btree (order_id)
  WHERE (order_id IS NOT NULL);

CREATE INDEX payment_notifications_outcome_idx ON app.payment_notifications USING btree (outcome, add_time, id);

CREATE INDEX payment_notifications_unverified_idx ON app.payment_notifications USING btree (PROVIDER, add_time)
  WHERE (outcome = 'unverified'::text);

CREATE TRIGGER payment_notifications_are_never_changed
  BEFORE DELETE OR UPDATE ON app.payment_notifications
  FOR EACH ROW
  EXECUTE FUNCTION app.refuse_change();

CREATE TRIGGER payment_notifications_are_never_emptied
  BEFORE TRUNCATE ON app.payment_notifications
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.refuse_change();

CREATE POLICY "admins_read_payment_notifications" ON "app"."payment_notifications"
  FOR SELECT
  TO "store_admin", "service_role"
  USING (true);

COMMENT ON TABLE "app"."payment_notifications" IS 'Notifications of payment providers: paid, repeated, ignored (no payment), refused (does not fit), attention (money that nobody expected), unverified.';

REVOKE ALL ON FUNCTION "api"."get_payment_notifications"(text, integer, integer, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_payment_notifications"(text, integer, integer, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_payment_notifications"(text, integer, integer, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_payment_notifications"(text, integer, integer, text) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."record_payment_notification"(text, text, text, text, text, text, bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."record_payment_notification"(text, text, text, text, text, text, bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."record_payment_notification"(text, text, text, text, text, text, bigint, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."record_payment_notification"(text, text, text, text, text, text, bigint, text) TO "service_role";

REVOKE ALL ON FUNCTION "api"."record_unverified_notification"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."record_unverified_notification"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."record_unverified_notification"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."record_unverified_notification"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "app"."record_payment_notification"(text, text, text, text, text, text, numeric, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."record_payment_notification"(text, text, text, text, text, text, numeric, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."record_payment_notification"(text, text, text, text, text, text, numeric, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."record_unverified"(text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."record_unverified"(text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."record_unverified"(text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."take_payment"(text, text, text, numeric, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."take_payment"(text, text, text, numeric, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."take_payment"(text, text, text, numeric, text, timestamp WITH time zone) TO "postgres";

GRANT SELECT ON TABLE "app"."payment_notifications" TO "store_admin", "service_role";
