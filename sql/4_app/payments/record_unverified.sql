-- Records that somebody sent a notification that could not be verified. Anybody can do that as often as they like, so 20 an
-- hour and provider are kept, nothing of what was sent, and beyond that nothing is written: a flood costs a look into an
-- index. Whoever meets another one at this very moment is not kept either, so that nobody waits.
-- Callers: api.record_unverified_notification. Raises: nothing. Safe twice: each call is one notification.
create or replace function app.record_unverified(p_provider text, p_reason text, p_now timestamptz)
returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
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
$$;
