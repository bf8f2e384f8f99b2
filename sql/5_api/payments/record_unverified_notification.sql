-- POST /api/pay/notify/{provider}, where the edge function could not verify who speaks.
-- Security definer: notifications are written by functions only. Raises: nothing. Safe twice.
create or replace function api.record_unverified_notification(p_provider text, p_reason text)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object('kept', app.record_unverified(p_provider, p_reason, clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The provider or the reason is missing or too long.');
end
$$;

grant execute on function api.record_unverified_notification(text, text) to service_role;
