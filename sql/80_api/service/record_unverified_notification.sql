-- POST /api/pay/notify/{provider}, where the edge function could not verify who speaks.
-- Security definer: notifications are written by functions only. Raises: nothing. Safe twice.
create or replace function api.record_unverified_notification(p_provider text, p_reason text)
returns jsonb
language sql
security definer
set search_path = ''
as $$
  select jsonb_build_object('kept', app.record_unverified(p_provider, p_reason, clock_timestamp()))
$$;

grant execute on function api.record_unverified_notification(text, text) to service_role;
