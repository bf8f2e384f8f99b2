-- Generated from sql/ by `npm run migration:fold`; do not edit.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION app.decide_real_name (
  p_name   app.real_names,
  p_state  text,
  p_reason text,
  p_by     uuid,
  p_now    timestamp with time zone
)
  RETURNS app.real_names
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_name app.real_names := p_name;
begin
  if p_name.state <> p_state then
    update app.real_names as r set state = p_state, reason = p_reason, decided_by = p_by, decided_at = p_now where r.id = p_name.id returning r.* into v_name;
    perform app.write_event('name.' || p_state, v_name.uid, v_name.uid, '{}', p_now);
  end if;
  perform app.finish_outbox('real_name_check', p_name.id::text);
  return v_name;
end
$function$;

CREATE OR REPLACE FUNCTION app.notice_types()
  RETURNS TABLE (
    type  text,
    topic text
  )
  LANGUAGE sql
  IMMUTABLE
  PARALLEL SAFE
  ROWS 31
  AS $function$
  values
    ('order.paid', 'orders'), ('order.shipped', 'orders'), ('order.parcel_added', 'orders'), ('order.received', 'orders'),
    ('order.expiring', 'orders'), ('order.expired', 'orders'), ('order.cancelled', 'orders'),
    ('refund.requested', 'refunds'), ('refund.refunded', 'refunds'), ('refund.refused', 'refunds'), ('refund.return_requested', 'refunds'),
    ('refund.return_sent', 'refunds'), ('refund.return_received', 'refunds'),
    ('commission.earned', 'commission'), ('commission.reversed', 'commission'), ('commission.matured', 'commission'),
    ('withdrawal.requested', 'withdrawals'), ('withdrawal.approved', 'withdrawals'), ('withdrawal.paid', 'withdrawals'),
    ('withdrawal.failed', 'withdrawals'), ('withdrawal.refused', 'withdrawals'), ('adjustment.booked', 'withdrawals'),
    ('member.referred', 'team'), ('level.reached', 'team'), ('profile.nickname_replaced', 'team'), ('profile.avatar_removed', 'team'),
    ('person.request_done', 'team'), ('person.request_refused', 'team'), ('name.checked', 'withdrawals'), ('name.refused', 'withdrawals'), ('points.released', 'points')
$function$;

COMMENT ON FUNCTION "app"."decide_real_name"(app.real_names, text, text, uuid, timestamp with time zone) IS 'Records that a real name was checked or refused, which the member is told, p_by an administrator or (null) the provider. Whoever decides last is right.';
