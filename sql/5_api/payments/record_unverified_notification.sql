-- Security definer: no client role may write notifications.
-- Raises: invalid_argument.
create or replace function api.record_unverified_notification(p_provider text, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object('kept', app.record_unverified(p_provider, p_reason, clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The provider or the reason is missing or too long.');
end
$$;

comment on function api.record_unverified_notification is
  'Records a payment notification whose signature could not be verified. kept is false if it was not recorded, because the '
  'limit of the hour is reached or another one is being recorded. Serves POST /api/pay/notify/{provider}.';

grant execute on function api.record_unverified_notification(text, text) to service_role;
